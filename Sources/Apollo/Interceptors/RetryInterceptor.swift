public import ApolloAPI
import ApolloTransport
import Foundation

#if WebSocket
  import ApolloWebSocket
#endif

/// An interceptor that retries queries after temporary failures.
///
/// A failure is temporary if no connection can be made or one is lost, over HTTP or over a
/// WebSocket, after a timeout, if a response in parts is cut off, or if the server responds with
/// the status 408, 429, 502, 503 or 504. Over HTTP, a host that is not found, a proxy that makes no
/// connection and a failure of TLS are not temporary. The interceptor waits before each retry:
/// longer after each failure, and at least as long as the server requests in `Retry-After`.
///
/// A status is also temporary with a GraphQL response that has no data. That response is returned
/// after the last retry, if the transport takes it for one to the operation.
///
/// ```swift
/// struct RetryingProvider: InterceptorProvider {
///   func graphQLInterceptors<Operation: GraphQLOperation>(
///     for operation: Operation
///   ) -> [any GraphQLInterceptor] { [RetryInterceptor(.init(maximumRetryCount: 5))] }
/// }
/// ```
///
/// Mutations are not retried by default, because the server may carry out a mutation twice.
public struct RetryInterceptor: GraphQLInterceptor {
  /// The number of retries and the time between them.
  public struct Configuration: Hashable, Sendable {
    /// The number of retries after the first attempt.
    public var maximumRetryCount: Int

    /// The time before the first retry. It doubles with each further retry.
    public var baseDelay: Duration

    /// The longest time before a retry. The call fails if the server requests a longer one.
    public var maximumDelay: Duration

    /// `true` to retry mutations as well.
    public var retriesMutations: Bool

    /// Creates a configuration. By default: three retries of queries, within a few seconds.
    public init(
      maximumRetryCount: Int = 3, baseDelay: Duration = .milliseconds(300),
      maximumDelay: Duration = .seconds(20), retriesMutations: Bool = false
    ) {
      self.maximumRetryCount = maximumRetryCount
      self.baseDelay = baseDelay
      self.maximumDelay = maximumDelay
      self.retriesMutations = retriesMutations
    }
  }

  private let configuration: Configuration
  private let sleep: @Sendable (Duration) async throws -> Void
  /// Returns a number from 0 to 1. It spreads the retries of clients that failed at the same time.
  private let jitter: @Sendable () -> Double

  /// Creates an interceptor.
  public init(_ configuration: Configuration = Configuration()) {
    self.init(
      configuration, sleep: { try await SystemAlarmClock.shared.sleep(for: $0) },
      jitter: { Double.random(in: 0...1) })
  }

  package init(
    _ configuration: Configuration, sleep: @escaping @Sendable (Duration) async throws -> Void,
    jitter: @escaping @Sendable () -> Double
  ) {
    self.configuration = configuration
    self.sleep = sleep
    self.jitter = jitter
  }

  /// Proceeds with `request`, and again after each temporary failure.
  public func intercept<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let isAllowed =
      Operation.operationType == .query
      || Operation.operationType == .mutation && configuration.retriesMutations
    var retryCount = 0
    while true {
      let result: Result<GraphQLResponse<Operation>, any Error>
      let pause: Duration?
      do {
        let response = try await next.proceed(request)
        result = .success(response)
        pause = delay(after: response, retryCount: retryCount)
      } catch {
        result = .failure(error)
        pause = delay(after: error, retryCount: retryCount)
      }
      guard isAllowed, retryCount < configuration.maximumRetryCount, let pause else {
        return try result.get()
      }
      try await sleep(pause)
      retryCount += 1
    }
  }

  /// Returns the time to wait before a retry, or `nil` if the response is no temporary failure.
  private func delay<Operation: GraphQLOperation>(
    after response: GraphQLResponse<Operation>, retryCount: Int
  ) -> Duration? {
    guard response.data == nil, let http = response.http else { return nil }
    let headers = http.headers
    return delay(
      afterStatus: http.statusCode,
      RetryAfter.delay(headers["retry-after"], date: headers["date"], now: Date()),
      retryCount: retryCount)
  }

  /// Returns the time to wait before a retry, or `nil` if the failure is not temporary.
  private func delay(after error: any Error, retryCount: Int) -> Duration? {
    switch error {
    case let error as NetworkError: error.isTemporary ? backoff(retryCount) : nil
    case let error as any HTTPStatusError:
      delay(afterStatus: error.statusCode, error.retryAfter, retryCount: retryCount)
    case let error as ResponseStreamError: error.kind == .truncated ? backoff(retryCount) : nil
    #if WebSocket
      case let error as WebSocketError:
        [.cannotConnect, .connectionLost].contains(error.code) ? backoff(retryCount) : nil
    #endif
    // The cache was no help, so the reason of the server decides.
    case let error as CacheAndNetworkError:
      delay(after: error.networkError, retryCount: retryCount)
    default: nil
    }
  }

  /// A delay that no program waits for: 30 years.
  private static let longestDelay = Duration.seconds(1_000_000_000)

  private func delay(
    afterStatus statusCode: Int, _ requested: Duration?, retryCount: Int
  ) -> Duration? {
    guard [408, 429, 502, 503, 504].contains(statusCode) else { return nil }
    guard let requested else { return backoff(retryCount) }
    return requested <= configuration.maximumDelay ? max(requested, backoff(retryCount)) : nil
  }

  /// Returns the doubled delay: one half fixed, the other half random.
  private func backoff(_ retryCount: Int) -> Duration {
    // Clamped, so that the product does not overflow.
    let base = min(max(configuration.baseDelay, .zero), Self.longestDelay)
    let delay = min(base * (1 << min(retryCount, 20)), max(configuration.maximumDelay, .zero))
    return delay / 2 + delay / 2 * jitter()
  }
}

/// An error because of the status of a response.
protocol HTTPStatusError: Error {
  var statusCode: Int { get }
  /// The time after which the server wants to be asked again, if it says so.
  var retryAfter: Duration? { get }
}

extension GraphQLHTTPResponseError: HTTPStatusError {}

extension NetworkError {
  fileprivate var isTemporary: Bool {
    switch code {
    case .cannotConnect, .connectionLost, .offline, .timedOut: true
    default: false
    }
  }
}
