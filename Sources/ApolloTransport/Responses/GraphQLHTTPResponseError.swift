public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An HTTP response that is not the response to an operation: a status that says no, a web page,
/// nothing.
public struct GraphQLHTTPResponseError: Error, Sendable {
  /// The problem with the response. More kinds can be added; keep a `default` when you switch.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The problem and its remedy.
    public let description: String

    /// The status is not a success.
    public static let errorResponse = Kind(description: "errorResponse")
    /// The status is a success, but the body is not JSON in UTF-8.
    public static let unexpectedContentType = Kind(description: "unexpectedContentType")
    /// The status is a success, but there is no body.
    public static let emptyBody = Kind(description: "emptyBody")
  }

  /// The problem with the response.
  public let kind: Kind

  /// Status and headers.
  public let response: HTTPURLResponse

  /// The whole body.
  public let body: Data

  /// The errors, if the body is a GraphQL response in spite of the status.
  public let graphQLErrors: [GraphQLError]

  /// The URL, without user, password, query and fragment.
  public let url: String

  /// The status, such as 404.
  public var statusCode: Int { response.statusCode }

  /// The time that the server asks to wait before the next request; `nil` when it does not say, or
  /// says it in another way than in whole seconds.
  public var retryAfter: Duration? {
    guard let text = response.value(forHTTPHeaderField: "Retry-After"),
      let seconds = Int32(text), seconds >= 0
    else { return nil }
    return .seconds(seconds)
  }

  init(_ kind: Kind, head: HTTPURLResponse, body: Data, url: URL) {
    self.kind = kind
    response = head
    self.body = body
    self.url = url.textWithoutSecrets
    graphQLErrors = ResponseDecoder().errors(in: body) ?? []
  }
}

// MARK: - Sentences

extension GraphQLHTTPResponseError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The problem and its remedy.
  public var description: String {
    "\(url) answered \(statusCode) with \(finding). \(advice)"
  }

  private var finding: String {
    if !graphQLErrors.isEmpty {
      let messages = graphQLErrors.prefix(3).map { "“\($0.message)”" }.joined(separator: ", ")
      let rest = graphQLErrors.count - 3
      return "GraphQL errors: \(messages)" + (rest > 0 ? " and \(rest) more" : "")
    }
    if body.isEmpty { return "an empty body" }
    let type = response.value(forHTTPHeaderField: "Content-Type").map(HeaderField.printable)
    let what = type ?? "no content type"
    let isWrongType = kind == .unexpectedContentType
    return "\(what)\(isWrongType ? " instead of JSON" : ""): “\(beginning)”"
  }

  private var advice: String {
    switch statusCode {
    case 200..<300: "Check that this is the URL of the GraphQL endpoint."
    case 401, 403: "Check the credentials that are sent."
    case 404: "Check the path of the URL."
    case 405: "Check whether the server takes operations by this HTTP method."
    case 413, 414, 431: "Make the request smaller, or raise the server's limit."
    case 429: "Send fewer requests\(later)."
    case 500...:
      "Something failed in the server or in front of it. Look at its log, or try again\(later)."
    case _ where !graphQLErrors.isEmpty: "Correct the operation or its variables."
    default: "Check the URL and what the server expects."
    }
  }

  private var later: String { retryAfter.map { " after \($0.inWords)" } ?? " later" }

  /// The first bytes of the body, on one line.
  private var beginning: String {
    let text = String(decoding: body.prefix(200), as: UTF8.self)
    let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    let printable = words.unicodeScalars.filter { $0.properties.generalCategory != .control }
    return String(String.UnicodeScalarView(printable)) + (body.count > 200 ? "…" : "")
  }
}
