/// The times at which a call reads the cache and sends its operation.
///
/// Every cache policy is a name for one of these behaviors. An interceptor can change the behavior
/// of a request:
///
/// ```swift
/// var request = request
/// request.fetchBehavior = .cacheOnly
/// return try await next.proceed(request)
/// ```
public struct FetchBehavior: Hashable, Sendable {
  /// The time at which the cache is read.
  public enum CacheRead: Hashable, Sendable {
    /// The cache is not read.
    case never
    /// The cache is read first.
    case beforeNetworkFetch
    /// The cache is read if the server delivers no response.
    case onNetworkFailure
  }

  /// The time at which the operation is sent.
  public enum NetworkFetch: Hashable, Sendable {
    /// The operation is not sent.
    case never
    /// The operation is sent in any case.
    case always
    /// The operation is sent if some of its data is missing in the cache.
    case onCacheMiss
    /// The operation is sent if some of its data is missing in the cache, or has exceeded its
    /// maximum age.
    case onStaleCache
  }

  /// The time at which the cache is read.
  public let cacheRead: CacheRead
  /// The time at which the operation is sent.
  public let networkFetch: NetworkFetch

  private init(_ cacheRead: CacheRead, _ networkFetch: NetworkFetch) {
    self.cacheRead = cacheRead
    self.networkFetch = networkFetch
  }

  /// The cache if it has all of the data, otherwise the server.
  public static let cacheFirst = FetchBehavior(.beforeNetworkFetch, .onCacheMiss)
  /// The server; the cache if the server delivers no response.
  public static let networkFirst = FetchBehavior(.onNetworkFailure, .always)
  /// The server only.
  public static let networkOnly = FetchBehavior(.never, .always)
  /// The cache only.
  public static let cacheOnly = FetchBehavior(.beforeNetworkFetch, .never)
  /// The cache if it has all of the data, then the server.
  public static let cacheAndNetwork = FetchBehavior(.beforeNetworkFetch, .always)
  /// The cache if it has all of the data, then the server if some of it was stale.
  ///
  /// A call with a single response gets the cached one only if it is fresh, unless its
  /// configuration is permissive.
  public static let revalidateCache = FetchBehavior(.beforeNetworkFetch, .onStaleCache)
}

extension CachePolicy {
  /// The behavior that this policy is a name for.
  public var fetchBehavior: FetchBehavior {
    switch self {
    case .returnCacheDataElseFetch: .cacheFirst
    case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: .networkOnly
    case .returnCacheDataDontFetch: .cacheOnly
    case .returnCacheDataAndFetch: .cacheAndNetwork
    case .networkElseCache: .networkFirst
    }
  }

  /// `true` if the policy writes the server's response to the cache.
  public var writesResultsToCache: Bool { self != .fetchIgnoringCacheCompletely }
}

extension CachePolicy.Query.SingleResponse {
  /// The behavior that this policy is a name for.
  public var fetchBehavior: FetchBehavior {
    switch self {
    case .cacheFirst: .cacheFirst
    case .networkFirst: .networkFirst
    case .networkOnly: .networkOnly
    }
  }
}

extension CachePolicy.Query.CacheAndNetwork {
  /// The behavior that this policy is a name for.
  public var fetchBehavior: FetchBehavior {
    switch self {
    case .cacheAndNetwork: .cacheAndNetwork
    case .revalidateCache: .revalidateCache
    }
  }
}

extension CachePolicy.Subscription {
  /// The behavior that this policy is a name for.
  public var fetchBehavior: FetchBehavior {
    switch self {
    case .cacheThenNetwork: .cacheAndNetwork
    case .networkOnly: .networkOnly
    }
  }
}
