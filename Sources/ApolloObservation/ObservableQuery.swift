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
/// Each property notifies observers only when it changes.
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

  private var currentData: Query.Data?
  private var currentErrors: [GraphQLError] = []
  private var currentError: (any Error)?
  /// `true` from the start, so that the first read need not change it.
  private var isFetching = true

  /// The tasks of the watch and of the latest refetch. Both end when this object is released.
  @ObservationIgnored private var watch: OwnedTask?
  @ObservationIgnored private var refetching: OwnedTask?

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

  /// The newest data, or `nil` before the first response. It remains after a failed refetch.
  public var data: Query.Data? {
    startIfNeeded()
    return currentData
  }

  /// The GraphQL errors of the newest response.
  public var errors: [GraphQLError] {
    startIfNeeded()
    return currentErrors
  }

  /// The reason why the latest fetch gave no response, or `nil` if it gave one.
  public var error: (any Error)? {
    startIfNeeded()
    return currentError
  }

  /// A Boolean value that indicates whether a fetch is in progress.
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
  /// - Returns: The task of the fetch, for code that waits for its end, such as `refreshable`:
  ///   `await query.refetch().value`.
  @discardableResult
  public func refetch() -> Task<Void, Never> {
    startIfNeeded()
    update(\.isFetching, true)
    let (client, query) = (client, query)
    let task = Task { [weak self] in
      let result: Result<GraphQLResponse<Query>, any Error>
      do {
        result = .success(try await client.fetch(query: query, cachePolicy: .networkOnly))
      } catch {
        result = .failure(error)
      }
      guard !Task.isCancelled else { return }
      self?.receive(result)
    }
    refetching = OwnedTask(task)
    return task
  }

  /// Ends the watch and its requests. The data remains, and is not updated until ``refetch()``.
  public func cancel() {
    watch = OwnedTask(nil)
    refetching = nil
    update(\.isFetching, false)
  }

  private func startIfNeeded() {
    guard watch == nil else { return }
    let updates = client.watch(query: query, cachePolicy: cachePolicy)
    let task = Task { [weak self] in
      for await result in updates {
        guard !Task.isCancelled, let self else { return }
        receive(result)
      }
    }
    watch = OwnedTask(task)
  }

  private func restart() {
    guard watch != nil else { return }
    (watch, refetching) = (nil, nil)
    update(\.currentData, nil)
    update(\.currentErrors, [])
    if currentError != nil { currentError = nil }
    update(\.isFetching, true)
    startIfNeeded()
  }

  private func receive(_ result: Result<GraphQLResponse<Query>, any Error>) {
    switch result {
    case .success(let response):
      update(\.currentData, response.data)
      update(\.currentErrors, response.errors ?? [])
      if currentError != nil { currentError = nil }
    case .failure(let error): currentError = error
    }
    update(\.isFetching, false)
  }

  /// Sets a property unless it has the value already, because setting it notifies its observers.
  private func update<Value: Equatable>(
    _ property: ReferenceWritableKeyPath<ObservableQuery, Value>, _ value: Value
  ) {
    if self[keyPath: property] != value { self[keyPath: property] = value }
  }
}

/// A task that is cancelled when its owner is released.
private final class OwnedTask: Sendable {
  private let task: Task<Void, Never>?

  init(_ task: Task<Void, Never>?) { self.task = task }

  deinit { task?.cancel() }
}
