internal import ApolloAPI

/// The number of a write.
package struct WriteID: Hashable, Sendable {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }

  /// The number that no write has.
  package static let none = WriteID(0)
}

extension WriteID: HashedKey {
  package var trieHash: UInt {
    // Consecutive numbers must differ in their low bits, which they do, and in all others.
    let product = UInt64(bitPattern: number).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return UInt(truncatingIfNeeded: product.high ^ product.low)
  }
}

/// The facts about a write.
package struct WriteFacts: Hashable, Sendable {
  /// The time in seconds since 1970.
  package var time: Double
  /// The name of the operation whose response was written, or `nil` for a change by the program.
  package var operationName: String?
  /// The maximum age in seconds that the server has sent with the response.
  package var maxAge: Double?

  /// Creates facts, also those that a file or another program has, whose numbers can be any. They
  /// are clamped to what dates and durations can have.
  package init(time: Double, operationName: String?, maxAge: Double?) {
    self.time = max(-Self.longest, min(Self.longest, time))
    self.operationName = operationName
    self.maxAge = maxAge.map { max(0, min(Self.longest, $0)) }
  }

  /// The number of seconds, about 3,000 years, to which times and ages are clamped.
  private static let longest = 1e11

  /// The time in whole milliseconds since 1970, which all caches can keep.
  package var milliseconds: Double { (time * 1_000).rounded() }

  /// Returns whether the write seems to be from the future: the clock that gave it its time was
  /// ahead, so it is not known how old the data is.
  package func isFuture(at now: Double) -> Bool { Self.isFuture(time, at: now) }

  package static func isFuture(_ time: Double, at now: Double) -> Bool {
    time > now + largestDifferenceOfClocks
  }

  /// The number of seconds by which the clocks of the machines that share a cache may differ.
  private static let largestDifferenceOfClocks = 2.0
}

/// A write that is about to be committed.
package struct PendingWrite: Sendable {
  /// The fields that are from the write.
  package enum Fields: Sendable {
    /// All that are written, also those with equal values.
    case all
    /// Those whose values change.
    case changed
    /// Those that an earlier write with this number has written: they were written again.
    case same(WriteID)
  }
  package let facts: WriteFacts
  package let fields: Fields
  /// The fields that are written, but remain from their earlier writes: a list into which an item
  /// was inserted is as old as before.
  package let kept: [RecordKey: RecordShape]

  package init(_ facts: WriteFacts, _ fields: Fields, keeping kept: [RecordKey: RecordShape] = [:])
  {
    self.facts = facts
    self.fields = fields
    self.kept = kept
  }

  /// Returns whether a field remains from its earlier write.
  package func keeps(_ field: FieldKey, of key: RecordKey) -> Bool {
    kept[key].map { $0.position(of: field) != nil } ?? false
  }
}
