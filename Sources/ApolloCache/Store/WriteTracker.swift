internal import ApolloAPI

/// The records that the stores of one cache have written since a collection began.
///
/// A collection looks at a snapshot, while writers go on. A record that one of them has written may
/// refer to records that nothing referred to before, so it is looked at again.
final class WriteTracker: Sendable {
  private struct State: Sendable {
    var records: Set<RecordKey> = []
    var includesEverything = false
  }
  private let state = Lock(State())

  /// The origin of the collection's own writes, which are not noted.
  let origin = ChangeOrigin()

  /// Adds the changes of a commit.
  func insert(_ changes: ChangeSet, from origin: ChangeOrigin?) {
    guard !changes.isEmpty, changes.includesEverything || origin != self.origin else { return }
    state.withLock { state in
      if changes.includesEverything { state.includesEverything = true }
      for entry in changes.entries { state.records.insert(entry.record) }
    }
  }

  /// Returns the records that were written since the last call, or `nil` if any may have been.
  func takeRecords() -> Set<RecordKey>? {
    state.withLock { state in
      defer { state = State() }
      return state.includesEverything ? nil : state.records
    }
  }
}
