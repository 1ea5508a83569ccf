internal import ApolloAPI

/// Keeps the records of a store under a number of bytes.
///
/// 1. Each write adds the sizes of the records that it has changed, as far as it has written them.
/// 2. When they may exceed the limit by an eighth, a task adds up the real sizes. Until the first
///    time, the size of what was there is not known, and an eighth of the limit is enough.
/// 3. If they exceed the limit, the store is trimmed to three quarters of it, so that the next time
///    is some way off.
///
/// So the records need at most an eighth more than the limit for longer than a moment.
///
/// Isolation: `state` is guarded by a lock. One task runs at a time.
final class SizeLimiter: Sendable {
  private struct State: Sendable {
    var addedByteCount = 0
    /// The added bytes after which the records may need an eighth more than the limit.
    var threshold: Int
    var isChecking = false
  }
  private let state: Lock<State>
  let limit: Int

  init(limit: Int) {
    self.limit = limit
    state = Lock(State(threshold: limit / 8))
  }

  /// Notes a write, and checks the size of the store if it may have grown too much.
  /// `byteCount` is the number of bytes that the write may have added.
  func note(_ byteCount: Int, in store: ApolloStore) {
    guard byteCount > 0 else { return }
    state.withLock { $0.addedByteCount += byteCount }
    guard beginCheck() else { return }
    Task.detached(priority: .utility) { [weak store, self] in
      repeat {
        let byteCount = await store?.trimIfTooLarge(to: limit) ?? limit
        state.withLock { state in
          state.threshold = max(limit - byteCount, 0) + limit / 8
          state.isChecking = false
        }
      } while beginCheck()  // writers went on meanwhile
    }
  }

  /// Returns whether it is time for a check, which has begun then.
  private func beginCheck() -> Bool {
    state.withLock { state in
      guard state.addedByteCount > state.threshold, !state.isChecking else { return false }
      state.addedByteCount = 0
      state.isChecking = true
      return true
    }
  }
}

extension PendingCommit {
  /// The approximate number of bytes of the records that a commit has changed.
  func byteCount(of changes: ChangeSet) -> Int {
    guard !changes.isEmpty else { return 0 }
    let changed = changes.includesEverything ? nil : Set(changes.entries.lazy.map(\.record))
    func byteCount(_ records: RecordSet) -> Int {
      records.reduce(0) { sum, record in
        guard changed?.contains(record.key) ?? true else { return sum }
        return sum + record.byteCount
      }
    }
    switch self {
    case .response(let response, _): return byteCount(response.records)
    case .updated(_, let mutations, _), .mutations(let mutations):
      return mutations.reduce(0) { sum, mutation in
        guard case .merge(let records) = mutation else { return sum }
        return sum + byteCount(records)
      }
    case .updating, .removals, .collected, .clearing: return 0
    }
  }
}

extension ApolloStore {
  /// Trims the store if its records need more than a number of bytes. An error is reported.
  ///
  /// - Returns: The number of bytes that the records need then, or `nil` after an error.
  fileprivate nonisolated(nonsending) func trimIfTooLarge(to limit: Int) async -> Int? {
    do {
      let byteCount = try await byteCount()
      guard byteCount > limit else { return byteCount }
      return try await trim(to: limit / 4 * 3).byteCount
    } catch is CancellationError {
      return nil
    } catch {
      report(error)
      return nil
    }
  }
}
