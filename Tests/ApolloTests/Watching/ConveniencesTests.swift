import Apollo
import ApolloAPI
import Foundation
import TestOperations
import Testing

/// Calls that programs know from Apollo iOS.
@Suite(.timeLimit(.minutes(10)))
struct ConveniencesTests {
  private let query = HeroAPI.HeroQuery()

  private func client(_ errors: String = "") -> (ApolloClient, ScriptedTransport) {
    let transport = ScriptedTransport { _, _ in
      #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"R2","friends":null}}\#(errors)}"#
    }
    return (ApolloClient(networkTransport: transport), transport)
  }

  @Test func watchesTakeThePoliciesOfAsyncCalls() async throws {
    let (client, transport) = client()
    let (results, continuation) = AsyncStream<String?>.makeStream()
    let queue = DispatchQueue(label: "tests")
    let handler: GraphQLResultHandler<HeroAPI.HeroQuery.Data> = { result in
      continuation.yield((try? result.get())?.data?.hero?.name)
    }
    var received = results.makeAsyncIterator()
    var watchers = [
      client.watch(
        query: query, cachePolicy: .cacheOnly, callbackQueue: queue, resultHandler: handler)
    ]
    #expect(await received.next() == .some(nil))
    watchers[0].cancel()
    watchers.append(
      client.watch(
        query: query, cachePolicy: .networkFirst, callbackQueue: queue, resultHandler: handler))
    #expect(await received.next() == "R2")
    watchers.append(
      client.watch(
        query: query, cachePolicy: .cacheAndNetwork, callbackQueue: queue, resultHandler: handler))
    #expect(await received.next() == "R2")
    #expect(transport.requestCount >= 1)
    for watcher in watchers { watcher.cancel() }
  }

  @Test func watchesAsSequencesTakeThePoliciesOfAsyncCalls() async throws {
    let transport = ScriptedTransport { _, number in
      #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"R\#(number + 1)","friends":null}}}"#
    }
    let client = ApolloClient(networkTransport: transport)
    var cached = client.watch(query: query, cachePolicy: .cacheOnly).makeAsyncIterator()
    await #expect(throws: CacheMissError.self) { try await cached.next()?.get() }
    #expect(transport.requestCount == 0)
    cached.watcher.cancel()

    var single = client.watch(query: query, cachePolicy: .networkOnly).makeAsyncIterator()
    let fetched = try await single.next()?.get()
    #expect(fetched?.source == .server)
    #expect(fetched?.data?.hero?.name == "R1")
    #expect(transport.requestCount == 1)
    single.watcher.cancel()

    var both = client.watch(query: query, cachePolicy: .cacheAndNetwork).makeAsyncIterator()
    #expect(try await both.next()?.get().data?.hero?.name == "R1")
    #expect(try await both.next()?.get().data?.hero?.name == "R2")
    try await client.store.publish(["Hero:0": ["name": "Luke"]])
    while let name = try await both.next()?.get().data?.hero?.name, name != "Luke" {}
    both.watcher.cancel()
    #expect(await both.next() == nil)
  }

  @Test func aCallMayAskForCachedErrors() async throws {
    let (client, transport) = client(#","errors":[{"message":"busy","path":["hero","friends"]}]"#)
    _ = try await client.fetch(query: query)
    var configuration = RequestConfiguration()
    configuration.servesCachedErrors = true
    let response = try await client.fetch(query: query, requestConfiguration: configuration)
    #expect(response.source == .cache)
    #expect(response.errors?.map(\.message) == ["busy"])
    #expect(response.data?.hero?.name == "R2")
    #expect(transport.requestCount == 1)
    #expect(try await client.fetch(query: query).source == .server, "not by default")
  }

  @Test func recordsArePublishedWithAnIdentifierAndReadWithoutChangingThem() async throws {
    let store = ApolloStore()
    let (origins, continuation) = AsyncStream<UUID?>.makeStream()
    let watch = store.subscribe { continuation.yield($0.origin?.identifier) }
    let identifier = UUID()
    store.publish(records: ["Hero:1": ["name": "Luke"]], identifier: identifier)
    #expect(await origins.first { _ in true } == identifier)
    let records = try await store.readOnlyCache.loadRecords(forKeys: ["Hero:1", "Hero:2"])
    #expect(records.mapValues(\.fields) == ["Hero:1": ["name": "Luke"]])
    withExtendedLifetime(watch) {}
  }

  @Test func aResponseListsTheFieldsThatItConsistsOf() async throws {
    let (client, _) = client()
    let fields: Set<FieldAddress> = [
      FieldAddress(record: "QUERY_ROOT", field: "hero"),
      FieldAddress(record: "Hero:0", field: "name"),
    ]
    let fetched = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(fetched.source == .server)
    #expect(fetched.dependentKeys?.isSuperset(of: fields) == true)
    let cached = try await client.fetch(query: query)
    #expect(cached.source == .cache)
    #expect(cached.dependentKeys == fetched.dependentKeys)
    let result = await withCheckedContinuation { continuation in
      client.store.load(query) { continuation.resume(returning: $0) }
    }
    #expect(try result.get().dependentKeys == fetched.dependentKeys)

    let excluded = try await client.fetch(
      query: query, cachePolicy: .networkOnly,
      requestConfiguration: RequestConfiguration(writeResultsToCache: false))
    #expect(excluded.dependentKeys == nil)
    #expect(excluded == fetched, "Responses are compared without their dependencies.")
  }

  @Test func aReadingListsTheFieldsThatItDependsOn() async throws {
    let (client, _) = client()
    _ = try await client.fetch(query: query)
    let keys = try await client.store.load(query).trace.dependentKeys
    #expect(keys.contains(FieldAddress(record: "QUERY_ROOT", field: "hero")))
    #expect(keys.contains(FieldAddress(record: "Hero:0", field: "name")))
  }
}
