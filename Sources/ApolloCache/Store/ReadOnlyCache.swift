/// The records of a store, for programs that look at them without changing them.
///
/// ```swift
/// let records = try await store.readOnlyCache.loadRecords(forKeys: ["Human:1000"])
/// print(records["Human:1000"]?["name"] ?? "not in the cache")
/// ```
public struct ReadOnlyCache: Sendable {
  let store: ApolloStore

  /// Returns the records with these keys, as they are at one moment. Keys without a record are
  /// omitted.
  ///
  /// - Throws: The errors of the cache, and ``StoreError`` inside of a transaction.
  public nonisolated(nonsending) func loadRecords(
    forKeys keys: Set<RecordKey>
  ) async throws -> [RecordKey: Record] {
    try await store.withinReadTransaction { transaction in
      var records: [RecordKey: Record] = [:]
      for key in keys { records[key] = try transaction.record(for: key) }
      return records
    }
  }
}

extension ApolloStore {
  /// The records of the store, without the means to change them.
  public var readOnlyCache: ReadOnlyCache { ReadOnlyCache(store: self) }
}
