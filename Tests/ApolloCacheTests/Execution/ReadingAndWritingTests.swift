import ApolloAPI
import ApolloCache
import Foundation
import Testing

@Suite struct ReadingAndWritingTests {
  private let cache = InMemoryNormalizedCache()
  private let store: ApolloStore

  init() { store = ApolloStore(cache: cache) }

  private func record(_ key: RecordKey) -> FieldMap? {
    cache.loadRecords(forKeys: [key])[key]?.fields
  }

  private static let wholeBook = #"""
    {"data":{"book":{"__typename":"Book","id":"7","title":"Le Petit Prince","english":"The Little Prince","tags":["a","b"],
    "author":{"__typename":"Author","id":"3","name":"Antoine","best":{"__typename":"Book","id":"7","rating":4.5}},
    "editions":[[{"__typename":"Edition","isbn":null,"year":1943},null],null,[]],"meta":{"pages":[96,null]},"genre":"NOVEL","rating":4.5}}}
    """#

  @Test func aResponseBecomesRecords() async throws {
    try await store.publish(
      body: Data(Self.wholeBook.utf8), of: LibraryQuery<WholeBook>(["id": "7", "language": "fr"]))
    #expect(record("QUERY_ROOT") == [#"book(id:"7")"#: .reference("B:7")])
    #expect(
      record("Author:3") == [
        "__typename": "Author", "id": "3", "name": "Antoine", "best": .reference("B:7"),
      ])
    #expect(
      record("B:7") == [
        "__typename": "Book", "id": "7", #"title(language:"fr")"#: "Le Petit Prince",
        #"title(language:"en")"#: "The Little Prince",
        "tags": ["a", "b"], "author": .reference("Author:3"),
        "editions": [[["__typename": "Edition", "isbn": .null, "year": 1943], .null], .null, []],
        "meta": .json(["pages": [96, nil]]), "genre": "NOVEL", "rating": 4.5,
      ])
  }

  @Test func readsBackWhatWasDecoded() async throws {
    let query = LibraryQuery<WholeBook>(["id": "7", "language": "fr"])
    let response = try await store.publish(body: Data(Self.wholeBook.utf8), of: query)
    let reading = try await store.load(query)
    #expect(reading.misses == [])
    #expect(reading.data == response.data)
    #expect(reading.data?.debugDescription == response.data?.debugDescription)
  }

  @Test func otherVariablesAreOtherFields() async throws {
    try await store.publish(
      body: Data(Self.wholeBook.utf8), of: LibraryQuery<WholeBook>(["id": "7", "language": "fr"]))
    let other = try await store.load(LibraryQuery<WholeBook>(["id": "8", "language": "fr"]))
    #expect(
      other.misses == [
        CacheMiss(
          .noField, path: ["book"],
          address: FieldAddress(record: "QUERY_ROOT", field: #"book(id:"8")"#))
      ])
    let language = try await store.load(LibraryQuery<WholeBook>(["id": "7"]))
    #expect(language.misses.map(\.address.field) == ["title"])
    #expect(language.data == nil)
  }

  @Test(arguments: [
    "fr.", "\"", ",", ")", "a:b", "", "\u{0}", "🚀", "e\u{301}", "\u{e9}",
    String(repeating: "x", count: 10_000),
  ])
  func argumentValuesNeverCollide(value: String) async throws {
    for other in ["fr.", "\"", ",", ")", "a:b", "", "\u{0}", "🚀", "e\u{301}", "\u{e9}", "null"]
    where !other.utf8.elementsEqual(value.utf8) {
      let store = ApolloStore()
      try await store.publish(
        body: Data(#"{"data":{"book":null}}"#.utf8), of: LibraryQuery<BookTitle>(["id": value]))
      #expect(try await store.load(LibraryQuery<BookTitle>(["id": value])).data != nil)
      #expect(
        try await store.load(LibraryQuery<BookTitle>(["id": other])).data == nil,
        "\(value) and \(other)")
    }
  }

  /// `{ a: book(id: 12345678901234567890) { title } b: book(id: 12345678901234567891) { title } }`
  private enum LongNumbers: LibraryDefinition {
    static let selections = Selections(
      """
      Query {a:book(id: 12345678901234567890) Book {\(book)} \
      b:book(id: 12345678901234567891) Book {\(book)}}
      """)
    private static let book = "__typename String! id ID! title String"
  }

  @Test func longNumbersInADocumentNeverCollide() async throws {
    func book(_ id: String) -> String { #"{"__typename":"Book","id":"\#(id)","title":"\#(id)"}"# }
    let query = LibraryQuery<LongNumbers>()
    let response = try await store.publish(
      body: Data(#"{"data":{"a":\#(book("1")),"b":\#(book("2"))}}"#.utf8), of: query)
    #expect(
      record("QUERY_ROOT") == [
        "book(id:12345678901234567890)": .reference("B:1"),
        "book(id:12345678901234567891)": .reference("B:2"),
      ])
    #expect(try await store.load(query).data == response.data)
  }

  @Test func keyFieldsAreJoinedWithoutAmbiguity() async throws {
    func shelf(_ row: Int, _ column: String) -> Data {
      Data(
        #"{"data":{"featured":null,"shelf":{"__typename":"Pool","row":\#(row),"column":"\#(column)","books":[]}}}"#
          .utf8)
    }
    try await store.publish(body: shelf(1, "2+3"), of: LibraryQuery<Featured>())
    #expect(record("QUERY_ROOT")?["shelf"] == .reference(#"Shelf:1+2\+3"#))
  }

  /// `{ node(id: $id) { short: id(format: SHORT) ... on Author { id } } }`
  private enum ShortID: LibraryDefinition {
    static let selections = Selections(
      """
      Query {node(id:$id) Node {__typename String! short:id(format: SHORT) ID! \
      ...Author {+__typename+short id ID!}}}
      """)
  }

  /// The generator adds the key fields of an interface's objects behind the selections of the
  /// program.
  @Test func aFieldWithArgumentsIsNoKey() async throws {
    for id in ["31", "32"] {
      let body = #"{"data":{"node":{"__typename":"Author","short":"3","id":"\#(id)"}}}"#
      try await store.publish(body: Data(body.utf8), of: LibraryQuery<ShortID>(["id": id]))
    }
    #expect(
      record("QUERY_ROOT") == [
        #"node(id:"31")"#: .reference("Author:31"), #"node(id:"32")"#: .reference("Author:32"),
      ])
    #expect(record("Author:3") == nil, "The records of two authors would be one.")
  }

  @Test func anObjectWithoutItsKeyIsEmbedded() async throws {
    let query = LibraryQuery<BestOfBest>(["id": "1"])
    let body = #"{"data":{"node":{"__typename":"Robot","id":""}}}"#
    let response = try await store.publish(body: Data(body.utf8), of: query)
    #expect(
      record("QUERY_ROOT") == [#"node(id:"1")"#: ["__typename": "Robot", "id": ""]],
      "An empty id is no key.")
    #expect(try await store.load(query).data == response.data)
  }

  @Test func cyclesAndDanglingReferencesDoNoHarm() async throws {
    try await store.publish([
      "QUERY_ROOT": [
        #"node(id:"1")"#: .reference("Author:1"), #"node(id:"2")"#: .reference("Author:2"),
      ],
      "Author:1": ["__typename": "Author", "id": "1", "best": .reference("Author:1")],
      "Author:2": ["__typename": "Author", "id": "2", "best": .reference("Author:9")],
    ])
    #expect(try await store.load(LibraryQuery<BestOfBest>(["id": "1"])).data != nil)
    let dangling = try await store.load(LibraryQuery<BestOfBest>(["id": "2"]))
    #expect(
      dangling.misses == [
        CacheMiss(
          .noRecord, path: ["node", "best"],
          address: FieldAddress(record: "Author:9", field: "__typename"))
      ])
  }

  private static let misfits: [(String, [CacheValue])] = [
    ("book", [.string("x"), .list([]), .int(1), .json([])]),
    ("id", [.list([.string("7")]), .null, .object(FieldMap())]),
    ("tags", [.string("a"), .list([.null]), .reference("B:7"), .list([.list([.string("a")])])]),
    ("author", [.string("x"), .list([.reference("Author:3")])]),
    ("editions", [.list([.reference("B:7")]), .object(FieldMap()), .list([.list([.list([])])])]),
    ("genre", [.int(3), .bool(true)]),
    ("rating", [.string("x"), .bool(true)]),
  ]

  @Test(arguments: misfits.flatMap { misfit in misfit.1.map { (misfit.0, $0) } })
  func aValueOfAnotherKindIsAMiss(field: String, value: CacheValue) async throws {
    let query = LibraryQuery<WholeBook>(["id": "7", "language": "fr"])
    try await store.publish(body: Data(Self.wholeBook.utf8), of: query)
    let isRoot = field == "book"
    try await store.removeObject(for: isRoot ? "QUERY_ROOT" : "nothing")
    try await store.publish([
      isRoot ? "QUERY_ROOT" : "B:7": [FieldKey(isRoot ? #"book(id:"7")"# : field): value]
    ])
    let reading = try await store.load(query)
    #expect(reading.data == nil)
    #expect(!reading.misses.isEmpty)
  }

  @Test func integersServeAsFloats() async throws {
    let query = LibraryQuery<WholeBook>(["id": "7", "language": "fr"])
    try await store.publish(body: Data(Self.wholeBook.utf8), of: query)
    try await store.publish(["B:7": ["rating": 4]])
    #expect(try await store.load(query).data != nil)
  }

  @Test func aFailedFieldIsAMissUntilAFetchSucceeds() async throws {
    let query = LibraryQuery<BookTitle>(["id": "7"])
    let failed = #"""
      {"data":{"book":{"__typename":"Book","id":"7","title":null,"author":{"__typename":"Author","id":"3","name":"Antoine"}}},
      "errors":[{"message":"the translator is ill","path":["book","title"],"extensions":{"code":7}}]}
      """#
    try await store.publish(body: Data(failed.utf8), of: query)
    let reading = try await store.load(query)
    #expect(reading.data == nil)
    #expect(reading.misses.map(\.serverMessage) == ["the translator is ill"])
    #expect(reading.misses.map(\.path) == [["book", "title"]])

    let served = try await store.load(query, servesFailures: true)
    #expect(served.data != nil)
    #expect(
      served.errors == [
        GraphQLError(
          message: "the translator is ill", path: ["book", "title"], extensions: ["code": 7])
      ])

    try await store.publish(["B:7": ["title": "Le Petit Prince"]])
    try await store.publish(body: Data(failed.utf8), of: query)
    #expect(
      try await store.load(query).misses == [], "A failure does not take away what was known.")
  }

  @Test func aFailureInAListIsStoredAtItsPosition() async throws {
    let body = #"""
      {"data":{"featured":[{"__typename":"Book","id":"1","rating":null},null],"shelf":null},
      "errors":[{"message":"gone","path":["featured",1,"rating"]},{"message":"unrated","path":["featured",0,"rating"]},
      {"message":"nowhere","path":["featured",7]}]}
      """#
    try await store.publish(body: Data(body.utf8), of: LibraryQuery<Featured>())
    #expect(
      record("QUERY_ROOT")?["featured"] == [
        .reference("B:1"), .failure(FieldFailure(message: "gone")),
      ])
    #expect(record("B:1")?["rating"] == .failure(FieldFailure(message: "unrated")))
    #expect(record("QUERY_ROOT")?["shelf"] == .null)
    let reading = try await store.load(LibraryQuery<Featured>())
    #expect(reading.misses.map(\.path) == [["featured", 0, "rating"], ["featured", 1]])
  }

  /// It may be any book then, also one that the cache has never seen.
  @Test func anElementThatFailsIsKnownUntilItsListMoves() async throws {
    func book(_ id: Int) -> String { #"{"__typename":"Book","id":"\#(id)","rating":4}"# }
    func publish(_ books: String..., errors: String = "") async throws {
      let list = books.joined(separator: ",")
      try await store.publish(
        body: Data(#"{"data":{"featured":[\#(list)],"shelf":null}\#(errors)}"#.utf8),
        of: LibraryQuery<Featured>())
    }
    let gone = #","errors":[{"message":"gone","path":["featured",1]}]"#
    try await publish(book(1), book(2), book(3))
    try await publish(book(1), "null", book(3), errors: gone)
    #expect(try await store.load(LibraryQuery<Featured>()).misses == [])
    try await publish(book(2), "null", book(4), errors: gone)
    #expect(
      record("QUERY_ROOT")?["featured"] == [
        .reference("B:2"), .failure(FieldFailure(message: "gone")), .reference("B:4"),
      ])
    #expect(
      try await store.load(LibraryQuery<Featured>()).misses.map(\.path) == [["featured", 1]])
  }

  @Test func anErrorWithoutAPathFailsEveryNullThatNoPathLeadsTo() async throws {
    let body = #"""
      {"data":{"book":{"__typename":"Book","id":"7","title":null,"english":"y","tags":["a"],"author":null,
      "editions":[[{"__typename":"Edition","isbn":null,"year":1}],null],"meta":null,"genre":null,"rating":4}},
      "errors":[{"message":"not logged in"},{"message":"nor here"},{"message":"ill","path":["book","title"]}]}
      """#
    let query = LibraryQuery<WholeBook>(["id": "7", "language": "fr"])
    try await store.publish(body: Data(body.utf8), of: query)
    let unknown = CacheValue.failure(FieldFailure(message: "not logged in"))
    #expect(record("B:7")?["author"] == unknown)
    #expect(record("B:7")?["meta"] == unknown)
    #expect(
      record("B:7")?["editions"] == [
        [["__typename": "Edition", "isbn": unknown, "year": 1]], unknown,
      ])
    #expect(record("B:7")?["rating"] == 4.0)
    let reading = try await store.load(query)
    #expect(reading.data == nil, "The query has to be fetched again.")
    let served = try await store.load(query, servesFailures: true)
    #expect(served.data != nil)
    #expect(Set(served.errors.map(\.message)) == ["not logged in", "ill"])
  }

  @Test func aFailedElementOfAListOfLeavesIsServedAsNull() async throws {
    let query = LibraryQuery<Scores>()
    let body = #"""
      {"data":{"scores":[[1,null],[3]]},"errors":[{"message":"lost","path":["scores",0,1]}]}
      """#
    try await store.publish(body: Data(body.utf8), of: query)
    #expect(try await store.load(query).misses.map(\.path) == [["scores", 0, 1]])
    let served = try await store.load(query, servesFailures: true)
    #expect(served.data != nil)
    #expect(served.errors.map(\.path) == [["scores", 0, 1]])
  }

  /// The path of an error leads to the element, although the list around it is null.
  @Test func aListOfLeavesThatIsNullBecauseOfAnElementIsAFailure() async throws {
    let query = LibraryQuery<StrictLists>()
    let body = #"""
      {"data":{"scores":[null,[3]],"words":null},"errors":[{"message":"lost","path":["scores",0,1]},
      {"message":"torn","path":["words",2]},{"message":"again","path":["words",0]}]}
      """#
    try await store.publish(body: Data(body.utf8), of: query)
    #expect(
      record("QUERY_ROOT") == [
        "scores": [.failure(FieldFailure(message: "lost")), [3]],
        "words": .failure(FieldFailure(message: "torn")),
      ])
    #expect(try await store.load(query).misses.map(\.path) == [["scores", 0], ["words"]])
  }

  @Test func oneFailureInEachObjectIsStoredAtItsPosition() async throws {
    let count = 20_000
    let books = (0..<count).map { #"{"__typename":"Book","id":"\#($0)","rating":null}"# }
    let errors = (0..<count).map { #"{"message":"e\#($0)","path":["featured",\#($0),"rating"]}"# }
    let body = """
      {"data":{"featured":[\(books.joined(separator: ","))],"shelf":null},
      "errors":[\(errors.joined(separator: ",")),{"message":"again","path":["featured",7,"rating"]}]}
      """
    try await store.publish(body: Data(body.utf8), of: LibraryQuery<Featured>())
    for index in [0, 7, count / 2, count - 1] {
      #expect(
        record(RecordKey("B:\(index)"))?["rating"] == .failure(FieldFailure(message: "e\(index)")))
    }
    #expect(try await store.load(LibraryQuery<Featured>()).data == nil)
  }

  @Test func failuresInListsOfListsAreStoredAtTheirPositions() async throws {
    let body = #"""
      {"data":{"book":{"__typename":"Book","id":"7","title":"x","english":"y","tags":["a"],"author":null,
      "editions":[[{"__typename":"Edition","isbn":null,"year":1}],[null]],"meta":null,"genre":null,"rating":null}},
      "errors":[{"message":"torn","path":["book","editions",1,0,"year"]},{"message":"lost","path":["book","editions",0,0,"isbn"]}]}
      """#
    try await store.publish(
      body: Data(body.utf8), of: LibraryQuery<WholeBook>(["id": "7", "language": "fr"]))
    #expect(
      record("B:7")?["editions"] == [
        [["__typename": "Edition", "isbn": .failure(FieldFailure(message: "lost")), "year": 1]],
        [.failure(FieldFailure(message: "torn"))],
      ])
  }

  @Test func theStoresClosureTakesPrecedence() async throws {
    var configuration = ApolloStore.Configuration()
    configuration.cacheKeyForObject = { $0["id"]?.stringValue }
    let store = ApolloStore(cache: cache, configuration: configuration)
    try await store.publish(
      body: Data(Self.wholeBook.utf8), of: LibraryQuery<WholeBook>(["id": "7", "language": "fr"]))
    #expect(record("7") != nil)
    #expect(record("B:7") == nil)
  }

  @Test func fragmentsOfOneRecordAreReadAndWritten() async throws {
    try await store.publish(
      body: Data(Self.wholeBook.utf8), of: LibraryQuery<WholeBook>(["id": "7", "language": "fr"]))
    let query = LibraryQuery<BookTitle>(["id": "7"])
    try await store.publish(["B:7": ["title": "Le Petit Prince"]])
    let data = try await store.load(query).data
    try await store.withinReadWriteTransaction { transaction throws in
      let data = try #require(data)
      #expect(try transaction.read(query: query) == data)
      try transaction.write(data: data, for: LibraryQuery<BookTitle>(["id": "8"]))
      #expect(try transaction.read(query: LibraryQuery<BookTitle>(["id": "8"])) == data)
      #expect(throws: CacheMiss.self) {
        try transaction.read(query: LibraryQuery<BookTitle>(["id": "9"]))
      }
    }
    #expect(record("QUERY_ROOT")?[#"book(id:"8")"#] == .reference("B:7"))
  }

  @Test func reportsMissesUpToALimit() async throws {
    let books = (0..<500).map { RecordKey("B:\($0)") }
    try await store.publish(
      RecordSet([
        Record(
          key: "QUERY_ROOT",
          fields: ["featured": .list(books.map(CacheValue.reference)), "shelf": .null])
      ]))
    let reading = try await store.load(LibraryQuery<Featured>())
    #expect(reading.misses.count == CacheReading<LibraryQuery<Featured>.Data>.maximumMissCount)
  }
}
