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
/// | an event | a query or mutation that was sent after it arrived; a later event or the program |
/// | the program | nothing: it is as new as the moment |
///
/// An event may be read long after it has arrived. It is ordered as if it had been written then:
/// below the layers, closures and list edits of mutations that were committed in between.
/// A mutation is not overtaken by a query that was sent later. The server may have answered the
/// query first, and the result of the mutation would never be seen.
/// A response that takes the place of an optimistic layer is above what events and the program have
/// written below that, and not above what they write afterwards.
///
/// 1. A request takes a number when it is sent (``begin(_:)``).
/// 2. A write takes a number before its commit (``beginWrite()``), if a request is under way.
/// 3. After the commit, the fields that it has written are noted with the number. If several caches
///    stand for the same records, they are *expected* before it: other writers count them as
///    written, readers do not. A commit that fails withdraws them, and what a response has left
///    out for them is written (``waitForFailure(of:)``).
/// 4. A response is written without the fields that were noted with a later number than its own.
///    Of embedded objects, what the latest write has brought is above the rest.
/// 5. A response that waits in a layer for older mutations is noted when it arrives, for its store
///    alone, and for the others with the same number when it is committed. A query of another store
///    is overtaken at once: readers would go back to the mutation's value otherwise.
/// 6. When no request is under way, all notes are dropped. A program that sends one request after
///    the other pays for a few locks, and keeps no notes.
///
/// A request from before a clearing writes nothing after it, and neither does an event that had
/// arrived before it.
///
/// Isolation: `state` is guarded by a lock.
package final class RequestOrder: Sendable {
  private struct State: Sendable {
    var latest: UInt64 = 0
    var positions = OpenPositions()
    /// Queries, mutations and events up to this number are from before a clearing.
    var clearing: UInt64 = 0
    /// The number of the latest clearing that the program has asked for.
    var askedClearing: UInt64 = 0
    /// All requests up to this number, also subscriptions, belong to a session that has ended.
    var sessionEnd: UInt64 = 0
    var writes = OrderedWrites()
    /// The number of the latest note.
    var noteNumber: UInt64 = 0
    /// The writes that the readers of one store alone see.
    var waiting: [ObjectIdentifier: WaitingWrites] = [:]
    /// The writes whose commits are under way, by their positions.
    var expected: [UInt64: ExpectedWrite] = [:]
    /// The number of the latest commit that was expected.
    var commitNumber: UInt64 = 0
    /// The commits that have failed after others had counted them, with the latest number then.
    var failedCommits: [UInt64: UInt64] = [:]

    var hasNotes: Bool { !writes.isEmpty || !waiting.isEmpty }

    /// The number of the latest clearing that a reader or a writer has to know.
    func clearing(for purpose: Purpose, except position: UInt64? = nil) -> UInt64 {
      guard purpose == .writing else { return clearing }
      return expected.reduce(clearing) { latest, write in
        write.key == position ? latest : max(latest, write.value.clearing ?? 0)
      }
    }

    func mayOvertake(_ moment: RequestMoment, for purpose: Purpose) -> Bool {
      if writes.mayOvertake(moment) { return true }
      guard purpose == .writing else {
        return moment.store.flatMap { waiting[$0] }?.mayOvertake(moment) ?? false
      }
      return waiting.values.contains {
        $0.mayOvertake(moment) || moment.isMutation && $0.mayHaveEdited(after: moment)
      } || expected.values.contains { $0.writes.mayOvertake(moment) }
    }

    /// Returns which fields of a response newer writes have brought.
    mutating func newer(
      _ fields: [WrittenFields], than moment: RequestMoment, for purpose: Purpose,
      after number: UInt64 = 0, except position: UInt64? = nil
    ) -> [NewerField] {
      var found = writes.newer(fields, than: moment, after: number, positions)
      if let store = moment.store {
        found += waiting[store]?.newer(fields, than: moment, after: number, positions) ?? []
      }
      guard purpose == .writing else { return found }
      for store in waiting.keys where store != moment.store {
        found += newer(fields, than: moment, waitingIn: store, after: number)
      }
      if moment.isMutation {
        let edited = waiting.keys.flatMap {
          waiting[$0]?.edited(fields, after: moment, positions) ?? []
        }
        found += replaced(edited, after: number)
      }
      for other in expected.keys where other != position {
        found += expected[other]?.newer(fields, than: moment, after: number, positions) ?? []
      }
      return found
    }

    /// Returns which fields of a response others have brought whose response waits in another
    /// store, where only the readers of that store see it.
    ///
    /// 1. A query must not show what would be replaced by an older value when the mutation is
    ///    committed.
    /// 2. A mutation is committed although a later one waits. But if something newer has replaced
    ///    the later one, it is newer than both. For the pages that the later one changes, see
    ///    ``WaitingWrites/edited(_:after:_:)``.
    private mutating func newer(
      _ fields: [WrittenFields], than moment: RequestMoment, waitingIn store: ObjectIdentifier,
      after number: UInt64
    ) -> [NewerField] {
      guard moment.isMutation else {
        return waiting[store]?.newer(fields, than: moment, after: number, positions) ?? []
      }
      let later = waiting[store]?.newer(fields, than: moment, after: 0, positions) ?? []
      return replaced(later, after: number)
    }

    /// Returns the newer writes that have replaced some fields of mutations that wait.
    private mutating func replaced(_ later: [NewerField], after number: UInt64) -> [NewerField] {
      later.flatMap { later in
        let replaced = WrittenFields(later.key, .of([later.field]))
        return writes.newer(
          [replaced], than: .mutation(visibleFrom: later.position), after: number, positions
        ).compactMap { $0.inPlace(of: later) }
      }
    }

    /// Returns the note of a write, or `nil` if it overtakes no request under way.
    mutating func newNote(of write: OrderedWrite, in store: ObjectIdentifier? = nil) -> WriteNote? {
      guard let oldest = positions.requests.first, write.stamp.isNewer(than: oldest) else {
        return nil
      }
      noteNumber += 1
      var subject = write.subject()
      // Of two mutations, the value of the one that was sent later is visible.
      if case .fields(var fields) = subject, let origin = write.origin, origin.isMutation,
        !write.isUnconditional
      {
        fields = writes.excludingLaterMutations(fields, than: origin, positions)
        if let store {
          fields =
            waiting[store]?.excludingLaterMutations(fields, than: origin, positions)
            ?? fields
        }
        subject = .fields(fields)
      }
      return WriteNote(
        subject: subject, stamp: write.stamp, position: write.position, number: noteNumber)
    }

    /// Adds notes that were expected.
    mutating func add(_ notes: [WriteNote]) {
      guard !notes.isEmpty, !positions.requests.isEmpty else { return }
      for note in notes { writes.note(note, positions) }
      noteNumber += 1  // readers learn of them now
    }

    /// Notes a clearing that was asked for at a number.
    ///
    /// - Returns: Notes to be released outside of the lock.
    mutating func clear(_ number: UInt64) -> [OrderedWrites] {
      clearing = max(clearing, number)
      askedClearing = max(askedClearing, number)  // a transaction does not ask
      // A request that was sent while the clearing waited is overtaken as before.
      return positions.requests.contains { $0 > number } ? [] : takeNotes()
    }

    /// Removes all notes.
    ///
    /// - Returns: The notes, to be released outside of the lock.
    mutating func takeNotes() -> [OrderedWrites] {
      defer {
        (writes, waiting, positions.visible) = (OrderedWrites(), [:], [])
        failedCommits = [:]
      }
      return [writes] + waiting.values.flatMap(\.writes)
    }

    mutating func next() -> UInt64 {
      latest += 1
      return latest
    }

    /// Forgets a write that was expected, because it was not committed.
    ///
    /// - Returns: The write, to be ended outside of the lock.
    mutating func withdraw(_ position: UInt64) -> ExpectedWrite? {
      guard let withdrawn = expected.removeValue(forKey: position) else { return nil }
      if withdrawn.isCounted {
        // A request that was sent later has not counted an earlier commit.
        let oldest = positions.requests.first ?? .max
        failedCommits = failedCommits.filter { $0.value >= oldest }
        failedCommits[withdrawn.number] = latest
      }
      return withdrawn
    }
  }

  /// A write whose commit is under way.
  private struct ExpectedWrite: Sendable {
    /// The number of this attempt to commit.
    let number: UInt64
    let notes: [WriteNote]
    /// The same notes, for asking.
    var writes = OrderedWrites()
    let clearing: UInt64?
    /// Indicates whether another writer has counted it as written.
    private(set) var isCounted = false
    /// The continuations that wait for its end.
    var waiters: [CheckedContinuation<Bool?, Never>] = []

    init(
      _ number: UInt64, _ notes: [WriteNote], clearing: UInt64?, _ positions: OpenPositions
    ) {
      self.number = number
      self.notes = notes
      self.clearing = clearing
      for note in notes { writes.note(note, positions) }
    }

    mutating func newer(
      _ fields: [WrittenFields], than moment: RequestMoment, after number: UInt64,
      _ positions: OpenPositions
    ) -> [NewerField] {
      var found = writes.newer(fields, than: moment, after: number, positions)
      for index in found.indices { found[index].commit = self.number }
      if !found.isEmpty { isCounted = true }
      return found
    }

    func end() { for waiter in waiters { waiter.resume(returning: nil) } }
  }

  /// The one who asks what is newer.
  enum Purpose {
    /// A reader, who sees what was committed.
    case reading
    /// A writer, who must also not replace what is about to be committed.
    case writing
  }

  private let state = Lock(State())
  /// The number of this order among all of the process.
  let number = RequestOrder.latestNumber.withLock { number in
    number += 1
    return number
  }

  private static let latestNumber = Lock<UInt64>(0)

  /// Indicates whether several caches share the order. A commit in one is visible in the others
  /// before its writer has ended, so that its fields are expected before it.
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

  /// The number of fields and records that are noted, for tests.
  package var noteCount: Int {
    state.withLock { state in
      state.waiting.values.reduce(state.writes.count) { $0 + $1.count }
    }
  }

  /// The number of queries, mutations and events under way, for tests.
  package var requestCount: Int { state.withLock { $0.positions.requests.count } }

  // MARK: - Requests

  /// Takes the number of a request that is about to be sent.
  package func begin(_ type: GraphQLOperationType) -> SentRequest {
    let isSubscription = type == .subscription
    let (number, clearing) = state.withLock { state in
      let number = state.next()
      if !isSubscription { state.positions.requests.append(number) }
      return (number, state.askedClearing)
    }
    return SentRequest(
      number: number, operationType: type, order: self.number, clearing: clearing,
      onAttempt: { [weak self] in self?.beginAttempt(of: $0, isFirst: $1, isSubscription) ?? $0 },
      onEvent: { [weak self] in
        isSubscription ? self?.beginEvent(ofSubscriptionAt: $0, after: $1) : nil
      },
      onEnd: { [weak self] number in
        if !isSubscription { self?.end(number) }
      })
  }

  /// Takes the number of an event that has arrived.
  private func beginEvent(
    ofSubscriptionAt beginning: UInt64, after latest: SentRequest?
  ) -> SentRequest {
    // Nothing has been sent or written since.
    if let latest, state.withLock({ $0.latest }) == latest.number { return latest }
    let number = state.withLock { state in
      let number = state.next()
      state.positions.requests.append(number)
      return number
    }
    return SentRequest(eventAt: number, ofSubscriptionAt: beginning, order: self.number) {
      [weak self] in self?.end($0)
    }
  }

  /// Takes the number of a request that leaves now. That of an earlier attempt, whose response may
  /// be used instead, stays under way.
  private func beginAttempt(of number: UInt64, isFirst: Bool, _ isSubscription: Bool) -> UInt64 {
    state.withLock { state in
      // Nothing has been sent or written since.
      if state.latest == number { return number }
      let new = state.next()
      guard !isSubscription else { return new }
      if isFirst { state.positions.remove(number) }
      state.positions.requests.append(new)
      return new
    }
  }

  private func end(_ number: UInt64) {
    let dropped = state.withLock { state -> [OrderedWrites]? in
      guard state.positions.remove(number) else { return nil }
      return state.positions.requests.isEmpty && state.hasNotes ? state.takeNotes() : nil
    }
    withExtendedLifetime(dropped) {}
  }

  /// Returns whether a request is from before a clearing of the cache, or from a session that has
  /// ended.
  ///
  /// The beginning of its sending counts, because what it waits for then may belong to the former
  /// user. One that is sent again is as old as that attempt.
  ///
  /// `attempt` is the position of the attempt, or `nil` for the latest one.
  func isExcluded(
    _ sent: SentRequest, _ attempt: UInt64? = nil, for purpose: Purpose
  ) -> Bool {
    // Read before, because a request that is sent takes a number of this order while it is locked
    // itself.
    let beginning = sent.beginning(of: attempt)
    let arrival = sent.isEvent ? sent.number : nil
    return state.withLock { state in
      if beginning <= state.sessionEnd { return true }
      guard sent.operationType != .subscription || sent.isEvent else { return false }
      return arrival ?? beginning <= state.clearing(for: purpose)
    }
  }

  /// Returns whether a query, a mutation or an event is from before a clearing of the cache, or
  /// from a session that has ended.
  func isExcluded(_ moment: RequestMoment, for purpose: Purpose) -> Bool {
    state.withLock { moment.beginning <= max($0.sessionEnd, $0.clearing(for: purpose)) }
  }

  /// Returns the fields of a response that newer writes have overtaken, by records.
  ///
  /// - Parameters:
  ///   - fields: Returns the fields of the response. It is called if any could be overtaken.
  ///   - moment: The request.
  ///   - purpose: Who asks.
  /// - Returns: The overtaken fields, with what newer writes have brought of embedded objects.
  func overtaken(
    _ fields: () -> [WrittenFields], of moment: RequestMoment, for purpose: Purpose
  ) -> OvertakenFields {
    guard state.withLock({ $0.mayOvertake(moment, for: purpose) }) else { return OvertakenFields() }
    let fields = fields()
    return OvertakenFields(state.withLock { $0.newer(fields, than: moment, for: purpose) })
  }

  /// Returns the notes for which a condition holds: those of all commits, and of each commit that
  /// is under way.
  func writes(where isIncluded: (OrderedWrites) -> Bool) -> [OrderedWrites] {
    state.withLock { state -> [OrderedWrites] in
      ([state.writes] + state.expected.values.map(\.writes)).filter(isIncluded)
    }
  }

  /// Returns whether what a response was compared with is still all that is newer.
  ///
  /// - Parameters:
  ///   - check: The comparison.
  ///   - fields: Returns the fields of the response that are left.
  ///   - position: The position of the response's own write.
  /// - Returns: `false` if something newer has been noted or is expected.
  func isCurrent(
    _ check: OrderCheck, _ fields: () -> [WrittenFields], at position: UInt64?
  ) -> Bool {
    let isKnown = state.withLock { state -> Bool? in
      let clearing = state.clearing(for: .writing, except: position)
      if check.moment.beginning <= max(state.sessionEnd, clearing) { return false }
      let mayBeOvertaken =
        state.noteNumber != check.noteNumber && state.mayOvertake(check.moment, for: .writing)
      return mayBeOvertaken ? nil : true
    }
    if let isKnown { return isKnown }
    let fields = fields()
    return state.withLock { state in
      state.newer(
        fields, than: check.moment, for: .writing, after: check.noteNumber, except: position
      ).isEmpty
    }
  }

  /// The number of the latest note.
  var noteNumber: UInt64 { state.withLock { $0.noteNumber } }

  /// A number that changes when what has overtaken a request for readers may have, and 0 if nothing
  /// has.
  func noteNumber(of moment: RequestMoment) -> UInt64 {
    state.withLock { $0.mayOvertake(moment, for: .reading) ? $0.noteNumber : 0 }
  }

  // MARK: - Writes

  /// Takes the number of a write that is about to be committed, or returns `nil` if no request is
  /// under way that it could overtake.
  func beginWrite() -> UInt64? {
    state.withLock { $0.positions.requests.isEmpty ? nil : $0.next() }
  }

  /// Takes the number of a clearing that the program asks for.
  func askForClearing() -> UInt64 {
    state.withLock { state in
      state.askedClearing = state.next()
      return state.askedClearing
    }
  }

  /// Takes the number of something that the program does now, for tests.
  package func moment() -> UInt64 { state.withLock { $0.next() } }

  /// Notes what a commit has written.
  func note(_ writes: [OrderedWrite]) {
    // The fields of a response need not be listed if its own request is the only one.
    let writes = overtaking(writes)
    guard !writes.isEmpty else { return }
    state.withLock { state in state.add(writes.compactMap { state.newNote(of: $0) }) }
  }

  /// Notes a response that the readers of one store alone see, because it waits in a layer.
  func note(waiting write: OrderedWrite, in store: ObjectIdentifier) {
    let overtaking = overtaking([write]).first
    state.withLock { state in
      state.waiting[store, default: WaitingWrites()].insert(write.position)
      state.positions.visible.append(write.position)
      guard let overtaking, let note = state.newNote(of: overtaking, in: store) else { return }
      state.waiting[store]?.note(note, state.positions)
    }
  }

  /// Notes the pages of lists that a waiting response changes. Its layer calls this each time that
  /// it is computed.
  func note(_ pages: [WrittenFields], editedBy origin: RequestMoment) {
    guard let position = origin.visibility, let store = origin.store else { return }
    state.withLock { state in
      // A layer that is computed again brings no news, after which others would look again.
      let new = state.waiting[store]?.takeNew(pages, at: position) ?? []
      guard !new.isEmpty else { return }
      let write = OrderedWrite(at: position, from: origin, isEdit: true) { .fields(new) }
      guard let note = state.newNote(of: write) else { return }
      state.waiting[store]?.note(edit: note, state.positions)
    }
  }

  /// Forgets the responses that have waited in a store, none of which waits any more.
  func forgetWaiting(in store: ObjectIdentifier) {
    let dropped = state.withLock { state in
      let dropped = state.waiting.removeValue(forKey: store)
      if dropped != nil { state.positions.visible = state.waiting.values.flatMap(\.positions) }
      return dropped
    }
    withExtendedLifetime(dropped) {}
  }

  /// Forgets one response that has waited in a store and was not committed.
  func forgetWaiting(at position: UInt64, in store: ObjectIdentifier) {
    let dropped = state.withLock { state in
      state.positions.visible.removeAll { $0 == position }
      return state.waiting[store]?.remove(position)
    }
    withExtendedLifetime(dropped) {}
  }

  /// Notes that the cache was cleared, which the program had asked for at this number.
  func noteClearing(at number: UInt64) {
    let dropped = state.withLock { $0.clear(number) }
    withExtendedLifetime(dropped) {}
  }

  /// Returns those of some writes that could overtake a request under way, with their fields.
  private func overtaking(_ writes: [OrderedWrite]) -> [OrderedWrite] {
    guard let oldest = state.withLock({ $0.positions.requests.first }) else { return [] }
    return writes.compactMap { write in
      guard write.stamp.isNewer(than: oldest) else { return nil }
      let subject = write.subject()  // without the lock
      return OrderedWrite(
        at: write.position, from: write.origin, isUnconditional: write.isUnconditional,
        isEdit: write.isEdit, isOnTop: write.isOnTop
      ) { subject }
    }
  }

  // MARK: - Commits under way

  /// Lets other writers know of a write before its commit. It takes the place of what was expected
  /// of the write before.
  ///
  /// - Parameters:
  ///   - writes: What it writes.
  ///   - clearing: The number at which the clearing was asked for, if it is one.
  ///   - position: The position of the write.
  func expect(_ writes: [OrderedWrite], clearing: UInt64?, at position: UInt64) {
    let writes = overtaking(writes)
    let earlier = state.withLock { state in
      let earlier = state.withdraw(position)
      let notes = writes.compactMap { state.newNote(of: $0) }
      state.commitNumber += 1
      state.expected[position] = ExpectedWrite(
        state.commitNumber, notes, clearing: clearing, state.positions)
      return earlier
    }
    earlier?.end()
  }

  /// Returns whether another write than the one at a position is expected.
  func expectsOthers(than position: UInt64?) -> Bool {
    state.withLock { $0.expected.contains { $0.key != position } }
  }

  /// Ends the attempt to commit a write that was expected.
  func end(_ position: UInt64, wasCommitted: Bool) {
    wasCommitted ? confirm(position) : withdraw(position)
  }

  /// Notes a write that was expected, because it was committed.
  func confirm(_ position: UInt64) {
    let dropped = state.withLock { state -> ([OrderedWrites], ExpectedWrite?) in
      guard let expected = state.expected.removeValue(forKey: position) else { return ([], nil) }
      let notes = expected.clearing.map { state.clear($0) }
      state.add(expected.notes)
      return (notes ?? [], expected)
    }
    dropped.1?.end()
    withExtendedLifetime(dropped) {}
  }

  /// Forgets a write that was expected, because it was not committed.
  func withdraw(_ position: UInt64) {
    state.withLock { $0.withdraw(position) }?.end()
  }

  /// Waits until the commits have ended for which values were left out of a response.
  ///
  /// The caller is not writing, since the others may have to wait for that. Cancelling the task
  /// does not end the waiting, which takes as long as the commits.
  ///
  /// - Parameter leftOut: The values.
  /// - Returns: Whether one of the commits has failed, so that the values are to be written.
  nonisolated(nonsending) func waitForFailure(of leftOut: LeftOutValues) async -> Bool {
    guard !leftOut.commits.isEmpty else { return false }
    while true {
      let hasFailed: Bool? = await withCheckedContinuation { continuation in
        let isKnown = state.withLock { state -> Bool? in
          if leftOut.commits.contains(where: { state.failedCommits[$0] != nil }) { return true }
          let position = state.expected.first { leftOut.commits.contains($0.value.number) }?.key
          guard let position else { return false }
          state.expected[position]?.waiters.append(continuation)
          return nil
        }
        if let isKnown { continuation.resume(returning: isKnown) }
      }
      if let hasFailed { return hasFailed }
    }
  }

  // MARK: - Sessions

  /// Keeps every request that was sent until now, also subscriptions, from writing to the cache.
  package func endSession() {
    state.withLock { $0.sessionEnd = $0.next() }
  }
}

extension ApolloStore {
  /// The identity of the store among those of its cache.
  var identity: ObjectIdentifier { ObjectIdentifier(layers) }

  /// The order of the requests and writes of the store's cache, for tests.
  package var order: RequestOrder { siblings.order }

  /// Takes the position in time of a request that is about to be sent.
  package func begin(_ type: GraphQLOperationType) -> SentRequest { siblings.order.begin(type) }

  /// Keeps the responses of all requests under way, also those of subscriptions, from the cache.
  /// They still reach their callers.
  ///
  /// Clearing the cache does so for queries and mutations, and for the events that have arrived
  /// before. Later ones of a subscription that remains open are news from after the clearing.
  package func endSession() { siblings.order.endSession() }
}
