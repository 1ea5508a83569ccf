public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An HTTP response that is not the response to an operation: a status that reports a failure, a
/// web page, nothing.
///
/// The text of the error names the URL, the status and the type. The body may hold what the program
/// has sent, or what belongs to others, so only ``descriptionWithBody`` quotes it.
public struct GraphQLHTTPResponseError: Error, Sendable {
  /// The problem with the response. Later versions can add kinds, so a `switch` needs a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The kind's name, such as `emptyBody`.
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

  /// The status and the headers.
  public let response: HTTPURLResponse

  /// The body, up to ``maximumBodyByteCount``.
  public let body: Data

  /// The number of bytes of the whole body.
  public let bodyByteCount: Int

  /// The URL, without user, password, query and fragment.
  public let url: String

  /// The time that the server requests to wait before the next request, or `nil` if it requests
  /// none.
  ///
  /// A date counts from the server's own clock, if the response has a `Date`.
  public let retryAfter: Duration?

  /// The forms of the document that a server has refused which has not shown before that it knows
  /// persisted queries. `nil` if it was sent the text alone, or knows them.
  enum RefusedForm: Sendable {
    case hash
    /// The hash first, and then the text.
    case hashAndText
  }

  private(set) var refusedForm: RefusedForm?

  /// The same error, whose advice names persisted queries.
  func refusing(_ form: RefusedForm) -> GraphQLHTTPResponseError {
    var error = self
    error.refusedForm = form
    return error
  }

  /// The parts of the body that transports need.
  let outline: ResponseOutline

  /// `true` if the body says that the server has carried out a field, in spite of the status.
  package var hasResult: Bool { outline.hasResult }

  /// The largest number of bytes that ``body`` holds: 64 KiB.
  public static let maximumBodyByteCount = 64 << 10

  /// The errors, if the body is a GraphQL response in spite of the status.
  public var graphQLErrors: [GraphQLError] { outline.errors }

  /// The status, such as 404.
  public var statusCode: Int { response.statusCode }

  package init(
    _ kind: Kind, head: HTTPURLResponse, body: Data, url: URL, now: Date = Date()
  ) {
    self.kind = kind
    response = head
    // A copy, so that the error does not keep the memory of the whole body.
    self.body = Data([UInt8](body.prefix(Self.maximumBodyByteCount)))
    bodyByteCount = body.count
    self.url = url.textWithoutSecrets
    outline = ResponseOutline(body)
    retryAfter = RetryAfter.delay(
      head.value(forHTTPHeaderField: "Retry-After"), date: head.value(forHTTPHeaderField: "Date"),
      now: now)
  }
}

// MARK: - Sentences

extension GraphQLHTTPResponseError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The problem and its solution in a sentence each. Never quotes the body.
  public var description: String { "\(subject) and \(finding). \(advice)" }

  /// The same as ``description``, with the server's errors or the beginning of the body.
  public var descriptionWithBody: String {
    let quotation = self.quotation
    return "\(subject) and \(finding)\(quotation.isEmpty ? "" : ": \(quotation)"). \(advice)"
  }

  private var subject: String { "\(url) responded with status \(statusCode)" }

  private var finding: String {
    switch graphQLErrors.count {
    case 0: break
    case 1: return "a GraphQL error"
    case let count: return "\(count) GraphQL errors"
    }
    if bodyByteCount == 0 { return "an empty body" }
    let type = contentType ?? "no content type"
    return kind == .unexpectedContentType ? "\(type) instead of JSON" : type
  }

  private var contentType: String? {
    response.value(forHTTPHeaderField: "Content-Type").map {
      HeaderField.printable($0).shortened(to: 100)
    }
  }

  private var quotation: String {
    guard graphQLErrors.isEmpty else {
      let messages = graphQLErrors.prefix(3).map { "“\($0.message.shortened)”" }
        .joined(separator: ", ")
      let rest = graphQLErrors.count - 3
      return messages + (rest > 0 ? " and \(rest) more" : "")
    }
    return body.isEmpty ? "" : "“\(beginning)”"
  }

  private var advice: String {
    switch refusedForm {
    case nil: usualAdvice
    case .hash:
      (graphQLErrors.isEmpty ? "" : "\(usualAdvice) ")
        + "The request had the hash of the document and not its text: turn automatic persisted queries off if the server has none."
    case .hashAndText:
      "\(usualAdvice) The server has refused the hash of the document as well: turn automatic persisted queries off if it has none."
    }
  }

  private var usualAdvice: String {
    graphQLErrors.lazy.compactMap(\.unknownDirectiveAdvice).first ?? adviceByStatus
  }

  private var adviceByStatus: String {
    switch statusCode {
    case 200..<300: "Check that this is the URL of the GraphQL endpoint."
    case 401, 403: "Check the credentials that are sent."
    case 404: "Check the path of the URL."
    case 405: "Check whether the server takes operations by this HTTP method."
    case 406:
      "The server offers none of the media types that were accepted. '@defer', '@stream' and subscriptions over HTTP need a server that responds in parts; see the articles “Deferred fragments” and “Subscriptions”."
    case 413, 414, 431:
      "Make the request smaller, or raise the limit of the server or of the proxy in front of it; see the article “Behind a proxy”."
    case 400 where isPage:
      "A page is not from a GraphQL server: proxies refuse large headers and URLs so. Check the size of the headers, the URL, and what is in front of the server; see the article “Behind a proxy”."
    case 429: "Send fewer requests\(later)."
    case 500...:
      "Something failed in the server or in front of it. Look at its log, or try again\(later)."
    case _ where !graphQLErrors.isEmpty: "Correct the operation or its variables."
    default: "Check the URL and what the server expects."
    }
  }

  private var isPage: Bool { contentType?.lowercased().hasPrefix("text/html") == true }

  private var later: String { retryAfter.map { " after \($0.inWords)" } ?? " later" }

  /// The first bytes of the body, on one line.
  private var beginning: String {
    let text = String(decoding: body.prefix(200), as: UTF8.self)
    let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    let printable = words.unicodeScalars.filter { $0.properties.generalCategory != .control }
    return String(String.UnicodeScalarView(printable)) + (bodyByteCount > 200 ? "…" : "")
  }
}

// MARK: - Dumps

extension GraphQLHTTPResponseError: CustomReflectable {
  /// The facts without the body, so that `dump` and debuggers don't print secrets into logs.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "kind": kind, "url": url, "statusCode": statusCode, "contentType": contentType as Any,
        "bodyByteCount": bodyByteCount, "retryAfter": retryAfter as Any,
      ], displayStyle: .struct)
  }
}
