import ApolloAPI
import ApolloCache
import Foundation
import TestOperations
import Testing

/// Models with properties that can be set, read from the cache, changed, and written back.
struct LocalCacheMutationTests {
  typealias Hero = HeroAPI.HeroLocalCacheMutation.Data.Hero

  private let cache = InMemoryNormalizedCache()
  private let store: ApolloStore
  private let query = HeroAPI.HeroQuery()
  private let mutation = HeroAPI.HeroLocalCacheMutation()

  init() { store = ApolloStore(cache: cache) }

  private struct Failure: Error {}

  private func fetch() async throws {
    let body = #"""
      {"data":{"hero":{"__typename":"Hero","id":"0","name":"R2-D2","friends":[
      {"__typename":"Hero","id":"1","name":"Luke"},{"__typename":"Hero","id":"2","name":"Leia"}]}}}
      """#
    try await store.publish(body: Data(body.utf8), of: query)
  }

  private func names() async throws -> [String]? {
    let hero = try await store.load(query).data?.hero
    return hero.map { [$0.name] + ($0.friends ?? []).map(\.name) }
  }

  @Test func changesWhatQueriesRead() async throws {
    try await fetch()
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(mutation) { data in
        data.hero?.name = "C-3PO"
        data.hero?.friends?[1].name = "Han"
      }
      #expect(try transaction.read(mutation).hero?.name == "C-3PO", "It sees its own writes.")
    }
    #expect(try await names() == ["C-3PO", "Luke", "Han"])
    let luke = cache.loadRecords(forKeys: ["Hero:1"])["Hero:1"]
    #expect(luke?.fields == ["__typename": "Hero", "id": "1", "name": "Luke"])
  }

  // MARK: - Fields that are not cached

  @Test func aMissingFieldThatMayBeNullIsNilAndStaysMissing() async throws {
    try await store.publish([
      "QUERY_ROOT": ["hero": .reference("Hero:0")],
      "Hero:0": ["__typename": "Hero", "id": "0", "name": "R2-D2"],
    ])
    try await store.withinReadWriteTransaction { transaction in
      #expect(try transaction.read(mutation).hero?.friends == nil)
      try transaction.update(mutation) { data in
        #expect(data.hero?.name == "R2-D2" && data.hero?.friends == nil)
        data.hero?.name = "C-3PO"
      }
    }
    #expect(
      cache.loadRecords(forKeys: ["Hero:0"])["Hero:0"]?.fields
        == ["__typename": "Hero", "id": "0", "name": "C-3PO"])
    #expect(try await store.load(query).misses.map(\.code) == [.noField])
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(mutation) { $0.hero?.friends = [.init(id: "1", name: "Luke")] }
    }
    #expect(try await names() == ["C-3PO", "Luke"])
  }

  @Test func aFieldThatFailedIsNilAndStaysFailed() async throws {
    let body =
      #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"R2-D2","friends":null}},"#
      + #""errors":[{"message":"m","path":["hero","friends"]}]}"#
    try await store.publish(body: Data(body.utf8), of: query)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(mutation) { $0.hero?.name = "C-3PO" }
    }
    #expect(try await store.load(query).misses.map(\.code) == [.failed])
  }

  @Test func aMissingObjectIsNil() async throws {
    try await store.publish(["QUERY_ROOT": ["other": 1]])
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(mutation) { data in
        #expect(data.hero == nil)
        data.hero?.name = "Luke"
      }
    }
    #expect(cache.loadRecords(forKeys: ["QUERY_ROOT"])["QUERY_ROOT"]?.fields == ["other": 1])
  }

  @Test func aMissingFieldThatMayNotBeNullThrows() async throws {
    let records: RecordSet = [
      "QUERY_ROOT": ["hero": .reference("Hero:0")],
      "Hero:0": ["__typename": "Hero", "id": "0", "name": "R2", "friends": [.reference("Hero:1")]],
      "Hero:1": ["__typename": "Hero", "id": "1"],
    ]
    try await store.publish(records)
    let miss = await #expect(throws: CacheMiss.self) {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.update(mutation) { $0.hero?.name = "C-3PO" }
      }
    }
    #expect(miss?.path == ["hero", "friends", 0, "name"])
    #expect(try await store.load(query).data == nil)
  }

  @Test func addsAndRemovesObjectsOfAList() async throws {
    try await fetch()
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(mutation) { data in
        data.hero?.friends?.removeFirst()
        data.hero?.friends?.append(.init(id: "3", name: "Han"))
      }
    }
    #expect(try await names() == ["R2-D2", "Leia", "Han"])
    #expect(cache.loadRecords(forKeys: ["Hero:3"])["Hero:3"]?["name"] == "Han")
  }

  @Test func setsNullAndReplacesAnObject() async throws {
    try await fetch()
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(mutation) { $0.hero?.friends = nil }
    }
    #expect(try await names() == ["R2-D2"])
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(mutation) { $0.hero = Hero(id: "1", name: "Wormie", friends: []) }
    }
    #expect(try await names() == ["Wormie"])
    #expect(
      cache.loadRecords(forKeys: ["QUERY_ROOT"])["QUERY_ROOT"]?["hero"] == .reference("Hero:1"))
    #expect(cache.loadRecords(forKeys: ["Hero:0"])["Hero:0"]?["name"] == "R2-D2")
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(mutation) { $0.hero = nil }
    }
    #expect(try await store.load(query).data?.hero == nil)
  }

  @Test func writesDataThatWasNeverFetched() async throws {
    let other = HeroAPI.HeroLocalCacheMutation(name: "Rey")
    try await store.withinReadWriteTransaction { transaction in
      try transaction.write(data: .init(hero: Hero(id: "9", name: "Rey")), for: other)
    }
    #expect(try await store.load(HeroAPI.HeroQuery(name: "Rey")).data?.hero?.name == "Rey")
    #expect(try await store.load(query).data == nil, "Other variables are another field.")
  }

  @Test func readsAndChangesOneObjectAsAFragment() async throws {
    try await fetch()
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: HeroAPI.EditableName.self, withKey: "Hero:1") {
        #expect($0.name == "Luke")
        $0.name = "Wormie"
      }
      try transaction.write(selectionSet: HeroAPI.EditableName(name: "Ben"), withKey: "Hero:7")
    }
    #expect(try await names() == ["R2-D2", "Wormie", "Leia"])
    #expect(
      cache.loadRecords(forKeys: ["Hero:7"])["Hero:7"]?.fields == [
        "__typename": "Hero", "name": "Ben",
      ])
  }

  @Test func aMissOrAThrownErrorChangesNothing() async throws {
    await #expect(throws: CacheMiss.self) {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.write(selectionSet: HeroAPI.EditableName(name: "Ben"), withKey: "Hero:7")
        try transaction.updateObject(ofType: HeroAPI.EditableName.self, withKey: "Hero:9") { _ in
          Issue.record("There is nothing to update.")
        }
      }
    }
    #expect(cache.count == 0)
    try await fetch()
    await #expect(throws: Failure.self) {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.update(mutation) { data in
          data.hero?.name = "C-3PO"
          throw Failure()
        }
      }
    }
    #expect(try await names() == ["R2-D2", "Luke", "Leia"])
  }

  @Test func aRemovedObjectIsAMissForTheRecordsThatReferToIt() async throws {
    try await fetch()
    try await store.withinReadWriteTransaction { try $0.removeObject(for: "Hero:2") }
    let reading = try await store.load(query)
    #expect(reading.misses.map(\.path) == [["hero", "friends", 1]])
    try await store.withinReadWriteTransaction { transaction in
      _ = #expect(throws: CacheMiss.self) { try transaction.update(mutation) { $0.hero = nil } }
    }
  }

  @Test func notifiesWatchers() async throws {
    try await fetch()
    let notes = Notes()
    let watch = store.watch { notes.append($0) }
    #expect(watch.depend(on: try await store.load(query).trace))
    let origin = ChangeOrigin()
    try await store.withinReadWriteTransaction(origin: origin) { transaction in
      try transaction.update(mutation) { $0.hero?.friends?[0].name = "Wormie" }
    }
    #expect(notes.count == 1)
    #expect(notes.last?.origin == origin)
    #expect(notes.last?.changes.addresses == [FieldAddress(record: "Hero:1", field: "name")])
  }

  // MARK: - Elements that failed

  // fragment EditableLists on Hero {
  //   __typename name titles grid friends { __typename id } films { title tags }
  //   team { __typename id }
  // }
  fileprivate struct EditableLists: HeroAPI.MutableSelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    static let __selections = Selections(
      "Hero {__typename String! name String! titles [String] grid [[String]] "
        + "friends [Hero {__typename String! id ID!}] films [Film {title String! tags [String]}] "
        + "team [[Hero {__typename String! id ID!}]]}")
    static let __layout = __selections[0]
    var __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }

    var name: String {
      get { __object[1, Self.__layout] }
      set { __object[1, Self.__layout] = newValue }
    }
    var titles: [String?]? {
      get { __object[2, Self.__layout] }
      set { __object[2, Self.__layout] = newValue }
    }
    var grid: [[String?]?]? {
      get { __object[3, Self.__layout] }
      set { __object[3, Self.__layout] = newValue }
    }
    var friends: [Friend?]? {
      get { __object[4, Self.__layout] }
      set { __object[4, Self.__layout] = newValue }
    }
    var films: [Film?]? {
      get { __object[5, Self.__layout] }
      set { __object[5, Self.__layout] = newValue }
    }
    var team: [[Member?]?]? {
      get { __object[6, Self.__layout] }
      set { __object[6, Self.__layout] = newValue }
    }

    struct Friend: HeroAPI.MutableSelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      static let __layout = EditableLists.__selections[1]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
      init(id: ID) { self.init(__values: ["__typename": "Hero", "id": id]) }
    }

    struct Film: HeroAPI.MutableSelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      static let __layout = EditableLists.__selections[2]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
      init(title: String) { self.init(__values: ["title": title]) }

      var title: String {
        get { __object[0, Self.__layout] }
        set { __object[0, Self.__layout] = newValue }
      }
      var tags: [String?]? {
        get { __object[1, Self.__layout] }
        set { __object[1, Self.__layout] = newValue }
      }
    }

    struct Member: HeroAPI.MutableSelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      static let __layout = EditableLists.__selections[3]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
    }
  }

  private static let failed = CacheValue.failure(FieldFailure(message: "?"))

  private static let listsWithFailures: FieldMap = [
    "__typename": "Hero", "id": "1", "name": "Luke", "titles": [failed, "Jedi", failed],
    "grid": [["a", failed], failed, ["b"]], "friends": [.reference("Hero:1"), failed],
    "films": [
      ["title": "A", "year": 1, "tags": ["x", failed]], failed, ["title": "B", "year": 2],
    ],
    "team": [[.reference("Hero:1"), failed], failed],
  ]

  /// A change of lists with elements that failed, and the list that the cache has afterwards.
  struct ListChange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    fileprivate let field: FieldKey
    fileprivate let expected: CacheValue
    fileprivate let body: @Sendable (inout EditableLists) -> Void

    fileprivate init(
      _ name: String, _ field: FieldKey, gives expected: CacheValue,
      _ body: @escaping @Sendable (inout EditableLists) -> Void
    ) {
      testDescription = name
      self.field = field
      self.expected = expected
      self.body = body
    }
  }

  static let changes: [ListChange] = [
    ListChange("append", "titles", gives: [failed, "Jedi", failed, "Sith"]) {
      $0.titles?.append("Sith")
    },
    ListChange("prepend", "titles", gives: ["Sith", failed, "Jedi", failed]) {
      $0.titles?.insert("Sith", at: 0)
    },
    ListChange("change another one", "titles", gives: [failed, "Sith", failed]) {
      $0.titles?[1] = "Sith"
    },
    ListChange("remove another one", "titles", gives: [failed, failed]) {
      $0.titles?.remove(at: 1)
    },
    ListChange("remove one", "titles", gives: ["Jedi", failed]) { $0.titles?.removeFirst() },
    ListChange("give one a value", "titles", gives: ["Sith", "Jedi", failed]) {
      $0.titles?[0] = "Sith"
    },
    ListChange("set another one to nil", "titles", gives: [failed, .null, failed]) {
      $0.titles?[1] = nil
    },
    ListChange("set the list to nil", "titles", gives: .null) { $0.titles = nil },
    ListChange("move objects", "friends", gives: [failed, .reference("Hero:1")]) {
      $0.friends?.swapAt(0, 1)
    },
    ListChange(
      "prepend an object", "friends",
      gives: [.reference("Hero:2"), .reference("Hero:1"), failed]
    ) { $0.friends?.insert(EditableLists.Friend(id: "2"), at: 0) },
    ListChange("move lists", "grid", gives: [["b"], failed, ["a", failed]]) {
      $0.grid?.swapAt(0, 2)
    },
    ListChange(
      "change and move lists", "grid", gives: [["c"], ["d", "a", failed], failed, ["b"]]
    ) {
      $0.grid?[0]?.insert("d", at: 0)
      $0.grid?.insert(["c"], at: 0)
    },
    ListChange("move lists of objects", "team", gives: [failed, [.reference("Hero:1"), failed]]) {
      $0.team?.swapAt(0, 1)
    },
    ListChange(
      "change an embedded object", "films",
      gives: [
        ["title": "A", "year": 1, "tags": ["x", failed]], failed, ["title": "C", "year": 2],
      ]
    ) { $0.films?[2]?.title = "C" },
    ListChange(
      "change a list of an embedded object", "films",
      gives: [
        ["title": "A", "year": 1, "tags": ["y", "x", failed]], failed, ["title": "B", "year": 2],
      ]
    ) { $0.films?[0]?.tags?.insert("y", at: 0) },
    ListChange(
      "move and prepend embedded objects", "films",
      gives: [
        ["title": "C", "tags": .null], failed, ["title": "B", "year": 2],
        ["title": "A", "year": 1, "tags": ["x", failed]],
      ]
    ) {
      guard let films = $0.films else { return }
      $0.films = [EditableLists.Film(title: "C"), films[1], films[2], films[0]]
    },
  ]

  /// Otherwise other queries would show null without an error, and not fetch the element again.
  @Test(arguments: changes)
  func anElementThatFailedStaysAFailureWhenItsListChanges(change: ListChange) async throws {
    try await store.publish(["Hero:1": Self.listsWithFailures])
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(
        ofType: EditableLists.self, withKey: "Hero:1", change.body)
    }
    var expected = Self.listsWithFailures
    expected[change.field] = change.expected
    #expect(cache.loadRecords(forKeys: ["Hero:1"])["Hero:1"]?.fields == expected)
  }

  @Test func anElementThatFailedIsNilAndItsListIsNotWritten() async throws {
    try await store.publish(["Hero:1": Self.listsWithFailures])
    let notes = Notes()
    let watch = store.subscribe { notes.append($0) }
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: EditableLists.self, withKey: "Hero:1") { hero in
        #expect(hero.titles == [nil, "Jedi", nil])
        #expect(hero.grid == [["a", nil], nil, ["b"]])
        #expect(hero.friends?.map { $0 != nil } == [true, false])
        #expect(hero.films?.map { $0?.title } == ["A", nil, "B"])
        hero.name = "Wormie"
      }
    }
    #expect(notes.last?.changes.addresses == [FieldAddress(record: "Hero:1", field: "name")])
    var expected = Self.listsWithFailures
    expected["name"] = "Wormie"
    #expect(cache.loadRecords(forKeys: ["Hero:1"])["Hero:1"]?.fields == expected)
    withExtendedLifetime(watch) {}
  }

  // MARK: - Lists of objects without keys

  // fragment EditableFilms on Hero { __typename films { title } }
  private struct EditableFilms: HeroAPI.MutableSelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    static let __selections = Selections("Hero {__typename String! films [Film {title String!}!]!}")
    static let __layout = __selections[0]
    var __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }

    var films: [Film] {
      get { __object[1, Self.__layout] }
      set { __object[1, Self.__layout] = newValue }
    }

    struct Film: HeroAPI.MutableSelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      static let __layout = EditableFilms.__selections[1]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
      init(title: String) { self.init(__values: ["title": title]) }

      var title: String {
        get { __object[0, Self.__layout] }
        set { __object[0, Self.__layout] = newValue }
      }
    }
  }

  // fragment EditableViews on Hero { __typename films { title isSeen } }
  private struct EditableViews: HeroAPI.MutableSelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    static let __selections = Selections(
      "Hero {__typename String! films [Film {title String! isSeen Boolean!}!]!}")
    static let __layout = __selections[0]
    var __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }

    var films: [Film] {
      get { __object[1, Self.__layout] }
      set { __object[1, Self.__layout] = newValue }
    }

    struct Film: HeroAPI.MutableSelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      static let __layout = EditableViews.__selections[1]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
      init(title: String, isSeen: Bool) { self.init(__values: ["title": title, "isSeen": isSeen]) }

      var title: String {
        get { __object[0, Self.__layout] }
        set { __object[0, Self.__layout] = newValue }
      }
      var isSeen: Bool {
        get { __object[1, Self.__layout] }
        set { __object[1, Self.__layout] = newValue }
      }
    }
  }

  // fragment EditableCrew on Hero { __typename crew { edges { role node { __typename id } } } }
  private struct EditableCrew: HeroAPI.MutableSelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    static let __selections = Selections(
      "Hero {__typename String! crew Crew {edges [CrewEdge {role String! "
        + "node Hero {__typename String! id ID!}!}!]!}!}")
    static let __layout = __selections[0]
    var __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }

    var crew: Crew {
      get { __object[1, Self.__layout] }
      set { __object[1, Self.__layout] = newValue }
    }

    struct Crew: HeroAPI.MutableSelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      static let __layout = EditableCrew.__selections[1]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }

      var edges: [Edge] {
        get { __object[0, Self.__layout] }
        set { __object[0, Self.__layout] = newValue }
      }
    }

    struct Edge: HeroAPI.MutableSelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      static let __layout = EditableCrew.__selections[2]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
    }
  }

  // fragment EditableGroup on Hero {
  //   __typename id films { title } friends { __typename id films { title } }
  // }
  private struct EditableGroup: HeroAPI.MutableSelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    static let __selections = Selections(
      "Hero {__typename String! id ID! films [Film {title String!}!]! "
        + "friends [Hero {__typename String! id ID! films [Film {title String!}!]!}!]!}")
    static let __layout = __selections[0]
    var __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }

    var films: [Film] {
      get { __object[2, Self.__layout] }
      set { __object[2, Self.__layout] = newValue }
    }
    var friends: [Friend] {
      get { __object[3, Self.__layout] }
      set { __object[3, Self.__layout] = newValue }
    }

    struct Film: HeroAPI.MutableSelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      static let __layout = EditableGroup.__selections[1]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
    }

    struct Friend: HeroAPI.MutableSelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      static let __layout = EditableGroup.__selections[2]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }

      var films: [FriendFilm] {
        get { __object[2, Self.__layout] }
        set { __object[2, Self.__layout] = newValue }
      }
    }

    struct FriendFilm: HeroAPI.MutableSelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      static let __layout = EditableGroup.__selections[3]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
    }
  }

  private func publishFilms() async throws {
    try await store.publish([
      "Hero:1": [
        "__typename": "Hero", "films": [["title": "A", "year": 1], ["title": "B", "year": 2]],
      ]
    ])
  }

  private func field(_ field: FieldKey) -> CacheValue? {
    cache.loadRecords(forKeys: ["Hero:1"])["Hero:1"]?.fields[field]
  }

  @Test(arguments: [["B"], ["B", "A"], ["C", "A", "B"], ["A", "C", "B"]])
  func anObjectWithoutAKeyTakesAlongTheFieldsThatAreNotSelected(_ titles: [String]) async throws {
    let films: [String: CacheValue] = [
      "A": ["title": "A", "year": 1], "B": ["title": "B", "year": 2],
    ]
    try await publishFilms()
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: EditableFilms.self, withKey: "Hero:1") { hero in
        let known = hero.films
        hero.films = titles.map { title in
          known.first { $0.title == title } ?? EditableFilms.Film(title: title)
        }
      }
    }
    let expected = CacheValue.list(titles.map { films[$0] ?? ["title": .string($0)] })
    #expect(field("films") == expected)
  }

  @Test func anObjectWithoutAKeyThatIsChangedInPlaceKeepsItsOtherFields() async throws {
    try await publishFilms()
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: EditableFilms.self, withKey: "Hero:1") { hero in
        hero.films[0].title = "C"
        hero.films.append(EditableFilms.Film(title: "D"))
      }
    }
    let expected: CacheValue = [
      ["title": "C", "year": 1], ["title": "B", "year": 2], ["title": "D"],
    ]
    #expect(field("films") == expected)
  }

  /// The place that is not changed does not undo the change at the other one.
  @Test(arguments: [false, true])
  func anObjectThatIsShownTwiceIsChangedAtOnePlace(isInside: Bool) async throws {
    try await publishFilms()
    try await store.publish(["Hero:1": ["id": "1", "friends": [.reference("Hero:1")]]])
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: EditableGroup.self, withKey: "Hero:1") { hero in
        if isInside { hero.friends[0].films.swapAt(0, 1) } else { hero.films.swapAt(0, 1) }
      }
    }
    let expected: CacheValue = [["title": "B", "year": 2], ["title": "A", "year": 1]]
    #expect(field("films") == expected)
  }

  /// Publishes a film that was seen, and another one, which was seen or not.
  private func publishViews(isOtherSeen: Bool) async throws {
    try await store.publish([
      "Hero:1": [
        "__typename": "Hero",
        "films": [
          ["title": "A", "isSeen": true, "year": 1],
          ["title": "B", "isSeen": .bool(isOtherSeen), "year": 2],
        ],
      ]
    ])
  }

  /// The new one has what the mutation gives it, and nothing of the one that was at its place.
  @Test func objectsWithoutKeysThatAreMovedAndChangedKeepTheirOtherFields() async throws {
    try await publishViews(isOtherSeen: true)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: EditableViews.self, withKey: "Hero:1") { hero in
        for index in hero.films.indices { hero.films[index].isSeen = false }
        hero.films.insert(EditableViews.Film(title: "C", isSeen: true), at: 0)
      }
    }
    let expected: CacheValue = [
      ["title": "C", "isSeen": true], ["title": "A", "isSeen": false, "year": 1],
      ["title": "B", "isSeen": false, "year": 2],
    ]
    #expect(field("films") == expected)
  }

  /// A value that was another object's does not count more than one that is the object's own.
  @Test func objectsWithoutKeysThatExchangeAValueStayAtTheirPlaces() async throws {
    try await publishViews(isOtherSeen: false)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: EditableViews.self, withKey: "Hero:1") { hero in
        for index in hero.films.indices { hero.films[index].isSeen.toggle() }
      }
    }
    let expected: CacheValue = [
      ["title": "A", "isSeen": false, "year": 1], ["title": "B", "isSeen": true, "year": 2],
    ]
    #expect(field("films") == expected)
  }

  /// That a film was seen says nothing about which one it is, although only one of those that have
  /// changed was seen.
  @Test func aValueOfUnchangedElementsDoesNotFindAChangedOne() async throws {
    let films: [CacheValue] = [
      ["title": "A", "isSeen": true, "year": 1], ["title": "B", "isSeen": false, "year": 2],
      ["title": "C", "isSeen": true, "year": 3], ["title": "D", "isSeen": false, "year": 4],
    ]
    try await store.publish(["Hero:1": ["__typename": "Hero", "films": .list(films)]])
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: EditableViews.self, withKey: "Hero:1") { hero in
        for index in 0..<2 {
          hero.films[index].title += "2"
          hero.films[index].isSeen.toggle()
        }
      }
    }
    let expected: [CacheValue] = [
      ["title": "A2", "isSeen": false, "year": 1], ["title": "B2", "isSeen": true, "year": 2],
    ]
    #expect(field("films") == .list(expected + films[2...]))
  }

  @Test func anEdgeThatIsMovedKeepsWhatItHasInCommonWithTheOneAtItsPlace() async throws {
    try await store.publish([
      "Hero:1": [
        "__typename": "Hero",
        "crew": [
          "edges": [
            ["role": "cook", "node": .reference("Hero:2")],
            ["role": "cook", "node": .reference("Hero:3")],
          ]
        ],
      ],
      "Hero:2": ["__typename": "Hero", "id": "2"], "Hero:3": ["__typename": "Hero", "id": "3"],
    ])
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: EditableCrew.self, withKey: "Hero:1") {
        $0.crew.edges.swapAt(0, 1)
      }
    }
    let expected: CacheValue = [
      "edges": [
        ["role": "cook", "node": .reference("Hero:3")],
        ["role": "cook", "node": .reference("Hero:2")],
      ]
    ]
    #expect(field("crew") == expected)
  }
}
