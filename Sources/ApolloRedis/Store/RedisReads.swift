internal import ApolloAPI
internal import ApolloCache

/// The state that a transaction has read, and on which its changes depend.
struct RedisReads: Sendable {
  private(set) var cells: [Cell: StoredCell] = [:]
  /// The roots of which all fields were read. They have no other fields than ``cells``.
  private(set) var wholeRoots: Set<RecordKey> = []
  /// The states of the partitions when the roots were read. Without an entry, the partition counted
  /// as empty, because the server did not respond.
  private(set) var metas: [Int: Meta] = [:]

  var isEmpty: Bool { cells.isEmpty && wholeRoots.isEmpty }

  /// Notes that fields that changes write were read as absent, if their root was read whole.
  mutating func noteAbsentFields(of mutations: [CacheMutation]) {
    guard !wholeRoots.isEmpty else { return }
    for case .merge(let records) in mutations {
      for record in records where wholeRoots.contains(record.key) {
        for field in record.fields.keys where cells[.field(record.key, field)] == nil {
          cells[.field(record.key, field)] = .absent
        }
      }
    }
  }
}
