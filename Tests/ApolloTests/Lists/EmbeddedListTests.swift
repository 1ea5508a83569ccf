import Apollo
import ApolloAPI
import ApolloCache
import TestOperations
import Testing

/// Changes of lists of objects without keys, among other responses with parts of these objects.
@Suite(.timeLimit(.minutes(10)))
struct EmbeddedListTests {
  private typealias Query = SelectedQuery<ShopSelection.Embedded>

  private static let list = ListID(path: ["shop", "products"], of: Query(first: 2))

  /// A field of the object with the list.
  private enum Name: ShopSelections {
    static let selections = Selections("Query {shop Shop {name String!}!}")
  }

  private let transport = HeldTransport()
  private let client: ApolloClient

  init() {
    client = ApolloClient(networkTransport: transport, store: ApolloStore())
  }

  private func body(_ items: String, name: String = "Corner") -> String {
    #"{"data":{"shop":{"name":"\#(name)","products":\#(ShopPage(items).json)}}}"#
  }

  private static func body(named name: String) -> String {
    #"{"data":{"shop":{"name":"\#(name)"}}}"#
  }

  /// Writes the list `abcd`, in two pages.
  private func fill() async throws {
    try await client.store.publish(body: Array(body("ab").utf8), of: Query(first: 2))
    try await client.store.publish(body: Array(body("cd").utf8), of: Query(first: 2, after: "b"))
  }

  private func ids() async throws -> String? {
    try await client.store.load(Query(first: 2)).data?.ids
  }

