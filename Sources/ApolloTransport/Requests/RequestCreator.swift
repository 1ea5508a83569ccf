public import ApolloAPI

/// The members of a request's body, as a ``RequestCreator`` makes them.
public typealias GraphQLMap = [String: JSONValue]

/// Makes the bodies of requests, for servers that expect more than GraphQL over HTTP describes.
///
/// ```swift
/// struct TenantRequestCreator: RequestCreator {
///   func requestBody<Operation: GraphQLOperation>(
///     for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool,
///     autoPersistQuery: Bool
///   ) -> GraphQLMap {
///     var body = ApolloRequestCreator().requestBody(
///       for: operation, sendOperationIdentifiers: sendOperationIdentifiers,
///       sendQueryDocument: sendQueryDocument, autoPersistQuery: autoPersistQuery)
///     body["tenant"] = "north"
///     return body
///   }
/// }
/// let transport = HTTPNetworkTransport(url: url, requestCreator: TenantRequestCreator())
/// ```
///
/// Each member becomes a member of the JSON body of a POST request, a parameter of a GET request,
/// or a member of the `operations` of an upload.
public protocol RequestCreator: Sendable {
  /// Returns the members of a request's body.
  ///
  /// - Parameters:
  ///   - operation: The operation with the values of its variables.
  ///   - sendOperationIdentifiers: `true` to send the operation's identifier as `id` in place of
  ///     its text.
  ///   - sendQueryDocument: `true` to send the operation's text.
  ///   - autoPersistQuery: `true` to send the hash of the text in `extensions`.
  /// - Returns: The members by their names.
  func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool,
    autoPersistQuery: Bool
  ) -> GraphQLMap
}

/// The creator of the bodies that transports send by default.
public struct ApolloRequestCreator: RequestCreator {
  /// Creates a creator.
  public init() {}

  /// Returns `operationName`, `variables`, and the members that identify the document.
  ///
  /// There is no `id` if the operation was generated without one; the request then fails.
  public func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool,
    autoPersistQuery: Bool
  ) -> GraphQLMap {
    let form: OperationMessage.DocumentForm =
      switch (sendOperationIdentifiers, autoPersistQuery) {
      case (true, _): .topLevelIdentifier
      case (false, true): sendQueryDocument ? .textAndIdentifier : .identifier
      case (false, false): .text
      }
    do {
      return try OperationMessage(operation, form: form).map
    } catch {
      return ["operationName": .string(Operation.operationName)]
    }
  }
}

extension OperationMessage {
  /// The members that a request has for an operation in a form.
  ///
  /// - Throws: ``GraphQLHTTPRequestError`` if the members don't identify the document.
  package init(
    _ operation: some GraphQLOperation, form: DocumentForm, creator: any RequestCreator
  ) throws(GraphQLHTTPRequestError) {
    let members = creator.requestBody(
      for: operation, sendOperationIdentifiers: form == .topLevelIdentifier,
      sendQueryDocument: form == .text || form == .textAndIdentifier,
      autoPersistQuery: form == .identifier || form == .textAndIdentifier)
    try self.init(operation, form: form, members: members)
  }

  private init(
    _ operation: some GraphQLOperation, form: DocumentForm, members: GraphQLMap
  ) throws(GraphQLHTTPRequestError) {
    operationName = members["operationName"]?.stringValue ?? type(of: operation).operationName
    if let identifier = members["id"], !identifier.isNull { self.identifier = identifier }
    if form == .topLevelIdentifier, identifier == nil {
      throw .missingOperationIdentifier(operationName: operationName)
    }
    generatedIdentifier = type(of: operation).operationDocument.operationIdentifier
    query = members["query"]?.stringValue
    variables = Self.sorted(members["variables"])
    extensions = Self.sorted(members["extensions"])
    let known: Set = ["operationName", "query", "id", "variables", "extensions"]
    furtherMembers = members.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  private static func sorted(_ value: JSONValue?) -> [(String, JSONValue)] {
    guard case .object(let members) = value else { return [] }
    return members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The members as a dictionary.
  fileprivate var map: GraphQLMap {
    var map: GraphQLMap = ["operationName": .string(operationName)]
    if let query { map["query"] = .string(query) }
    if let identifier { map["id"] = identifier }
    if !variables.isEmpty {
      map["variables"] = .object(Dictionary(variables, uniquingKeysWith: { $1 }))
    }
    if !extensions.isEmpty {
      map["extensions"] = .object(Dictionary(extensions, uniquingKeysWith: { $1 }))
    }
    return map
  }
}
