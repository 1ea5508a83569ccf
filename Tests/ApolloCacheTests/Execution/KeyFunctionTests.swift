import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import Testing

/// The mistakes of a program's functions that give objects their keys. None leads to a crash or to
/// the data of another object; at worst there is a miss.
@Suite(.timeLimit(.minutes(10)))
struct KeyFunctionTests {
  /// The result of a function: for every object, or for things only.
  enum KeyChoice: CaseIterable, Sendable {
    case `nil`, empty, sameForAll, sameForAType, failing, differentEachTime
  }

  /// The function that decides.
  enum Function: CaseIterable, Sendable {
    case configuration, closure
  }

  /// The cache that keeps the records.
  enum Cache: CaseIterable, Sendable {
    case memory, disk

    func make(in folder: URL) throws -> any NormalizedCache {
      switch self {
      case .memory: InMemoryNormalizedCache()
      case .disk: try SQLiteNormalizedCache(fileURL: folder.appendingPathComponent("keys.sqlite"))
      }
    }
  }

  // MARK: - Functions

  private static let asked = Lock(0)

  private static func info(_ choice: KeyChoice, _ object: ObjectData) -> CacheKeyInfo? {
    switch choice {
    case .nil: nil
    case .empty: CacheKeyInfo(id: "")
    case .sameForAll: CacheKeyInfo(id: "same", uniqueKeyGroup: "All")
    case .sameForAType: CacheKeyInfo(id: "same")
    // There is no such field, and a tag is no key.
    case .failing:
      (try? CacheKeyInfo(jsonValue: object["missing"]))
        ?? (try? CacheKeyInfo(jsonValue: .array([]), uniqueKeyGroup: "Tags"))
    case .differentEachTime:
      CacheKeyInfo(
        id: String(
          asked.withLock {
            $0 += 1
            return $0
          }))
    }
  }

  private enum Configured {
    /// The result of the configuration in the running test.
    @TaskLocal static var choice = KeyChoice.nil

