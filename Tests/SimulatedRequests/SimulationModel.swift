/// A part of the order of requests in which something has happened, which a test knows only by the
/// positions before and after it.
struct Interval: Sendable {
  var before: UInt64
  var after: UInt64

  static let never = Interval(before: 0, after: 0)
}

/// The law of order, written a second time for one value: the name of one object.
///
/// Names are versions of the server's value, which grow. `nil` stands for a removed object.
struct ModelledName: Sendable {
  /// The value, or `nil` if the object is not in the cache.
  private(set) var version: Int?
  private var forQueries = Interval.never
  /// The latest query and mutation, and the latest event or write of the program.
  private var latestQuery = Interval.never
  private var latestMutation = Interval.never
  private var latestWrite = Interval.never
  /// The arrival of the latest mutation that had a layer.
  private var latestLayer = Interval.never
  /// The arrival of the latest mutation without one that may have waited for others.
  private var latestWaiting = Interval.never
  /// Requests from before it write nothing.
  private var clearing = Interval.never
  /// Indicates whether the order of two events was too close to tell.
  private(set) var isUnknown = false

  /// Returns whether something happened after a request was sent, or `nil` if that is unknown.
  private func isAfter(_ event: Interval, _ request: UInt64) -> Bool? {
    if request < event.before || event.after == 0 { return event.after > 0 }
    return request > event.after ? false : nil
  }

  private mutating func isOvertaken(_ request: UInt64, by event: Interval) -> Bool {
    guard let isAfter = isAfter(event, request) else {
      isUnknown = true
      return true
    }
    return isAfter
  }

  mutating func receive(query number: UInt64, _ new: Int) {
    if isOvertaken(number, by: clearing) || isOvertaken(number, by: forQueries) { return }
    version = new
    forQueries = Interval(before: number, after: number)
    latestQuery = forQueries
  }

  /// - Parameters:
  ///   - number: The position at which the mutation was sent.
  ///   - new: The version that it brings.
  ///   - hasLayer: Whether it is above what others have written in the meantime.
  ///   - mayWait: Whether it may wait in a layer for others, where it is above events.
  ///   - time: The time at which it arrives.
  mutating func receive(
    mutation number: UInt64, _ new: Int, hasLayer: Bool, mayWait: Bool, at time: Interval
  ) {
    if isOvertaken(number, by: clearing) || isOvertaken(number, by: latestMutation) { return }
    if !hasLayer, isOvertaken(number, by: latestWrite) { return }
    version = new
    forQueries = time
    latestMutation = Interval(before: number, after: number)
    if hasLayer { latestLayer = time }
    if mayWait { latestWaiting = time }
  }

  /// Takes an event that has waited for its reader since it arrived.
  mutating func receive(eventAt arrival: Interval, _ new: Int) {
    let others = [clearing, latestQuery, latestMutation, latestWrite, latestLayer]
    if others.contains(where: { arrival.after <= $0.before }) { return }
    if arrival.after <= latestWaiting.before { isUnknown = true }
    version = new
    latestWrite = arrival
    if forQueries.after <= arrival.before { forQueries = arrival }
  }

  /// Takes what is as new as the moment: of an event or of the program.
  mutating func set(_ new: Int?, at time: Interval) {
    version = new
    (forQueries, latestWrite) = (time, time)
  }

  mutating func clear(at time: Interval) {
    version = nil
    clearing = time
    (forQueries, latestQuery, latestMutation) = (.never, .never, .never)
    (latestWrite, latestLayer, latestWaiting) = (.never, .never, .never)
  }

  /// Leaves open what the value is, and whether queries that were sent since the latest known
  /// response are newer.
  mutating func becomeUnknown(until time: Interval) {
    isUnknown = true
    forQueries.after = time.after
  }

  /// Continues with the value that the cache has.
  mutating func resolve(_ actual: Int?) {
    version = actual
    isUnknown = false
  }
}
