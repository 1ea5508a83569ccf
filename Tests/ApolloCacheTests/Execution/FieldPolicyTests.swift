import ApolloAPI
import ApolloCache
import Foundation
import Testing

/// Fields that lead by their arguments to objects which other fields have brought.
@Suite struct FieldPolicyTests {
  // interface Character { id: ID!, name: String! } interface Node @fieldPolicy(forField: "friend",
  // keyArgs: "id") { friend(id: ID): Character } type Human implements Character & Node
  // @typePolicy(keyFields: "id") { … } type Droid implements Character @typePolicy(keyFields: "id")
  // { … } type Shelf @typePolicy(keyFields: "row column") { row: Int!, column: String! } type Query
  // @fieldPolicy(forField: "character", keyArgs: "id") @fieldPolicy(forField: "human", keyArgs:
  // "id") @fieldPolicy(forField: "characters", keyArgs: "ids") @fieldPolicy(forField: "search",
  // keyArgs: "input.by.id") @fieldPolicy(forField: "shelf", keyArgs: "column row")
  // @fieldPolicy(forField: "cell", keyArgs: "x y") { … }
  private static let node = Interface(
    name: "Node", fieldPolicies: ["friend": ["id"]], implementingObjects: ["Human"])
  private static let character = Interface(
    name: "Character", implementingObjects: ["Human", "Droid"])
  private static let types = SchemaTypes(
    objects: [
      Object(typename: "Human", implementedInterfaces: [character, node], keyFields: ["id"]),
      Object(typename: "Droid", implementedInterfaces: [character], keyFields: ["id"]),
      Object(typename: "Shelf", keyFields: ["row", "column"]),
      Object(
        typename: "Query",
        fieldPolicies: [
          "character": ["id"], "human": ["id"], "characters": ["ids"], "search": ["input.by.id"],
          "shelf": ["column", "row"], "cell": ["x", "y"],
        ]),
    ],
    interfaces: [node, character])

  /// All characters share one group, and code decides about some fields.
  private enum Grouped: SchemaConfiguration, FieldPolicy.Provider {
    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
      guard type.typename != "Shelf" else { return nil }
      return try? CacheKeyInfo(jsonValue: object["id"], uniqueKeyGroup: "Character")
    }

    static func cacheKey(
      for field: FieldPolicy.Field, inputData: FieldPolicy.InputData
    ) -> CacheKeyInfo? {
      guard
        field
          == FieldPolicy.Field(
            name: "namesake", alias: "other", parentType: "Query", type: "Human")
      else { return nil }
      return try? CacheKeyInfo(jsonValue: inputData["name"], uniqueKeyGroup: "Character")
    }

