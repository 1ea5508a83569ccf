import Apollo
import ApolloAPI
import ApolloCache
import Foundation
import TestOperations
import Testing

/// The items that directives insert into lists of the cache, and delete from them.
@Suite(.timeLimit(.minutes(10)))
struct ListEditItemsTests {
  private typealias Query = ShopAPI.ProductsQuery
  private static let toys = ListID(field: "products", arguments: ["category": "toys"])

  /// A store with the list `abcd` in two pages.
  private func store(_ cache: any NormalizedCache = InMemoryNormalizedCache()) async throws
    -> ApolloStore
  {
    let store = ApolloStore(cache: cache)
    for (page, query) in [
      ("ab", Query(first: 2, category: "toys")),
      ("cd", Query(first: 2, after: "b", category: "toys")),
    ] {
      try await publish(#"{"products":\#(ShopPage(page).json)}"#, of: query, to: store)
    }
    return store
  }

  private func publish<Operation: GraphQLOperation>(
    _ data: String, errors: String = "", of operation: Operation, to store: ApolloStore
  ) async throws {
    try await store.publish(body: Array(#"{\#(errors)"data":\#(data)}"#.utf8), of: operation)
  }

  private func list(_ store: ApolloStore) async throws -> String? {
    try await store.load(Query(first: 2, category: "toys")).data?.ids.joined()
  }

  // MARK: - Conditions

  @Test(arguments: [(true, "xabcd"), (false, "abcdx")])
  func aDirectiveAppliesUnderItsConditionAlone(isFirst: Bool, list: String) async throws {
    let store = try await store()
    let mutation = SelectedMutation<Conditions>([
      "lists": [Self.toys.rawValue], "first": isFirst,
    ])
    try await publish(#"{"add":\#(ShopPage.product("x"))}"#, of: mutation, to: store)
    #expect(try await self.list(store) == list)
  }

  private enum Conditions: ShopSelections {
    static let selections = Selections(
      "Mutation {...Mutation {add \(node) \(prepend)} @include(if: $first) "
        + "...Mutation {add \(node) \(append)} @skip(if: $first)}")
  }

  /// Another occurrence of the field has no condition, so that the field is always there.
  @Test(arguments: [(true, "bcd"), (false, "abcd")])
  func aDirectiveAppliesUnderTheConditionOfItsOccurrence(
    isIncluded: Bool, list: String
  ) async throws {
    let store = try await store()
    let mutation = SelectedMutation<Occurrence>([
      "lists": [Self.toys.rawValue], "included": isIncluded,
    ])
    try await publish(#"{"remove":"a"}"#, of: mutation, to: store)
    #expect(try await self.list(store) == list)
  }

  private enum Occurrence: ShopSelections {
    static let selections = Selections(
      #"Mutation {remove ID @deleteEdge(connections: $lists typeName: "Product" "#
        + "include: [$included])}")
  }

  // MARK: - Types

  /// The field can have objects that no edge of the list can have.
  @Test(arguments: [
    ([("Product", "x")], "abcdx"), ([("KeyedEdge", "x")], "abcd"), ([("Shop", "x")], "abcd"),
    ([("Shop", "x"), ("Product", "y"), ("KeyedEdge", "z")], "abcdy"),
  ])
  func onlyObjectsOfTheTypesOfNodesAreInserted(
    objects: [(type: String, id: String)], list: String
  ) async throws {
    let store = try await store()
    let objects = objects.map { object in
      let id = "\"\(object.id)\""
      return #"{"__typename":"\#(object.type)","id":\#(id),"name":\#(id),"key":\#(id)}"#
    }
    try await publish(
      #"{"add":[\#(objects.joined(separator: ","))]}"#,
      of: SelectedMutation<AnyObjects>(["lists": [Self.toys.rawValue]]), to: store)
    #expect(try await self.list(store) == list)
  }

  private enum AnyObjects: ShopSelections {
    static let selections = Selections(
      "Mutation {add [Any {__typename String! id ID! name String! key String}!]! "
        + #"@appendNode(connections: $lists edgeTypeName: "ProductEdge" nodeTypes: ["Product"])}"#)
  }

  // MARK: - Items without keys

  @Test(arguments: CacheKind.allCases)
  func anItemWithoutAKeyGetsNothingOfItsNeighbor(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    try await publish(
      #"{"tags":\#(tags(#"{"__typename":"Tag","name":"a","color":"red"}"#))}"#,
      of: SelectedQuery<Tags>(), to: store)
    let mutation = SelectedMutation<AddTag>(["lists": ["__Tags_connection"]])
    try await publish(#"{"add":{"__typename":"Tag","name":"y"}}"#, of: mutation, to: store)
    let nodes = try await pages(of: "__Tags_connection", in: store).first ?? []
    #expect(
      nodes == [
        ["__typename": "Tag", "name": "y"], ["__typename": "Tag", "name": "a", "color": "red"],
      ])
    withExtendedLifetime(owner) {}
  }

  private func tags(_ nodes: String...) -> String {
    let edges = nodes.map { #"{"__typename":"TagEdge","cursor":"c","node":\#($0)}"# }
    return #"{"__typename":"TagConnection","edges":[\#(edges.joined(separator: ","))],"#
      + #""pageInfo":{"__typename":"PageInfo","hasNextPage":false,"endCursor":"c"}}"#
  }

  private enum Tags: ShopSelections {
    static let selections = Selections(
      "Query {tags TagConnection {__typename String! edges [TagEdge {__typename String! "
        + "cursor String! node Tag {__typename String! name String! color String}}] "
        + "pageInfo PageInfo {__typename String! hasNextPage Boolean! endCursor String}!}! "
        + #"@connection(key: "Tags")}"#)
  }

  private enum AddTag: ShopSelections {
    static let selections = Selections(
      "Mutation {add Tag {__typename String! name String!} "
        + #"@prependNode(connections: $lists edgeTypeName: "TagEdge")}"#)
  }

  @Test func aListThatIsNullTakesItems() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    let empty =
      #"{"__typename":"TagConnection","edges":null,"#
      + #""pageInfo":{"__typename":"PageInfo","hasNextPage":false,"endCursor":null}}"#
    try await publish(#"{"tags":\#(empty)}"#, of: SelectedQuery<Tags>(), to: store)
    let mutation = SelectedMutation<AddTag>(["lists": ["__Tags_connection"]])
    try await publish(#"{"add":{"__typename":"Tag","name":"y"}}"#, of: mutation, to: store)
    #expect(
      try await pages(of: "__Tags_connection", in: store) == [[["__typename": "Tag", "name": "y"]]])
  }

  // MARK: - Edges with keys

  @Test(arguments: CacheKind.allCases)
  func edgesCanBeRecords(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    let query = SelectedQuery<KeyedEdges>()
    func list() async throws -> String? { try await store.load(query).data?.ids }
    func edge(_ item: String) -> String {
      #"{"__typename":"KeyedEdge","key":"e\#(item)","cursor":"\#(item)","#
        + #""node":\#(ShopPage.product(item))}"#
    }
    try await publish(
      #"{"list":{"__typename":"KeyedConnection","edges":[\#(edge("a")),\#(edge("b"))],"#
        + #""pageInfo":{"__typename":"PageInfo","hasNextPage":false,"endCursor":"b"}}}"#,
      of: query, to: store)
    #expect(try await store.record("KeyedEdge:ea") != nil)
    let lists: Variables = ["lists": ["__Keyed_connection"]]
    for item in ["x", "a", "x"] {
      try await publish(
        #"{"add":\#(edge(item))}"#, of: SelectedMutation<AppendKeyedEdge>(lists), to: store)
    }
    #expect(try await list() == "abx")
    // An item that the list has is not inserted again.
    try await publish(
      #"{"add":\#(ShopPage.product("a"))}"#, of: SelectedMutation<AppendKeyedNode>(lists),
      to: store)
    #expect(try await list() == "abx")
    try await publish(
      #"{"remove":"b"}"#, of: SelectedMutation<DeleteKeyedEdge>(lists), to: store)
    #expect(try await list() == "ax")
    try await publish(
      #"{"remove":"a"}"#, of: SelectedMutation<DeleteKeyedRecord>(lists), to: store)
    #expect(try await list() == "x")
    withExtendedLifetime(owner) {}
  }

  private static let keyedEdge =
    "KeyedEdge {__typename String! key ID! cursor String! node \(node)!}"

  private enum KeyedEdges: ShopSelections {
    static let selections = Selections(
      "Query {list KeyedConnection {__typename String! edges [\(keyedEdge)!]! "
        + "pageInfo PageInfo {__typename String! hasNextPage Boolean! endCursor String}!}! "
        + #"@connection(key: "Keyed")}"#)
  }
  private enum AppendKeyedEdge: ShopSelections {
    static let selections = Selections(
      "Mutation {add \(keyedEdge) @appendEdge(connections: $lists)}")
  }
  private enum AppendKeyedNode: ShopSelections {
    static let selections = Selections(
      #"Mutation {add \#(node) @appendNode(connections: $lists edgeTypeName: "KeyedEdge")}"#)
  }
  private enum DeleteKeyedEdge: ShopSelections {
    static let selections = Selections(
      #"Mutation {remove ID @deleteEdge(connections: $lists typeName: "Product")}"#)
  }
  private enum DeleteKeyedRecord: ShopSelections {
    static let selections = Selections(
      #"Mutation {remove ID @deleteRecord(connections: $lists typeName: "Product")}"#)
  }

  // MARK: - Known items

  /// Items of other pages stay where they are, and are on no second page.
  @Test(arguments: [("c", true), ("d", true), ("a", false), ("b", false), ("d", false)])
  func anItemOfAnotherPageStaysWhereItIs(item: String, isFirst: Bool) async throws {
    let store = try await store()
    let mutation = SelectedMutation<Conditions>([
      "lists": [Self.toys.rawValue], "first": isFirst,
    ])
    try await publish(#"{"add":\#(ShopPage.product(item))}"#, of: mutation, to: store)
    #expect(try await list(store) == "abcd")
    let pages = try await pages(of: "products", in: store)
    #expect(pages.map(\.count).sorted() == [2, 2])
  }

  @Test func severalItemsKeepTheirOrderAndAreInsertedOnce() async throws {
    let store = try await store()
    let items = ["x", "y", "x"].map(ShopPage.product).joined(separator: ",")
    let lists: Variables = ["lists": [Self.toys.rawValue]]
    try await publish(#"{"add":[\#(items)]}"#, of: SelectedMutation<PrependAll>(lists), to: store)
    #expect(try await list(store) == "xyabcd")
    #expect(try await pages(of: "products", in: store).map(\.count).sorted() == [2, 4])
  }

  private enum PrependAll: ShopSelections {
    static let selections = Selections("Mutation {add [\(node)] \(prepend)}")
  }

  @Test func severalListsAreChanged() async throws {
    let store = try await store()
    try await publish(
      #"{"products":\#(ShopPage("pq").json)}"#, of: Query(first: 2, category: "food"), to: store)
    let food = ListID(field: "products", arguments: ["category": "food"])
    let mutation = SelectedMutation<PrependAll>(["lists": [Self.toys.rawValue, food.rawValue]])
    try await publish(#"{"add":[\#(ShopPage.product("x"))]}"#, of: mutation, to: store)
    #expect(try await list(store) == "xabcd")
    #expect(
      try await store.load(Query(first: 2, category: "food")).data?.ids.joined() == "xpq")
  }

  @Test(arguments: [true, false])
  func aListThatIsReadFromItsEndTakesItems(isFirst: Bool) async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    let query = Query(last: 2)
    try await publish(
      #"{"products":\#(ShopPage("cd", hasNext: false, hasPrevious: true).json)}"#, of: query,
      to: store)
    try await publish(
      #"{"products":\#(ShopPage("ab").json)}"#, of: Query(last: 2, before: "c"), to: store)
    let list = try #require(ListID("products", of: query))
    let mutation = SelectedMutation<Conditions>(["lists": [list.rawValue], "first": isFirst])
    try await publish(#"{"add":\#(ShopPage.product("x"))}"#, of: mutation, to: store)
    let ids = try await store.load(query).data?.ids.joined()
    #expect(ids == (isFirst ? "xabcd" : "abcdx"))
  }

  @Test func aListOfNodesTakesItems() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    let query = SelectedQuery<ShopSelection.Nodes>(first: 2)
    try await publish(#"{"products":\#(ShopPage("ab").json)}"#, of: query, to: store)
    let list = try #require(ListID("products", of: query))
    let mutation = SelectedMutation<PrependAll>(["lists": [list.rawValue]])
    try await publish(#"{"add":[\#(ShopPage.product("x"))]}"#, of: mutation, to: store)
    #expect(try await store.load(query).data?.ids == "xab")
  }

  // MARK: - Errors and parts

  @Test func aFieldThatFailedIsAFailureInTheList() async throws {
    let store = try await store()
    let lists: Variables = ["lists": [Self.toys.rawValue]]
    let edge =
      #"{"__typename":"ProductEdge","cursor":"x","badge":null,"node":\#(ShopPage.product("x"))}"#
    try await publish(
      #"{"add":[\#(edge),null]}"#,
      errors:
        #""errors":[{"message":"no","path":["add",0,"badge"]},{"message":"no","path":["add",1]}],"#,
      of: SelectedMutation<AppendBadges>(lists), to: store)
    #expect(try await list(store) == "abcdx")
    let edges = try await elements(of: "products", in: store).flatMap { $0 }
    let failed = edges.filter { edge in
      if case .object(let fields) = edge, case .failure? = fields["badge"] { true } else { false }
    }
    #expect(failed.count == 1)
  }

  private enum AppendBadges: ShopSelections {
    static let selections = Selections(
      "Mutation {add [ProductEdge {__typename String! cursor String! badge String node \(node)!}] "
        + "@appendEdge(connections: $lists)}")
  }

  /// Comparing each error with each object would take minutes.
  @Test(.timeLimit(.minutes(2)))
  func manyObjectsAndManyErrorsTakeNoMoreTimeThanTheirSum() async throws {
    let store = try await store()
    let count = 100_000
    let objects = (0..<count).map { index in
      let removed = index == 0 ? "\"a\"" : "null"
      return #"{"__typename":"Tag","name":null,"remove":\#(removed)}"#
    }
    let errors = (0..<count).map { #"{"message":"no","path":["results",\#($0),"name"]}"# }
    try await publish(
      #"{"results":[\#(objects.joined(separator: ","))]}"#,
      errors: #""errors":[\#(errors.joined(separator: ","))],"#,
      of: SelectedMutation<DeleteInResults>(["lists": [Self.toys.rawValue]]), to: store)
    #expect(try await list(store) == "bcd")
  }

  private enum DeleteInResults: ShopSelections {
    static let selections = Selections(
      "Mutation {results [Tag {__typename String! name String remove ID "
        + #"@deleteEdge(connections: $lists typeName: "Product")}]}"#)
  }

  /// Each part is the whole response until then.
  @Test func aFurtherPartOfAResponseChangesNothingAgain() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    try await publish(
      #"{"tags":\#(tags(#"{"__typename":"Tag","name":"a","color":"red"}"#))}"#,
      of: SelectedQuery<Tags>(), to: store)
    let mutation = SelectedMutation<AddTag>(["lists": ["__Tags_connection"]])
    let sent = store.begin(.mutation)
    var earlier: ResponsePart?
    for _ in 0..<2 {
      let normalizer = store.normalizer(for: mutation)
      _ = try ResponseDecoder().decode(
        Data(#"{"data":{"add":{"__typename":"Tag","name":"y"}}}"#.utf8), as: mutation,
        observer: normalizer)
      var records = normalizer.finish()
      records.sent = sent
      records.earlierPart = earlier
      try await store.publish(records)
      earlier = ResponsePart(records)
    }
    sent.end()
    #expect(try await pages(of: "__Tags_connection", in: store).map(\.count) == [2])
  }

  // MARK: - Records

  /// Returns the elements of `edges` of each page of a list at the root of queries.
  private func elements(of name: String, in store: ApolloStore) async throws -> [[CacheValue]] {
    let root = try #require(try await store.record(.queryRoot))
    return root.fields.filter { $0.key.rawValue.hasPrefix(name) }.compactMap { _, page in
      guard case .object(let fields) = page, case .list(let edges)? = fields["edges"] else {
        return nil
      }
      return edges
    }
  }

  /// Returns the nodes of each page.
  private func pages(of name: String, in store: ApolloStore) async throws -> [[CacheValue]] {
    try await elements(of: name, in: store).map { edges in
      edges.compactMap { edge in
        if case .object(let fields) = edge { fields["node"] } else { nil }
      }
    }
  }
}

private let node = "Product {__typename String! id ID! name String!}"
private let prepend = #"@prependNode(connections: $lists edgeTypeName: "ProductEdge")"#
private let append = #"@appendNode(connections: $lists edgeTypeName: "ProductEdge")"#

extension ApolloStore {
  /// Returns a record of the cache.
  func record(_ key: RecordKey) async throws -> Record? {
    try await withinReadTransaction { try $0.record(for: key) }
  }
}

/// A mutation with any selections and variables.
struct SelectedMutation<Selected: ShopSelections>: GraphQLMutation {
  static var operationName: String { "\(Selected.self)" }
  static var operationDocument: ApolloAPI.OperationDocument {
    .init(definition: .init("mutation \(operationName) { __typename }"))
  }
  static var __selections: Selections { Selected.selections }

  let __variables: Variables?

  init(_ variables: Variables) { __variables = variables }

  struct Data: ShopAPI.SelectionSet {
    typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    static var __layout: GeneratedCode.SelectionLayout { Selected.selections[0] }
  }
}
