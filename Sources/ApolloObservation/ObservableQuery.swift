public import Apollo
public import ApolloAPI
public import Observation

/// A query that a user interface observes: its data, its errors, and its progress.
///
/// ```swift
/// struct HeroView: View {
///   @State private var hero = ObservableQuery(HeroNameQuery(), client: apollo)
///
///   var body: some View {
///     if let name = hero.data?.hero?.name { Text(name) }
///     if hero.isLoading { ProgressView() }
///     if let error = hero.error { Text(error.localizedDescription) }
///     Button("Reload") { hero.refetch() }
///   }
/// }
/// ```
///
/// The query is fetched when one of these properties is read for the first time. From then on, the
/// data follows the cache: a mutation that changes an object changes every query that shows it.
/// Releasing the object ends the watch and its requests.
///
/// Each property notifies observers only when it changes. ``data`` also changes with the errors of
/// its fields and with ``missing``, because its properties report them.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
public final class ObservableQuery<Query: GraphQLQuery> {
  /// The query with the values of its variables. Setting another query removes the data of the
  /// previous one and fetches the new one.
  public var query: Query {
    didSet {
      guard query != oldValue else { return }
      restart()
    }
  }

  /// The client that fetches the query.
  @ObservationIgnored public let client: ApolloClient

  /// The policy of the first fetch.
  @ObservationIgnored public let cachePolicy: CachePolicy

  private var shown: Shown?
  private var currentErrors: [GraphQLError] = []
  private var currentError: (any Error)?
  private var currentMissing: [[PathEntry]] = []
  /// `true` from the start, so that the first read need not change it.
  private var isFetching = true

  /// The data that is shown. This type is not `Equatable`, because `@Observable` does not notify
  /// observers of an equal value, and the properties of equal data can report other errors.
  private struct Shown {
    let data: Query.Data
    /// The errors of the fields, as the properties of the data report them.
    let fieldErrors: [GraphQLError]
  }

  /// The watch, which ends when this object is released.
  @ObservationIgnored private var watch: Watch?
  /// The number of sessions that had ended when the data or the error arrived.
  @ObservationIgnored private var sessionCount = 0

  /// Creates a query. It is not fetched before one of its properties is read.
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - client: The client that fetches the query.
  ///   - cachePolicy: The policy of the first fetch.
  public init(_ query: Query, client: ApolloClient, cachePolicy: CachePolicy = .default) {
    self.query = query
    self.client = client
    self.cachePolicy = cachePolicy
  }

  /// The newest data, or `nil` before the first response with data.
  ///
  /// It remains after a refetch that fails, and after a response with ``errors`` alone. It becomes
  /// `nil` if the cache has a null or an error that leaves no data, because of `@required` or
  /// `@throwOnFieldError`.
  public var data: Query.Data? {
    startIfNeeded()
    return shown?.data
  }

  /// Indicates whether ``data`` has everything that the query selects. Otherwise the client returns
  /// partial data, and ``missing`` says what it lacks.
  public var isComplete: Bool { missing.isEmpty }

  /// The paths of the values that partial data lacks. See `RequestConfiguration.returnPartialData`.
  public var missing: [[PathEntry]] {
    startIfNeeded()
    return currentMissing
  }

  /// The GraphQL errors of the newest response.
  public var errors: [GraphQLError] {
    startIfNeeded()
    return currentErrors
  }

  /// The reason why the latest fetch gave no response, or `nil` if it gave one, or if another
  /// operation has changed the data since.
  public var error: (any Error)? {
    startIfNeeded()
    return currentError
  }

