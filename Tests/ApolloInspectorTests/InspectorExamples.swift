import Apollo
import ApolloInspector
import Foundation

// The examples in the documentation of `ApolloInspector`, word for word, so that the compiler
// checks them. `DocumentationExamplesTests` compares the two.

private func makeAClient(_ url: URL) throws {
  let store = ApolloStore()
  let inspector = try ApolloInspector(store: store)
  let apollo = ApolloClient(
    networkTransport: HTTPNetworkTransport(url: url), store: store, observers: [inspector])
  print("Inspector: \(inspector.address)")
  _ = apollo
}
