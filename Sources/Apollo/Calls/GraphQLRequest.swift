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
///
/// A request has few words, whatever its operation is: steps copy it without looking up its type.
public struct GraphQLRequest<Operation: GraphQLOperation>: Sendable {
  /// The order in which the cache and the server are used.
  public var fetchBehavior: FetchBehavior

  /// `true` if the caller takes one response, which is whole, instead of a sequence.
  var isWhole = false

  /// The position of the response among the optimistic layers of the store.
  var position = ResponsePosition.newest

  /// The facts of the call, which go to the transport as well.
  var shared = SharedFacts.none

  private var box: Box

  init(
    _ operation: Operation, _ fetchBehavior: FetchBehavior, configuration: RequestConfiguration,
    origin: ChangeOrigin? = nil, files: [GraphQLFile] = [], traceRecorder: TraceRecorder? = nil
  ) {
    self.fetchBehavior = fetchBehavior
    box = Box(
      Contents(
        configuration: configuration, origin: origin, files: files, traceRecorder: traceRecorder,
        operation: operation))
  }

  /// The properties that few calls change on their way.
  private struct Contents: Sendable {
    var configuration: RequestConfiguration
    let origin: ChangeOrigin?
    let files: [GraphQLFile]
    let traceRecorder: TraceRecorder?
    var update: (@Sendable (ReadWriteTransaction, GraphQLResponse<Operation>) throws -> Void)?
    // The last one, so that the places of the others do not depend on its type.
    var operation: Operation
  }

  private final class Box: Sendable {
    let contents: Contents

    init(_ contents: Contents) { self.contents = contents }
  }

  private mutating func change(_ body: (inout Contents) -> Void) {
    var contents = box.contents
    body(&contents)
    box = Box(contents)
  }
}

extension GraphQLRequest {
  /// The timeout, the headers and the cache option of the call.
  public var configuration: RequestConfiguration {
    get { box.contents.configuration }
    set { change { $0.configuration = newValue } }
  }

  /// The operation with the values of its variables.
  public var operation: Operation {
    get { box.contents.operation }
    set { change { $0.operation = newValue } }
  }

  /// The identity of the call in the change that its cache write makes, if the caller has given
  /// one.
  public var origin: ChangeOrigin? { box.contents.origin }

  /// The files to upload with the operation.
  public var files: [GraphQLFile] { box.contents.files }

  /// The recorder for the dependencies of the response, if a watcher made the request.
  var traceRecorder: TraceRecorder? { box.contents.traceRecorder }

  /// Changes other records because of the response, in the same commit.
  var update: (@Sendable (ReadWriteTransaction, GraphQLResponse<Operation>) throws -> Void)? {
    get { box.contents.update }
    set { change { $0.update = newValue } }
  }

  /// The facts of the call.
  // Inlined so that reading one fact copies that alone, and needs no metadata of the request.
  @inline(__always)
  var facts: CallFacts {
    get { shared.facts }
    set { shared = SharedFacts(newValue) }
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
    guard let pausableDeadline = facts.pausableDeadline else { return try await request() }
    return try await pausableDeadline.pausing(request)
  }

  /// The age of cached data that the call tolerates. A call that revalidates stale data tolerates
  /// any age if it can have two responses, because the data of the server follows.
  var freshnessDemand: FreshnessDemand {
    let revalidates = fetchBehavior.networkFetch == .onStaleCache && !isWhole
    return FreshnessDemand(
      configuration.ttlEnforcement ?? (revalidates ? .permissive : .strict),
      maxAge: configuration.maxAge, maxStale: configuration.maxStale)
  }
}
