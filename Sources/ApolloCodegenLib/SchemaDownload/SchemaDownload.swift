import GraphQLSyntax

/// A download of a schema by introspection or from the Apollo registry.
///
/// It makes the requests and interprets the responses. The caller sends them:
///
/// ```swift
/// let download = SchemaDownload(settings) { request in try await http.send(request) }
/// let document = try await download.fetch()
/// ```
public struct SchemaDownload: Sendable {
  /// Sends a request and waits for the whole response.
  public typealias Send = @Sendable (SchemaRequest) async throws -> SchemaResponse

  /// A downloaded schema.
  public enum Document: Hashable, Sendable {
    /// The complete response to the introspection query.
    case introspection([UInt8])
    case sdl(String)
  }

  private let settings: ApolloCodegenConfiguration.SchemaDownload
  private let send: Send

  /// Creates a download whose requests are sent by `send`.
  public init(_ settings: ApolloCodegenConfiguration.SchemaDownload, send: @escaping Send) {
    self.settings = settings
    self.send = send
  }

  /// Downloads the schema.
  ///
  /// - Throws: ``SchemaDownloadError``, or an error of `send`.
  public func fetch() async throws -> Document { try await fetch { _ in } }

  /// Downloads the schema.
  ///
  /// - Parameter remark: Called with a sentence about everything that the schema may lack.
  /// - Returns: The schema.
  /// - Throws: ``SchemaDownloadError``, or an error of `send`.
  package func fetch(remark: (String) -> Void) async throws -> Document {
    switch settings.method {
    case .introspection(let introspection): try await introspect(introspection, remark)
    case .apolloRegistry(let registry): try await download(registry)
    }
  }

  // MARK: - Introspection

  /// Sends the introspection query.
  ///
  /// 1. The first request has everything that the specification defines.
  /// 2. If the server refuses it, the second one asks which parts of introspection the server has.
  ///    The third has these.
  /// 3. If the server refuses that as well, the last one is less deep: some servers limit the depth
  ///    of queries. If the settings have a depth, all requests have that.
  ///
  /// A server whose schema lists the introspection of the specification's draft is asked again,
  /// with that: deprecated directives are missing otherwise. If that fails, its first response
  /// stays.
  ///
  /// A server that does not tell its parts gets the query of the first specification. Deprecated
  /// arguments and input fields are requested only if the configuration includes them. A server
  /// omits them by default.
  private func introspect(
    _ settings: ApolloCodegenConfiguration.SchemaDownload.Introspection,
    _ remark: (String) -> Void
  ) async throws -> Document {
    func response(_ query: IntrospectionQuery) async throws -> Response {
      let response = try await self.response(to: request(settings, query: query.text))
      if response.hasSchema, let message = response.message {
        remark(
          "The server reported an error beside the schema: \(message)".escapingControlCharacters)
      }
      return response
    }
    let wanted = IntrospectionFeature.specified(
      deprecatedInputs: settings.includeDeprecatedInputValues)
    let depths =
      settings.typeDepth.map { [$0] }
      ?? [IntrospectionQuery.fullTypeDepth, IntrospectionQuery.shallowTypeDepth]
    let first = try await response(IntrospectionQuery(features: wanted, typeDepth: depths[0]))
    guard let refusal = first.refusal else {
      let drafts = IntrospectionFeature.drafts(in: first.data?["__schema"])
      guard !drafts.isEmpty else { return .introspection(first.body) }
      let query = IntrospectionQuery(features: wanted.union(drafts), typeDepth: depths[0])
      do {
        let second = try await response(query)
        if second.hasSchema { return .introspection(second.body) }
        remarkOnDirectives(second.message ?? "no schema", to: remark)
      } catch let error as SchemaDownloadError {
        remarkOnDirectives("\(error)", to: remark)
      }
      return .introspection(first.body)
    }
    let types = try await self.response(to: request(settings, query: IntrospectionFeature.query))
    guard ![401, 403].contains(first.status) || types.refusal == nil else {
      throw Self.refused(refusal, first, settings)
    }
    let known = IntrospectionFeature.supported(by: types.data) ?? []
    let features = known.intersection(
      wanted.union([.specifiedByUrl]).union(IntrospectionFeature.drafts))
    for depth in depths {
      let query = IntrospectionQuery(features: features, typeDepth: depth)
      // The same query would be refused again.
      if depth == depths[0], features == wanted { continue }
      let next = try await response(query)
      guard next.refusal == nil else { continue }
      report(wanted, features, to: remark)
      if depth != depths[0] {
        remark(
          "The server refused deep introspection: \(refusal) ".escapingControlCharacters
            + "Only types up to '[T!]!' are complete.")
      }
      return .introspection(next.body)
    }
    throw Self.refused(refusal, first, settings)
  }