    static func cacheKeyList(
      for listField: FieldPolicy.Field, inputData: FieldPolicy.InputData
    ) -> [CacheKeyInfo]? {
      guard listField.name == "pair", let ids = inputData["ids"]?.arrayValue else { return nil }
      return ids.compactMap { try? CacheKeyInfo(jsonValue: $0, uniqueKeyGroup: "Character") }
    }
  }

  private static let everything = DynamicDefinition(
    Selections(
      #"""
      Query {everybody [Character {__typename String! id ID! name String!}!]!
        shelves [Shelf {__typename String! row Int! column String! label String}!]!}
      """#), types: types)

  private static func reading(
    _ selections: String, configuration: any SchemaConfiguration.Type = KeyFieldsDecide.self
  ) -> DynamicDefinition {
    DynamicDefinition(
      Selections("Query {\(selections)}"), types: types, configuration: configuration)
  }

  private static let body = Data(
    #"""
    {"data":{"everybody":[{"__typename":"Human","id":"1","name":"Luke"},{"__typename":"Droid","id":"2","name":"R2-D2"}],
    "shelves":[{"__typename":"Shelf","row":1,"column":"2+3","label":"poems"}]}}
    """#.utf8)

  /// A store that has fetched everybody, by other fields than those that will be read.
  private func store(
    _ configuration: ApolloStore.Configuration = .init(),
    keys: any SchemaConfiguration.Type = KeyFieldsDecide.self
  ) async throws -> ApolloStore {
    let store = ApolloStore(configuration: configuration)
    let fetched = DynamicDefinition(
      Self.everything.selections, types: Self.types, configuration: keys)
    _ = try await fetched.use { try await store.publish(body: Self.body, of: $0.init()) }
    return store
  }

  private func read(
    _ definition: DynamicDefinition, _ variables: Variables? = nil, from store: ApolloStore
  ) async throws -> (data: JSONValue?, misses: [CacheMiss]) {
    try await definition.use {
      let reading = try await store.load($0.init(variables))
      return (reading.data?.jsonValue, reading.misses)
    }
  }

  private static let luke: JSONValue = ["__typename": "Human", "name": "Luke"]
  private static let r2d2: JSONValue = ["__typename": "Droid", "name": "R2-D2"]

  @Test(
    arguments: [
      (#"human(id:"1") Human {__typename String! name String!}"#, ["human": luke]),
      (#"human(id:1) Human {__typename String! name String!}"#, ["human": luke]),
      (
        #"one:character(id:"1") Character {__typename String! name String!} two:character(id:"2") Character {__typename String! name String!}"#,
        ["one": luke, "two": r2d2]
      ),
      (
        #"characters(ids:["2" "1"]) [Character {__typename String! name String!}]"#,
        ["characters": [r2d2, luke]]
      ),
      (#"search(input:{by:{id:"1"}}) Human {__typename String! name String!}"#, ["search": luke]),
      (#"shelf(row:1 column:"2+3") Shelf {label String}"#, ["shelf": ["label": "poems"]]),
      (#"cell(x:1 y:"2+3") Shelf {label String}"#, ["cell": ["label": "poems"]]),
    ] as [(String, JSONValue)])
  func findsAnObjectThatAnotherFieldFetched(selections: String, expected: JSONValue) async throws {
    let (data, misses) = try await read(Self.reading(selections), from: try await store())
    #expect(misses == [])
    #expect(data == expected)
  }

  @Test func argumentsMayBeVariables() async throws {
    let definition = Self.reading("character(id:$id) Character {__typename String! name String!}")
    let store = try await store()
    #expect(try await read(definition, ["id": "2"], from: store).data == ["character": Self.r2d2])
    #expect(try await read(definition, ["id": "1"], from: store).data == ["character": Self.luke])
    let absent = try await read(definition, from: store)
    #expect(absent.misses.map(\.code) == [.noField], "Without an id nothing is looked for.")
  }

  @Test(arguments: [
    #"human(id:"2") Human {name String!}"#,  // there is a droid with that id
    #"character(id:"9") Character {name String!}"#, #"human(id:null) Human {name String!}"#,
    #"human Human {name String!}"#, #"human(id:["1"]) Human {name String!}"#,
    #"shelf(row:1) Shelf {label String}"#, #"characters(ids:"1") [Character {name String!}]"#,
    #"characters(ids:["8" "9"]) [Character {name String!}]"#,
    #"plain(id:"1") Human {name String!}"#, #"friend(id:"1") Human {name String!}"#,
  ])
  func anUnknownObjectOrAFieldWithoutAPolicyIsAMissAtTheField(selections: String) async throws {
    let (data, misses) = try await read(Self.reading(selections), from: try await store())
    #expect(data == nil)
    #expect(misses.map(\.code) == [.noField])
    #expect(misses.map(\.address.record) == ["QUERY_ROOT"])
  }

  @Test func anObjectThatAPolicyFindsMayMissFields() async throws {
    let store = try await store()
    let list = Self.reading(#"characters(ids:["1" "9"]) [Character {name String!}]"#)
    let (_, misses) = try await read(list, from: store)
    #expect(misses.map(\.path) == [["characters", 1]])
    #expect(misses.map(\.address.record) == ["Droid:9"])
    let field = Self.reading(#"human(id:"1") Human {name String! height Float}"#)
    let (_, fields) = try await read(field, from: store)
    #expect(fields.map(\.path) == [["human", "height"]])
    #expect(fields.map(\.address) == [FieldAddress(record: "Human:1", field: "height")])
  }

  @Test func theFieldsOwnValueTakesPrecedenceOverItsPolicy() async throws {
    let store = try await store()
    let human = Self.reading(#"human(id:"1") Human {__typename String! name String!}"#)
    try await store.publish(["QUERY_ROOT": [#"human(id:"1")"#: .null]])
    #expect(try await read(human, from: store).data == ["human": nil])
    try await store.publish([
      "QUERY_ROOT": [#"human(id:"1")"#: .failure(FieldFailure(message: "no"))]
    ])
    #expect(try await read(human, from: store).data == ["human": nil], "What was known stays.")
    let failed = Self.reading(#"character(id:"1") Character {name String!}"#)
    try await store.publish([
      "QUERY_ROOT": [#"character(id:"1")"#: .failure(FieldFailure(message: "no"))]
    ])
    #expect(try await read(failed, from: store).misses.map(\.serverMessage) == ["no"])
  }

  @Test func aPolicyOfAnInterfaceHoldsForItsObjects() async throws {
    let store = try await store()
    let definition = Self.reading(
      #"human(id:"1") Human {friend(id:"2") Character {__typename String! name String!}}"#)
    #expect(
      try await read(definition, from: store).data == ["human": ["friend": Self.r2d2]])
  }

  @Test func lookupsUseTheSameGroupsAndClosuresAsWrites() async throws {
    let grouped = try await store(keys: Grouped.self)
    let character = #"character(id:"2") Character {__typename String! name String!}"#
    #expect(
      try await read(Self.reading(character, configuration: Grouped.self), from: grouped).data
        == ["character": Self.r2d2])

    var configuration = ApolloStore.Configuration()
    configuration.cacheKeyForObject = { object in
      guard let type = object["__typename"]?.stringValue, let id = object["id"]?.stringValue else {
        return nil
      }
      return "\(type)/\(id)"
    }
    let closure = try await store(configuration)
    #expect(
      try await read(Self.reading(character), from: closure).data == ["character": Self.r2d2])
  }

  @Test func aPolicyProviderTakesPrecedenceOverTheSchema() async throws {
    let store = try await store(keys: Grouped.self)
    let selections =
      #"other:namesake(name:"1") Human {__typename String! name String!} pair(ids:["2" "1"]) [Character {__typename String! name String!}]"#
    let definition = Self.reading(selections, configuration: Grouped.self)
    #expect(
      try await read(definition, from: store).data
        == ["other": Self.luke, "pair": [Self.r2d2, Self.luke]])
    let unaliased = Self.reading(
      #"namesake(name:"1") Human {name String!}"#, configuration: Grouped.self)
    #expect(try await read(unaliased, from: store).misses.map(\.code) == [.noField])
  }

  /// Leads to the user who is logged in.
  private enum LoggedIn: SchemaConfiguration, FieldPolicy.Provider {
    static let id = Lock("1")

    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }

    static func cacheKey(
      for field: FieldPolicy.Field, inputData: FieldPolicy.InputData
    ) -> CacheKeyInfo? {
      try? CacheKeyInfo(jsonValue: .string(id.withLock { $0 }), uniqueKeyGroup: "Human")
    }
  }

  @Test func aPolicyProviderIsCalledForEachStore() async throws {
    let definition = Self.reading("me Human {name String!}", configuration: LoggedIn.self)
    for (id, name) in [("1", "Luke"), ("2", "Leia")] {
      LoggedIn.id.withLock { $0 = id }
      let store = ApolloStore()
      try await store.publish([
        "Human:1": ["__typename": "Human", "name": "Luke"],
        "Human:2": ["__typename": "Human", "name": "Leia"],
      ])
      #expect(try await read(definition, from: store).data == ["me": ["name": .string(name)]])
    }
  }

  /// Pairs the characters of a list, or those inside of them, with those of the same index, counted
  /// from 1.
  private enum Indexed: SchemaConfiguration, FieldPolicy.Provider {
    static let paths = Lock<Set<ResponsePath>>([])

    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }

    static func cacheKey(
      for field: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: ResponsePath
    ) -> CacheKeyInfo? {
      paths.withLock { _ = $0.insert(path) }
      guard path.count > 2, path.last == .field("twin"), case .index(let index) = path[1] else {
        return nil
      }
      return try? CacheKeyInfo(jsonValue: .int(Int64(index + 1)), uniqueKeyGroup: "Human")
    }

    static func cacheKeyList(
      for listField: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: ResponsePath
    ) -> [CacheKeyInfo]? {
      guard path == ["both"] else { return nil }
      return ["1", "2"].map { CacheKeyInfo(id: $0, uniqueKeyGroup: "Human") }
    }
  }

  /// A user's own cache, whose readers remember the objects that they have read.
  private final class OwnCache: NormalizedCache {
    private let memory = InMemoryNormalizedCache()

    func loadRecords(forKeys keys: Set<RecordKey>) throws -> [RecordKey: Record] {
      memory.loadRecords(forKeys: keys)
    }
    func merge(records: RecordSet) throws -> ChangeSet { memory.merge(records: records) }
    func removeRecord(for key: RecordKey) throws -> ChangeSet { memory.removeRecord(for: key) }
    func removeRecords(matching pattern: String) throws -> ChangeSet {
      memory.removeRecords(matching: pattern)
    }
    func clear() throws { memory.clear() }
  }

  @Test(arguments: [InMemoryNormalizedCache(), OwnCache()] as [any NormalizedCache])
  func aPolicyProviderIsGivenThePathInTheResponse(cache: any NormalizedCache) async throws {
    let store = ApolloStore(cache: cache)
    let human: FieldMap = ["__typename": "Human", "id": "7"]
    try await store.publish([
      "Human:1": ["__typename": "Human", "name": "Luke"],
      "Human:2": ["__typename": "Human", "name": "Leia"],
      "Human:7": human,
      "QUERY_ROOT": ["list": .list([.reference("Human:7"), .reference("Human:7")])],
    ])
    let definition = Self.reading(
      "list [Human {id ID! twin:namesake Human {name String!}}] both [Human {name String!}]",
      configuration: Indexed.self)
    let (data, misses) = try await read(definition, from: store)
    #expect(misses == [])
    #expect(
      data == [
        "list": [
          ["id": "7", "twin": ["name": "Luke"]], ["id": "7", "twin": ["name": "Leia"]],
        ],
        "both": [["name": "Luke"], ["name": "Leia"]],
      ])
    #expect(
      Indexed.paths.withLock { $0 }.isSuperset(of: [["list", 0, "twin"], ["list", 1, "twin"]]))
  }

  /// The character of the list is kept as it was decoded, but its friend is another record now.
  @Test func anObjectInMemoryIsReadAgainIfThePathDecidesAboutOneInside() async throws {
    let cache = ChainedNormalizedCache(InMemoryNormalizedCache())
    let store = ApolloStore(cache: cache)
    func listed(_ twin: JSONValue) -> JSONValue {
      let friend: JSONValue = ["__typename": "Human", "id": "8", "twin": twin]
      return ["__typename": "Human", "id": "7", "friend": friend]
    }
    let luke: JSONValue = ["__typename": "Human", "id": "1", "name": "Luke"]
    let leia: JSONValue = ["__typename": "Human", "id": "2", "name": "Leia"]
    let definition = Self.reading(
      #"""
      list [Human {__typename String! id ID! friend Human {__typename String! id ID!
        twin:namesake Human {__typename String! id ID! name String!}}}]
      """#, configuration: Indexed.self)
    let list = JSONValue.array([listed(luke), listed(luke)])
    let body = Data(JSONValue.object(["data": ["list": list]]).description.utf8)
    _ = try await definition.use { try await store.publish(body: body, of: $0.init()) }
    try await store.removeObject(for: "Human:8")
    try await store.publish([
      "Human:2": ["__typename": "Human", "id": "2", "name": "Leia"],
      "Human:8": ["__typename": "Human", "id": "8"],
    ])
    // The first reading brings the records to memory.
    for isInMemory in [false, true] {
      #expect((cache.countInMemory > 0) == isInMemory)
      let data = try await definition.use { query in
        try await store.withinReadTransaction { try $0.read(query: query.init()) }.jsonValue
      }
      #expect(data == ["list": [listed(luke), listed(leia)]])
    }
  }

  @Test func aWatchIsNotifiedWhenTheObjectOfAPolicyIsAddedChangedAndRemoved() async throws {
    let store = ApolloStore()
    let definition = Self.reading(#"character(id:"1") Character {__typename String! name String!}"#)
    try await definition.use { query in
      let notes = Notes()
      let watch = store.watch { notes.append($0) }
      func read() async throws -> JSONValue? {
        let reading = try await store.load(query.init())
        #expect(watch.depend(on: reading.trace))
        return reading.data?.jsonValue
      }
      #expect(try await read() == nil)
      try await store.publish(["Human:1": ["__typename": "Human", "name": "Ben"]])
      #expect(notes.count == 1)
      #expect(try await read()?["character"]?["name"] == "Ben")
      #expect(try await read()?["character"]?["name"] == "Ben")
      try await store.publish(["Human:1": ["name": "Luke"]])
      #expect(notes.count == 2)
      #expect(try await read() == ["character": Self.luke])
      try await store.publish(["Droid:1": ["__typename": "Droid", "name": "R2-D2"]])
      #expect(notes.count == 3, "Droids are looked for first.")
      #expect(try await read() == ["character": Self.r2d2])
      try await store.removeObjects(matching: ":1")
      #expect(try await read() == nil)
    }
  }
}
