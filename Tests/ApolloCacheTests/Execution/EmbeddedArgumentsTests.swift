import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import Testing

/// `{ place { items(first: $first) { x } } }`, where neither a place nor an item has a key.
private enum PlaceItems: LibraryDefinition {
  static let selections = Selections(
    #"""
    Query {place Place {__typename String! items(first:$first) [Item {__typename String! x Int}]}}
    """#)
}

/// `{ node(id: "1") { ...Details @defer } }`
private enum DeferredName: LibraryDefinition {
  static let selections = Selections(
    #"Query {node(id:"1") Author {__typename String! id ID! ...Author {name String} @defer}}"#)
}

/// `{ node(id: "1") { name } }`
private enum FirstAuthorName: LibraryDefinition {
  static let selections = Selections(
    #"Query {node(id:"1") Author {__typename String! id ID! name String}}"#)
}

/// `{ place { x ...Name @defer } }`, where a place has no key.
private enum DeferredPlaceName: LibraryDefinition {
  static let selections = Selections(
    #"Query {place Place {__typename String! x Int ...Place {name String} @defer}}"#)
}

/// `{ place { x name } }`
private enum PlaceName: LibraryDefinition {
  static let selections = Selections("Query {place Place {__typename String! x Int name String}}")
}

/// `{ node(id: "1") { friends { id } } }`
private enum Friends: LibraryDefinition {
  static let selections = Selections(
    #"Query {node(id:"1") Author {\#(author) friends [Author {\#(author)}]}}"#)
  static let author = "__typename String! id ID!"
}

/// The same, four deep.
private enum FriendsOfFriends: LibraryDefinition {
  static let selections = Selections(
    "Query {node(id:\"1\") Author {\(friends(depth: 4))}}")
  private static func friends(depth: Int) -> String {
    guard depth > 0 else { return Friends.author }
    return "\(Friends.author) friends [Author {\(friends(depth: depth - 1))}]"
  }
}

/// Objects that are kept as they were decoded hold other objects: what these are called by their
/// arguments, and what is not there yet.
@Suite(.timeLimit(.minutes(10)))
struct EmbeddedArgumentsTests {
  private func withStores(_ body: (String, ApolloStore) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("apollo-embedded-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up what is left
    func disk(_ name: String) throws -> SQLiteNormalizedCache {
      try SQLiteNormalizedCache(fileURL: folder.appendingPathComponent(name))
    }
    try await body("memory", ApolloStore())
    try await body("a user's own", ApolloStore(cache: DictionaryCache([:])))
    try await body("SQLite", ApolloStore(cache: try disk("a")))
    try await body("chain", ApolloStore(cache: ChainedNormalizedCache(try disk("b"))))
  }

  private func items(_ count: Int) -> Data {
    let items = (0..<count).map { #"{"__typename":"Item","x":\#(count * 10 + $0)}"# }
    return Data(
      #"{"data":{"place":{"__typename":"Place","items":[\#(items.joined(separator: ","))]}}}"#.utf8)
  }

  @Test func argumentsDistinguishTheFieldsOfAnEmbeddedObject() async throws {
    try await withStores { name, store in
      var answers: [Int: LibraryQuery<PlaceItems>.Data] = [:]
      for count in [1, 2, 3] {
        let query = LibraryQuery<PlaceItems>(["first": count])
        answers[count] = try await store.publish(body: items(count), of: query).data
      }
      for count in [1, 2, 3, 1] {
        let reading = try await store.load(LibraryQuery<PlaceItems>(["first": count]))
        #expect(reading.data == answers[count], "\(name), \(count)")
      }
      let reading = try await store.load(LibraryQuery<PlaceItems>(["first": 4]))
      #expect(reading.misses.map(\.code) == [.noField], "\(name)")
    }
  }

  @Test func aDeferredPartThatHasNotArrivedRemovesNoFields() async throws {
    try await withStores { name, store in
      let query = LibraryQuery<FirstAuthorName>()
      func body(_ rest: String) -> Data {
        Data(#"{"data":{"node":{"__typename":"Author","id":"1"\#(rest)}}}"#.utf8)
      }
      let data = try await store.publish(body: body(#","name":"N""#), of: query).data
      try await store.publish(body: body(""), of: LibraryQuery<DeferredName>())
      #expect(try await store.load(query).data == data, "\(name)")
    }
  }

  @Test func aDeferredPartThatHasNotArrivedIsAMiss() async throws {
    try await withStores { name, store in
      let query = LibraryQuery<DeferredName>()
      let body = Data(#"{"data":{"node":{"__typename":"Author","id":"1"}}}"#.utf8)
      try await store.publish(body: body, of: query)
      #expect(try await store.load(query).misses.map(\.code) == [.noField], "\(name)")
    }
  }

  private func place(_ rest: String) -> Data {
    Data(#"{"data":{"place":{"__typename":"Place","x":1\#(rest)}}}"#.utf8)
  }

  @Test func aDeferredPartOfAnEmbeddedObjectRemovesNoFields() async throws {
    try await withStores { name, store in
      let query = LibraryQuery<PlaceName>()
      let data = try await store.publish(body: place(#","name":"N""#), of: query).data
      for rest in [#","name":"N""#, ""] {
        try await store.publish(body: place(rest), of: LibraryQuery<DeferredPlaceName>())
        #expect(try await store.load(query).data == data, "\(name)")
      }
    }
  }

  @Test func aDeferredPartOfAnEmbeddedObjectIsAMissUntilItArrives() async throws {
    try await withStores { name, store in
      let query = LibraryQuery<DeferredPlaceName>()
      try await store.publish(body: place(""), of: query)
      #expect(try await store.load(query).misses.map(\.code) == [.noField], "\(name)")
      try await store.publish(body: place(#","name":"N""#), of: query)
      #expect(try await store.load(query).misses == [], "\(name)")
    }
  }

  /// Twenty friends who are the author himself, four deep: 168,421 ways to one record.
  @Test func aRecordThatManyPathsLeadToIsReadOnce() async throws {
    try await withStores { name, store in
      let friends = Array(repeating: #"{"__typename":"Author","id":"1"}"#, count: 20)
      let body = Data(
        #"""
        {"data":{"node":{"__typename":"Author","id":"1","friends":[\#(friends.joined(separator: ","))]}}}
        """#.utf8)
      try await store.publish(body: body, of: LibraryQuery<Friends>())
      let reading = try await store.load(LibraryQuery<FriendsOfFriends>())
      #expect(reading.data != nil && reading.misses == [], "\(name)")
      #expect(reading.trace.dependencies.entries.count < 100_000, "\(name)")
    }
  }
}
