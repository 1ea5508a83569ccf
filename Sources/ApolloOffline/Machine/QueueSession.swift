/// The session of a user in one run of the program. Two sessions of one user differ.
struct QueueSession: Hashable, Sendable {
  /// The name that the program has given, which is empty in a program without users.
  let name: String
  /// The name in the file. A session without a name has a random one, which is never used again
  /// after its end.
  let storedName: String
  let number: Int
}

/// The moment of an event: the time on the clock of alarms, and seconds since 1970.
struct Moment: Sendable {
  var time: Duration
  var date: Double
}

/// The limits and times of a queue.
struct QueueLimits: Sendable {
  var maximumCount = 100_000
  var maximumByteCount: Int64 = 1 << 30
  /// In seconds.
  var maximumAge: Double?
  var maximumServerFailures: Int?
  var maximumLaneCount = 4
  /// The number of real identifiers that are remembered.
  var maximumIdentifierCount = 10_000
  /// In seconds.
  var leaseTime: Double = 10
  var baseDelay = Duration.seconds(1)
  var maximumDelay = Duration.seconds(300)
}
