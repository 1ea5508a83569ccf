public import ApolloAPI
public import ApolloCache
public import ApolloTransport

/// An operation on its way through the client, as interceptors see it.
///
/// An interceptor can change the variable properties before it proceeds:
///
/// ```swift
/// var request = request
/// request.configuration.additionalHeaders["X-Attempt"] = "2"
/// request.fetchBehavior = .networkOnly
/// return try await next.proceed(request)
/// ```
public struct GraphQLRequest<Operation: GraphQLOperation>: Sendable {
  /// The order in which the cache and the server are used.
  public var fetchBehavior: FetchBehavior

  /// The timeout, the headers and the cache option of the call.
  public var configuration: RequestConfiguration

  /// The identity of the call in the change that its cache write makes, if the caller has given
  /// one.
  public let origin: ChangeOrigin?

  /// The name and the version of the program, or `nil` for those that the transport has.
  var clientAwareness: ClientAwareness?

  /// The files to upload with the operation.
  public let files: [GraphQLFile]

  /// The recorder for the dependencies of the response, if a watcher made the request.
  let traceRecorder: TraceRecorder?

  /// The deadline of a call that waits for nothing but its requests, which end in time by
  /// themselves. `nil` for every other call.
  var deadline: CallDeadline?

  /// The deadline of what the client does around its requests, if the transport names no limit.
  var pausableDeadline: PausableDeadline?

  /// The session in which the call began. After its end, responses do not reach the cache.
  var session: CallSession?

  /// `true` if the client limits the time of the call. Otherwise the transport does.
  var hasDeadline = false

  /// `true` if the caller takes one response, which is whole, instead of a sequence.
  var isWhole = false

  /// The position of the response among the optimistic layers of the store.
  var position = ResponsePosition.newest

  /// Changes other records because of the response, in the same commit.
  var update: (@Sendable (ReadWriteTransaction, GraphQLResponse<Operation>) throws -> Void)?

  /// Reports the steps of the call; `nil` if the client has no observers.
  var events: CallEventRecorder?

  /// Receives the changes in the state of a subscription.
  let stateHandler: (@Sendable (SubscriptionState) -> Void)?

  // The last property, so that the places of the others do not depend on its type.
  /// The operation with the values of its variables.
  public var operation: Operation

  init(
    _ operation: Operation, _ fetchBehavior: FetchBehavior, configuration: RequestConfiguration,
    origin: ChangeOrigin? = nil, files: [GraphQLFile] = [], traceRecorder: TraceRecorder? = nil,
    stateHandler: (@Sendable (SubscriptionState) -> Void)? = nil
  ) {
    self.operation = operation
    self.fetchBehavior = fetchBehavior
    self.configuration = configuration
    self.origin = origin
    self.files = files
    self.traceRecorder = traceRecorder
    self.stateHandler = stateHandler
  }
}

extension GraphQLRequest {
  /// `true` if the call reads or writes the cache.
  var usesCache: Bool {
    fetchBehavior.cacheRead != .never || configuration.writeResultsToCache
  }

  /// Does the work of a request to the server, which has a limit of its own if the client knows
  /// none.
  func pausingDeadline<Result>(
    _ request: () async throws -> Result
  ) async rethrows -> Result {
    guard let pausableDeadline else { return try await request() }
    return try await pausableDeadline.pausing(request)
  }

  /// The age of cached data that the call tolerates.
  var freshnessDemand: FreshnessDemand {
    let revalidates = fetchBehavior.networkFetch == .onStaleCache
    return FreshnessDemand(
      configuration.ttlEnforcement ?? (revalidates ? .permissive : .strict),
      maxAge: configuration.maxAge, maxStale: configuration.maxStale)
  }
}
