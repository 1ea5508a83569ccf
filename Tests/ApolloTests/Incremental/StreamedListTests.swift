import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// The cached elements of a list that arrives in parts.
@Suite(.timeLimit(.minutes(10)))
struct StreamedListTests {
  private static let parts = [
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":[{"__typename":"Hero","id":"2","name":"Han"}]}},"pending":[{"id":"0","path":["hero","friends"]}],"hasNext":true}"#,
    #"{"incremental":[{"id":"0","items":[{"__typename":"Hero","id":"3","name":"Leia"}]}],"hasNext":true}"#,
    #"{"completed":[{"id":"0"}],"hasNext":false}"#,
  ]

  /// The way in which a program reads the response.
  enum Reading {
    case sequence, firstPart, whole
  }

  /// The steps of a call: those of 2.x, or also a chain of 1.x.
  enum Steps: CaseIterable {
    case lane, chain

    func transport(_ url: URL) -> any NetworkTransport {
      switch self {
      case .lane: HTTPNetworkTransport(url: url)
      case .chain:
        RequestChainNetworkTransport(
          interceptorProvider: StepProvider { builtInSteps() }, endpointURL: url)
      }
    }
  }

  /// Returns a server that sends the parts of one response.
  private func server(of parts: [String]) throws -> LoopbackServer {
    try LoopbackServer { _, reply in
      reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
      for part in parts {
        reply.chunk("\r\n---\r\ncontent-type: application/json\r\n\r\n\(part)")
      }
      reply.chunk("\r\n-----\r\n")
      reply.endChunks()
    }
  }

  private func cachedFriends(
    after reading: Reading, partCount: Int, _ steps: Steps
  ) async throws -> [String]? {
    try await cachedFriends(after: reading, Array(Self.parts.prefix(partCount)), steps)
  }

  private func cachedFriends(
    after reading: Reading, _ parts: [String], _ steps: Steps
  ) async throws -> [String]? {
    let server = try server(of: parts)
    defer { server.stop() }
    let query = StreamHeroQuery()
    let client = ApolloClient(
      networkTransport: steps.transport(server.url()), store: ApolloStore())
    do {
      switch reading {
      case .sequence, .firstPart:
        for try await _ in client.fetch(query: query, fetchBehavior: .networkOnly) {
          if reading == .firstPart { break }
        }
      case .whole: _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
      }
    } catch is ResponseStreamError {}
    let cached = try await client.fetch(query: query, cachePolicy: .cacheOnly)
    return cached?.data?.hero?.friends?.map(\.name)
  }

  @Test(arguments: [Reading.sequence, .firstPart, .whole], Steps.allCases)
  func aTruncatedListIsNotCached(_ reading: Reading, _ steps: Steps) async throws {
    #expect(try await cachedFriends(after: reading, partCount: 2, steps) == nil)
  }

