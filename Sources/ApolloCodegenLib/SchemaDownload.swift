/// What the downloader asks its caller to send.
public struct SchemaRequest: Hashable, Sendable {
  /// The whole address, with its query.
  public var url: String
  /// The HTTP method, such as `POST`.
  public var method: String
  /// The header fields.
  public var headers: [ApolloCodegenConfiguration.SchemaDownload.Header]
  /// The bytes to send, or `nil` when there is no body.
  public var body: [UInt8]?
  /// Seconds.
  public var timeout: Double

  /// The address as it may appear in messages: without user, password, query and fragment, which may hold secrets.
  public var place: String { Self.place(url) }

  static func place(_ url: String) -> String {
    let address = url.prefix { $0 != "?" && $0 != "#" }
    let scheme = address.firstRange(of: "://").map { address[..<$0.upperBound] } ?? ""
    let rest = address.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" }
    let host =
      authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return "\(scheme)\(host)\(rest.dropFirst(authority.count))"
  }
}

/// What came back.
public struct SchemaResponse: Hashable, Sendable {
  /// The HTTP status code.
  public var status: Int
  /// The value of the header field `Content-Type`, if there was one.
  public var contentType: String?
  /// The bytes of the body.
  public var body: [UInt8]

  /// A response of these parts.
  public init(status: Int, contentType: String?, body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }
}

