import ApolloAPI
import ApolloCache
import Foundation
import Testing

@testable import ApolloRedis

/// Redis keeps custom scalars as the server sent them, whatever their Swift types write. So another
/// process reads them as other types.
@Suite(.enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(10)))
struct ScalarFormTests {
  private static let item: FieldMap = [
    "__typename": "Item", "id": "1", "at": 1_740_800_000_123,
    "due": "2026-03-01T12:00:00.1230000+02:00", "price": "1.100",
    "link": "HTTPS://EXAMPLE.com/%7Ea?q=a", "part": .object(["at": 7, "price": "0.500"]),
  ]
  private static let body = Data(
    #"""
    {"data":{"item":{"__typename":"Item","id":"1","at":1740800000123,
    "due":"2026-03-01T12:00:00.1230000+02:00","price":"1.100","link":"HTTPS://EXAMPLE.com/%7Ea?q=a",
    "part":{"at":7,"price":"0.500"}}}}
    """#.utf8)

  @Test(arguments: [0, 1_000]) func everyFormIsKeptAndReadBack(nearRecordLimit: Int) async throws {
    let server = try await RedisServer.shared()
    let scope = UUID().uuidString
    let caches = try (0..<2).map { _ in
      try server.cache(scope) { $0.nearRecordLimit = nearRecordLimit }
    }
    let response = try await ApolloStore(cache: caches[0])
      .publish(body: Self.body, of: TypedItem())
    for cache in caches {
      #expect(try await cache.loadRecords(forKeys: ["Item:1"])["Item:1"]?.fields == Self.item)
      let reading = try await ApolloStore(cache: cache).load(TypedItem())
      #expect(reading.misses == [] && reading.data == response.data)
      let raw = try await ApolloStore(cache: cache).load(RawItem())
      #expect(raw.misses == [])
      #expect(raw.data?.item?.at == 1_740_800_000_123)
      #expect(raw.data?.item?.due == "2026-03-01T12:00:00.1230000+02:00")
    }
  }

  /// Equal values in another form replace the old one, for all processes.
  @Test func anEqualValueInAnotherFormReplacesTheOldOne() async throws {
    let server = try await RedisServer.shared()
    let scope = UUID().uuidString
    let caches = try (0..<2).map { _ in try server.cache(scope) }
    for due in ["2026-03-01T14:00:00+02:00", "2026-03-01T12:00:00.000Z", "2026-03-01T12:00:00Z"] {
      let body = #"{"data":{"item":{"__typename":"Item","id":"1","at":5,"due":"\#(due)"}}}"#
      try await ApolloStore(cache: caches[0]).publish(body: Data(body.utf8), of: RawItem())
      let record = try await caches[1].loadRecords(forKeys: ["Item:1"])["Item:1"]
      #expect(record?["due"] == .string(due))
    }
  }
}

// MARK: - The schema

/// The server sends milliseconds; a program writes another form.
private struct Stamp: CustomScalarType {
  var milliseconds: Int

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
    Object(typename: "Part"),
  ])
  static let configuration: any SchemaConfiguration.Type = Configuration.self

  enum Configuration: SchemaConfiguration {
    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
  }
}

private protocol ItemQuery: GraphQLQuery {
  static var __selections: Selections { get }
}

extension ItemQuery {
  static var operationName: String { "Item" }
  static var operationDocument: OperationDocument {
    .init(definition: .init("query Item { item { id } }"))
  }
}

private struct TypedItem: ItemQuery {
  static let __selections = Selections(
    """
    Query {item Item {__typename String! id ID! at #0 due #1 price #2 link #3 \
    part Part {at #0 price #2}}}
    """,
    leaves: [Stamp.self, Date.self, Decimal.self, URL.self])

  struct Data: RootSelectionSet, RootModelValue {
    typealias Schema = ItemAPI
    private let __storage: GeneratedCode.ResponseObject
    static var __layout: SelectionLayout { TypedItem.__selections[0] }
  }
}

private struct RawItem: ItemQuery {
  static let __selections = Selections(
    "Query {item Item {__typename String! id ID! at #0 due #0}}", leaves: [JSONValue.self])

  struct Data: RootSelectionSet, RootModelValue {
    typealias Schema = ItemAPI
    private let __storage: GeneratedCode.ResponseObject
    static var __layout: SelectionLayout { RawItem.__selections[0] }

    var item: Item? { __object[0, Self.__layout] }
  }

  struct Item: RootSelectionSet, RootModelValue {
    typealias Schema = ItemAPI
    private let __storage: GeneratedCode.ResponseObject
    static var __layout: SelectionLayout { RawItem.__selections[1] }

    var at: JSONValue? { __object[2, Self.__layout] }
    var due: JSONValue? { __object[3, Self.__layout] }
  }
}
