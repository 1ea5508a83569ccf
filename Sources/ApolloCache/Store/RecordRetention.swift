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

/// The records that a program keeps in a cache, with the number of retentions of each. Caches that
/// stand for the same records share them, as they share the order of requests.
final class RetainedRecords: Sendable {
  private let counts = Lock<[RecordKey: Int]>([:])

  private struct WeakRecords: Sendable {
    weak var records: RetainedRecords?
  }

  /// The retentions of records that several caches stand for, by their names.
  private static let shared = Lock<[String: WeakRecords]>([:])

  /// Returns the retentions of all caches of this process that stand for the same records.
  static func of(_ name: String) -> RetainedRecords {
    shared.withLock { shared in
      if let known = shared[name]?.records { return known }
      shared = shared.filter { $0.value.records != nil }
      let new = RetainedRecords()
      shared[name] = WeakRecords(records: new)
      return new
    }
  }

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
