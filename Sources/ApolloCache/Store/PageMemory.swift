internal import ApolloAPI

/// The merged lists of the latest reading of a selection, for the next one.
///
/// Each watch has its own.
package final class PageMemory: Sendable {
  private struct Contents: Sendable {
    let lists: [ListPosition: KeptList]
    /// The state of the cache that was read.
    let generation: Generation
    let foreignCommitCount: Int?
  }

  private struct State: Sendable {
    var contents: Contents?
    /// The number of times that everything was forgotten.
    var round = 0
  }
  private let state = Lock(State())

  package init() {}

  /// Indicates whether the next reading has no page to take over, for tests.
  package var isEmpty: Bool { state.withLock { $0.contents == nil } }

  /// Forgets all pages, also those of a reading under way.
  package func removeAll() {
    let old = state.withLock { state in
      state.round += 1
      return state.contents.take()
    }
    withExtendedLifetime(old) {}  // its objects are released outside the lock
  }

  /// Removes the pages, for a reading.
  ///
  /// - Parameters:
  ///   - generation: The generation of the reading.
  ///   - foreignCommitCount: The cache's count of commits by others.
  ///   - changesSince: Returns the changes since another generation, or `nil` if they are not
  ///   known.
  /// - Returns: The pages, of which there may be none, and a number for
  ///   ``keep(_:of:readAt:_:in:)``.
  func take(
    at generation: Generation, _ foreignCommitCount: Int?,
    changesSince: (Generation) -> ArraySlice<ChangeSet>?
  ) -> (reuse: PageReuse, round: Int) {
    let (taken, round) = state.withLock { state -> (Contents?, Int) in
      guard let known = state.contents, known.generation <= generation else {
        return (nil, state.round)
      }
      state.contents = nil
      return (known, state.round)
    }
    guard let taken, taken.foreignCommitCount == foreignCommitCount,
      let changes = changesSince(taken.generation)
    else { return (PageReuse(), round) }
    return (PageReuse(taken.lists, changes: ComparedChanges(changes)), round)
  }

  /// Keeps the pages of a reading that was complete.
  func keep(
    _ reuse: PageReuse, of result: ObjectReadResult, readAt generation: Generation,
    _ foreignCommitCount: Int?, in round: Int
  ) {
    guard result.object != nil, result.misses.isEmpty, result.errors.isEmpty,
      !reuse.lists.isEmpty
    else { return }
    let new = Contents(
      lists: reuse.lists, generation: generation, foreignCommitCount: foreignCommitCount)
    let old = state.withLock { state -> Contents? in
      guard state.round == round else { return nil }
      defer { state.contents = new }
      return state.contents
    }
    withExtendedLifetime(old) {}  // as above
  }
}