  private func hasName(_ name: String) async throws -> Bool {
    let data = try await client.store.load(SelectedQuery<Name>()).data
    return data?.json.contains(#""name":"\#(name)""#) == true
  }

  private func lists() throws -> [ID] { [try #require(Self.list).rawValue] }

  /// Performs a mutation that appends an item, whose request has this number.
  private func append(_ item: String, request number: Int) async throws {
    let mutation = AppendEdge(lists: try lists())
    async let appended = client.perform(mutation: mutation)
    await transport.untilSent(number + 1)
    transport.respond(to: number, .success(#"{"data":\#(ShopPage.edge(item))}"#))
    _ = try await appended
  }

  // MARK: - Requests under way

  enum Change: CaseIterable {
    case mutation, event, itemThatIsThere
  }

  /// A directive changes pages of the list, and no other field of the object.
  @Test(arguments: Change.allCases)
  func aFieldUnderWayIsWrittenBesideAChangedList(change: Change) async throws {
    try await fill()
    async let name = client.fetch(query: SelectedQuery<Name>(), cachePolicy: .networkOnly)
    await transport.untilSent(1)
    switch change {
    case .mutation: try await append("x", request: 1)
    case .itemThatIsThere: try await append("a", request: 1)
    case .event:
      try await client.store.publish(
        body: Array(#"{"data":\#(ShopPage.edge("x"))}"#.utf8), of: Added(lists: lists()))
    }
    transport.respond(to: 0, .success(Self.body(named: "New")))
    _ = try await name
    #expect(try await hasName("New"))
    #expect(try await ids() == (change == .itemThatIsThere ? "abcd" : "abcdx"))
  }

  /// A page that was requested before does not replace the one with the item.
  @Test(arguments: ["x", "b"])
  func thePageOfAnItemIsNotReplacedByAnOlderOne(item: String) async throws {
    try await client.store.publish(body: Array(body("ab").utf8), of: Query(first: 2))
    async let page = client.fetch(query: Query(first: 2), cachePolicy: .networkOnly)
    await transport.untilSent(1)
    try await append(item, request: 1)
    transport.respond(to: 0, .success(body("ac", name: "New")))
    _ = try await page
    #expect(try await ids() == (item == "x" ? "abx" : "ab"))
    #expect(try await hasName("New"))
  }

  /// A page with as many items as the changed one has is not mixed with it.
  @Test func anOlderPageOfTheSameLengthIsLeftOutAsAWhole() async throws {
    try await client.store.publish(body: Array(body("ab").utf8), of: Query(first: 2))
    async let page = client.fetch(query: Query(first: 2), cachePolicy: .networkOnly)
    await transport.untilSent(1)
    try await append("x", request: 1)
    transport.respond(to: 0, .success(body("cde")))
    _ = try await page
    #expect(try await ids() == "abx")
  }

  // MARK: - Responses that wait

  /// Runs `body` while the first mutation waits, and so do the responses of later ones.
  private func whileOlderMutationWaits(_ body: () async throws -> Void) async throws {
    let edge = ShopPage.edge("?")
    let expected = try AppendEdge.Data(jsonBytes: Array(edge.utf8))
    async let older = client.perform(mutation: AppendEdge(lists: ["nothing"]), optimistic: expected)
    await transport.untilSent(1)
    try await body()
    transport.respond(to: 0, .success(#"{"data":\#(edge)}"#))
    _ = try await older
  }

  /// The item stays if another field of the object is fetched, and goes if its page is.
  @Test(arguments: [false, true])
  func aWaitingItemGoesWithItsPageAlone(isPage: Bool) async throws {
    try await fill()
    let list = isPage ? "abcd" : "abcdx"
    try await whileOlderMutationWaits {
      try await append("x", request: 1)
      #expect(try await ids() == "abcdx")
      if isPage {
        async let page = client.fetch(
          query: Query(first: 2, after: "b"), cachePolicy: .networkOnly)
        await transport.untilSent(3)
        transport.respond(to: 2, .success(body("cd")))
        _ = try await page
      } else {
        async let name = client.fetch(query: SelectedQuery<Name>(), cachePolicy: .networkOnly)
        await transport.untilSent(3)
        transport.respond(to: 2, .success(Self.body(named: "New")))
        _ = try await name
        #expect(try await hasName("New"))
      }
      #expect(try await ids() == list)
    }
    #expect(try await ids() == list)
    #expect(try await hasName(isPage ? "Corner" : "New"))
  }

  // MARK: - Objects around the list in the same response

  private static let place = ListID(path: ["best", "place", "orders"], of: SelectedQuery<Place>())

  private static let page =
    "orders OrderConnection {edges [OrderEdge {cursor String! "
    + "node Product {__typename String! id ID! name String!}!}!]! "
    + "pageInfo PageInfo {hasNextPage Boolean! endCursor String}!}!"
  private static let edge =
    "add OrderEdge {cursor String! node Product {__typename String! id ID! name String!}!} "
    + "@appendEdge(connections: $lists)"

  private static func bestFields(_ place: String) -> String {
    "best Product {__typename String! id ID! place Place {\(place)}!}!"
  }

  private static func best(_ place: String, edge: String? = nil) -> String {
    let edge = edge.map { ",\(ShopPage.edge($0).dropFirst().dropLast())" } ?? ""
    return #"{"data":{"best":{"__typename":"Product","id":"p","place":{\#(place)}}\#(edge)}}"#
  }

  /// An object with a list, which a record embeds, and fields of it.
  private enum Place: ShopSelections {
    static let selections = Selections("Query {\(bestFields("name String! note String \(page)"))}")
  }
  private enum PlaceName: ShopSelections {
    static let selections = Selections("Query {\(bestFields("name String!"))}")
  }
  private enum PlacePage: ShopSelections {
    static let selections = Selections("Query {\(bestFields(page))}")
  }
  private enum AppendWithNote: ShopSelections {
    static let selections = Selections("Mutation {\(bestFields("note String")) \(edge)}")
  }
  private enum AppendWithPage: ShopSelections {
    static let selections = Selections("Mutation {\(bestFields(page)) \(edge)}")
  }

  private func fillPlace() async throws {
    let text = Self.best(#""name":"Old","note":"Old","orders":\#(ShopPage("ab").json)"#)
    try await client.store.publish(body: Array(text.utf8), of: SelectedQuery<Place>())
  }

  /// Performs a mutation that returns a part of the object and appends an item.
  private func append<Selected: ShopSelections & SendableMetatype>(
    _ type: Selected.Type, returning place: String, request number: Int
  ) async throws {
    let lists: Variables = ["lists": [try #require(Self.place).rawValue]]
    let mutation = SelectedMutation<Selected>(lists)
    async let appended = client.perform(mutation: mutation)
    await transport.untilSent(number + 1)
    transport.respond(to: number, .success(Self.best(place, edge: "x")))
    _ = try await appended
  }

  private func place() async throws -> String? {
    let data = try await client.store.load(SelectedQuery<Place>()).data
    return try data.map { data in
      let place = try JSONValue(jsonBytes: data.jsonBytes)["best"]?["place"]
      let texts = ["name", "note"].map { place?[$0]?.stringValue ?? "" }
      return "\(texts.joined(separator: " ")) \(data.ids.dropFirst())"
    }
  }

  /// The mutation has brought the note, or the page, and not the name.
  @Test(arguments: [false, true], [false, true])
  func aFieldUnderWayIsWrittenBesideWhatTheMutationHasBrought(
    isPage: Bool, waits: Bool
  ) async throws {
    try await fillPlace()
    func run(first: Int) async throws {
      async let name = client.fetch(query: SelectedQuery<PlaceName>(), cachePolicy: .networkOnly)
      await transport.untilSent(first + 1)
      if isPage {
        try await append(
          AppendWithPage.self, returning: #""orders":\#(ShopPage("ac").json)"#, request: first + 1)
      } else {
        try await append(AppendWithNote.self, returning: #""note":"New""#, request: first + 1)
      }
      transport.respond(to: first, .success(Self.best(#""name":"New""#)))
      _ = try await name
    }
    if waits {
      try await whileOlderMutationWaits { try await run(first: 1) }
    } else {
      try await run(first: 0)
    }
    #expect(try await place() == (isPage ? "New Old acx" : "New New abx"))
  }

  /// A query that was sent before the mutation does not replace the values that this has brought.
  @Test(arguments: [false, true])
  func whatTheMutationHasBroughtStays(isPage: Bool) async throws {
    try await fillPlace()
    async let whole = client.fetch(query: SelectedQuery<Place>(), cachePolicy: .networkOnly)
    await transport.untilSent(1)
    if isPage {
      try await append(
        AppendWithPage.self, returning: #""orders":\#(ShopPage("ac").json)"#, request: 1)
    } else {
      try await append(AppendWithNote.self, returning: #""note":"New""#, request: 1)
    }
    let older = Self.best(#""name":"Older","note":"Older","orders":\#(ShopPage("de").json)"#)
    transport.respond(to: 0, .success(older))
    _ = try await whole
    #expect(try await place() == (isPage ? "Older Older acx" : "Older New abx"))
  }

  /// A closure changes the note beside the list.
  @Test func aClosureThatChangesTheObjectChangesNoOtherField() async throws {
    try await fillPlace()
    async let name = client.fetch(query: SelectedQuery<PlaceName>(), cachePolicy: .networkOnly)
    await transport.untilSent(1)
    let lists = [try #require(Self.place).rawValue]
    async let appended = client.perform(mutation: AppendEdge(lists: lists)) { transaction, _ in
      try transaction.merge(["Product:p": ["place": ["note": "New"]]])
    }
    await transport.untilSent(2)
    transport.respond(to: 1, .success(#"{"data":\#(ShopPage.edge("x"))}"#))
    _ = try await appended
    transport.respond(to: 0, .success(Self.best(#""name":"New""#)))
    _ = try await name
    #expect(try await place() == "New New abx")
  }
}
