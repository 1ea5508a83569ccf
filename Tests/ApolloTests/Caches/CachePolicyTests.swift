import ApolloAPI
import Apollo
import Dispatch
import TestOperations
import Testing

/// The result of each policy in each situation, with each kind of cache.
@Suite(.timeLimit(.minutes(10)))
struct CachePolicyTests {
  private let query = HeroAPI.HeroQuery()

  private struct ServerIsDown: Error {}

  /// The states of the cache and the server.
  enum Situation: CaseIterable {
    case emptyCache, emptyCacheServerDown, fullCache, fullCacheServerDown

    var isCacheFull: Bool { self == .fullCache || self == .fullCacheServerDown }
    var isServerUp: Bool { self == .emptyCache || self == .fullCache }
  }

  /// One result of a call.
  enum Outcome: Equatable {
    case cache, server, miss, networkError, bothErrors
  }

  private static func response(_ name: String) -> String {
    #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"\#(name)","friends":null}}}"#
  }

  /// Returns a client in a situation. A full cache has the name `Old`, the server has `New`.
  private func client(
    _ situation: Situation, _ cache: any NormalizedCache
  ) async throws -> (ApolloClient, ScriptedTransport) {
    let transport = ScriptedTransport { _, _ in
      if !situation.isServerUp { throw ServerIsDown() }
      return Self.response("New")
    }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    if situation.isCacheFull {
      try await client.store.publish(body: Array(Self.response("Old").utf8), of: query)
    }
    return (client, transport)
  }

  private func outcome<Data>(
    _ result: Result<GraphQLResult<Data>, any Error>, _ name: (Data) -> String?
  ) throws -> Outcome {
    do {
      let result = try result.get()
      #expect(result.data.flatMap(name) == (result.source == .cache ? "Old" : "New"))
      return result.source == .cache ? .cache : .server
    } catch is CacheMissError {
      return .miss
    } catch is ServerIsDown {
      return .networkError
    } catch let error as CacheAndNetworkError {
      #expect(error.networkError is ServerIsDown)
      #expect(error.cacheError is CacheMissError)
      #expect(error.code == .notCached)
      return .bothErrors
    }
  }

  // MARK: Calls with callbacks

  private static let callbackTable: [(CachePolicy, [Situation: [Outcome]], writes: Bool)] = [
    (
      .returnCacheDataElseFetch,
      [
        .emptyCache: [.server], .emptyCacheServerDown: [.networkError], .fullCache: [.cache],
        .fullCacheServerDown: [.cache],
      ], writes: true
    ),
    (
      .fetchIgnoringCacheData,
      [
        .emptyCache: [.server], .emptyCacheServerDown: [.networkError], .fullCache: [.server],
        .fullCacheServerDown: [.networkError],
      ], writes: true
    ),
    (
      .fetchIgnoringCacheCompletely,
      [
        .emptyCache: [.server], .emptyCacheServerDown: [.networkError], .fullCache: [.server],
        .fullCacheServerDown: [.networkError],
      ], writes: false
    ),
    (
      .returnCacheDataDontFetch,
      [
        .emptyCache: [.miss], .emptyCacheServerDown: [.miss], .fullCache: [.cache],
        .fullCacheServerDown: [.cache],
      ], writes: false
    ),
    (
      .returnCacheDataAndFetch,
      [
        .emptyCache: [.server], .emptyCacheServerDown: [.networkError],
        .fullCache: [.cache, .server], .fullCacheServerDown: [.cache, .networkError],
      ], writes: true
    ),
  ]

