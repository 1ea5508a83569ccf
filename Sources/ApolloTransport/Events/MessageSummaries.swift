internal import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension CallEvent {
  /// The facts about an HTTP request that may be logged.
  ///
  /// They are computed when they are used, so that an event costs little.
  public struct RequestSummary: Sendable, CustomStringConvertible {
    private let request: Secret<URLRequest>

    init(_ request: URLRequest) { self.request = Secret(request) }

    /// The method, such as `POST`.
    public var method: String { request.reveal().httpMethod ?? "GET" }
    /// The URL, without user, password, query and fragment.
    public var url: String { request.reveal().url?.textWithoutSecrets ?? "" }
    /// The host of the URL.
    public var host: String? { request.reveal().url?.host }
    /// The port of the URL, which may be that of its scheme.
    public var port: Int? { request.reveal().url.flatMap { Origin($0) }?.port }
    /// The size of the body; `nil` if the request has none, or a stream of the program's own.
    public var bodyByteCount: Int? {
      let request = request.reveal()
      return request.httpBody?.count ?? request.uploadBody?.byteCount
    }
    /// The headers.
    public var headers: [LoggedHeader] {
      LoggedHeader.list(request.reveal().allHTTPHeaderFields ?? [:])
    }

    /// The method, the URL and the size, such as `POST https://host/graphql 120 bytes`.
    public var description: String {
      bodyByteCount.map { "\(method) \(url) \($0) bytes" } ?? "\(method) \(url)"
    }
  }

  /// The facts about the head of an HTTP response that may be logged.
  public struct ResponseSummary: Sendable, CustomStringConvertible {
    private let head: Secret<ReceivedHead>

    init(_ head: ReceivedHead) { self.head = Secret(head) }

    /// The status, such as 200.
    public var statusCode: Int { head.reveal().statusCode }
    /// The headers.
    public var headers: [LoggedHeader] {
      LoggedHeader.list(head.reveal().details.headers)
    }

    /// The status.
    public var description: String { "\(statusCode)" }
  }
}
