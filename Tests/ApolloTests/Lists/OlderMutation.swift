import Apollo
import ApolloAPI
import ApolloCache
import TestOperations

/// A mutation that keeps the responses of later ones waiting, and the client with it.
struct OlderMutation {
  let client: ApolloClient
  let transport = HeldTransport()

  init(_ cache: any NormalizedCache = InMemoryNormalizedCache()) {
    client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
  }

  /// Runs `body` while the first request waits.
  func whileOlderMutationWaits(_ body: () async throws -> Void) async throws {
    let edge = ShopPage.edge("?")
    let expected = try AppendEdge.Data(jsonBytes: Array(edge.utf8))
    async let older = client.perform(
      mutation: AppendEdge(lists: ["nothing"]), optimistic: expected)
    await transport.untilSent(1)
    try await body()
    transport.respond(to: 0, .success(#"{"data":\#(edge)}"#))
    _ = try await older
  }
}