    enum Configuration: SchemaConfiguration {
      static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
        // Never called for roots, whose keys are fixed.
        KeyFunctionTests.info(Configured.choice, object)
      }
    }
  }

  private static func closure(_ choice: KeyChoice) -> CacheKeyForObject {
    { object in
      guard let info = info(choice, object) else { return nil }
      guard !info.id.isEmpty else { return "" }
      let group = info.uniqueKeyGroup ?? object["__typename"]?.stringValue ?? ""
      return "\(group):\(info.id)"
    }
  }

  // MARK: - What is asked for

  private static let definition = DynamicDefinition(
    Selections(
      """
      Query {things [Thing {__typename String! id ID! title String \
      maker Maker {__typename String! id ID! name String}}]}
      """),
    types: SchemaTypes(objects: [
      Object(typename: "Query"), Object(typename: "Thing", keyFields: ["id"]),
      Object(typename: "Maker", keyFields: ["id"]),
    ]),
    configuration: Configured.Configuration.self)

  private static func thing(_ id: String, _ title: String, maker: String) -> JSONValue {
    [
      "__typename": "Thing", "id": .string(id), "title": .string(title),
      "maker": ["__typename": "Maker", "id": .string(maker), "name": .string("name of \(maker)")],
    ]
  }

  private static let things: [JSONValue] = [
    thing("1", "one", maker: "1"), thing("2", "two", maker: "2"), thing("3", "three", maker: "1"),
  ]

  private static func body(_ things: [JSONValue]) -> Data {
    Data(JSONValue.object(["data": ["things": .array(things)]]).description.utf8)
  }

  private func withStore(
    _ cache: Cache, _ function: Function, _ choice: KeyChoice,
    _ body: (ApolloStore, DynamicQuery.Type) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("keys-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // a test's own folder
    var configuration = ApolloStore.Configuration()
    if function == .closure { configuration.cacheKeyForObject = Self.closure(choice) }
    let store = ApolloStore(cache: try cache.make(in: folder), configuration: configuration)
    try await Configured.$choice.withValue(function == .configuration ? choice : .nil) {
      try await Self.definition.use { try await body(store, $0) }
    }
  }

  // MARK: - Tests

  @Test(arguments: Function.allCases, KeyChoice.allCases)
  func keyFunctionsDoNotChangeDecodedData(function: Function, choice: KeyChoice) async throws {
    for cache in Cache.allCases {
      try await withStore(cache, function, choice) { store, query in
        for _ in 1...2 {
          let response = try await store.publish(body: Self.body(Self.things), of: query.init())
          let isOneForSeveral = choice == .sameForAll || choice == .sameForAType
          guard !isOneForSeveral else { continue }
          #expect(response.data?.jsonValue["things"] == .array(Self.things))
        }
      }
    }
  }

  /// An object without a key is kept in its parent, and two of them do not meet.
  @Test(arguments: Function.allCases, [KeyChoice.nil, .empty, .failing, .differentEachTime])
  func keyFunctionsDoNotChangeDataThatIsReadBack(function: Function, choice: KeyChoice) async throws
  {
    for cache in Cache.allCases {
      try await withStore(cache, function, choice) { store, query in
        for things in [Self.things, Self.things.reversed(), [Self.thing("2", "deux", maker: "3")]] {
          try await store.publish(body: Self.body(things), of: query.init())
          let reading = try await store.load(query.init())
          #expect(reading.misses == [])
          #expect(reading.data?.jsonValue["things"] == .array(things), "\(cache)")
        }
      }
    }
  }

  @Test(
    arguments: [
      (.configuration, .nil, "Thing:1"), (.configuration, .failing, "Thing:1"),
      (.configuration, .empty, nil),
      (.closure, .nil, "Thing:1"), (.closure, .failing, "Thing:1"), (.closure, .empty, "Thing:1"),
      (.configuration, .sameForAType, "Thing:same"), (.closure, .sameForAll, "All:same"),
    ] as [(Function, KeyChoice, String?)])
  func aFunctionThatReturnsNilLeavesTheKeyToTheNext(
    function: Function, choice: KeyChoice, key: String?
  ) async throws {
    for cache in Cache.allCases {
      try await withStore(cache, function, choice) { store, query in
        try await store.publish(body: Self.body([Self.things[0]]), of: query.init())
        let (record, root) = try await store.withinReadTransaction { transaction in
          (
            try key.flatMap { try transaction.record(for: RecordKey($0)) },
            try transaction.record(for: .queryRoot)
          )
        }
        #expect((record != nil) == (key != nil))
        guard case .list(let elements)? = root?["things"], let first = elements.first else {
          Issue.record("No things in \(String(describing: root))")
          return
        }
        if let key {
          #expect(first == .reference(RecordKey(key)))
        } else {
          #expect(first["title"] == "one")
        }
      }
    }
  }

  /// Things that share a record are one thing, with the last values. The makers keep their own
  /// records.
  @Test(arguments: Function.allCases, Cache.allCases)
  func objectsWithOneKeyAreOneObject(function: Function, cache: Cache) async throws {
    try await withStore(cache, function, .sameForAType) { store, query in
      try await store.publish(body: Self.body(Self.things), of: query.init())
      let reading = try await store.load(query.init())
      #expect(reading.misses == [])
      #expect(
        reading.data?.jsonValue["things"] == .array(Array(repeating: Self.things[2], count: 3)))
    }
  }

  /// A record cannot be a thing and a maker at once: a value that does not fit is a miss.
  @Test(arguments: Function.allCases, Cache.allCases)
  func objectsOfTwoTypesWithOneKeyAreMisses(function: Function, cache: Cache) async throws {
    try await withStore(cache, function, .sameForAll) { store, query in
      for things in [Self.things, [Self.things[1]], Self.things] {
        try await store.publish(body: Self.body(things), of: query.init())
        let reading = try await store.load(query.init())
        #expect(reading.data != nil || !reading.misses.isEmpty)
        let record = try await store.withinReadTransaction { try $0.record(for: "All:same") }
        #expect(record?["__typename"] == "Thing", "the last one that was complete")
      }
      // Other records are not touched, and the store goes on.
      try await store.publish(["Thing:9": ["id": "9"]])
      try await store.removeObject(for: "All:same")
      #expect(try await store.load(query.init()).misses.allSatisfy { $0.code == .noRecord })
      #expect(try await store.withinReadTransaction { try $0.record(for: "Thing:9") } != nil)
    }
  }

  /// A function is called while a response is decoded, before its writer is admitted.
  @Test(arguments: Cache.allCases)
  func aSlowKeyFunctionDelaysNoOtherCall(cache: Cache) async throws {
    let gate = DispatchSemaphore(value: 0)
    let (begun, continuation) = AsyncStream<Void>.makeStream()
    try await withStore(cache, .configuration, .nil) { store, query in
      store.cacheKeyForObject = { object in
        guard object["title"] == "slow" else { return nil }
        continuation.yield()
        gate.wait()
        return nil
      }
      let (decoded, decoding) = AsyncThrowingStream<NormalizedResponse, any Error>.makeStream()
      let slow = Self.body([Self.thing("1", "slow", maker: "1")])
      let definition = Self.definition
      // A thread of its own: those of tasks are few.
      Thread.detachNewThread {
        do {
          try definition.use { query in
            let normalizer = store.normalizer(for: query.init())
            _ = try ResponseDecoder().decode(slow, as: query.init(), observer: normalizer)
            decoding.yield(normalizer.finish())
          }
          decoding.finish()
        } catch {
          decoding.finish(throwing: error)
        }
      }
      for await _ in begun { break }
      // While it waits, others write and read.
      try await store.publish(body: Self.body([Self.things[1]]), of: query.init())
      try await store.publish(["Thing:1": ["title": "newer", "price": 3]])
      #expect(
        try await store.load(query.init()).data?.jsonValue["things"] == .array([Self.things[1]]))
      gate.signal()
      for try await response in decoded { try await store.publish(response) }
      let record = try await store.withinReadTransaction { try $0.record(for: "Thing:1") }
      #expect(record?["title"] == "slow")
      #expect(record?["price"] == 3)
      #expect(
        try await store.withinReadTransaction { try $0.record(for: "Thing:2") }?["title"] == "two")
    }
  }
}

extension CacheValue {
  fileprivate subscript(field: FieldKey) -> CacheValue? {
    if case .object(let fields) = self { fields[field] } else { nil }
  }
}
