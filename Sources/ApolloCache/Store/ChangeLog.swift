internal import ApolloAPI

/// The number of writes that a store has made. A later generation includes all earlier writes.
package struct Generation: Hashable, Comparable, Sendable {
  fileprivate(set) var number: UInt64

  /// The generation after this one, for tests.
  package var next: Generation { Generation(number: number + 1) }

  package static func < (left: Generation, right: Generation) -> Bool {
    left.number < right.number
  }
}

/// The latest writes. From them follows whether a reading of an earlier generation is current.
package struct ChangeLog: Sendable {
  package private(set) var current = Generation(number: 0)
  /// The changes of each of the last generations, the current one last.
  private var changes: ArraySlice<ChangeSet> = []
  /// The approximate memory of the changes.
  private var byteCount = 0

  /// The largest approximate memory of the log: one write of a large response may change thousands
  /// of records, and one record may list thousands of fields.
  package static let maximumByteCount = 1 << 21
  private static let maximumCount = 256

  /// The cache's own count of commits at the current generation, if it counts them.
  package private(set) var version: UInt64

  package init(version: UInt64 = 0) {
    self.version = version
  }

  /// Adds the changes of a write.
  ///
  /// - Parameters:
  ///   - set: The changes.
  ///   - version: The cache's own count after the write, or `nil` if it does not count. If it grew
  ///     by more than the write, there was a write without this store.
  ///   - isCounted: Whether the count includes the write. The cache does not count one that changes
  ///     no record, such as one that only ends an optimistic layer.
  /// - Returns: `false` if there were writes without this store, whose changes are unknown.
  @discardableResult
  package mutating func append(
    _ set: ChangeSet, version: UInt64?, isCounted: Bool = true
  ) -> Bool {
    var isComplete = true
    if let version {
      isComplete = isCounted ? version == self.version + 1 : version <= self.version
      if !isComplete { forget() }
      self.version = max(version, self.version)
    }
    guard !set.includesEverything else {
      forget()  // no earlier reading is current, whatever the changes before this one
      return isComplete
    }
    current.number += 1
    changes.append(set)
    byteCount += set.approximateByteCount
    while byteCount > Self.maximumByteCount || changes.count > Self.maximumCount {
      byteCount -= changes.removeFirst().approximateByteCount
    }
    return isComplete
  }

  /// Indicates whether the cache's own count is of a later commit than the log knows.
  package func isBehind(_ version: UInt64?) -> Bool { version.map { $0 > self.version } ?? false }

  /// Makes every earlier reading count as possibly out of date.
  private mutating func forget() {
    current.number += 1  // a generation with unknown changes
    changes = []
    byteCount = 0
  }

  /// The approximate memory of the changes that are kept, for tests.
  package var approximateByteCount: Int { byteCount }

  /// The changes after `generation`, or `nil` if the log does not reach back so far.
  package func changes(since generation: Generation) -> ArraySlice<ChangeSet>? {
    let missed = Int(exactly: current.number - generation.number) ?? .max
    return missed <= changes.count ? changes.suffix(missed) : nil
  }
}

extension ChangeSet {
  /// The approximate memory of the changes. Keys count only when a set may be their last owner.
  ///
  /// - Complexity: O(*n*) in the number of changed records.
  fileprivate var approximateByteCount: Int {
    entries.reduce(0) { sum, entry in
      var count = 64 + entry.record.identity.withBytes(\.count)
      if case .listed(let fields) = entry.fields {
        count += fields.reduce(0) { $0 + 32 + $1.rawValue.utf8.count }
      }
      return sum + count
    }
  }
}
