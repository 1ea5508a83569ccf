internal import ApolloAPI
public import ApolloCache
public import Foundation

/// A cache that the processes of a program share, on one or many machines, through Redis.
///
/// ```swift
/// let url = URL(string: "redis://cache.internal:6379")!
/// let store = ApolloStore(cache: try RedisNormalizedCache(url: url, scope: "public"))
/// ```
///
/// - What one process has fetched, all others read. A change by one notifies the watches of all.
/// - A query is read with one round trip for each level of its selection, whatever the number of
///   its objects, and without any if the records are in the memory of this process.
/// - A write never loses that of another process: both are merged, whichever is first.
/// - If Redis is slow, full, restarting or gone, calls go on as if nothing was cached. The store's
///   `onCacheFailure` is called once for each outage.
///
/// A **scope** is a cache of its own: a tenant, a user, or `"public"`. Data that depends on who
/// asks belongs in a scope of that user.
///
/// The body of a transaction may run more than once, because it runs again with records that it
/// reads, and after another process has changed what it has read.
///
/// No thread of Swift's concurrency pool ever waits for Redis.
public final class RedisNormalizedCache: Sendable {
  /// The settings of a cache.
  ///
  /// ```swift
  /// var configuration = RedisNormalizedCache.Configuration()
  /// configuration.recordLifetime = .seconds(3_600)
  /// let cache = try RedisNormalizedCache(url: url, scope: "public", configuration: configuration)
  /// ```
  public struct Configuration: Sendable {
    /// The time after which a command that has no response counts as failed.
    public var timeout: Duration = .milliseconds(50)

    /// The time after which Redis removes a record that is not written again, or `nil` if only its
    /// own limits (`maxmemory`) remove records. All processes must agree.
    ///
    /// The state of a scope, its shapes and the names of its root fields stay.
    public var recordLifetime: Duration?

    /// The largest number of records in the memory of this process. Each field of a root counts as
    /// a record. With 0, every reading asks Redis.
    public var nearRecordLimit = 100_000

    /// Indicates whether the scope is spread over the nodes of a cluster. Otherwise all of it is on
    /// one node.
    ///
    /// Each of 64 parts of a spread scope is written separately: a response becomes visible part by
    /// part, and a transaction is atomic within one part only. All processes must agree.
    public var isSpread = false

    /// The name of the schema to which the records belong, such as a hash of its file. Caches of
    /// different schemas share nothing.
    public var schema = "default"

    /// The URLs of further nodes of a cluster, to connect to if the first cannot be reached.
    public var otherServers: [URL] = []

    /// The URLs of replicas to read from, or none to read from the primary server.
    ///
    /// A replica is behind its primary, so a program may read records that were replaced a moment
    /// ago, also by itself. Transactions that write read from the primary server. If no replica can
    /// be reached, the primary server is read.
    public var replicas: [URL] = []

    /// Creates the default settings.
    public init() {}
  }

  /// The name of the scope.
  public let scope: String

  let core: RedisScope
  /// The name of the server, the database, the schema and the scope: the same for each URL that
  /// leads to them.
  private let name: String

  /// Creates a cache. The first command connects to the server.
  ///
  /// - Parameters:
  ///   - url: The server, such as `redis://user:password@host:6379/0`, or a node of a cluster. A
  ///     socket of this machine is `unix:///path`.
  ///   - scope: The name of the cache among those on the server. Any text.
  ///   - configuration: The settings.
  /// - Throws: ``RedisError`` with the code ``RedisError/Code/invalidURL``.
  public init(
    url: URL, scope: String, configuration: Configuration = Configuration()
  ) throws(RedisError) {
    self.scope = scope
    let address = try ServerAddress(url)
    let keys = KeySpace(
      schema: configuration.schema, scope: scope, isSpread: configuration.isSpread,
      database: address.database)
    let server =
      switch address.endpoint {
      case .tcp(let host, let port): "\(host.lowercased()):\(port)"
      case .unix(let path): path
      }
    // The channel names the database, the schema and the scope, without characters that could
    // belong to two of them.
    let channel = String(decoding: keys.channel, as: UTF8.self)
    name = "redis \(server) \(keys.partitionCount) \(channel)"
    let replicas =
      configuration.replicas.isEmpty
      ? nil
      : try RedisClient(
        servers: configuration.replicas, timeout: configuration.timeout, isForReplicas: true)
    core = RedisScope(
      client: try RedisClient(
        servers: [url] + configuration.otherServers, timeout: configuration.timeout),
      replicas: replicas, keys: keys, lifetime: configuration.recordLifetime,
      nearRecordLimit: configuration.nearRecordLimit)
  }

  /// Indicates whether no command of any cache of the process is under way, for tests.
  package static var areIdle: Bool { EventLoop.isIdle }
}

// MARK: - Records

extension RedisNormalizedCache {
  /// Returns the records with these keys, as they are in Redis. Keys without a record are omitted.
  ///
  /// - Throws: ``RedisError``
  public nonisolated(nonsending) func loadRecords(
    forKeys keys: Set<RecordKey>
  ) async throws -> [RecordKey: Record] {
    let snapshot = RedisSnapshot(core, allowsStale: false)
    var records: [RecordKey: Record] = [:]
    for key in keys where key.isRoot {
      if (try? snapshot.fields(of: key)) == nil { _ = try await snapshot.loadRequested() }
    }
    try await snapshot.load(keys.filter { !$0.isRoot })
    for key in keys {
      if let fields = try snapshot.fields(of: key) {
        records[key] = Record(key: key, fields: fields)
      }
    }
    return records
  }

  /// Applies changes in order and returns them. They become visible together, unless the scope is
  /// spread.
  ///
  /// - Throws: ``RedisError``, and `CancellationError` if the task is cancelled while it competes
  ///   with other writers.
  @discardableResult
  public nonisolated(nonsending) func apply(_ changes: [CacheMutation]) async throws -> ChangeSet {
    try await RedisWriteContext(core).commit(changes).changes
  }
}

// MARK: - The door to a store

extension RedisNormalizedCache: RecordStore {
  package var sharedName: String? { name }

  package var keepsWrites: Bool { true }

  package func openSnapshot() -> any StoreSnapshot { RedisSnapshot(core, allowsStale: true) }

  /// The version of the memory in front of Redis. It also grows with commits by others.
  package var version: UInt64? { core.near.version }

  package func onForeignCommit(_ handler: @escaping @Sendable (ChangeSet) -> Bool) {
    core.changes.addHandler(handler)
  }

  package nonisolated(nonsending) func beginWriting() async throws -> any WriteContext {
    RedisWriteContext(core)
  }
}

extension ApolloStore {
  /// Creates a store that shares its records with other processes.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - configuration: The settings of the store.
  public convenience init(
    cache: RedisNormalizedCache, configuration: Configuration = Configuration()
  ) {
    self.init(records: cache, configuration: configuration)
  }
}
