internal import ApolloCache
internal import CacheInspection

/// The records of a store, without its optimistic layers.
struct StoreContents: CacheContents {
  let store: ApolloStore
  let name: String

  nonisolated(nonsending) func forEachRecord(_ body: (StoredRecord) throws -> Void) async throws {
    do {
      try await store.forEachRecord { try body(Self.record($0, $1, $2)) }
    } catch let error as StoreError where error.code == .requiresEnumeration {
      throw InspectionError(
        "This cache cannot list its records. 'apollo-cli cache serve' shows a cache on Redis.")
    }
  }

  func record(of key: RecordKey) async throws -> StoredRecord? {
    try await store.record(of: key).map { Self.record(key, $0.fields, $0.writes) }
  }

  private static func record(
    _ key: RecordKey, _ fields: FieldMap, _ writes: ApolloStore.WritesByField
  ) -> StoredRecord {
    var record = StoredRecord(key: key, fields: fields)
    record.writes = writes
    record.byteCount = key.byteCount + fields.byteCount
    return record
  }

  func version() -> String { store.recordsVersion }
  func damage() -> [String] { [] }
  var storedByteCount: Int? { nil }
  var formVersion: Int? { nil }
}
