import Apollo
import Foundation

/// A cache as a program can implement it: a dictionary behind a lock, with the required methods and
/// the public API alone.
///
/// Tests can let it fail.
final class UsersOwnCache: NormalizedCache, @unchecked Sendable {
  struct Failure: Error {}

  // `@unchecked Sendable` because the lock guards the mutable state.
  private let lock = NSLock()
  private var records: [RecordKey: Record] = [:]
  private var failsToRead = false
  private var failsToWrite = false

  /// The keys of all records.
  var keys: Set<RecordKey> { lock.withLock { Set(records.keys) } }

  func breakDown(reading: Bool = true, writing: Bool = true) {
    lock.withLock { (failsToRead, failsToWrite) = (reading, writing) }
  }

  private func write<Result>(_ body: () -> Result) throws -> Result {
    try lock.withLock {
      if failsToWrite { throw Failure() }
      return body()
    }
  }

  func loadRecords(forKeys keys: Set<RecordKey>) throws -> [RecordKey: Record] {
    try lock.withLock {
      if failsToRead { throw Failure() }
      return records.filter { keys.contains($0.key) }
    }
  }

  func merge(records incoming: RecordSet) throws -> ChangeSet {
    try write {
      var changes = ChangeSet()
      for record in incoming {
        if var known = records[record.key] {
          known.merge(record, noting: &changes)
          records[record.key] = known
        } else {
          records[record.key] = record
          changes.insert(record.key)
        }
      }
      return changes
    }
  }

  func removeRecord(for key: RecordKey) throws -> ChangeSet {
    try write {
      var changes = ChangeSet()
      if records.removeValue(forKey: key) != nil { changes.insert(key) }
      return changes
    }
  }

  func removeRecords(matching pattern: String) throws -> ChangeSet {
    try write {
      var changes = ChangeSet()
      for key in records.keys where key.contains(ignoringCase: pattern) {
        records[key] = nil
        changes.insert(key)
      }
      return changes
    }
  }

  func clear() throws { try write { records = [:] } }
}
