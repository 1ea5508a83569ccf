internal import ApolloAPI
internal import ApolloCache

/// The write that a commit is, and the fields that remember it.
struct CellStamp {
  let write: CellWrite
  /// Indicates whether only fields with other values than before are from the write.
  ///
  /// Otherwise cells with equal values are written again, because other processes have no other way
  /// to learn that their data is new.
  let isForChangesOnly: Bool
  private let pending: PendingWrite

  init(_ write: PendingWrite) {
    self.write = CellWrite(write.facts)
    pending = write
    if case .changed = write.fields { isForChangesOnly = true } else { isForChangesOnly = false }
  }

  /// The number of seconds for which equal values count as written at once: their cell is not
  /// written again, and counts as older than it is by at most this time.
  private static let precision = 1.0

  /// Returns whether equal fields that are written again must be noted as newer.
  ///
  /// - Parameters:
  ///   - fields: The fields.
  ///   - known: The writes that they are from.
  /// - Returns: `false` if all of them are from writes that are as new, but for a moment.
  func renews(_ fields: FieldMap, writtenBy known: CellWrites?) -> Bool {
    guard !isForChangesOnly else { return false }
    if case .one(let id)? = known, !renews(id) { return false }
    return fields.contains { field, content in
      !content.containsFailure && renews(known?[field])
    }
  }

  private func renews(_ id: WriteID?) -> Bool {
    guard let id, let known = CellWrite(id) else { return true }
    return known.maxAge != write.maxAge
      || !(0..<Self.precision).contains(write.time - known.time)
  }

  /// Returns the writes of a new cell with these fields.
  func writes(of key: RecordKey, merging incoming: FieldMap) -> CellWrites {
    guard incoming.mayHaveFailures else { return .one(write.id) }
    return writes(of: key, after: nil, of: FieldMap(), merging: incoming, into: incoming, .all)
  }

  /// Returns the writes of a cell's fields after others were merged into it.
  ///
  /// - Parameters:
  ///   - key: The record.
  ///   - known: The writes before.
  ///   - old: The fields before.
  ///   - incoming: The fields that were merged.
  ///   - result: The fields after.
  ///   - changed: Those with other values than before, or `nil` if there are none.
  /// - Returns: The writes.
  func writes(
    of key: RecordKey, after known: CellWrites?, of old: FieldMap, merging incoming: FieldMap,
    into result: FieldMap, _ changed: ChangedFields?
  ) -> CellWrites {
    // All fields of the cell, as with most responses.
    if !isForChangesOnly, pending.kept[key] == nil, !incoming.mayHaveFailures, !result.isOverflow,
      result.shape === incoming.shape
    {
      return .one(write.id)
    }
    var writes = known?.numbers(of: old) ?? FieldMap()
    let written = incoming.filter { field, content in
      guard !content.containsFailure, !pending.keeps(field, of: key) else { return false }
      return !isForChangesOnly || changed?.contains(field) ?? false
    }
    writes.set(written.map(\.key), to: .int(write.id.number))
    return .each(writes)
  }
}
