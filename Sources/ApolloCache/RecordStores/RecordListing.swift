internal import ApolloAPI

/// The records of a cache for tools, where listing them costs more than a snapshot may.
///
/// A protocol although the reader of Redis alone conforms: that is in a module above this one.
package protocol RecordListing: Sendable {
  /// Calls `body` with each record, in the order of the keys' bytes.
  ///
  /// - Throws: The errors of the cache and of `body`.
  nonisolated(nonsending) func forEachRecord(_ body: (ListedRecord) throws -> Void) async throws

  /// Returns a record, or `nil` if there is none.
  ///
  /// - Throws: The errors of the cache.
  nonisolated(nonsending) func record(of key: RecordKey) async throws -> ListedRecord?

  /// Returns a text that changes with each commit, also of other programs.
  ///
  /// - Throws: The errors of the cache.
  nonisolated(nonsending) func version() async throws -> String
}

/// A record as a cache lists it.
package struct ListedRecord: Sendable {
  package var key: RecordKey
  /// The fields, or `nil` if they cannot be read.
  package var fields: FieldMap?
  /// The fields that are stored for themselves and cannot be read.
  package var unreadableFields: [FieldKey] = []
  /// The facts about the latest write of each field, as far as they are known.
  package var writes: [FieldKey: WriteFacts] = [:]

  package init(key: RecordKey, fields: FieldMap? = nil, writes: [FieldKey: WriteFacts] = [:]) {
    (self.key, self.fields, self.writes) = (key, fields, writes)
  }
}
