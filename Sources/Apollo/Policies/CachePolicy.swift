internal import ApolloAPI
import ApolloTransport

/// Where a query's data comes from, for the calls that take a callback.
///
/// The nested types are the policies of the `async` calls. They are apart because what is returned
/// follows from the policy: one response, perhaps none, or several.
public enum CachePolicy: Hashable, Sendable {
  /// From the cache if all of it is there, else from the server. The default.
  case returnCacheDataElseFetch
  /// From the server; the result is written to the cache.
  case fetchIgnoringCacheData
  /// From the server; the cache is neither read nor written, which is the fastest when it is not used.
  case fetchIgnoringCacheCompletely
  /// From the cache; the server is never asked. When something is missing, the call fails.
  case returnCacheDataDontFetch
  /// From the cache at once, if all of it is there, and then from the server as well.
  case returnCacheDataAndFetch

  /// The policy of calls that name none. Can be changed for the whole program.
  public static var `default`: CachePolicy {
    get { chosenDefault.get() }
    set { _ = chosenDefault.exchange(newValue) }
  }

  private static let chosenDefault = Lock(CachePolicy.returnCacheDataElseFetch)

  /// The policies for queries.
  public enum Query {
    /// The policies that end in one response.
    public enum SingleResponse: Hashable, Sendable {
      /// From the cache if all of it is there, else from the server.
      case cacheFirst
      /// From the server; when that fails, from the cache.
      case networkFirst
      /// From the server.
      case networkOnly
    }

    /// The policy that never asks the server, so that there may be no response.
    public enum CacheOnly: Hashable, Sendable {
      /// From the cache.
      case cacheOnly
    }

    /// The policy that can end in two responses.
    public enum CacheAndNetwork: Hashable, Sendable {
      /// From the cache at once, if all of it is there, and then from the server as well.
      case cacheAndNetwork
    }
  }
}
