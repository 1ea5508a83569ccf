internal import ApolloCache
internal import CacheInspection

/// The records of a store, without its optimistic layers.
struct StoreContents: CacheContents {
  let store: ApolloStore
  let name: String
  /// The records of a cache whose snapshots cannot list them.
  private let listing: (any RecordListing)?

  init(store: ApolloStore, name: String) {
    (self.store, self.name) = (store, name)
    listing = store.records.listing()
  }

  nonisolated(nonsending) func forEachRecord(_ body: (StoredRecord) throws -> Void) async throws {
    if let listing { return try await listing.forEachRecord { try body(StoredRecord($0)) } }
    do {
      try await store.forEachRecord { try body(StoredRecord($0)) }
    } catch let error as StoreError where error.code == .requiresEnumeration {
      throw InspectionError(
        "This cache cannot list its records. Implement 'recordKeys()' of the cache.")
    }
  }

  func record(of key: RecordKey) async throws -> StoredRecord? {
    if let listing { return try await listing.record(of: key).map(StoredRecord.init) }
    return try await store.record(of: key).map(StoredRecord.init)
  }

  func version() async -> String {
    // While the cache cannot be reached, the page goes on to show the calls, watches and layers.
    if let listing, let version = try? await listing.version() { return version }
    return store.recordsVersion
  }

  func damage() -> [String] { [] }
  var storedByteCount: Int? { nil }
  var formVersion: Int? { nil }
}
