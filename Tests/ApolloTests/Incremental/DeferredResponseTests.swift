import Apollo
import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DeferredResponseTests {
  private static let parts = [
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke"}},"pending":[{"id":"0","path":["hero"],"label":"slow"}],"hasNext":true}"#,
    #"{"incremental":[{"id":"0","data":{"friends":[{"__typename":"Hero","id":"2","name":"Leia"}]}}],"completed":[{"id":"0"}],"hasNext":false}"#,
  ]

  private func withServer(
    _ parts: [String] = Self.parts, _ body: (ApolloClient) async throws -> Void
  ) async throws {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
      for part in parts { reply.chunk("\r\n---\r\ncontent-type: application/json\r\n\r\n\(part)") }
      reply.chunk("\r\n-----\r\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let transport = RequestChainNetworkTransport(endpointURL: server.url())
    try await body(ApolloClient(networkTransport: transport, store: ApolloStore()))
  }

  private func state(_ response: GraphQLResponse<HeroAPI.DeferredHeroQuery>) -> String {
    switch response.data?.hero?.fragments.$slow {
    case .pending: "pending"
    case .fulfilled(let slow): slow.friends?.map(\.name).joined() ?? "null"
    case .notExecuted: "not executed"
    case nil: "no hero"
    }
  }

  @Test func aFragmentIsPendingUntilItsPartArrives() async throws {
    try await withServer { apollo in
      var states: [String] = []
      let responses = apollo.fetch(query: HeroAPI.DeferredHeroQuery(), fetchBehavior: .networkOnly)
      for try await response in responses { states.append(state(response)) }
      #expect(states == ["pending", "Leia"])
    }
  }

  @Test func oneResponseHasAllParts() async throws {
    try await withServer { apollo in
      let response = try await apollo.fetch(query: HeroAPI.DeferredHeroQuery())
      #expect(state(response) == "Leia")
    }
  }

  /// A reading of the cache is complete only with the deferred data.
  @Test func theCacheHasTheDataOfAllParts() async throws {
    try await withServer { apollo in
      let query = HeroAPI.DeferredHeroQuery()
      var cached: [String] = []
      for try await _ in apollo.fetch(query: query, fetchBehavior: .networkOnly) {
        let response = try await apollo.fetch(query: query, cachePolicy: .cacheOnly)
        cached.append(response.map(state) ?? "miss")
      }
      #expect(cached == ["miss", "Leia"])
    }
  }

  @Test func aFragmentThatFailedStaysPendingAndItsErrorIsReported() async throws {
    let failed =
      #"{"completed":[{"id":"0","errors":[{"message":"boom","path":["hero","friends"]}]}],"hasNext":false}"#
    try await withServer([Self.parts[0], failed]) { apollo in
      let response = try await apollo.fetch(query: HeroAPI.DeferredHeroQuery())
      #expect(state(response) == "pending")
      #expect(response.errors?.map(\.message) == ["boom"])
    }
  }

  /// An error without a path reaches the program wherever it is in a part. A fragment of which a
  /// field is missing stays pending, because nothing says that the field has failed.
  @Test(arguments: [
    #"{"completed":[{"id":"0","errors":[{"message":"boom"}]}],"hasNext":false}"#,
    #"{"completed":[{"id":"0","errors":["boom"]}],"hasNext":false}"#,
    #"{"completed":[{"id":"0"}],"errors":[{"message":"boom"}],"hasNext":false}"#,
    #"{"incremental":[{"id":"0","data":{},"errors":[{"message":"boom"}]}],"completed":[{"id":"0"}],"hasNext":false}"#,
    #"{"incremental":[{"path":["hero"],"data":null,"errors":[{"message":"boom"}]}],"completed":[{"id":"0"}],"hasNext":false}"#,
  ])
  func anErrorWithoutAPathIsReported(_ part: String) async throws {
    try await withServer([Self.parts[0], part]) { apollo in
      let query = HeroAPI.DeferredHeroQuery()
      let response = try await apollo.fetch(query: query, cachePolicy: .networkOnly)
      #expect(state(response) == "pending")
      #expect(response.errors?.map(\.message) == ["boom"])
      var last: GraphQLResponse<HeroAPI.DeferredHeroQuery>?
      for try await response in apollo.fetch(query: query, fetchBehavior: .networkOnly) {
        last = response
      }
      #expect(last.map(state) == "pending")
      #expect(last?.errors?.map(\.message) == ["boom"])
    }
  }

  /// The server gives up: it has announced a part that does not come.
  @Test func theErrorsOfABrokenOffResponseAreThoseOfItsFailure() async throws {
    let part = #"{"errors":[{"message":"boom"}],"hasNext":false}"#
    try await withServer([Self.parts[0], part]) { apollo in
      let query = HeroAPI.DeferredHeroQuery()
      let error = await #expect(throws: ResponseStreamError.self) {
        try await apollo.fetch(query: query, cachePolicy: .networkOnly)
      }
      #expect(error?.kind == .truncated)
      #expect(error?.graphQLErrors.map(\.message) == ["boom"])
    }
  }
}
