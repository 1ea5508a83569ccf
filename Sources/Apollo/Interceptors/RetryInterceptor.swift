public import ApolloAPI
import ApolloTransport

/// Asks again when a failure is likely to pass: no connection, a lost one, or a server that is busy.
///
/// Queries only, unless told otherwise: whoever retries a mutation may have it carried out twice. Waits
/// longer after each failure, and as long as the server asks for in `Retry-After`.
///
/// ```swift
/// struct Provider: InterceptorProvider {
///   func graphQLInterceptors<Operation: GraphQLOperation>(
///     for operation: Operation
///   ) -> [any GraphQLInterceptor] { [RetryInterceptor()] }
/// }
/// ```
public struct RetryInterceptor: GraphQLInterceptor {
  /// How often to ask again, and how long to wait.
  public struct Configuration: Hashable, Sendable {
    /// How many times to ask after the first.
    public var maximumRetryCount: Int

    /// How long to wait before the first retry; doubled for each further one.
    public var baseDelay: Duration

    /// The longest wait. A server that asks for more is not asked again.
    public var maximumDelay: Duration

    /// Whether mutations are retried too.
    public var retriesMutations: Bool

    /// Three retries of queries, within a few seconds.
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
  /// A number from 0 to 1: clients that failed together should not come back together.
  private let jitter: @Sendable () -> Double

  /// Retries as `configuration` says.
  public init(_ configuration: Configuration = Configuration()) {
    self.init(
      configuration, sleep: { try await ContinuousClock().sleep(for: $0) },
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

  /// Proceeds, and proceeds again after a wait when the failure is likely to pass.
  public func intercept<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    var retryCount = 0
    while true {
      do {
        return try await next.proceed(request)
      } catch {
        let isAllowed = Operation.operationType == .query || configuration.retriesMutations
        guard isAllowed, retryCount < configuration.maximumRetryCount,
          let delay = delay(after: error, retryCount: retryCount)
        else { throw error }
        try await sleep(delay)
        retryCount += 1
      }
    }
  }

  /// How long to wait, or `nil` when waiting would not help.
  private func delay(after error: any Error, retryCount: Int) -> Duration? {
    switch error {
    case let error as NetworkError: error.isTransient ? backoff(retryCount) : nil
    case let error as GraphQLHTTPResponseError: delay(after: error, retryCount: retryCount)
    default: nil
    }
  }

  private func delay(after error: GraphQLHTTPResponseError, retryCount: Int) -> Duration? {
    guard [408, 429, 502, 503, 504].contains(error.statusCode) else { return nil }
    guard let asked = error.retryAfter else { return backoff(retryCount) }
    return asked <= configuration.maximumDelay ? max(asked, backoff(retryCount)) : nil
  }

  /// Half of the doubled delay for certain, the other half by chance.
  private func backoff(_ retryCount: Int) -> Duration {
    let doubled = configuration.baseDelay * (1 << min(retryCount, 20))
    let delay = min(doubled, configuration.maximumDelay)
    return delay / 2 + delay / 2 * jitter()
  }
}

extension NetworkError {
  fileprivate var isTransient: Bool {
    switch code {
    case .cannotConnect, .connectionLost, .offline, .timedOut: true
    default: false
    }
  }
}
