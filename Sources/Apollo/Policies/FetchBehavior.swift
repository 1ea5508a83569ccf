/// When the cache is read and when the server is asked: what every policy comes down to.
public struct FetchBehavior: Hashable, Sendable {
  /// When the cache is read.
  public enum CacheRead: Hashable, Sendable {
    case never
    case beforeNetworkFetch
    case onNetworkFailure
  }

  /// When the server is asked.
  public enum NetworkFetch: Hashable, Sendable {
    case never
    case always
    case onCacheMiss
  }

  /// When the cache is read.
  public let cacheRead: CacheRead
  /// When the server is asked.
  public let networkFetch: NetworkFetch

  private init(_ cacheRead: CacheRead, _ networkFetch: NetworkFetch) {
    self.cacheRead = cacheRead
    self.networkFetch = networkFetch
  }

  /// The cache if all of it is there, else the server.
  public static let cacheFirst = FetchBehavior(.beforeNetworkFetch, .onCacheMiss)
  /// The server; when that fails, the cache.
  public static let networkFirst = FetchBehavior(.onNetworkFailure, .always)
  /// The server alone.
  public static let networkOnly = FetchBehavior(.never, .always)
  /// The cache alone.
  public static let cacheOnly = FetchBehavior(.beforeNetworkFetch, .never)
  /// The cache, and then the server as well.
  public static let cacheAndNetwork = FetchBehavior(.beforeNetworkFetch, .always)
}

extension CachePolicy {
  /// When the cache is read and when the server is asked.
  public var fetchBehavior: FetchBehavior {
    switch self {
    case .returnCacheDataElseFetch: .cacheFirst
    case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: .networkOnly
    case .returnCacheDataDontFetch: .cacheOnly
    case .returnCacheDataAndFetch: .cacheAndNetwork
    }
  }

  /// Whether what the server answers is written to the cache.
  public var writesResultsToCache: Bool { self != .fetchIgnoringCacheCompletely }
}

extension CachePolicy.Query.SingleResponse {
  /// When the cache is read and when the server is asked.
  public var fetchBehavior: FetchBehavior {
    switch self {
    case .cacheFirst: .cacheFirst
    case .networkFirst: .networkFirst
    case .networkOnly: .networkOnly
    }
  }
}
