import ApolloAPI
import ApolloCache
import Foundation
import Testing

/// A transaction writes the fields of a model that the selections have with the given variables,
/// regardless of the selections that the model was made for.
@Suite struct WritingModelsTests {
  private let cache = InMemoryNormalizedCache()
  private let store: ApolloStore

  init() { store = ApolloStore(cache: cache) }

  /// `query($id: ID!, $language: String, $withTitle: Boolean!)
  /// { book(id: $id) { id title(language: $language) @include(if: $withTitle) rating } }`
  private enum ConditionalBook: LibraryDefinition {
    static let selections = Selections(
      #"Query {book(id:$id) Book {__typename String! id ID! title(language:$language) String @include(if:$withTitle) rating Float}}"#
    )
  }

  /// `fragment on Book { rating author { name } }`
  private struct Rating: RootSelectionSet, RootModelValue {
    typealias Schema = LibraryAPI.SchemaMetadata
    static let selections = Selections(
      #"Book {__typename String! rating Float author Author {__typename String! name String!}}"#)
    static var __layout: SelectionLayout { selections[0] }
    private let __storage: ResponseObject
  }

  private static func variables(_ id: String, _ language: String, _ withTitle: Bool) -> Variables {
    ["id": id, "language": language, "withTitle": withTitle]
  }

  private func data(_ withTitle: Bool) throws -> LibraryQuery<ConditionalBook>.Data {
    let title = withTitle ? #""title":"Le Petit Prince","# : ""
    return try LibraryQuery<ConditionalBook>.Data(
      jsonBytes: Array(#"{"book":{"__typename":"Book","id":"7",\#(title)"rating":4.5}}"#.utf8),
      variables: Self.variables("7", "fr", withTitle))
  }

  private func write(
    _ data: LibraryQuery<ConditionalBook>.Data, for variables: Variables
  ) async throws {
    try await store.withinReadWriteTransaction {
      try $0.write(data: data, for: LibraryQuery<ConditionalBook>(variables))
    }
  }

  private func record(_ key: RecordKey) -> FieldMap? {
    cache.loadRecords(forKeys: [key])[key]?.fields
  }

  @Test func argumentsAreThoseOfTheOperationThatIsWritten() async throws {
    try await write(try data(true), for: Self.variables("8", "en", true))
    #expect(record("QUERY_ROOT") == [#"book(id:"8")"#: .reference("B:7")])
    #expect(
      record("B:7") == [
        "__typename": "Book", "id": "7", #"title(language:"en")"#: "Le Petit Prince", "rating": 4.5,
      ])
  }

  @Test func fieldsThatTheVariablesExcludeAreNotWritten() async throws {
    try await write(try data(true), for: Self.variables("7", "fr", false))
    #expect(record("B:7") == ["__typename": "Book", "id": "7", "rating": 4.5])
  }

  @Test func fieldsThatTheModelDoesNotHaveAreNotWritten() async throws {
    try await write(try data(false), for: Self.variables("7", "fr", true))
    #expect(record("QUERY_ROOT") == [#"book(id:"7")"#: .reference("B:7")])
    #expect(record("B:7") == ["__typename": "Book", "id": "7", "rating": 4.5])
    let reading = try await store.load(
      LibraryQuery<ConditionalBook>(Self.variables("7", "fr", true)))
    #expect(reading.misses.map(\.path) == [["book", "title"]])
  }

  @Test func aFragmentWritesItsOwnFieldsOfALargerObject() async throws {
    let query = LibraryQuery<WholeBook>(["id": "7", "language": "fr"])
    let body = #"""
      {"book":{"__typename":"Book","id":"7","title":"Le Petit Prince","english":"The Little Prince","tags":[],
      "author":{"__typename":"Author","id":"3","name":"Antoine","best":null},"editions":null,"meta":null,"genre":null,
      "rating":4.5}}
      """#
    let data = try LibraryQuery<WholeBook>.Data(
      jsonBytes: Array(body.utf8), variables: query.__variables)
    guard case .object(let book) = data.__object.contents(ofField: 0) else {
      Issue.record("There is a book.")
      return
    }
    try await store.withinReadWriteTransaction {
      try $0.write(selectionSet: Rating(__object: book), withKey: "Draft")
    }
    #expect(cache.count == 2)
    #expect(
      record("Draft") == ["__typename": "Book", "rating": 4.5, "author": .reference("Author:3")])
    #expect(
      record("Author:3") == ["__typename": "Author", "name": "Antoine"],
      "The object has an id, so it is found; but the fragment does not select it.")
    let back = try await store.withinReadTransaction {
      try $0.readObject(ofType: Rating.self, withKey: "Draft")
    }
    #expect(
      try back
        == Rating(
          jsonValue: [
            "__typename": "Book", "rating": 4.5,
            "author": ["__typename": "Author", "name": "Antoine"],
          ]))
  }
}
