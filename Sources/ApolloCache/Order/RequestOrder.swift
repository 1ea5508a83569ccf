package import ApolloAPI

/// The order in time of the requests and the writes of one cache.
///
/// **The law.** A response tells what the server knew at some time between the sending of its
/// request and its arrival. A value never replaces one that is known to be newer:
///
/// | the value is from | it is overtaken by what was written in the meantime by |
/// | :-- | :-- |
/// | a query | a query that was sent later; a mutation, an event or the program |
/// | a mutation | a mutation that was sent later; an event or the program |
/// | an event, the program | nothing: it is as new as the moment |
///
/// A mutation is not overtaken by a query that was sent later. The server may have answered the
/// query first, and the result of the mutation would never be seen.
/// A response that takes the place of an optimistic layer is above what events and the program have
/// written below that, and not above what they write afterwards.
///
/// 1. A request takes a number when it is sent (``begin(_:)``).
/// 2. A write takes a number before its commit (``beginWrite()``), if a request is under way.
/// 3. After the commit, the fields that it has written are noted with the number. If several caches
///    stand for the same records, they are noted before it.
/// 4. A response is written without the fields that were noted with a later number than its own.
/// 5. A response that waits in a layer for older mutations is noted when it arrives, for its store
///    alone, and for the others with the same number when it is committed.
/// 6. When no request is under way, all notes are dropped. A program that sends one request after
///    the other pays for a few locks, and keeps no notes.
///
/// A request from before a clearing writes nothing.
///
/// Isolation: `state` is guarded by a lock.
package final class RequestOrder: Sendable {
  private struct State: Sendable {
    var latest: UInt64 = 0
    /// The numbers of the queries and mutations under way, in ascending order.
    var open: [UInt64] = []
    /// Queries and mutations up to this number are from before a clearing.
    var clearing: UInt64 = 0
    /// The number of the latest clearing that the program has asked for.
    var askedClearing: UInt64 = 0
    /// All requests up to this number, also subscriptions, belong to a session that has ended.
    var sessionEnd: UInt64 = 0
    var writes = OrderedWrites()
    /// The number of times that something was noted.
    var noteNumber: UInt64 = 0
    /// The writes that the readers of one store alone see: responses that wait in its layers.
    var waiting: [ObjectIdentifier: OrderedWrites] = [:]

    /// The number of the latest clearing, also of one that waits for its turn or for readers: it
    /// would remove what is written before.
    var latestClearing: UInt64 { max(clearing, askedClearing) }

    var hasNotes: Bool { !writes.isEmpty || !waiting.isEmpty }

    func mayOvertake(_ moment: RequestMoment) -> Bool {
      writes.mayOvertake(moment)
        || moment.store.flatMap { waiting[$0] }?.mayOvertake(moment) ?? false
    }

    /// Removes all notes.
    ///
    /// - Returns: The notes, to be released outside of the lock.
    mutating func takeNotes() -> [OrderedWrites] {
      defer { (writes, waiting) = (OrderedWrites(), [:]) }
      return [writes] + waiting.values
    }

    mutating func next() -> UInt64 {
      latest += 1
      return latest
    }
  }
  private let state = Lock(State())
  /// The number of this order among all of the process.
  private let number = RequestOrder.latestNumber.withLock { number in
    number += 1
    return number
  }

  private static let latestNumber = Lock<UInt64>(0)

  /// Indicates whether several caches share the order. A commit in one is visible in the others
  /// before its writer has ended, so that its fields are noted before it. If it fails then,
  /// requests are overtaken for nothing, and read the cache.
  let isShared: Bool

  package init(isShared: Bool = false) { self.isShared = isShared }

  private struct WeakOrder: Sendable {
    weak var order: RequestOrder?
  }

  /// The orders of records that several caches stand for, by their names.
  private static let shared = Lock<[String: WeakOrder]>([:])

  /// Returns the order of all caches of this process that stand for the same records.
  static func of(_ name: String) -> RequestOrder {
    shared.withLock { shared in
      if let known = shared[name]?.order { return known }
      shared = shared.filter { $0.value.order != nil }
      let new = RequestOrder(isShared: true)
      shared[name] = WeakOrder(order: new)
      return new
    }
  }

  /// The number of fields and records that are noted.
  package var noteCount: Int {
    state.withLock { state in state.waiting.values.reduce(state.writes.count) { $0 + $1.count } }
  }

  /// The number of queries and mutations under way.
  package var requestCount: Int { state.withLock { $0.open.count } }

  // MARK: - Requests

  /// Takes the number of a request that is about to be sent.
  package func begin(_ type: GraphQLOperationType) -> SentRequest {
    let isEvent = type == .subscription
    let (number, clearing) = state.withLock { state in
      let number = state.next()
      if !isEvent { state.open.append(number) }
      return (number, state.askedClearing)
    }
    return SentRequest(
      number: number, operationType: type, order: self.number, clearing: clearing,
      onRepeat: { [weak self] number in self?.repeated(number) ?? number },
      onEnd: { [weak self] number in
        if !isEvent { self?.end(number) }
      })
  }

  /// Takes the number of a request that is sent again.
  private func repeated(_ number: UInt64) -> UInt64 {
    state.withLock { state in
      let new = state.next()
      if let index = state.open.firstIndex(of: number) {
        state.open.remove(at: index)
        state.open.append(new)
      }
      return new
    }
  }

  private func end(_ number: UInt64) {
    let dropped = state.withLock { state -> [OrderedWrites]? in
      guard let index = state.open.firstIndex(of: number) else { return nil }
      state.open.remove(at: index)
      return state.open.isEmpty && state.hasNotes ? state.takeNotes() : nil
    }
    withExtendedLifetime(dropped) {}
  }

  /// Returns whether a request is from before a clearing of the cache, or from a session that has
  /// ended.
  package func isExcluded(_ sent: SentRequest) -> Bool {
    // Read before, because a request that is sent again takes a number of this order while it is
    // locked itself.
    let number = sent.number
    return state.withLock { state in
      number <= state.sessionEnd
        || sent.operationType != .subscription && number <= state.latestClearing
    }
  }

  /// Returns whether a query or mutation is from before a clearing of the cache, or from a session
  /// that has ended.
  func isExcluded(_ moment: RequestMoment) -> Bool {
    state.withLock { moment.number <= max($0.sessionEnd, $0.latestClearing) }
  }

  /// Returns the fields of a response that newer writes have overtaken, by records.
  ///
  /// - Parameters:
  ///   - fields: Returns the fields of the response. It is called if any could be overtaken.
  ///   - moment: The request.
  /// - Returns: The overtaken fields, with what newer writes have brought of embedded objects.
  func overtaken(
    _ fields: () -> [WrittenFields], of moment: RequestMoment
  ) -> OvertakenFields {
    guard state.withLock({ $0.mayOvertake(moment) }) else { return OvertakenFields() }
    let fields = fields()
    return state.withLock { state in
      // What waits in a layer is below what was written since.
      var overtaken =
        moment.store.flatMap { state.waiting[$0]?.overtaken(fields, of: moment) }
        ?? OvertakenFields()
      overtaken.formUnion(state.writes.overtaken(fields, of: moment))
      return overtaken
    }
  }

  /// The number of notes so far.
  var noteNumber: UInt64 { state.withLock { $0.noteNumber } }

  /// A number that changes when what has overtaken a request may have, and 0 if nothing has.
  func noteNumber(of moment: RequestMoment) -> UInt64 {
    state.withLock { $0.mayOvertake(moment) ? $0.noteNumber : 0 }
  }

  // MARK: - Writes

  /// Takes the number of a write that is about to be committed, or returns `nil` if no request is
  /// under way that it could overtake.
  func beginWrite() -> UInt64? {
    state.withLock { $0.open.isEmpty ? nil : $0.next() }
  }

  /// Takes the number of a clearing that the program asks for.
  func askForClearing() -> UInt64 {
    state.withLock { state in
      state.askedClearing = state.next()
      return state.askedClearing
    }
  }

  /// Takes the number of something that the program does now.
  package func moment() -> UInt64 { state.withLock { $0.next() } }

  /// Notes fields that were written.
  ///
  /// - Parameters:
  ///   - number: The number of the write.
  ///   - origin: The request whose response was written, or `nil` for an event and the program.
  ///   - store: The only store whose readers see the fields, which are not in the cache yet.
  ///   - fields: Returns the fields, where a record without a shape was removed. It is called if
  ///     the write could overtake a request.
  /// - Returns: The number of notes that were added.
  @discardableResult
  func note(
    at number: UInt64, from origin: RequestMoment?, in store: ObjectIdentifier? = nil,
    _ fields: () -> [WrittenFields]
  ) -> UInt64 {
    let stamp = WriteStamp(at: number, from: origin)
    func oldestRequest(in state: State) -> UInt64? {
      state.open.first.flatMap { stamp.isNewer(than: $0) ? $0 : nil }
    }
    guard state.withLock({ oldestRequest(in: $0) != nil }) else { return 0 }
    let fields = fields()
    return state.withLock { state in
      guard let oldest = oldestRequest(in: state) else { return 0 }
      state.noteNumber += 1
      // Of two mutations, the value of the one that was sent later is visible.
      var visible = fields
      if let origin, origin.isMutation {
        visible = state.writes.excludingLaterMutations(visible, than: origin)
        if let store,
          let later = state.waiting[store]?.excludingLaterMutations(
            visible, than: origin)
        {
          visible = later
        }
      }
      if let store {
        state.waiting[store, default: OrderedWrites()].note(visible, stamp, oldestRequest: oldest)
      } else {
        state.writes.note(visible, stamp, oldestRequest: oldest)
      }
      return 1
    }
  }

  /// Notes that the records whose keys contain a pattern were removed.
  ///
  /// - Returns: The number of notes that were added.
  func note(removedMatching pattern: String, at number: UInt64) -> UInt64 {
    state.withLock { state in
      guard let oldest = state.open.first else { return 0 }
      state.noteNumber += 1
      state.writes.note(pattern, WriteStamp(at: number, from: nil), oldestRequest: oldest)
      return 1
    }
  }

  /// Notes that the cache was cleared, which the program had asked for at this number.
  func noteClearing(at number: UInt64) {
    let dropped = state.withLock { state in
      state.clearing = max(state.clearing, number)
      state.askedClearing = max(state.askedClearing, number)  // a transaction does not ask
      // A request that was sent while the clearing waited is overtaken as before.
      return state.open.contains { $0 > number } ? [] : state.takeNotes()
    }
    withExtendedLifetime(dropped) {}
  }

  /// Keeps every request that was sent until now, also subscriptions, from writing to the cache.
  package func endSession() {
    state.withLock { $0.sessionEnd = $0.next() }
  }
}

