import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import SeededRandom
import Testing

/// A selection reads what another selection wrote. In memory, objects are copied from one layout to
/// the other; from a file, they are built from rows. Both have to agree.
@Suite(.timeLimit(.minutes(10)))
struct OtherSelectionsTests {
  /// The data and the misses of a reading.
  private struct Outcome: Equatable {
    var data: JSONValue?
    var misses: [CacheMiss]
  }

  private func read(_ query: DynamicQuery, from store: ApolloStore) async throws -> Outcome {
    let reading = try await store.load(query)
    return Outcome(data: reading.data?.jsonValue, misses: reading.misses)
  }

  private func inFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("apollo-selections-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up what is left
    try await body(folder)
  }

  @Test(arguments: [false, true])
  func memoryReadsTheSameAsAFile(adding: Bool) async throws {  // fields that were not written
    try await inFolder { folder in
      var missCount = 0
      for round in 0..<150 {
        let seed = freshSeed &+ UInt64(round)
        var world = RandomWorld(seed: seed)
        let written = world.operation()
        let others = (0..<3).map { _ in world.related(to: written, adding: adding) }
        let file = folder.appendingPathComponent("\(adding)-\(round).sqlite")
        let memory = ApolloStore()
        let body = Data(world.answer(to: written).description.utf8)
        try await world.definition(of: written).use { query in
          let disk = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
          for store in [memory, disk] {
            try await store.publish(body: body, of: query.init(written.variables))
          }
        }
        let disk = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
        for other in others {
          try await world.definition(of: other).use { query in
            let query = query.init(other.variables)
            let expected = try await read(query, from: disk)
            #expect(try await read(query, from: memory) == expected, "seed \(seed)")
            missCount += expected.misses.count
            guard !adding else { return }
            #expect(expected.data == world.answer(to: other)["data"], "seed \(seed)")
          }
        }
      }
      #expect((missCount > 0) == adding)
    }
  }

  // MARK: - Fixed cases

  private static let types = SchemaTypes(
    objects: [
      Object(typename: "Query"), Object(typename: "Keyed", implementedInterfaces: [thing]),
      Object(typename: "Plain", implementedInterfaces: [thing]),
    ],
    interfaces: [thing])
  private static let thing = Interface(name: "Thing", implementingObjects: ["Keyed", "Plain"])

