internal import ApolloAPI
internal import ApolloCache

/// The unit in which records are kept: one value of Redis.
///
/// A record is one cell. The fields of a root are one cell each: every response writes some of
/// them, so one cell for all would grow without bound, and all processes would compete for it.
enum Cell: Hashable, Sendable {
  case record(RecordKey)
  case field(RecordKey, FieldKey)

  /// The record of the cell.
  var record: RecordKey {
    switch self {
    case .record(let key), .field(let key, _): key
    }
  }
}

/// The fields of a cell, and the writes that they are from.
struct CellContents: Sendable {
  /// The fields of the record, or the one field of a root.
  var fields: FieldMap
  /// The latest write of each field, as far as it is known.
  var writes: CellWrites?

  /// Indicates whether the server removes the cell when the maximum ages of its fields have passed.
  var mayExpire: Bool {
    writes.map { CellWrite.lifetime(of: fields, $0, from: 0) != nil } ?? false
  }
}

/// A cell as it was read.
struct StoredCell: Sendable {
  /// The bytes that differ after each write of the cell. Empty if there is no cell.
  var token: [UInt8]
  /// The fields of the record, or the one field of a root. `nil` if there is no cell, or none that
  /// can be read.
  var fields: FieldMap?
  /// The latest write of each field, as far as it is known.
  var writes: CellWrites?

  var contents: CellContents? { fields.map { CellContents(fields: $0, writes: writes) } }

  static let absent = StoredCell(token: [], fields: nil)
}