/// The position of a request in the order, without the request.
package struct RequestMoment: Hashable, Sendable {
  let number: UInt64
  let isMutation: Bool
  /// For a mutation with an optimistic layer, the position from which readers have seen its
  /// response there, or the largest number before. What is below the layer does not overtake it.
  var visibility: UInt64?
  /// The store whose readers see the response, also while it waits in a layer.
  var store: ObjectIdentifier?

  /// `nil` for a subscription, whose events are as new as the moment.
  init?(_ sent: SentRequest) {
    guard sent.operationType != .subscription else { return nil }
    number = sent.number
    isMutation = sent.operationType == .mutation
  }
}

extension ApolloStore {
  /// The identity of the store among those of its cache.
  var identity: ObjectIdentifier { ObjectIdentifier(layers) }

  /// The order of the requests and writes of the store's cache.
  package var order: RequestOrder { siblings.order }

  /// Takes the position in time of a request that is about to be sent.
  package func begin(_ type: GraphQLOperationType) -> SentRequest { siblings.order.begin(type) }

  /// Keeps the responses of all requests under way, also those of subscriptions, from the cache.
  /// They still reach their callers.
  ///
  /// Clearing the cache does so for queries and mutations. The events of a subscription that
  /// remains open are news from after the clearing.
  package func endSession() { siblings.order.endSession() }
}
