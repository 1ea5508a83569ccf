import ApolloAPI
import ApolloCache
import TestOperations
import Testing

/// Local changes of fields that a model has under several aliases.
struct AliasesInLocalMutationsTests {
  // fragment EditableNames on Hero {
  //   __typename id name title: name films { title } otherFilms: films { title }
  // }
  private struct EditableNames: HeroAPI.MutableSelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    static let __selections = Selections(
      "Hero {__typename String! id ID! name String! title:name String! "
        + "films [Film {title String!}!]! otherFilms:films [Film {title String!}!]!}")
    static let __layout = __selections[0]
    var __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }

    var name: String {
      get { __object[2, Self.__layout] }
      set { __object[2, Self.__layout] = newValue }
    }
    var title: String {
      get { __object[3, Self.__layout] }
      set { __object[3, Self.__layout] = newValue }
    }
    var films: [Film] {
      get { __object[4, Self.__layout] }
      set { __object[4, Self.__layout] = newValue }
    }
    var otherFilms: [OtherFilm] {
      get { __object[5, Self.__layout] }
      set { __object[5, Self.__layout] = newValue }
    }

    struct Film: HeroAPI.MutableSelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      static let __layout = EditableNames.__selections[1]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
    }

    struct OtherFilm: HeroAPI.MutableSelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      static let __layout = EditableNames.__selections[2]
      var __object: ResponseObject
      init(__object: ResponseObject) { self.__object = __object }
    }
  }

  private let cache = InMemoryNormalizedCache()

  /// Publishes a hero with two films, lets `body` change it, and returns its record.
  private func change(
    _ body: @escaping @Sendable (inout EditableNames) -> Void
  ) async throws -> FieldMap? {
    let store = ApolloStore(cache: cache)
    try await store.publish([
      "Hero:1": [
        "__typename": "Hero", "id": "1", "name": "Luke",
        "films": [["title": "A", "year": 1], ["title": "B", "year": 2]],
      ]
    ])
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: EditableNames.self, withKey: "Hero:1", body)
    }
    return cache.loadRecords(forKeys: ["Hero:1"])["Hero:1"]?.fields
  }

  private static let changed: FieldMap = [
    "__typename": "Hero", "id": "1", "name": "Wormie", "films": [["title": "B", "year": 2]],
  ]

  @Test func theLaterAliasDoesNotUndoAChangeOfTheEarlierOne() async throws {
    let fields = try await change { hero in
      hero.name = "Wormie"
      hero.films.removeFirst()
    }
    #expect(fields == Self.changed)
  }

  @Test func theEarlierAliasDoesNotUndoAChangeOfTheLaterOne() async throws {
    let fields = try await change { hero in
      hero.title = "Wormie"
      hero.otherFilms.removeFirst()
    }
    #expect(fields == Self.changed)
  }

  @Test func bothAliasesMayHaveTheSameChange() async throws {
    let fields = try await change { hero in
      hero.name = "Wormie"
      hero.title = "Wormie"
      hero.films.removeFirst()
      hero.otherFilms.removeFirst()
    }
    #expect(fields == Self.changed)
  }
}
