public import protocol Foundation.LocalizedError

/// The reason why a schema could not be downloaded.
///
/// ```swift
/// do {
///   _ = try await download.fetch()
/// } catch let error as SchemaDownloadError where error.code == .refused {
///   print("\(error.address) needs credentials, or does not permit introspection.")
/// }
/// ```
///
/// Failures of the network are the errors of the function that sends requests.
public struct SchemaDownloadError: Error, Hashable, Sendable {
  /// The kind of a failure. Later versions can add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The response is not a GraphQL response.
    public static let notGraphQL = Code(description: "notGraphQL")
    /// The response is JSON with a syntax error, such as one that was cut short.
    public static let damagedJSON = Code(description: "damagedJSON")
    /// The server or the registry refused the request.
    public static let refused = Code(description: "refused")
    /// The registry has no schema for the graph and the variant.
    public static let unknownGraph = Code(description: "unknownGraph")
  }

  /// The facts of a failure.
  enum Reason: Hashable, Sendable {
    /// The body is not JSON. `found` describes it, as in `an HTML page`.
    case notJSON(found: String)
    case damagedJSON(contentType: String, line: Int, column: Int, message: String)
    /// The body is JSON, but not an object. `kind` describes it, as in `an array`.
    case notAnObject(kind: String)
    /// The body is an object without `data` and without a message in `errors`.
    case notAResponse
    /// The server refused the introspection query with this message. Some servers say only in the
    /// code of the error that credentials are missing.
    case introspectionRefused(String, needsCredentials: Bool)
    case registryRefused(String)
    case unknownGraph(id: String, variant: String)
  }

  /// The address, without user, password, query and fragment.
  public let address: String
  /// The HTTP status code of the response.
  public let status: Int

  let reason: Reason

  init(_ reason: Reason, address: String, status: Int) {
    self.reason = reason
    self.address = address
    self.status = status
  }

  /// The kind of the failure.
  public var code: Code {
    switch reason {
    case .notJSON, .notAnObject, .notAResponse: .notGraphQL
    case .damagedJSON: .damagedJSON
    case .introspectionRefused, .registryRefused: .refused
    case .unknownGraph: .unknownGraph
    }
  }
}

// MARK: - Sentences

extension SchemaDownloadError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The failure, and the way to fix it.
  ///
  /// It may quote a server, so control characters are escaped.
  public var description: String {
    sentence(headers: "in 'schemaDownload.headers'").escapingControlCharacters
  }

  /// Describes the failure of a download by the command line.
  ///
  /// - Parameter isConfigured: `true` if the address is that of the configuration.
  /// - Returns: The failure, and the way to fix it.
  package func descriptionForCommandLine(isConfigured: Bool) -> String {
    sentence(
      headers: isConfigured ? "with --header or in 'schemaDownload.headers'" : "with --header"
    )
    .escapingControlCharacters
  }

  // Messages name the place where headers are given.
  private func sentence(headers: String) -> String {
    switch reason {
    case .notJSON(let found):
      "The server at '\(address)' responded with \(statusPrefix)\(found) that is not JSON. "
        + advice(headers)
    case .damagedJSON(let type, let line, let column, let message):
      "The server at '\(address)' responded with \(statusPrefix)'\(type)' that cannot be read. "
        + "Line \(line), column \(column): \(message) Was the response cut short?"
    case .notAnObject(let kind):
      "The server at '\(address)' responded with \(statusPrefix)\(kind) instead of a GraphQL "
        + "response. \(advice(headers))"
    case .notAResponse:
      "The server at '\(address)' responded with status \(status) and JSON that is not a "
        + "GraphQL response. \(advice(headers))"
    case .introspectionRefused(let message, let needsCredentials):
      "The server at '\(address)' refused the introspection query\(statusNote): \(message) "
        + (isUnauthorized || needsCredentials
          ? credentials(headers)
          : "Allow introspection there, or ask for the schema file." + depthAdvice(message))
    case .registryRefused(let message):
      "The registry at '\(address)' refused the request\(statusNote): \(message) "
        + "Check 'apiKey', 'graphID' and 'variant' of 'schemaDownload'."
    case .unknownGraph(let id, let variant):
      "The registry at '\(address)' has no schema for graph '\(id)', variant '\(variant)'. "
        + "Check both names and the API key."
    }
  }

  /// Returns the advice for a response that is not one of GraphQL. What refuses a request without
  /// credentials is often a gateway in front of the server.
  private func advice(_ headers: String) -> String {
    isUnauthorized ? credentials(headers) : "Is it the address of the GraphQL endpoint?"
  }

  private func credentials(_ headers: String) -> String {
    address == SchemaDownload.registryURL
      ? "Check 'apiKey' of 'schemaDownload'." : "Give the credentials that it requires \(headers)."
  }

  /// The advice about a server that limits the depth of queries, if its words say so.
  private func depthAdvice(_ message: String) -> String {
    let words = message.lowercased()
    guard ["depth", "deep", "nest"].contains(where: { words.contains($0) }) else { return "" }
    return " If it limits the depth of queries, ask for fewer levels ('typeDepth' of the "
      + "introspection, or --type-depth)."
  }

  private var isUnauthorized: Bool { [401, 403].contains(status) }
  private var isSuccess: Bool { (200..<300).contains(status) }
  private var statusNote: String { isSuccess ? "" : " with status \(status)" }
  private var statusPrefix: String { isSuccess ? "" : "status \(status) and " }
}

extension String {
  /// The text with an escape for each character that a terminal would obey.
  var escapingControlCharacters: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
