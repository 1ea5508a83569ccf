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

  init(_ write: PendingWrite) {
    self.write = CellWrite(write.facts)
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
  func renews(_ fields: FieldMap, writtenBy known: FieldMap?) -> Bool {
    guard !isForChangesOnly else { return false }
    return fields.contains { field, content in
      guard !content.containsFailure else { return false }
      guard case .int(let number)? = known?[field], let known = CellWrite(WriteID(number)) else {
        return true
      }
      return known.maxAge != write.maxAge
        || !(0..<Self.precision).contains(write.time - known.time)
    }
  }

  /// Returns the writes of a cell's fields after others were merged into it.
  ///
  /// - Parameters:
  ///   - known: The writes before.
  ///   - incoming: The fields that were merged.
  ///   - changed: Those with other values than before, or `nil` if there are none.
  /// - Returns: The writes.
  func writes(
    after known: FieldMap?, merging incoming: FieldMap, _ changed: ChangedFields?
  ) -> FieldMap {
    let value = CacheValue.int(write.id.number)
    // All fields of the cell, as with most responses: one shape for all of them.
    if !isForChangesOnly, !incoming.mayHaveFailures, !incoming.isOverflow,
      known.map({ $0.shape === incoming.shape }) ?? true
    {
      return FieldMap(
        shape: incoming.shape, values: .init(repeating: value, count: incoming.count))
    }
    var writes = known ?? FieldMap()
    for (field, content) in incoming where !content.containsFailure {
      guard !isForChangesOnly || changed?.contains(field) ?? false else { continue }
      writes[field] = value
    }
    return writes
  }
}
