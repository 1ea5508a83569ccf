internal import ApolloAPI

/// Keeps the records of a store under a number of bytes.
///
/// 1. Each write adds a rough estimate of the bytes that it has added.
/// 2. After an eighth of the limit, a task adds up the real sizes.
/// 3. If they exceed the limit, the store is trimmed to three quarters of it, so that the next time
///    is some way off.
///
/// So the records need at most an eighth more than the limit for longer than a moment.
///
/// Isolation: `state` is guarded by a lock. One task runs at a time.
final class SizeLimiter: Sendable {
  private struct State: Sendable {
    var addedByteCount = 0
    var isChecking = false
  }
  private let state = Lock(State())
  let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Notes a write, and checks the size of the store if it may have grown too much.
  func note(_ changes: ChangeSet, in store: ApolloStore) {
    let added = changes.entries.reduce(0) { $0 + $1.fields.estimatedByteCount }
    state.withLock { $0.addedByteCount += added }
    guard beginCheck() else { return }
    Task.detached(priority: .utility) { [weak store, self] in
      repeat {
        await store?.trimIfTooLarge(to: limit)
        state.withLock { $0.isChecking = false }
      } while beginCheck()  // writers went on meanwhile
    }
  }

  /// Returns whether it is time for a check, which has begun then.
  private func beginCheck() -> Bool {
    state.withLock { state in
      guard state.addedByteCount > limit / 8, !state.isChecking else { return false }
      state.addedByteCount = 0
      state.isChecking = true
      return true
    }
  }
}

extension ChangedFields {
  /// The bytes that the new values of the fields may need. A removed record needs none.
  fileprivate var estimatedByteCount: Int {
    switch self {
    case .all: 0
    case .masked(_, let mask): mask.nonzeroBitCount * Self.bytesOfAField
    case .listed(let fields): fields.count * Self.bytesOfAField
    }
  }

  /// More than most fields need: a check too many costs less than one too few.
  private static var bytesOfAField: Int { 64 }
}

extension ApolloStore {
  /// Trims the store if its records need more than a number of bytes. An error is reported.
  fileprivate nonisolated(nonsending) func trimIfTooLarge(to limit: Int) async {
    do {
      guard try await byteCount() > limit else { return }
      try await trim(to: limit / 4 * 3)
    } catch is CancellationError {
    } catch {
      report(error)
    }
  }
}