/// Why a schema could not be downloaded. The description says what was found and what to do.
public struct SchemaDownloadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was found, and what to do.
  public var description: String

  /// An error with this description, which may quote a server: what a terminal would obey is escaped.
  public init(_ description: String) {
    self.description = description.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

/// Downloads a schema by introspection or from the Apollo registry. Knows the requests and what answers mean; sending is the
/// caller's.
public struct SchemaDownload: Sendable {
  /// Sends a request and waits for the whole response.
  public typealias Send = @Sendable (SchemaRequest) async throws -> SchemaResponse

  /// What a server answered.
  public enum Document: Hashable, Sendable {
    /// The whole answer to the introspection query.
    case introspection([UInt8])
    case sdl(String)
  }

  private let settings: ApolloCodegenConfiguration.SchemaDownload
  private let send: Send

  /// A download as configured, whose requests go through `send`.
  public init(_ settings: ApolloCodegenConfiguration.SchemaDownload, send: @escaping Send) {
    self.settings = settings
    self.send = send
  }

  /// - Throws: ``SchemaDownloadError``, or what sending threw.
  public func fetch() async throws -> Document {
    switch settings.method {
    case .introspection(let introspection): try await introspect(introspection)
    case .apolloRegistry(let registry): try await download(registry)
    }
  }

  // MARK: - Introspection

  /// Asks for everything that the 2025 specification knows, and for what every server knows when that is refused.
  private func introspect(
    _ settings: ApolloCodegenConfiguration.SchemaDownload.Introspection
  ) async throws -> Document {
    let deprecated = settings.includeDeprecatedInputValues
    let complete = IntrospectionQuery.text(isComplete: true, deprecatedInputValues: true)
    let first = try await answer(to: request(settings, query: complete))
    guard let refusal = first.errorMessage else { return .introspection(first.body) }
    let basic = IntrospectionQuery.text(isComplete: false, deprecatedInputValues: deprecated)
    let second = try await answer(to: request(settings, query: basic))
    guard second.errorMessage == nil else {
      throw SchemaDownloadError(
        "The server at '\(SchemaRequest.place(settings.endpointURL))' refused the introspection query: \(refusal) "
          + "Allow introspection there, or ask for the schema file.")
    }
    return .introspection(second.body)
  }

  private func request(
    _ introspection: ApolloCodegenConfiguration.SchemaDownload.Introspection, query: String
  ) -> SchemaRequest {
    var request = SchemaRequest(
      url: introspection.endpointURL, method: "POST", headers: settings.headers, body: nil,
      timeout: settings.timeout)
    request.headers.append(
      .init(key: "Accept", value: "application/graphql-response+json, application/json"))
    switch introspection.httpMethod {
    case .post:
      request.headers.append(.init(key: "Content-Type", value: "application/json"))
      request.body = Array(
        "{\"operationName\":\"IntrospectionQuery\",\"query\":\(JSONText.string(query))}".utf8)
    case .get(let parameter):
      request.method = "GET"
      // A fragment is never sent; behind it, the query would not be either.
      request.url = String(request.url.prefix { $0 != "#" })
      let separator = request.url.contains("?") ? "&" : "?"
      request.url += "\(separator)\(Self.percentEncoded(parameter))=\(Self.percentEncoded(query))"
    }
    return request
  }

  private struct Answer {
    var body: [UInt8]
    var data: JSONNode?
    var errorMessage: String?
  }

  private func answer(to request: SchemaRequest) async throws -> Answer {
    let response = try await send(request)
    let place = request.place
    guard let node = try? JSONReader.read(String(decoding: response.body, as: UTF8.self)) else {
      // What is not JSON is described by what it claims to be; the parser's complaint would not help.
      throw Self.notJSON(response, place)
    }
    guard case .object(let members) = node else {
      throw SchemaDownloadError(
        "The server at '\(place)' answered with \(node.kindName) instead of a GraphQL response. "
          + "Is it the address of the GraphQL endpoint?")
    }
    func member(_ key: String) -> JSONNode? { members.first { $0.key == key }?.value }
    let message = Self.firstMessage(member("errors"))
    guard member("data") != nil || message != nil else {
      throw SchemaDownloadError(
        "The server at '\(place)' answered with status \(response.status) and JSON that is not a "
          + "GraphQL response. Is it the address of the GraphQL endpoint?")
    }
    return Answer(body: response.body, data: member("data"), errorMessage: message)
  }

  private static func notJSON(_ response: SchemaResponse, _ place: String) -> SchemaDownloadError {
    let type = response.contentType.map { $0.split(separator: ";").first.map(String.init) ?? $0 }
    let looksLikeHTML =
      type == "text/html" || response.body.prefix(200).contains(UInt8(ascii: "<"))
    let found = looksLikeHTML ? "an HTML page" : type.map { "'\($0)'" } ?? "something"
    let status = (200..<300).contains(response.status) ? "" : "status \(response.status) and "
    return SchemaDownloadError(
      "The server at '\(place)' answered with \(status)\(found) that is not JSON. "
        + "Is it the address of the GraphQL endpoint?")
  }

  private static func firstMessage(_ errors: JSONNode?) -> String? {
    guard case .array(let items)? = errors, let first = items.first else { return nil }
    guard case .object(let members) = first,
      case .string(let message)? = members.first(where: { $0.key == "message" })?.value
    else { return "an error without a message." }
    let line = String(message.prefix(300).map { $0.isNewline ? " " : $0 })
    return line.hasSuffix(".") ? line : line + "."
  }

  // MARK: - Registry

  private func download(
    _ registry: ApolloCodegenConfiguration.SchemaDownload.Registry
  ) async throws -> Document {
    let query =
      "query DownloadSchema($graphID: ID!, $variant: String!) { service(id: $graphID) { "
      + "variant(name: $variant) { activeSchemaPublish { schema { document } } } } }"
    let variables =
      "{\"graphID\":\(JSONText.string(registry.graphID)),\"variant\":\(JSONText.string(registry.variant))}"
    let body =
      "{\"operationName\":\"DownloadSchema\",\"query\":\(JSONText.string(query)),\"variables\":\(variables)}"
    let request = SchemaRequest(
      url: Self.registryURL, method: "POST",
      headers: settings.headers + [
        .init(key: "Content-Type", value: "application/json"),
        .init(key: "x-api-key", value: registry.apiKey),
        .init(key: "apollographql-client-name", value: "apollo-cli"),
      ], body: Array(body.utf8), timeout: settings.timeout)
    let answer = try await answer(to: request)
    if let message = answer.errorMessage {
      throw SchemaDownloadError("The Apollo registry refused the request: \(message)")
    }
    var node = answer.data
    for key in ["service", "variant", "activeSchemaPublish", "schema", "document"] {
      guard case .object(let members)? = node else { break }
      node = members.first { $0.key == key }?.value
    }
    guard case .string(let sdl)? = node else {
      throw SchemaDownloadError(
        "The Apollo registry has no schema for graph '\(registry.graphID)', variant "
          + "'\(registry.variant)'. Check both names and the API key.")
    }
    return .sdl(sdl)
  }

  private static let registryURL = "https://graphql.api.apollographql.com/api/graphql"

  // MARK: - Text

  static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
      let character = Character(Unicode.Scalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// The query of the specification's section 4, "Introspection".
enum IntrospectionQuery {
  /// - Parameters:
  ///   - isComplete: Whether to ask for what servers before the 2021 specification do not know.
  ///   - deprecatedInputValues: Whether to ask for arguments and input fields that are deprecated.
  /// - Returns: The text of the query.
  static func text(isComplete: Bool, deprecatedInputValues: Bool) -> String {
    let deprecated = isComplete || deprecatedInputValues ? "(includeDeprecated: true)" : ""
    let inputDeprecation =
      isComplete || deprecatedInputValues ? " isDeprecated deprecationReason" : ""
    let type = isComplete ? " specifiedByURL isOneOf" : ""
    let directive = isComplete ? " isRepeatable" : ""
    let schema = isComplete ? " description" : ""
    let wrapped = (0..<9).reduce("kind name") { inner, _ in "kind name ofType { \(inner) }" }
    return """
      query IntrospectionQuery { __schema {\(schema) queryType { name } mutationType { name } \
      subscriptionType { name } types { ...FullType } directives { name description\(directive) \
      locations args\(deprecated) { ...InputValue } } } } \
      fragment FullType on __Type { kind name description\(type) fields(includeDeprecated: true) { \
      name description args\(deprecated) { ...InputValue } type { ...TypeRef } isDeprecated \
      deprecationReason } inputFields\(deprecated) { ...InputValue } interfaces { ...TypeRef } \
      enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } \
      possibleTypes { ...TypeRef } } \
      fragment InputValue on __InputValue { name description type { ...TypeRef } \
      defaultValue\(inputDeprecation) } \
      fragment TypeRef on __Type { \(wrapped) }
      """
  }
}
