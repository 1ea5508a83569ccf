import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import Testing

/// Caches keep custom scalars as the server sent them, whatever their Swift types write.
struct ScalarFormTests {
  enum Kind: CaseIterable {
    case memory, file, chain
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(named: "apollo-scalars") }

  private func cache(_ kind: Kind) throws -> any NormalizedCache {
    switch kind {
    case .memory: InMemoryNormalizedCache()
    case .file: try SQLiteNormalizedCache(fileURL: folder.file)
    case .chain: ChainedNormalizedCache(try SQLiteNormalizedCache(fileURL: folder.file))
    }
  }

  /// The fields of ``body(due:)``'s objects as the server sends them.
  private static let part: FieldMap = ["at": 7, "price": "0.500"]
  private static func item(due: CacheValue = "2026-03-01T12:00:00.1230000+02:00") -> FieldMap {
    [
      "__typename": "Item", "id": "1", "at": 1_740_800_000_123, "due": due, "price": "1.100",
      "amount": 1.5, "big": .json(.decimal("123456789012345678901234567890")),
      "code": "A0B1C2D3-0000-4000-8000-00000000000F", "text": 12,
      "ratio": .json(.decimal("0.12345678901234567890123")), "all": [1, .null, 3],
      "days": ["2026-03-01T12:00:00Z", "2026-03-01T12:00:00+01:00"],
      "part": .object(part), "parts": [.object(part), .null], "title": "A",
    ]
  }