  /// Keyed things have keys, plain ones are embedded.
  private enum KeyedHaveKeys: SchemaConfiguration {
    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
      guard type.typename == "Keyed", let id = object["id"] else { return nil }
      return try? CacheKeyInfo(jsonValue: id)
    }
  }

  private func definition(
    _ selections: String, types: SchemaTypes = types,
    configuration: any SchemaConfiguration.Type = KeyedHaveKeys.self
  ) -> DynamicDefinition {
    DynamicDefinition(
      Selections(
        selections, leaves: [JSONValue.self, GraphQLEnum<LibraryAPI.Genre>.self]),
      types: types, configuration: configuration)
  }

  /// Writes a response with one selection, and reads it with another one from memory and from a
  /// file.
  ///
  /// - Returns: The outcome of both readings.
  private func outcome(
    reading wanted: String, after written: String, _ answer: JSONValue,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    var outcomes: [Outcome] = []
    try await inFolder { folder in
      let file = folder.appendingPathComponent("disk.sqlite")
      let memory = ApolloStore()
      let body = Data(JSONValue.object(["data": answer]).description.utf8)
      try await definition(written).use { query in
        let disk = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
        for store in [memory, disk] { try await store.publish(body: body, of: query.init()) }
      }
      let disk = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
      try await definition(wanted).use { query in
        for store in [memory, disk] { outcomes.append(try await read(query.init(), from: store)) }
      }
    }
    #expect(outcomes[0] == outcomes[1], sourceLocation: sourceLocation)
    return outcomes[0]
  }

  @Test func leavesOfEveryTypeAreCopied() async throws {
    let fields =
      "s String i Int d Float b Boolean id ID! json #0 genre #1 tags [String!] grid [[Int]]"
    let reversed =
      "grid [[Int]] tags [String!] genre #1 json #0 id ID! b Boolean d Float i Int s String"
    let long = String(repeating: "long", count: 10)
    let things: [JSONValue] = [
      [
        "__typename": "Plain", "s": .string(long), "i": -3, "d": 0.5, "b": false, "id": "é",
        "json": ["x": [1, nil]], "genre": "NOVEL", "tags": ["a", .string(long)],
        "grid": [[1, nil], nil, []],
      ],
      [
        "__typename": "Plain", "s": nil, "i": nil, "d": nil, "b": nil, "id": "", "json": nil,
        "genre": nil, "tags": nil, "grid": nil,
      ],
      [
        "__typename": "Plain", "s": "", "i": 9_007_199_254_740_993, "d": -0.0, "b": true,
        "id": "1", "json": "text", "genre": "NOT YET KNOWN", "tags": [], "grid": [],
      ],
    ]
    let answer: JSONValue = ["things": .array(things)]
    let outcome = try await outcome(
      reading: "Query {things [Thing {\(reversed) __typename String!}]}",
      after: "Query {things [Thing {__typename String! \(fields)}]}", answer)
    #expect(outcome == Outcome(data: answer, misses: []))
  }

  @Test func objectsWithMoreFieldsThanAWordHasBitsAreCopied() async throws {
    let names = (0..<200).map { "f\($0)" }
    let answer: JSONValue = [
      "thing": .object(
        Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, .int(Int64($0))) })
          .merging(["__typename": "Plain"]) { $1 })
    ]
    func selections(_ names: [String]) -> String {
      "Query {thing Thing {__typename String! \(names.map { "\($0) Int!" }.joined(separator: " "))}}"
    }
    let outcome = try await outcome(
      reading: selections(names.reversed()), after: selections(names), answer)
    #expect(outcome == Outcome(data: answer, misses: []))
  }

  @Test func listsCanMixReferencesAndEmbeddedObjects() async throws {
    let things: [JSONValue] = [
      ["__typename": "Keyed", "id": "1", "part": ["__typename": "Plain", "id": "2", "i": 3]],
      ["__typename": "Plain", "id": "4", "part": ["__typename": "Keyed", "id": "5", "i": 6]],
      nil,
      ["__typename": "Unknown", "id": "7", "part": ["__typename": "Plain", "id": "8", "i": 9]],
      ["__typename": "Keyed", "id": "1", "part": nil],
      ["__typename": "Plain", "id": "9", "part": nil],
    ]
    let part = "part Thing {__typename String! id ID! i Int}"
    let answer: JSONValue = ["things": .array(things)]
    let outcome = try await outcome(
      reading: "Query {things [Thing {\(part) id ID! __typename String!}]}",
      after: "Query {things [Thing {__typename String! id ID! \(part)}]}", answer)
    // The last response of the list about record 1 says that it has no part.
    var expected = things
    expected[0] = things[4]
    #expect(outcome == Outcome(data: ["things": .array(expected)], misses: []))
  }

  @Test func aMissInAnEmbeddedObjectNamesTheRecordAroundIt() async throws {
    let things: [JSONValue] = [
      ["__typename": "Keyed", "id": "1", "i": 2],
      ["__typename": "Plain", "id": "3", "i": 4],
    ]
    let answer: JSONValue = [
      "top": ["__typename": "Keyed", "id": "0", "things": .array(things)]
    ]
    for field in ["i Int", "s String"] {
      let outcome = try await outcome(
        reading: """
          Query {top Thing {__typename String! things [Thing {id ID! __typename String! \
          ...Plain {\(field)}}]}}
          """,
        after: """
          Query {top Thing {__typename String! id ID! things [Thing {__typename String! id ID! \
          i Int}]}}
          """, answer)
      let miss = CacheMiss(
        .noField, path: [.field("top"), .field("things"), .index(1), .field("s")],
        address: FieldAddress(record: "Keyed:0", field: "things"))
      #expect(outcome.misses == (field == "i Int" ? [] : [miss]))
    }
  }

  @Test func aNullWhereTheOtherSelectionExpectsAValueIsAMiss() async throws {
    let outcome = try await outcome(
      reading: "Query {thing Thing {__typename String! i Int!}}",
      after: "Query {thing Thing {__typename String! i Int}}",
      ["thing": ["__typename": "Plain", "i": nil]])
    #expect(outcome.data == nil)
    #expect(outcome.misses.map(\.code) == [.unexpectedNull])
  }

  @Test func aListWithANullIsAMissWhereItsElementsMayNotBeNull() async throws {
    let things: [JSONValue] = [["__typename": "Plain", "i": 1], nil]
    for (count, codes) in [(1, []), (2, [CacheMiss.Code.unexpectedNull])] {
      let outcome = try await outcome(
        reading: "Query {things [Thing {__typename String! i Int}!]}",
        after: "Query {things [Thing {__typename String! i Int}]}",
        ["things": .array(Array(things.prefix(count)))])
      #expect(outcome.misses.map(\.code) == codes)
    }
  }

  @Test func anotherEnumeratedTypeOrALeafOfAnotherTypeIsConverted() async throws {
    func answer(_ number: JSONValue) -> JSONValue {
      ["thing": ["__typename": "Plain", "a": "NOVEL", "i": number, "d": 4.0]]
    }
    let outcome = try await outcome(
      reading: "Query {thing Thing {__typename String! a String i Float d #0}}",
      after: "Query {thing Thing {__typename String! a #1 i Int d Float}}", answer(3))
    #expect(outcome == Outcome(data: answer(3.0), misses: []))
  }

  @Test func whatIsNoObjectIsAMismatchForASelectionOfObjects() async throws {
    let outcome = try await outcome(
      reading: "Query {thing Thing {__typename String! part Thing {__typename String!}}}",
      after: "Query {thing Thing {__typename String! part Int}}",
      ["thing": ["__typename": "Plain", "part": 3]])
    #expect(outcome.misses.map(\.code) == [.mismatch])
  }

  private enum AllHaveKeys: SchemaConfiguration {
    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
      object["id"].flatMap { try? CacheKeyInfo(jsonValue: $0) }
    }
  }

  @Test(arguments: [true, false])
  func typesThatOnlyTheReadingSchemaKnowsAreToldApart(haveKeys: Bool) async throws {
    let configuration: any SchemaConfiguration.Type =
      haveKeys ? AllHaveKeys.self : KeyFieldsDecide.self
    let store = ApolloStore()
    let things: [JSONValue] = ["Keyed", "Plain", "Keyed"].enumerated().map {
      ["__typename": .string($1), "id": .string("\($0)"), "i": .int(Int64($0)), "s": "x"]
    }
    let older = definition(
      "Query {things [Thing {__typename String! id ID! i Int s String}]}",
      types: SchemaTypes(
        objects: [Object(typename: "Query")],
        interfaces: [Interface(name: "Thing", implementingObjects: [])]),
      configuration: configuration)
    let body = Data(JSONValue.object(["data": ["things": .array(things)]]).description.utf8)
    _ = try await older.use { try await store.publish(body: body, of: $0.init()) }
    let newer = definition(
      """
      Query {things [Thing {__typename String! ...Keyed {+__typename i Int} \
      ...Plain {+__typename s String}}]}
      """, configuration: configuration)
    let outcome = try await newer.use { try await read($0.init(), from: store) }
    let expected: JSONValue = [
      "things": [
        ["__typename": "Keyed", "i": 0], ["__typename": "Plain", "s": "x"],
        ["__typename": "Keyed", "i": 2],
      ]
    ]
    #expect(outcome == Outcome(data: expected, misses: []))
  }
}
