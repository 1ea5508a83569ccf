internal import ApolloAPI

/// The dependencies of the latest readings and responses of a store, from which the order of the
/// last uses of records follows approximately.
///
/// Noting a use costs the same whatever the number of its records.
final class RecentUses: Sendable {
  private struct State: Sendable {
    var uses: [Dependencies] = []
  }
  private let state = Lock(State())

  /// The largest number of uses. The older half of them is forgotten at once.
  private static let maximumCount = 1_024

  /// Notes that records were read or written.
  func note(_ dependencies: Dependencies) {
    let old = state.withLock { state -> [Dependencies] in
      defer { state.uses.append(dependencies) }
      guard state.uses.count >= Self.maximumCount else { return [] }
      let old = Array(state.uses.prefix(Self.maximumCount / 2))
      state.uses.removeFirst(Self.maximumCount / 2)
      return old
    }
    withExtendedLifetime(old) {}  // its objects are released outside the lock
  }

  /// The position of each record's last use. Records without a known use are omitted.
  var positions: [RecordKey: Int] {
    let uses = state.withLock { $0.uses }
    var positions: [RecordKey: Int] = [:]
    for (position, use) in uses.enumerated() {
      for entry in use.entries { positions[entry.record] = position }
    }
    return positions
  }
}