  private static func body(due: String = "2026-03-01T12:00:00.1230000+02:00") -> Data {
    let part = #"{"at":7,"price":"0.500"}"#
    return Data(
      #"""
      {"data":{"item":{"__typename":"Item","id":"1","at":1740800000123,"due":"\#(due)","price":"1.100",
      "amount":1.5,"big":123456789012345678901234567890,"code":"A0B1C2D3-0000-4000-8000-00000000000F",
      "text":12,"ratio":0.12345678901234567890123,"all":[1,null,3],
      "days":["2026-03-01T12:00:00Z","2026-03-01T12:00:00+01:00"],"part":\#(part),"parts":[\#(part),null],
      "title":"A"}}}
      """#.utf8)
  }

  private func record(_ cache: any NormalizedCache) async throws -> FieldMap? {
    try await ApolloStore(cache: cache).withinReadTransaction {
      try $0.record(for: "Item:1")?.fields
    }
  }

  @Test(arguments: Kind.allCases)
  func everyFormIsKeptAndReadBack(kind: Kind) async throws {
    let cache = try cache(kind)
    let response = try await ApolloStore(cache: cache).publish(body: Self.body(), of: WholeItem())
    #expect(try await record(cache) == Self.item())
    for store in [ApolloStore(cache: cache), ApolloStore(cache: cache)] {
      let reading = try await store.load(WholeItem())
      #expect(reading.misses == [])
      #expect(reading.data == response.data)
      let part = try await store.load(SomeFields())
      #expect(part.misses == [])
      #expect(part.data?.item?["at"] as? Stamp == Stamp(milliseconds: 1_740_800_000_123))
    }
  }

  /// An object of one selection becomes the object of another, which is written back.
  @Test(arguments: Kind.allCases)
  func aLocalChangeKeepsTheFormsOfOtherFields(kind: Kind) async throws {
    let cache = try cache(kind)
    let store = ApolloStore(cache: cache)
    try await store.publish(body: Self.body(), of: WholeItem())
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(EditItem()) { $0.item?.title = "B" }
    }
    var expected = Self.item()
    expected["title"] = "B"
    #expect(try await record(cache) == expected)
    #expect(try await store.load(WholeItem()).misses == [])
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(EditItem()) { $0.item?.at = Stamp(milliseconds: 5) }
    }
    expected["at"] = "5 ms"  // there is no other form
    #expect(try await record(cache) == expected)
    #expect(try await store.load(WholeItem()).data?.item?["at"] as? Stamp == Stamp(milliseconds: 5))
  }

  @Test(arguments: Kind.allCases)
  func anEqualValueInAnotherFormReplacesTheOldOne(kind: Kind) async throws {
    let cache = try cache(kind)
    let store = ApolloStore(cache: cache)
    try await store.publish(body: Self.body(due: "2026-03-01T12:00:00Z"), of: WholeItem())
    for due in ["2026-03-01T14:00:00+02:00", "2026-03-01T12:00:00.000Z", "2026-03-01T12:00:00Z"] {
      try await store.publish(body: Self.body(due: due), of: WholeItem())
      #expect(try await record(cache) == Self.item(due: .string(due)))
    }
  }

  /// Another version of a program may use another type.
  @Test(arguments: Kind.allCases)
  func anotherTypeReadsWhatTheServerSent(kind: Kind) async throws {
    let cache = try cache(kind)
    try await ApolloStore(cache: cache).publish(body: Self.body(), of: WholeItem())
    let item = try await ApolloStore(cache: cache).load(RawItem()).data?.item
    #expect(item?["at"] as? JSONValue == 1_740_800_000_123)
    #expect(item?["due"] as? JSONValue == "2026-03-01T12:00:00.1230000+02:00")
    #expect(item?["ratio"] as? JSONValue == .decimal("0.12345678901234567890123"))
    #expect(item?["text"] as? JSONValue == 12)
    #expect(item?["all"] as? JSONValue == [1, nil, 3])
  }

  /// Another selection has cached some of the fields that a local change reads.
  @Test(arguments: Kind.allCases)
  func aLocalChangeReadsMissingFieldsAsNil(kind: Kind) async throws {
    let cache = try cache(kind)
    let store = ApolloStore(cache: cache)
    let body =
      #"{"data":{"item":{"__typename":"Item","id":"1","at":5,"all":[],"part":{"price":"0.500"}}}}"#
    try await store.publish(body: Data(body.utf8), of: SomeFields())
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(EditItem()) { data in
        #expect(data.item?.at == Stamp(milliseconds: 5) && data.item?.title == nil)
        data.item?.title = "B"
      }
    }
    #expect(
      try await record(cache) == [
        "__typename": "Item", "id": "1", "at": 5, "all": [], "part": ["price": "0.500"],
        "title": "B",
      ])
  }

  /// Equal values in Swift are one record, in whichever form they come.
  @Test func keysAreMadeOfTheWrittenForm() async throws {
    let cache = InMemoryNormalizedCache()
    let store = ApolloStore(cache: cache)
    for code in ["A0B1C2D3-0000-4000-8000-00000000000F", "a0b1c2d3-0000-4000-8000-00000000000f"] {
      let body = #"{"data":{"coded":{"__typename":"Coded","code":"\#(code)"}}}"#
      try await store.publish(body: Data(body.utf8), of: CodedQuery())
      let key = RecordKey("Coded:a0b1c2d3-0000-4000-8000-00000000000f")
      #expect(cache.loadRecords(forKeys: [key])[key]?["code"] == .string(code))
    }
  }
}

// MARK: - The schema

/// The server sends milliseconds; a program writes another form.
private struct Stamp: CustomScalarType {
  var milliseconds: Int

  init(milliseconds: Int) { self.milliseconds = milliseconds }

  init(_jsonValue value: JSONValue) throws {
    let text = value.stringValue.map { $0.replacingOccurrences(of: " ms", with: "") }
    guard let milliseconds = value.intValue ?? text.flatMap({ Int($0) }) else {
      throw ScalarError(expected: "milliseconds", found: value)
    }
    self.milliseconds = milliseconds
  }

  var _jsonValue: JSONValue { .string("\(milliseconds) ms") }
}

private enum ItemAPI: SchemaMetadata {
  static let types = SchemaTypes(objects: [
    Object(typename: "Query"), Object(typename: "Item", keyFields: ["id"]),
    Object(typename: "Part"), Object(typename: "Coded", keyFields: ["code"]),
  ])
  static let configuration: any SchemaConfiguration.Type = Configuration.self

  enum Configuration: SchemaConfiguration {
    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
  }
}

/// A query of a literal.
private protocol ItemQuery: GraphQLQuery, ItemSelections {}

private protocol ItemSelections: Sendable {
  static var __selections: Selections { get }
}

extension ItemQuery {
  static var operationName: String { "Item" }
  static var operationDocument: OperationDocument {
    .init(definition: .init("query Item { item { id } }"))
  }
}

private struct ItemData<Query: ItemSelections>: RootSelectionSet, RootModelValue {
  typealias Schema = ItemAPI
  private let __storage: GeneratedCode.ResponseObject
  static var __layout: SelectionLayout { Query.__selections[0] }

  var item: ItemView<Query>? { __object[0, Self.__layout] }
}

private struct ItemView<Query: ItemSelections>: RootSelectionSet, RootModelValue {
  typealias Schema = ItemAPI
  private let __storage: GeneratedCode.ResponseObject
  static var __layout: SelectionLayout { Query.__selections[1] }

  /// The value of a field as its type.
  subscript(key: String) -> Any? {
    switch key {
    case "at" where Query.self != RawItem.self: __object[2, Self.__layout] as Stamp?
    case "at": __object[2, Self.__layout] as JSONValue?
    case "due": __object[3, Self.__layout] as JSONValue?
    case "ratio": __object[4, Self.__layout] as JSONValue?
    case "text": __object[5, Self.__layout] as JSONValue?
    case "all": __object[6, Self.__layout] as JSONValue?
    default: nil
    }
  }
}

private struct WholeItem: ItemQuery {
  typealias Data = ItemData<Self>
  static let __selections = Selections(
    """
    Query {item Item {__typename String! id ID! at #0 due #1 price #2 amount #2 big #2 code #3 text #4 ratio Float \
    all [#0] days [#1!] part Part {at #0 price #2} parts [Part {at #0 price #2}] title String}}
    """,
    leaves: [Stamp.self, Date.self, Decimal.self, UUID.self, String.self])
}

private struct SomeFields: ItemQuery {
  typealias Data = ItemData<Self>
  static let __selections = Selections(
    "Query {item Item {__typename String! id ID! at #0 all [#0] part Part {price #1}}}",
    leaves: [Stamp.self, Decimal.self])
}

private struct RawItem: ItemQuery {
  typealias Data = ItemData<Self>
  static let __selections = Selections(
    "Query {item Item {__typename String! id ID! at #0 due #0 ratio #0 text #0 all #0}}",
    leaves: [JSONValue.self])
}

private struct CodedQuery: ItemQuery {
  typealias Data = ItemData<Self>
  static let __selections = Selections(
    "Query {coded Coded {__typename String! code #0}}", leaves: [UUID.self])
}

private struct EditItem: LocalCacheMutation {
  static let operationType = GraphQLOperationType.query
  static let __selections = Selections(
    """
    Query {item Item {__typename String! id ID! at #0 due #1 price #2 text #3 ratio Float all [#0] \
    part Part {at #0 price #2} title String}}
    """,
    leaves: [Stamp.self, Date.self, Decimal.self, String.self])

  struct Data: MutableRootSelectionSet, RootModelValue {
    typealias Schema = ItemAPI
    var __object: GeneratedCode.ResponseObject
    init(__object: GeneratedCode.ResponseObject) { self.__object = __object }
    static var __layout: SelectionLayout { EditItem.__selections[0] }

    var item: Item? {
      get { __object[0, Self.__layout] }
      set { __object[0, Self.__layout] = newValue }
    }
  }

  struct Item: MutableRootSelectionSet, RootModelValue {
    typealias Schema = ItemAPI
    var __object: GeneratedCode.ResponseObject
    init(__object: GeneratedCode.ResponseObject) { self.__object = __object }
    static var __layout: SelectionLayout { EditItem.__selections[1] }

    var at: Stamp? {
      get { __object[2, Self.__layout] }
      set { __object[2, Self.__layout] = newValue }
    }
    var title: String? {
      get { __object[9, Self.__layout] }
      set { __object[9, Self.__layout] = newValue }
    }
  }
}
