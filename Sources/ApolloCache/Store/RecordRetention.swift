internal import ApolloAPI

/// Records that a program keeps in the cache, until ``release()`` is called or the last reference
/// is released.
///
/// ```swift
/// let retention = store.retain(["Human:1000"])
/// try await store.collectGarbage()  // keeps `Human:1000` and what it refers to
/// retention.release()
/// ```
public final class RecordRetention: Sendable {
  private let records: RetainedRecords
  private let keys: Lock<[RecordKey]>

  init(_ keys: [RecordKey], in records: RetainedRecords) {
    self.records = records
    self.keys = Lock(keys)
    records.insert(keys)
  }

  /// Ends the retention. Further calls have no effect.
  public func release() {
    records.remove(keys.exchange([]))
  }

  deinit { release() }
}

/// The records that programs keep in a cache, with the number of retentions of each.
final class RetainedRecords: Sendable {
  private let counts = Lock<[RecordKey: Int]>([:])

  var keys: [RecordKey] { counts.withLock { Array($0.keys) } }

  func insert(_ keys: [RecordKey]) {
    counts.withLock { counts in
      for key in keys { counts[key, default: 0] += 1 }
    }
  }

  func remove(_ keys: [RecordKey]) {
    counts.withLock { counts in
      for key in keys {
        guard let count = counts[key] else { continue }
        counts[key] = count > 1 ? count - 1 : nil
      }
    }
  }
}
