internal import ApolloAPI
import ApolloTransport

/// The order in which a call with a callback uses the cache and the server.
///
/// ```swift
/// apollo.fetch(query: HeroNameQuery(), cachePolicy: .returnCacheDataAndFetch) { result in
///   print(result)
/// }
/// ```
///
/// The nested types are the policies of the `async` calls. Each one has a type of its own because
/// the policy determines what a call returns: one response, an optional one, or a sequence.
public enum CachePolicy: Hashable, Sendable {
  /// The cache if it has all of the data, otherwise the server. The default.
  case returnCacheDataElseFetch
  /// The server. The response is written to the cache.
  case fetchIgnoringCacheData
  /// The server. The cache is neither read nor written, which makes this the fastest policy.
  case fetchIgnoringCacheCompletely
  /// The cache. The call fails with a `CacheMissError` if some of the data is missing.
  case returnCacheDataDontFetch
  /// The cache if it has all of the data, then the server.
  case returnCacheDataAndFetch
  /// The server; the cache if the server delivers no response. The call fails with a
  /// ``CacheAndNetworkError`` if some of the data is missing there as well.
  case networkElseCache

  /// The policy of calls that name none. A change affects the whole program.
  public static var `default`: CachePolicy {
    get { chosenDefault.get() }
    set { _ = chosenDefault.exchange(newValue) }
  }

  private static let chosenDefault = Lock(CachePolicy.returnCacheDataElseFetch)

  /// The policies of the `async` calls that fetch queries.
  public enum Query {
    /// The policies with one response.
    ///
    /// ```swift
    /// let response = try await apollo.fetch(query: HeroNameQuery(), cachePolicy: .networkFirst)
    /// ```
    public enum SingleResponse: Hashable, Sendable {
      /// The cache if it has all of the data, otherwise the server.
      case cacheFirst
      /// The server; the cache if the server delivers no response.
      case networkFirst
      /// The server.
      case networkOnly
    }

    /// The policy with an optional response: `nil` if some of the data is missing in the cache.
    ///
    /// ```swift
    /// let known = try await apollo.fetch(query: HeroNameQuery(), cachePolicy: .cacheOnly)
    /// ```
    public enum CacheOnly: Hashable, Sendable {
      /// The cache. No request is sent.
      case cacheOnly
    }

    /// The policies with a sequence of one or two responses.
    ///
    /// ```swift
    /// let responses = apollo.fetch(query: HeroNameQuery(), cachePolicy: .cacheAndNetwork)
    /// for try await response in responses {
    ///   print(response.source, response.data?.hero?.name ?? "no hero")
    /// }
    /// ```
    public enum CacheAndNetwork: Hashable, Sendable {
      /// The cache if it has all of the data, then the server.
      case cacheAndNetwork
      /// The cache if it has all of the data. Then the server, if some of the data was missing or
      /// had exceeded its maximum age (stale while revalidate).
      case revalidateCache
    }
  }

  /// The policies of subscriptions.
  ///
  /// ```swift
  /// let events = apollo.subscribe(
  ///   subscription: ReviewAddedSubscription(), cachePolicy: .networkOnly)
  /// ```
  public enum Subscription: Hashable, Sendable {
    /// The latest event in the cache, if all of its data is there, then the events of the server.
    case cacheThenNetwork
    /// The events of the server.
    case networkOnly
  }
}