  private static func refused(
    _ message: String, _ response: Response,
    _ settings: ApolloCodegenConfiguration.SchemaDownload.Introspection
  ) -> SchemaDownloadError {
    SchemaDownloadError(
      .introspectionRefused(message, needsCredentials: response.needsCredentials),
      address: SchemaRequest.redacted(settings.endpointURL), status: response.status)
  }

  /// Reports that a server refuses the introspection of directives that it lists.
  private func remarkOnDirectives(_ reason: String, to remark: (String) -> Void) {
    remark(
      "The server did not list its deprecated directives, so the schema lacks them: \(reason)"
        .escapingControlCharacters)
  }

  /// Reports the parts that the schema lacks because the server has no introspection for them.
  private func report(
    _ wanted: Set<IntrospectionFeature>, _ features: Set<IntrospectionFeature>,
    to remark: (String) -> Void
  ) {
    var missing = wanted.subtracting(features)
    if features.contains(.specifiedByUrl) { missing.remove(.specifiedByURL) }
    let list = IntrospectionFeature.allCases.filter(missing.contains)
    guard !list.isEmpty else { return }
    remark(
      "The server's introspection lacks \(list.map { "'\($0.name)'" }.joined(separator: ", ")), "
        + "so the schema has no \(list.map(\.loss).joined(separator: ", ")).")
  }

  private func request(
    _ introspection: ApolloCodegenConfiguration.SchemaDownload.Introspection, query: String
  ) -> SchemaRequest {
    var request = SchemaRequest(
      url: introspection.endpointURL, method: "POST", headers: settings.headers, body: nil,
      timeout: settings.timeout)
    if !request.headers.contains(where: { $0.key.lowercased() == "accept" }) {
      request.headers.append(
        .init(key: "Accept", value: "application/graphql-response+json, application/json"))
    }
    switch introspection.httpMethod {
    case .post:
      request.headers.append(.init(key: "Content-Type", value: "application/json"))
      request.body = Array(
        "{\"operationName\":\"IntrospectionQuery\",\"query\":\(JSONLiteral.string(query))}".utf8)
    case .get(let parameter):
      request.method = "GET"
      // A fragment is never sent, and neither would be the query after it.
      request.url = String(request.url.prefix { $0 != "#" })
      let separator = request.url.contains("?") ? "&" : "?"
      request.url += "\(separator)\(Self.percentEncoded(parameter))=\(Self.percentEncoded(query))"
    }
    return request
  }

  /// A GraphQL response.
  private struct Response {
    var status: Int
    var body: [UInt8]
    var data: IndexedJSON.Value?
    /// The first error as a sentence, or `nil` if there is none.
    var message: String?
    /// `true` if the first error says that credentials are missing.
    var needsCredentials = false

    /// `true` if the data is a schema, even beside errors.
    var hasSchema: Bool {
      data?["__schema"]?["types"]?.items?.isEmpty == false
    }

    /// The error of a response without a schema.
    var refusal: String? { hasSchema ? nil : message }
  }

