internal import ApolloAPI
public import ApolloTransport
public import Foundation
public import GraphQLFakeServer

/// A transport whose responses come from a `FakeServer`, without a network.
///
/// ```swift
/// let server = try FakeServer(schemaFiles: [URL(fileURLWithPath: "GraphQL/schema.graphqls")])
/// server.set("Luke", at: "hero.name")
/// let apollo = ApolloClient(networkTransport: FakeServerTransport(server))
/// ```
///
/// The cache, watchers and deadlines work as with a server over HTTP. Queries and mutations with
/// `@defer` and `@stream` have several responses, each with the data so far. Subscriptions have the
/// events that the options of the server say.
public final class FakeServerTransport: SubscriptionNetworkTransport, UploadingNetworkTransport {
  /// The server.
  public let server: FakeServer
  private let clock: any Clock<Duration>

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - server: The server, which several transports can share.
  ///   - clock: The clock for delays, such as a `TestClock`.
  public init(_ server: FakeServer, clock: any Clock<Duration> = ContinuousClock()) {
    self.server = server
    self.clock = clock
  }

  /// Returns the whole response to a query or a mutation.
  public func send(_ request: OperationRequest) async throws -> NetworkResponse {
    guard let last = try await responses(to: request, inParts: false).last() else {
      throw CancellationError()
    }
    return last
  }

  /// Returns the responses to an operation.
  public func responses(to request: OperationRequest) -> NetworkResponses {
    responses(to: request, inParts: request.partsContent == .response)
  }

  private func responses(to request: OperationRequest, inParts: Bool) -> NetworkResponses {
    NetworkResponses { [server, clock] in
      var response: FakeServerResponse?
      var index = 0
      var assembler = ResponseAssembler(
        framing: .messages, content: .response, maximumPartByteCount: .max)
      return {
        if response == nil {
          response = server.respond(to: try FakeServerRequest(request), acceptsParts: inParts)
        }
        while let current = response, let part = try await current.part(at: index, on: clock) {
          index += 1
          try Task.checkCancellation()
          guard current.kind == .parts else { return NetworkResponse(body: Data(part.body)) }
          assembler.append(Data(part.body))
          if let body = try assembler.next() { return assembler.response(body) }
        }
        return nil
      }
    }
  }

  /// Returns the response to an operation with files, whose variables are the names of the files.
  public func upload(
    _ request: OperationRequest, files: [GraphQLFile]
  ) async throws -> NetworkResponse {
    try await send(request.with(files))
  }
}

extension FakeServerRequest {
  /// Creates the request of an operation.
  ///
  /// - Throws: ``FakeServerTransport/MissingTextError`` if the operation was generated without its
  ///   text.
  fileprivate init(_ request: OperationRequest) throws(FakeServerTransport.MissingTextError) {
    let type = type(of: request.operation)
    let part = request.facts.completion
    guard let text = part?.text ?? type.operationDocument.definition?.queryDocument else {
      throw FakeServerTransport.MissingTextError(operationName: type.operationName)
    }
    var variables: [String: JSONValue] = [:]
    for field in part?.variables(of: request.operation) ?? request.operation.sentVariables {
      variables[field.name] = field.value
    }
    var counts: [String: Int] = [:]
    for file in request.files {
      let number = counts[file.fieldName, default: 0]
      counts[file.fieldName] = number + 1
      variables = FileNames.replacing(
        file.fieldName, number, with: file.originalName, in: variables)
    }
    self.init(text, operationName: type.operationName, variables: variables)
  }
}

extension FakeServerTransport {
  /// The error of an operation whose text is not in the program.
  public struct MissingTextError: Error, Hashable, Sendable, CustomStringConvertible,
    LocalizedError
  {
    /// The name of the operation.
    public let operationName: String

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// The problem and its solution in a sentence each.
    public var description: String {
      """
      '\(operationName)' was generated without its text, which a fake server needs. Add 'definition' \
      to 'operationDocumentFormat' in the configuration, and generate again.
      """
    }
  }
}

/// The names of files in the places of the variables that they are sent for.
private enum FileNames {
  /// `number`: The number of files of the field before this one.
  static func replacing(
    _ field: String, _ number: Int, with name: String, in variables: [String: JSONValue]
  ) -> [String: JSONValue] {
    let steps = field.split(separator: ".").map(String.init)[...]
    return replacing(steps, number, with: name, in: .object(variables)).objectValue ?? variables
  }

  private static func replacing(
    _ steps: ArraySlice<String>, _ number: Int, with name: String, in value: JSONValue
  ) -> JSONValue {
    guard let step = steps.first else {
      // Of a list, each file takes the next place.
      guard case .array(var items) = value else { return .string(name) }
      if items.indices.contains(number) { items[number] = .string(name) }
      return .array(items)
    }
    switch value {
    case .object(var members):
      members[step] = replacing(steps.dropFirst(), number, with: name, in: members[step] ?? .null)
      return .object(members)
    case .array(var items):
      guard let index = Int(step), items.indices.contains(index) else { return value }
      items[index] = replacing(steps.dropFirst(), number, with: name, in: items[index])
      return .array(items)
    default: return value
    }
  }
}