  @Test(arguments: CacheKind.allCases, callbackTable.indices)
  func eachPolicyOfCallbacksDoesWhatItSays(kind: CacheKind, row: Int) async throws {
    let (policy, expected, writes) = Self.callbackTable[row]
    for situation in Situation.allCases {
      let (cache, owner) = try kind.make()
      let (client, transport) = try await client(situation, cache)
      let expected = expected[situation] ?? []
      let (results, continuation) = AsyncStream<
        Result<GraphQLResult<HeroAPI.HeroQuery.Data>, any Error>
      >.makeStream()
      client.fetch(
        query: query, cachePolicy: policy, queue: DispatchQueue(label: "tests")
      ) { continuation.yield($0) }
      var outcomes: [Outcome] = []
      for await result in results {
        outcomes.append(try outcome(result) { $0.hero?.name })
        if outcomes.count == expected.count { break }
      }
      #expect(outcomes == expected, "\(policy), \(situation)")
      let asks = expected.contains { $0 == .server || $0 == .networkError }
      #expect(transport.requestCount == (asks ? 1 : 0), "\(policy), \(situation)")
      let cached = try await client.fetch(query: query, cachePolicy: .cacheOnly)
      let isNew = writes && expected.contains(.server)
      #expect(
        cached?.data?.hero?.name == (isNew ? "New" : situation.isCacheFull ? "Old" : nil),
        "\(policy), \(situation)")
      withExtendedLifetime(owner) {}
    }
  }

  // MARK: Asynchronous calls

  private static let asyncTable: [(CachePolicy.Query.SingleResponse, [Situation: Outcome])] = [
    (
      .cacheFirst,
      [
        .emptyCache: .server, .emptyCacheServerDown: .networkError, .fullCache: .cache,
        .fullCacheServerDown: .cache,
      ]
    ),
    (
      .networkFirst,
      [
        .emptyCache: .server, .emptyCacheServerDown: .bothErrors, .fullCache: .server,
        .fullCacheServerDown: .cache,
      ]
    ),
    (
      .networkOnly,
      [
        .emptyCache: .server, .emptyCacheServerDown: .networkError, .fullCache: .server,
        .fullCacheServerDown: .networkError,
      ]
    ),
  ]

  @Test(arguments: CacheKind.allCases, asyncTable.indices)
  func eachPolicyWithOneResponseDoesWhatItSays(kind: CacheKind, row: Int) async throws {
    let (policy, expected) = Self.asyncTable[row]
    for situation in Situation.allCases {
      let (cache, owner) = try kind.make()
      let (client, transport) = try await client(situation, cache)
      let result: Result<GraphQLResult<HeroAPI.HeroQuery.Data>, any Error>
      do {
        result = .success(
          GraphQLResult(try await client.fetch(query: query, cachePolicy: policy)))
      } catch {
        result = .failure(error)
      }
      let found = try outcome(result) { $0.hero?.name }
      #expect(found == expected[situation], "\(policy), \(situation)")
      let asks = !(policy == .cacheFirst && situation.isCacheFull)
      #expect(transport.requestCount == (asks ? 1 : 0), "\(policy), \(situation)")
      withExtendedLifetime(owner) {}
    }
  }

  @Test(arguments: CacheKind.allCases)
  func theOtherPoliciesDoWhatTheySay(kind: CacheKind) async throws {
    for situation in Situation.allCases {
      let (cache, owner) = try kind.make()
      let (client, transport) = try await client(situation, cache)
      let cached = try await client.fetch(query: query, cachePolicy: .cacheOnly)
      #expect(cached?.data?.hero?.name == (situation.isCacheFull ? "Old" : nil))
      #expect(transport.requestCount == 0)

      var names: [String?] = []
      var isServerDown = false
      do {
        for try await response in client.fetch(query: query, cachePolicy: .cacheAndNetwork) {
          names.append(response.data?.hero?.name)
        }
      } catch is ServerIsDown {
        isServerDown = true
      }
      let expected = (situation.isCacheFull ? ["Old"] : []) + (situation.isServerUp ? ["New"] : [])
      #expect(names == expected, "\(situation)")
      #expect(isServerDown == !situation.isServerUp)
      #expect(transport.requestCount == 1)
      withExtendedLifetime(owner) {}
    }
  }

  // MARK: A cache that fails

  @Test func deliversAResponseThatTheCacheCannotWrite() async throws {
    let cache = UsersOwnCache()
    let failures = Lock(0)
    var configuration = ApolloStore.Configuration()
    configuration.onCacheFailure = { _ in failures.withLock { $0 += 1 } }
    let transport = ScriptedTransport { _, _ in Self.response("New") }
    let client = ApolloClient(
      networkTransport: transport, store: ApolloStore(cache: cache, configuration: configuration))

    cache.breakDown(reading: false)
    let response = try await client.fetch(query: query)
    #expect(response.data?.hero?.name == "New")
    #expect(failures.get() == 1, "It is reported once.")

    cache.breakDown()
    let second = try await client.fetch(query: query)
    #expect(second.source == .server)
    #expect(failures.get() == 3, "Reading fails, and then writing.")
    for try await response in client.fetch(query: query, cachePolicy: .cacheAndNetwork) {
      #expect(response.source == .server)
    }
    #expect(failures.get() == 5)

    cache.breakDown(reading: false, writing: false)
    _ = try await client.fetch(query: query)
    #expect(try await client.fetch(query: query).source == .cache, "It recovers.")
    #expect(failures.get() == 5)
  }

  @Test func reportsBothReasonsWhenTheCacheFailsAndTheServerIsDown() async throws {
    let cache = UsersOwnCache()
    cache.breakDown()
    let transport = ScriptedTransport { _, _ in throw ServerIsDown() }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    for policy in [CachePolicy.Query.SingleResponse.cacheFirst, .networkFirst] {
      let error = await #expect(throws: CacheAndNetworkError.self) {
        try await client.fetch(query: query, cachePolicy: policy)
      }
      #expect(error?.networkError is ServerIsDown)
      #expect(error?.cacheError is UsersOwnCache.Failure)
      #expect(error?.code == .cacheUnreadable)
    }
  }
}