  /// A Boolean value that indicates whether a fetch is in progress, also beside cached data.
  public var isLoading: Bool {
    startIfNeeded()
    return isFetching
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableQuery {
  /// Fetches the query from the server, as when the user taps Reload. Replaces a refetch in
  /// progress.
  ///
  /// The data and the error stay until the response arrives, unless they belong to a session that
  /// has ended: then they are removed at once. After ``cancel()``, and if nothing was fetched
  /// before, the data of the cache is shown meanwhile.
  ///
  /// - Returns: The task of the fetch, for code that waits for its end, such as `refreshable`:
  ///   `await query.refetch().value`. Cancelling it cancels the fetch.
  @discardableResult
  public func refetch() -> Task<Void, Never> {
    if sessionCount != client.endedSessionCount { removeContents() }
    let current = watch.flatMap { $0.isCancelled ? nil : $0 }
    let watch = current ?? makeWatch()
    let (ends, end) = AsyncStream<Never>.makeStream()
    // Without a watch, changes of the cache were not shown.
    let number = watch.watcher.refetch(
      cachePolicy: current == nil ? .returnCacheDataAndFetch : .fetchIgnoringCacheData,
      onEnd: { end.finish() })
    update(\.isFetching, true)
    // The task must not keep the watcher, so that releasing this object ends the request.
    return Task { [weak self, weak watcher = watch.watcher] in
      await withTaskCancellationHandler {
        for await _ in ends {}
      } onCancel: { [weak watcher] in
        watcher?.cancelFetch(number)
        end.finish()
      }
      self?.receive()
    }
  }

  /// Ends the watch and its requests. The data remains, and is not updated until ``refetch()``.
  public func cancel() {
    (watch ?? makeWatch()).cancel()
    update(\.isFetching, false)
  }

  @discardableResult
  private func startIfNeeded() -> Watch {
    if let watch { return watch }
    let watch = makeWatch()
    watch.watcher.fetch(cachePolicy: cachePolicy)
    return watch
  }

  /// Makes a watch that has not fetched anything.
  private func makeWatch() -> Watch {
    let new = Watch(query, client) { [weak self] in self?.receive() }
    watch = new
    return new
  }

  private func restart() {
    guard watch != nil else { return }
    watch = nil
    removeContents()
    update(\.isFetching, true)
    startIfNeeded()
  }

  private func removeContents() {
    if shown != nil { shown = nil }
    if currentError != nil { currentError = nil }
    update(\.currentErrors, [])
    update(\.currentMissing, [])
  }

  /// Shows what the watch has delivered since the last call.
  private func receive() {
    // Before the check: a session that ends in between does not count yet.
    let endedSessions = client.endedSessionCount
    guard let watch, let news = watch.news.exchange(nil), watch.watcher.isCurrent(news.session)
    else { return }
    if news.errors != nil || news.error != nil {
      // Data of a session that has ended must not remain beside the errors of the next one.
      if sessionCount != endedSessions { removeContents() }
      sessionCount = endedSessions
    }
    if let errors = news.errors {
      if let response = news.response { show(response) }
      update(\.currentErrors, errors)
      if currentError != nil { currentError = nil }
    }
    if let error = news.error { currentError = error }
    update(\.isFetching, news.isFetching)
  }

  /// Shows the data of a response. It is new also if only the errors of its fields have changed, or
  /// what it lacks: properties with `@catch` and `errors(for:)` report both.
  private func show(_ response: GraphQLResponse<Query>) {
    let fieldErrors = response.errors?.ofFields ?? []
    let new = response.data.map { Shown(data: $0, fieldErrors: fieldErrors) }
    if shown?.data != new?.data || shown?.fieldErrors != new?.fieldErrors
      || currentMissing != response.missing
    {
      shown = new
    }
    update(\.currentMissing, response.missing)
  }

  /// Sets a property unless it has the value already, because setting it notifies its observers.
  private func update<Value: Equatable>(
    _ property: ReferenceWritableKeyPath<ObservableQuery, Value>, _ value: Value
  ) {
    if self[keyPath: property] != value { self[keyPath: property] = value }
  }
}

extension [GraphQLError] {
  /// The errors of fields. The others have no effect on the data.
  fileprivate var ofFields: [GraphQLError] { filter { $0.path != nil } }
}

/// The news of a watch that its query does not show yet.
private struct News<Query: GraphQLQuery>: Sendable {
  let session: WatchSession
  /// The latest response that brought something: data, or what leaves none in the cache.
  private(set) var response: GraphQLResponse<Query>?
  /// The GraphQL errors of the latest response, or `nil` if there was none.
  private(set) var errors: [GraphQLError]?
  /// The error that followed it.
  private(set) var error: (any Error)?
  var isFetching = false

  init(in session: WatchSession) { self.session = session }

  mutating func note(_ result: Result<GraphQLResponse<Query>, any Error>) {
    switch result {
    case .success(let new):
      if new.data != nil || new.result.dependencies != nil { response = new }
      (errors, error) = (new.errors ?? [], nil)
    case .failure(let new): error = new
    }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableQuery {
  /// The watch of a query, which ends with its owner.
  ///
  /// A response replaces one that is not shown yet. Errors alone leave it.
  @MainActor fileprivate final class Watch {
    let watcher: GraphQLQueryWatcher<Query>
    let news = Lock<News<Query>?>(nil)
    private(set) var isCancelled = false

    /// - Parameters:
    ///   - query: The query.
    ///   - client: The client that fetches it.
    ///   - receive: A closure that shows ``news``.
    init(
      _ query: Query, _ client: ApolloClient, receive: @escaping @MainActor @Sendable () -> Void
    ) {
      let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      watcher = GraphQLQueryWatcher(
        watching: client, query: query, configuration: nil, refetchOnFailedUpdates: true,
        deliver: { [news] _, latest in
          news.withLock { news in
            var new =
              news.flatMap { $0.session == latest.session ? $0 : nil }
              ?? News(in: latest.session)
            if let result = latest.result { new.note(result) }
            new.isFetching = latest.isFetching
            news = new
          }
          signal.yield()
        }, end: { signal.finish() })
      Task {
        for await _ in signals { receive() }
      }
    }

    func cancel() {
      isCancelled = true
      watcher.cancel()
      news.withLock { $0 = nil }
    }

    deinit { watcher.cancel() }
  }
}
