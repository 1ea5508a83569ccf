package import ApolloAPI
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The HTTP requests that equal queries share, as they are sent: behind all interceptors, which may
/// add a token or a language.
///
/// A transport that shares queries runs each of them with ``current`` set. The sender of HTTP
/// requests looks there.
package final class ExchangeSharing: Sendable {
  /// A query whose requests may be shared.
  package struct Caller: Sendable {
    private let sharing: ExchangeSharing
    private let group: AnyHashableSendable
    private let joined: @Sendable () -> Void
    private let own: SentRequest?
    private let responded = Lock<SentRequest?>(nil)

    /// The position in time of the request to which the latest response belongs, which may be that
    /// of another query.
    package var sent: SentRequest? { responded.get() }

    /// - Parameters:
    ///   - sharing: The requests under way.
    ///   - sent: The position in time of the query.
    ///   - group: What must be equal besides the request: the session and the time limits.
    ///   - joined: Called when the query joins the request of another one, with none of the values
    ///     of the query's task.
    package init(
      _ sharing: ExchangeSharing, sent: SentRequest?, group: some Hashable & Sendable,
      joined: @escaping @Sendable () -> Void
    ) {
      self.sharing = sharing
      self.group = AnyHashableSendable(group)
      self.joined = joined
      own = sent
    }

    /// Returns the response to a request, which `exchange` sends through `client` unless an equal
    /// one of the same client is under way. A request that cannot be compared is sent alone.
    func response(
      to request: _OutgoingRequest, through client: any HTTPClient,
      _ exchange: @escaping @Sendable () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      // In both cases, `current` is hidden: hooks of the client may send requests of their own,
      // which belong to no query.
      guard let key = Key(request, client, group) else {
        return try await ExchangeSharing.$current.withValue(nil) { try await exchange() }
      }
      let whole = try await sharing.requests.value(
        for: key, joined: { RequestLocals().hidden { joined() } }
      ) { [own] in
        // The query that sends may be cancelled while those that have joined it wait.
        let sent = own?.hold()
        return try await ExchangeSharing.$current.withValue(nil) {
          let response = try await exchange()
          return Whole(
            head: response.head, body: try await response.body(), attempt: response.attempt,
            sent: sent)
        }
      }
      if let sent = whole.sent {
        own?.join(sent)
        responded.withLock { $0 = sent.request }
      }
      return HTTPResponse(head: whole.head, body: whole.body, attempt: whole.attempt)
    }
  }

  /// The query that is being sent, if its requests may be shared.
  @TaskLocal package static var current: Caller?

  private struct Key: Hashable, Sendable {
    let url: URL?
    let method: String?
    let headers: [String: String]
    let body: Data?
    /// The client, which may have a proxy or certificates of its own. The request under way keeps
    /// it alive.
    let client: ObjectIdentifier
    /// `true` for a request that is sent again because a connection that was kept open had ended.
    /// An equal one under way may be on another such connection, and fail with it.
    let needsNewConnection = TransferLimits.needsNewConnection
    let group: AnyHashableSendable

    /// Creates the key of a request, or returns `nil` if an interceptor has made its body a stream,
    /// whose bytes cannot be compared.
    init?(_ request: _OutgoingRequest, _ client: any HTTPClient, _ group: AnyHashableSendable) {
      let body = request.body ?? request.head.httpBody
      guard body != nil || request.head.httpBodyStream == nil else { return nil }
      url = request.head.url
      method = request.head.httpMethod
      self.body = body
      self.client = ObjectIdentifier(client)
      self.group = group
      var headers: [String: String] = [:]
      for (name, value) in request.head.allHTTPHeaderFields ?? [:] {
        let name = name.lowercased()
        if !ExchangeSharing.traceHeaders.contains(name) { headers[name] = value }
      }
      self.headers = headers
    }
  }

  private struct Whole: Sendable {
    let head: ReceivedHead
    let body: Data
    let attempt: UInt64?
    let sent: SentRequest.Hold?
  }

  private let requests = SharedRequests<Key, Whole>()

  /// The headers that differ for each request, and do not influence its response.
  package static let traceHeaders: Set = ["traceparent", "tracestate"]

  package init() {}
}

/// A value of any type, compared as that type does.
///
/// `@unchecked Sendable` because it is made of a `Sendable` value only.
package struct AnyHashableSendable: Hashable, @unchecked Sendable {
  private let value: AnyHashable
  package init(_ value: some Hashable & Sendable) { self.value = AnyHashable(value) }
}
