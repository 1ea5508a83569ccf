import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

@testable import Apollo

/// The promises of a transport, behind those that wrap it.
@Suite(.timeLimit(.minutes(10)))
struct WrapperMeetingTests {
  private struct Provider: InterceptorProvider {
    let authentication: AuthenticationInterceptor

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      [authentication]
    }
  }

  enum Way: CaseIterable, Sendable { case alone, split, deduplicating }

  private func transport(_ base: RequestChainNetworkTransport, _ way: Way) -> any NetworkTransport {
    switch way {
    case .alone: base
    case .split: SplitNetworkTransport(queryTransport: base, mutationTransport: base)
    case .deduplicating: DeduplicatingNetworkTransport(base)
    }
  }

  /// The client ends the session, whatever is between it and the token.
  @Test(arguments: Way.allCases)
  func theTokenOfAFormerUserIsNotSentForTheNextOne(_ way: Way) async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{"hero":null}}"#) }
    defer { server.stop() }
    let authentication = AuthenticationInterceptor(token: "former") { "next" }
    let base = RequestChainNetworkTransport(
      client: DefaultHTTPClient.patient,
      interceptorProvider: Provider(authentication: authentication), endpointURL: server.url())
    let client = ApolloClient(networkTransport: transport(base, way), store: ApolloStore())
    for _ in 1...2 {
      _ = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
      try await client.endSession()
    }
    #expect(
      server.requests.map { $0.headers["authorization"] } == ["Bearer former", "Bearer next"])
  }

  private func cachedFriends(after parts: [String]) async throws -> [String]? {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
      for part in parts {
        reply.chunk("\r\n---\r\ncontent-type: application/json\r\n\r\n\(part)")
      }
      reply.chunk("\r\n-----\r\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: DefaultHTTPClient.patient)
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    do {
      let responses = client.fetch(query: StreamHeroQuery(), fetchBehavior: .networkOnly)
      for try await _ in responses {}
    } catch is ResponseStreamError {}
    let cached = try await client.fetch(query: StreamHeroQuery(), cachePolicy: .cacheOnly)
    return cached?.data?.hero?.friends?.map(\.name)
  }

  private static let first =
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":[{"__typename":"Hero","id":"2","name":"Han"}]}},"hasNext":true}"#

  /// The heartbeat is the last part that arrives, so the list is cut off.
  @Test func aListThatEndsWithAHeartbeatIsNotCached() async throws {
    #expect(try await cachedFriends(after: [Self.first, "{}"]) == nil)
    #expect(try await cachedFriends(after: [Self.first, #"{"hasNext":false}"#]) == ["Han"])
  }

  /// The list has all its elements.
  @Test func aListThatIsCompletedWithAnEmptyListOfErrorsIsCached() async throws {
    let first = Self.first.replacingOccurrences(
      of: #""hasNext""#, with: #""pending":[{"id":"0","path":["hero","friends"]}],"hasNext""#)
    let last = #"{"completed":[{"id":"0","errors":[]}],"hasNext":false}"#
    #expect(try await cachedFriends(after: [first, last]) == ["Han"])
  }
}
