/// Counts the writes of a store. A later generation knows everything that an earlier one knew.
package struct Generation: Hashable, Comparable, Sendable {
  fileprivate var number: UInt64

  /// The one after this.
  package var next: Generation { Generation(number: number + 1) }

  package static func < (left: Generation, right: Generation) -> Bool {
    left.number < right.number
  }
}

/// The latest writes, so that who read at some generation can ask whether it still holds.
package struct ChangeLog: Sendable {
  package private(set) var current = Generation(number: 0)
  /// What each of the last generations changed, the current one last.
  private var changes: ArraySlice<ChangeSet> = []
  private var entryCount = 0

  /// Bounds the log by what it holds rather than by its length: one write of a large response may
  /// touch thousands of records.
  private static let maximumEntryCount = 16_384
  private static let maximumCount = 256

  /// The cache's own count of writes when the last one was noted, if it counts.
  package private(set) var version: UInt64

  package init(version: UInt64 = 0) {
    self.version = version
  }

  /// Notes what a write changed.
  ///
  /// - Parameters:
  ///   - set: what it changed.
  ///   - version: the cache's own count after the write. If it grew by more than one, somebody
  ///     wrote behind the store's back.
  package mutating func append(_ set: ChangeSet, version: UInt64?) {
    if let version {
      if version != self.version + 1 { forget() }
      self.version = version
    }
    current.number += 1
    changes.append(set)
    entryCount += set.entries.count
    while entryCount > Self.maximumEntryCount || changes.count > Self.maximumCount {
      entryCount -= changes.removeFirst().entries.count
    }
  }

  /// Whatever was read before may be out of date.
  private mutating func forget() {
    current.number += 1  // a generation of which nothing is known
    changes = []
    entryCount = 0
  }

  /// What changed after `generation`, or nil where the log does not reach back so far.
  package func changes(since generation: Generation) -> ArraySlice<ChangeSet>? {
    let missed = Int(exactly: current.number - generation.number) ?? .max
    return missed <= changes.count ? changes.suffix(missed) : nil
  }
}
