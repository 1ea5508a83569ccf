import Apollo
import Foundation
import TestOperations
import Testing

/// The ways to send requests, and responses in parts, with the libraries that serve them.
@Suite(.needsHeroServers, .timeLimit(.minutes(10)))
struct RequestServerTests {
  private let events = EventRingBuffer()

  private func client(_ transport: any NetworkTransport) -> ApolloClient {
    ApolloClient(networkTransport: transport, observers: [events])
  }

  /// The number of requests that the calls so far have sent.
  private var sentCount: Int { events.names.filter { $0 == "sent" }.count }

  // MARK: Responses in parts

  /// Strawberry sends the format of 2026, graphql-core that of 2022.
  @Test(arguments: [HeroServer.Library.strawberry, .core])
  func deliversDeferredData(_ library: HeroServer.Library) async throws {
    let server = try await HeroServer(library)
    let client = client(HTTPNetworkTransport(url: server.url))
    let query = HeroAPI.DeferredHeroQuery()
    var names: [String]?
    for try await response in client.fetch(query: query, fetchBehavior: .networkOnly) {
      #expect(response.errors == nil)
      #expect(response.data?.hero?.name == "R2-D2")
      names = response.data?.hero?.fragments.slow?.friends?.map(\.name)
    }
    #expect(names == ["Luke", "Leia"])
    let cached = try await client.fetch(query: query, cachePolicy: .cacheOnly)
    #expect(cached?.data?.hero?.fragments.slow?.friends?.count == 2)
    await server.stop()
  }

  @Test(arguments: [
    (HeroServer.Library.strawberry, HTTPSubscriptionFormat.multipart),
    (.ariadneWithEvents, .serverSentEvents),
  ])
  func deliversTheEventsOfASubscription(
    _ library: HeroServer.Library, _ format: HTTPSubscriptionFormat
  ) async throws {
    let server = try await HeroServer(library)
    let transport = HTTPNetworkTransport(url: server.url)
    transport.subscriptionFormat = format
    let apollo = client(transport)
    var events = heroChanges(apollo)
    #expect(try await events.next()?.data?.heroChanged?.name == "subscribed")
    for name in ["Luke", "Leia “\u{1F680}”"] {
      _ = try await apollo.perform(mutation: HeroAPI.RenameMutation(id: "1", name: name))
      #expect(try await events.next()?.data?.heroChanged?.name == name)
    }
    await server.stop()
  }

  // MARK: Requests

  @Test(arguments: [HeroServer.Library.strawberry, .ariadneWithEvents])
  func uploadsAFile(_ library: HeroServer.Library) async throws {
    let server = try await HeroServer(library)
    let file = GraphQLFile(
      fieldName: "file", originalName: "Zoë \u{1F680}.png", mimeType: "image/png",
      data: Data(repeating: 7, count: 100_000))
    let response = try await client(HTTPNetworkTransport(url: server.url))
      .upload(operation: HeroAPI.UploadMutation(), files: [file])
    #expect(
      response.data?.upload?.name.hasPrefix("Zoë \u{1F680}.png|image/png|100000|") == true)
    await server.stop()
  }

  /// A file that is read while it is sent.
  @Test(arguments: [HeroServer.Library.strawberry, .ariadneWithEvents])
  func uploadsALargeFileFromDisk(_ library: HeroServer.Library) async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }  // The test fails without it anyway.
    let bytes = Data((0..<5_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try bytes.write(to: url)
    let server = try await HeroServer(library)
    let file = try GraphQLFile(fieldName: "file", originalName: "a.bin", contentsOf: url)
    let response = try await client(HTTPNetworkTransport(url: server.url))
      .upload(operation: HeroAPI.UploadMutation(), files: [file])
    // The name ends with the beginning of the SHA-256 hash that the server has computed.
    #expect(response.data?.upload?.name == "a.bin|application/octet-stream|5000001|6f5f4609")
    await server.stop()
  }

  @Test(arguments: [HeroServer.Library.strawberry, .ariadneWithEvents])
  func sendsQueriesByGET(_ library: HeroServer.Library) async throws {
    let server = try await HeroServer(library)
    let client = client(HTTPNetworkTransport(url: server.url, useGETForQueries: true))
    for name in ["a+b;c&d=e/f?g", "“\u{1F680}”", "\"\\"] {
      let query = HeroAPI.HeroQuery(name: .some(name))
      #expect(try await client.fetch(query: query).data?.hero?.name == name)
    }
    for case .requestBuilt(let request) in events.events.map(\.kind) {
      #expect(request.method == "GET")
    }
    await server.stop()
  }

  @Test(arguments: [false, true])
  func sendsAPersistedQueryByItsHashOnceItIsKnown(usesGET: Bool) async throws {
    let server = try await HeroServer(.strawberry)
    let client = client(
      HTTPNetworkTransport(
        url: server.url, useGETForQueries: usesGET, enableAutoPersistedQueries: true))
    for expected in [2, 3] {
      let response = try await client.fetch(
        query: HeroAPI.DeferredHeroQuery(), cachePolicy: .networkOnly)
      #expect(response.data?.hero?.name == "R2-D2")
      #expect(sentCount == expected)
    }
    await server.stop()
  }

  @Test func sendsQueriesInABatch() async throws {
    let server = try await HeroServer(.strawberry)
    let batching = BatchingHTTPClient(
      configuration: .init(maximumDelay: .seconds(600), maximumQueryCount: 5))
    let client = client(HTTPNetworkTransport(url: server.url, client: batching))
    let names = (1...5).map { "Hero \($0)" }
    let tasks = names.map { name in
      // Without the cache, where the last of them would be the hero that all callers get.
      Task {
        try await client.fetch(
          query: HeroAPI.HeroQuery(name: .some(name)), cachePolicy: .networkOnly,
          requestConfiguration: RequestConfiguration(writeResultsToCache: false))
      }
    }
    for (task, name) in zip(tasks, names) {
      #expect(try await task.value.data?.hero?.name == name)
    }
    await server.stop()
  }

  /// Ariadne accepts no batches.
  @Test func aRefusedBatchFailsEachOfItsQueries() async throws {
    let server = try await HeroServer(.ariadneWithEvents)
    let batching = BatchingHTTPClient(
      configuration: .init(maximumDelay: .seconds(600), maximumQueryCount: 2))
    let client = client(HTTPNetworkTransport(url: server.url, client: batching))
    let tasks = ["a", "b"].map { name in
      Task { try await client.fetch(query: HeroAPI.HeroQuery(name: .some(name))) }
    }
    for task in tasks {
      let error = await #expect(throws: GraphQLHTTPResponseError.self) { try await task.value }
      #expect(error?.statusCode == 400)
    }
    await server.stop()
  }

  @Test func equalQueriesShareOneRequest() async throws {
    let server = try await HeroServer(.strawberry)
    let client = client(
      DeduplicatingNetworkTransport(HTTPNetworkTransport(url: server.url)))
    let tasks = (0..<20).map { _ in
      Task { try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly) }
    }
    for task in tasks { #expect(try await task.value.data?.hero?.name == "R2-D2") }
    let joined = events.names.filter { $0 == "joined" }.count
    #expect(sentCount + joined == 20)
    await server.stop()
  }
}
