/// A request of the downloader, which its caller sends.
public struct SchemaRequest: Hashable, Sendable {
  /// The complete address, with its query.
  public var url: String
  /// The HTTP method, such as `POST`.
  public var method: String
  /// The header fields.
  public var headers: [ApolloCodegenConfiguration.SchemaDownload.Header]
  /// The bytes to send, or `nil` if there is no body.
  public var body: [UInt8]?
  /// The timeout, in seconds.
  public var timeout: Double

  /// Creates a request.
  package init(
    url: String, method: String, headers: [ApolloCodegenConfiguration.SchemaDownload.Header],
    body: [UInt8]?, timeout: Double
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }

  /// The address for messages: without user, password, query and fragment, which may hold secrets.
  public var redactedURL: String { Self.redacted(url) }

  static func redacted(_ url: String) -> String {
    let address = url.prefix { $0 != "?" && $0 != "#" }
    let scheme = address.firstRange(of: "://").map { address[..<$0.upperBound] } ?? ""
    let rest = address.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" }
    let host =
      authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return "\(scheme)\(host)\(rest.dropFirst(authority.count))"
  }
}

/// A response to a request.
public struct SchemaResponse: Hashable, Sendable {
  /// The HTTP status code.
  public var status: Int
  /// The value of the header field `Content-Type`, or `nil` if there is none.
  public var contentType: String?
  /// The bytes of the body.
  public var body: [UInt8]

  /// Creates a response.
  public init(status: Int, contentType: String?, body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }
}
