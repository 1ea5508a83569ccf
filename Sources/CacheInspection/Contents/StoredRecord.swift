package import ApolloCache

/// A record as a cache keeps it.
package struct StoredRecord: Sendable {
  package var key: RecordKey
  /// The fields, or `nil` if they cannot be read.
  package var fields: FieldMap?
  /// The fields that are stored for themselves and cannot be read.
  package var unreadableFields: [FieldKey] = []
  /// The facts about the latest write of each field, as far as they are known.
  package var writes: [FieldKey: WriteFacts] = [:]
  /// Indicates whether the cache knows that a write has no meaning.
  package var hasUnreadableWrites = false
  /// The time of the last use in seconds since 1970, if the cache keeps it.
  package var lastUse: Int64?
  /// The number of bytes of the key and the fields: as they are stored in a file, or an
  /// approximation.
  package var byteCount = 0
  /// Indicates whether the key is not UTF-8.
  package var hasUnreadableKey = false

  package init(key: RecordKey, fields: FieldMap?) {
    self.key = key
    self.fields = fields
  }

  /// Creates a record that a store has listed, with its size in memory.
  package init(_ record: ListedRecord) {
    (key, fields) = (record.key, record.fields)
    (unreadableFields, writes) = (record.unreadableFields, record.writes)
    byteCount = key.byteCount + (fields?.byteCount ?? 0)
  }

  /// The name of the object's type, if the record has it.
  var typename: String? { fields?.typename }
}