  /// The server does not know the hash, so the chain begins anew. The request with the hash ends
  /// then, but not the list.
  @Test func aTruncatedListIsNotCachedAfterAnUnknownHash() async throws {
    let isRead = Signal()
    let server = try LoopbackServer { request, reply in
      guard request.bodyText.contains(#""query":"#) else {
        return reply.json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
      }
      reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
      reply.chunk("\r\n---\r\ncontent-type: application/json\r\n\r\n\(Self.parts[0])\r\n---")
      isRead.block()
      reply.chunk("--\r\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let transport = RequestChainNetworkTransport(
      interceptorProvider: StepProvider { builtInSteps() }, endpointURL: server.url(),
      autoPersistQueries: true)
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    let query = StreamHeroQuery()
    func cachedFriends() async throws -> [String]? {
      let cached = try await client.fetch(query: query, cachePolicy: .cacheOnly)
      return cached?.data?.hero?.friends?.map(\.name)
    }

    var responses = client.fetch(query: query, fetchBehavior: .networkOnly).makeAsyncIterator()
    _ = try await responses.next()
    // The list is open, and many chances to write it pass.
    for _ in 1...1_000 { #expect(try await cachedFriends() == nil) }
    isRead.fire()
    do { while try await responses.next() != nil {} } catch is ResponseStreamError {}
    #expect(try await cachedFriends() == nil)
  }

  /// Parts of which the last ones say that the list gets no more elements, and why.
  private static let failures = [
    [#"{"completed":[{"id":"0","errors":[{"message":"boom"}]}],"hasNext":false}"#],
    [#"{"completed":[{"id":"0","errors":["boom"]}],"hasNext":true}"#, #"{"hasNext":false}"#],
    [
      #"{"completed":[{"id":"0"}],"incremental":[{"path":["hero","friends",2],"items":null,"errors":[{"message":"boom"}]}],"hasNext":false}"#
    ],
    [
      #"{"completed":[{"id":"0","errors":[{"message":"boom","path":["hero","friends",2]}]}],"hasNext":false}"#
    ],
  ]

  @Test(arguments: [Reading.sequence, .whole], Steps.allCases)
  func aListThatFailedIsNotCached(_ reading: Reading, _ steps: Steps) async throws {
    for failure in Self.failures {
      let parts = Self.parts.prefix(2) + failure
      #expect(try await cachedFriends(after: reading, Array(parts), steps) == nil, "\(failure)")
    }
  }

  /// The second element is null although the schema rules that out, as with `onError: NULL`.
  @Test(arguments: Steps.allCases)
  func aListIsNotCachedIfALaterPartLeavesNoData(_ steps: Steps) async throws {
    let server = try server(of: [
      Self.parts[0],
      #"{"incremental":[{"id":"0","items":[null],"errors":[{"message":"boom","path":["hero","friends",1]}]}],"hasNext":true}"#,
      Self.parts[2],
    ])
    defer { server.stop() }
    let client = ApolloClient(
      networkTransport: steps.transport(server.url()), store: ApolloStore())
    let query = CertainStreamQuery()
    var haveData: [Bool] = []
    for try await response in client.fetch(query: query, fetchBehavior: .networkOnly) {
      haveData.append(response.data != nil)
    }
    #expect(haveData == [true, false])
    #expect(try await client.fetch(query: query, cachePolicy: .cacheOnly) == nil)
  }

  @Test(arguments: Steps.allCases)
  func aResponseWithAListThatFailedExpiresLikeAnyOther(_ steps: Steps) async throws {
    let server = try server(of: Self.parts.prefix(2) + Self.failures[0])
    defer { server.stop() }
    var configuration = ApolloStore.Configuration()
    configuration.freshness.maxAges = ["Hero": .seconds(60)]
    configuration.freshness.now = { Date(timeIntervalSince1970: 1_000) }
    let client = ApolloClient(
      networkTransport: steps.transport(server.url()),
      store: ApolloStore(configuration: configuration))
    let response = try await client.fetch(query: StreamHeroQuery(), cachePolicy: .networkOnly)
    #expect(response.data?.hero?.friends?.map(\.name) == ["Han", "Leia"])
    #expect(response.earliestExpiry == Date(timeIntervalSince1970: 1_060))
  }

  @Test(arguments: [Reading.sequence, .whole], Steps.allCases)
  func aListIsCachedOnceItIsWhole(_ reading: Reading, _ steps: Steps) async throws {
    #expect(try await cachedFriends(after: reading, partCount: 3, steps) == ["Han", "Leia"])
  }

  /// The last part only says that it is the last one.
  @Test(arguments: Steps.allCases)
  func aWatchOfAListSendsOneRequestAndFollowsTheCache(_ steps: Steps) async throws {
    let server = try server(of: Self.parts)
    defer { server.stop() }
    let store = ApolloStore()
    let client = ApolloClient(networkTransport: steps.transport(server.url()), store: store)
    var names: [String] = []
    for try await result in client.watch(query: StreamHeroQuery()) {
      names = try result.get().data?.hero?.friends?.map(\.name) ?? []
      if names == ["Han", "Leia"] {
        try await store.withinReadWriteTransaction {
          try $0.merge(["Hero:3": ["name": "Organa"]])
        }
      }
      if names.last == "Organa" { break }
    }
    #expect(names == ["Han", "Organa"])
    #expect(server.requests.count == 1)
  }
}