  private func response(to request: SchemaRequest) async throws -> Response {
    let response = try await send(request)
    let address = request.redactedURL
    let root: IndexedJSON.Value
    do {
      root = try IndexedJSON(response.body, style: .written).root
    } catch {
      throw Self.notJSON(response, address, error)
    }
    guard root.kind == .object else {
      throw SchemaDownloadError(
        .notAnObject(kind: root.kindName), address: address, status: response.status)
    }
    let message = Self.firstMessage(root["errors"])
    guard root["data"] != nil || message != nil else {
      throw SchemaDownloadError(.notAResponse, address: address, status: response.status)
    }
    return Response(
      status: response.status, body: response.body, data: root["data"], message: message,
      needsCredentials: Self.needsCredentials(root["errors"]))
  }

  /// Returns `true` if the code of the first error is one for missing credentials. Servers send it
  /// with status 200, too.
  private static func needsCredentials(_ errors: IndexedJSON.Value?) -> Bool {
    let code = errors?.items?.first?["extensions"]?["code"]?.string
    return ["UNAUTHENTICATED", "UNAUTHORIZED", "FORBIDDEN"].contains(code?.uppercased())
  }

  private static func notJSON(
    _ response: SchemaResponse, _ address: String, _ error: IndexedJSON.Failure
  ) -> SchemaDownloadError {
    let type = response.contentType.map { $0.split(separator: ";").first.map(String.init) ?? $0 }
    let looksLikeHTML =
      type == "text/html" || response.body.prefix(200).contains(UInt8(ascii: "<"))
    if !looksLikeHTML, let type, type.hasSuffix("json"), !response.body.isEmpty {
      let (line, column) = error.position(in: response.body)
      return SchemaDownloadError(
        .damagedJSON(contentType: type, line: line, column: column, message: error.message),
        address: address, status: response.status)
    }
    let found = looksLikeHTML ? "an HTML page" : type.map { "'\($0)'" } ?? "something"
    return SchemaDownloadError(.notJSON(found: found), address: address, status: response.status)
  }

  private static func firstMessage(_ errors: IndexedJSON.Value?) -> String? {
    guard let first = errors?.items?.first else { return nil }
    // Some servers list texts in place of objects.
    guard let message = first.string ?? first["message"]?.string else {
      return "an error without a message."
    }
    let line = String(message.prefix(300).map { $0.isNewline ? " " : $0 })
    return line.last.map { ".!?".contains($0) } == true ? line : line + "."
  }

  // MARK: - Registry

  private func download(
    _ registry: ApolloCodegenConfiguration.SchemaDownload.Registry
  ) async throws -> Document {
    let query =
      "query DownloadSchema($graphID: ID!, $variant: String!) { service(id: $graphID) { "
      + "variant(name: $variant) { activeSchemaPublish { schema { document } } } } }"
    let variables =
      "{\"graphID\":\(JSONLiteral.string(registry.graphID)),\"variant\":\(JSONLiteral.string(registry.variant))}"
    let body =
      "{\"operationName\":\"DownloadSchema\",\"query\":\(JSONLiteral.string(query)),\"variables\":\(variables)}"
    let request = SchemaRequest(
      url: Self.registryURL, method: "POST",
      headers: settings.headers + [
        .init(key: "Content-Type", value: "application/json"),
        .init(key: "x-api-key", value: registry.apiKey),
        .init(key: "apollographql-client-name", value: "apollo-cli"),
      ], body: Array(body.utf8), timeout: settings.timeout)
    let response = try await response(to: request)
    if let message = response.message {
      throw SchemaDownloadError(
        .registryRefused(message), address: request.redactedURL, status: response.status)
    }
    let published = response.data?["service"]?["variant"]?["activeSchemaPublish"]
    guard let sdl = published?["schema"]?["document"]?.string else {
      throw SchemaDownloadError(
        .unknownGraph(id: registry.graphID, variant: registry.variant),
        address: request.redactedURL,
        status: response.status)
    }
    return .sdl(sdl)
  }

  static let registryURL = "https://graphql.api.apollographql.com/api/graphql"

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
