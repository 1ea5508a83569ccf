import ApolloAPI
import ApolloCache
import Foundation
import Testing

/// Generated mutations that change lists of the cache.
@Suite struct EditingTests {
  private let query = EditingAPI.ProductsQuery(first: 2, after: nil)
  private let lists = [ListID(field: "products").rawValue]

  private static func product(_ id: String) -> String {
    #"{"__typename":"Product","id":"\#(id)","name":"\#(id)"}"#
  }

  /// A store with the list `ab`.
  private func store() async throws -> ApolloStore {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    let edges = ["a", "b"].map {
      #"{"__typename":"ProductEdge","cursor":"\#($0)","node":\#(Self.product($0))}"#
    }
    try await publish(
      #"{"products":{"__typename":"ProductConnection","edges":[\#(edges.joined(separator: ","))],"#
        + #""pageInfo":{"__typename":"PageInfo","hasNextPage":true,"endCursor":"b"}}}"#,
      of: query, to: store)
    return store
  }

  private func publish<Operation: GraphQLOperation>(
    _ data: String, of operation: Operation, to store: ApolloStore
  ) async throws {
    try await store.publish(body: Array(#"{"data":\#(data)}"#.utf8), of: operation)
  }

  private func list(_ store: ApolloStore) async throws -> String? {
    try await store.load(query).data?.products.edges.map(\.node.name).joined()
  }

  @Test func variablesOfListsAreNotSent() {
    let body = String(
      decoding: EditingAPI.AddProductMutation(name: "x", lists: lists).requestBody(),
      as: UTF8.self)
    #expect(body.contains(#""variables":{"name":"x"}"#), "\(body)")
    #expect(!body.contains("lists"), "\(body)")
    #expect(!body.contains("appendNode"), "\(body)")
  }

  @Test func aNodeOfOneBranchIsAppended() async throws {
    let store = try await store()
    let mutation = EditingAPI.AddProductMutation(name: "x", lists: lists)
    for (type, list) in [("AlreadyExists", "ab"), ("Added", "abx")] {
      try await publish(
        #"{"add":{"__typename":"\#(type)","product":\#(Self.product("x"))}}"#, of: mutation,
        to: store)
      #expect(try await self.list(store) == list, "\(type)")
    }
  }

  @Test(arguments: [true, false])
  func aRecordIsDeletedUnderItsCondition(everywhere: Bool) async throws {
    let store = try await store()
    let mutation = EditingAPI.RemoveProductMutation(
      id: "a", lists: lists, everywhere: everywhere)
    try await publish(#"{"remove":"a"}"#, of: mutation, to: store)
    #expect(try await list(store) == "b")
    let record = try await store.withinReadTransaction { try $0.record(for: "Product:a") }
    #expect((record == nil) == everywhere)
  }
}
