import Apollo
import LoopbackServer
import TestOperations
import Testing

/// `print`, `dump` and debuggers show a response as its properties, however it stores them.
@Suite(.timeLimit(.minutes(10)))
struct ResponsePrintingTests {
  @Test func aResponseAndItsResultShowTheirProperties() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(
        #"{"data":{"hero":{"__typename":"Droid","id":"1","name":"R2-D2","friends":null}},"extensions":{"a":1}}"#
      )
    }
    defer { server.stop() }
    let client = ApolloClient(
      networkTransport: HTTPNetworkTransport(url: server.url(), client: .patient))
    let response = try await client.fetch(query: HeroAPI.HeroQuery())
    for mirror in [Mirror(reflecting: response), Mirror(reflecting: GraphQLResult(response))] {
      #expect(
        mirror.children.map(\.label)
          == ["data", "errors", "extensions", "source", "http", "freshness", "missing"])
      #expect(mirror.displayStyle == .struct)
      let data = mirror.children.first.map { String(describing: $0.value) }
      #expect(data?.contains("R2-D2") == true)
    }
    var changed = response
    changed.data = nil
    #expect(response.data?.hero?.name == "R2-D2")
    #expect(changed != response)
  }
}
