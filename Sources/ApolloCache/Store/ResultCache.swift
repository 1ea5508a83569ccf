package import ApolloAPI

/// The results of the latest readings, for reuse until one of their dependencies changes.
///
/// Reusing a result costs the same whatever its size. The writes since it was read are compared
/// with its dependencies once.
package final class ResultCache: Sendable {
  private struct Entry: Sendable {
    let object: ResponseObject
    var trace: ReadingTrace
    /// The index of the dependencies that are in no part, made at the first change.
    var index: DependencyIndex?
    var lastUse: UInt64
    /// The ages of the fields as they were when the result was read last.
    var report: VersionedReport?

    var current: Current { Current(object: object, trace: trace, report: report) }
  }

  private struct State: Sendable {
    var entries: [SelectionKey: Entry] = [:]
    var useCount: UInt64 = 0
  }
  private let state = Lock(State())

  /// The largest number of results. Each keeps all its objects alive.
  private static let maximumCount = 64

  package init() {}

  /// The number of results, each of which keeps its objects alive. For tests.
  package var count: Int { state.withLock { $0.entries.count } }

  /// A result that is current, with its ages as they were when it was read last.
  struct Current {
    let object: ResponseObject
    let trace: ReadingTrace
    let report: VersionedReport?
  }

  /// Returns the result of an operation if it is current, with a trace of `generation`.
  func result(
    of key: SelectionKey, at generation: Generation, version: UInt64? = nil,
    changesSince: (Generation) -> ArraySlice<ChangeSet>?
  ) -> Current? {
    let found = state.withLock { state -> Entry? in
      guard let index = state.entries.index(forKey: key) else { return nil }
      state.useCount += 1
      state.entries.values[index].lastUse = state.useCount
      return state.entries.values[index]
    }
    guard var entry = found else { return nil }
    guard entry.trace.generation < generation else { return entry.current }
    guard let changes = changesSince(entry.trace.generation) else {
      forget(entry, key)
      return nil
    }
    let index = entry.index ?? DependencyIndex(entry.trace.dependencies.unsharedEntries)
    guard !entry.trace.dependencies.areConcerned(by: changes, index) else {
      forget(entry, key)
      return nil
    }
    entry.trace.generation = generation
    entry.trace.version = version
    entry.index = index
    remember(entry, key)
    return entry.current
  }

  /// Returns the result of an operation if it was read at a version of the records, which they
  /// still have.
  ///
  /// - Parameters:
  ///   - key: The selection.
  ///   - version: The version of the records, read after `generation`.
  ///   - generation: The generation to which the result is current. That of the reading may be
  ///     earlier, if a commit was recorded only after its version became visible.
  /// - Returns: The result, or `nil` if none was read at that version.
  func result(
    of key: SelectionKey, readAt version: UInt64, currentAt generation: Generation
  ) -> Current? {
    state.withLock { state in
      guard let index = state.entries.index(forKey: key),
        state.entries.values[index].trace.version == version
      else { return nil }
      state.useCount += 1
      state.entries.values[index].lastUse = state.useCount
      if state.entries.values[index].trace.generation < generation {
        state.entries.values[index].trace.generation = generation
      }
      return state.entries.values[index].current
    }
  }

  /// Keeps the result of an operation.
  package func remember(_ object: ResponseObject, _ trace: ReadingTrace, of key: SelectionKey) {
    remember(Entry(object: object, trace: trace, index: nil, lastUse: 0), key)
  }

  /// Keeps the ages of a result that is still kept.
  func remember(_ report: VersionedReport, of key: SelectionKey, on object: ResponseObject) {
    state.withLock { state in
      guard let index = state.entries.index(forKey: key),
        state.entries.values[index].object === object
      else { return }
      state.entries.values[index].report = report
    }
  }

  /// Forgets every result, because no earlier one is current.
  package func removeAll() {
    let old = state.withLock { state in
      defer { state.entries = [:] }
      return state.entries
    }
    withExtendedLifetime(old) {}  // as below
  }

  /// Forgets a result that will never be current again, so that its dependencies are compared once.
  private func forget(_ entry: Entry, _ key: SelectionKey) {
    let old = state.withLock { state -> Entry? in
      guard let index = state.entries.index(forKey: key),
        state.entries.values[index].object === entry.object,
        state.entries.values[index].trace.generation == entry.trace.generation
      else { return nil }
      return state.entries.remove(at: index).value
    }
    withExtendedLifetime(old) {}  // as below
  }

  private func remember(_ entry: Entry, _ key: SelectionKey) {
    let old = state.withLock { state -> Entry? in
      state.useCount += 1
      var entry = entry
      entry.lastUse = state.useCount
      var old = state.entries.updateValue(entry, forKey: key)
      if state.entries.count > Self.maximumCount,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        old = state.entries.removeValue(forKey: oldest.key)
      }
      return old
    }
    withExtendedLifetime(old) {}  // its objects are released outside the lock
  }
}
