import ApolloTransport

/// A decision about one mutation: first for the file, in one transaction that compares the
/// mutation's standing, then for the memory.
struct EntryChange: Sendable {
  enum Result: Sendable {
    case stays(EntryRecord)
    case leaves(OfflineEnding)
  }

  /// The mutation as the decision has seen it.
  let old: EntryRecord
  var result: Result
  var contents: NewContents?
  /// The real identifiers of those that it has created.
  var identifiers: [String: String] = [:]
  /// `true` if the server has performed it, which is so whatever has become of it since, unless its
  /// contents are others now.
  var isPerformed = false
  /// The reason to wait before the next attempt.
  var setback: Setback?
  /// The time for which the server wants no attempt, although the mutation itself waits for none.
  var retryAfter: Duration?
  /// The reason for which a rule drops it.
  var failure: OfflineFailure?

  /// A failure that may pass.
  struct Setback: Sendable {
    var retryAfter: Duration?
    var isFaultOfServer: Bool
  }

  /// Indicates whether the mutation fails, and its handler may be asked.
  var isRejection: Bool { if case .stays(let new) = result { new.phase == .failed } else { false } }

  /// Returns whether the decision holds for a mutation whose standing in the file is `standing`.
  func applies(to standing: EntryRecord.Standing) -> Bool {
    isPerformed ? standing.revision == old.standing.revision : standing == old.standing
  }
}

/// One request for a mutation that has been noted in the file.
struct Attempt: Sendable {
  /// The mutation in the state `sending`.
  let entry: EntryRecord
  /// `true` if an earlier request may have arrived.
  let wasArrived: Bool
  /// The session in which it was noted. Its result belongs to that, also after its end.
  let session: QueueSession
  let key: String?
  /// Sealed.
  let payload: [UInt8]
  let files: [StoredFile]
  /// The session of its call, or `nil` if nothing may be sent any more. It is taken in the turn in
  /// which the machine begins the attempt, so that it ends with the session of that.
  var call: CallSession?
  /// The real identifiers of those that the payload needs.
  let identifiers: [String: String]

  var id: Int64 { entry.id }
  var number: Int64 { entry.standing.attempts }
}

/// The end of one request, as far as the queue is concerned.
enum AttemptOutcome: Sendable {
  /// The server has performed the mutation, and named these identifiers.
  case performed([String: String])
  /// The server has surely not performed it, and will perhaps do so later.
  case notPerformed(retryAfter: Duration?, isFaultOfServer: Bool)
  /// The server may have performed it.
  case unknown(retryAfter: Duration?, isFaultOfServer: Bool)
  /// The server will not perform it as it is, or it cannot be sent. `true` if it may have performed
  /// the mutation during this attempt nevertheless.
  case rejected(OfflineFailure, mayHaveArrived: Bool)
}

// MARK: - Decisions

extension Attempt {
  /// Decides what becomes of the mutation.
  ///
  /// - Parameters:
  ///   - outcome: The end of the request.
  ///   - serverFailures: The number of failures of the server in a row before this one.
  ///   - limits: The limits of the queue.
  /// - Returns: The decision.
  func change(
    after outcome: AttemptOutcome, serverFailures: Int, limits: QueueLimits
  ) -> EntryChange {
    var entry = entry
    switch outcome {
    case .performed(let identifiers):
      var change = EntryChange(old: entry, result: .leaves(.performed), isPerformed: true)
      change.identifiers = identifiers
      return change
    case .rejected(let failure, let mayHaveArrived)
    where failure.kind == .rejected && failure.statusCode == 409 && entry.isKeyed
      && (wasArrived || mayHaveArrived):
      // The key is in use: the server performs the mutation because of an earlier request, perhaps
      // of the same call. With a result (`.graphQL`), 409 is the status of an error in that, which
      // the server would give to the key again and again.
      let setback = EntryChange.Setback(retryAfter: nil, isFaultOfServer: false)
      return postponed(entry, setback, serverFailures, limits)
    case .rejected(let failure, let mayHaveArrived):
      // An earlier attempt may have had an effect as well.
      return entry.rejected(failure, mayHaveArrived: wasArrived || mayHaveArrived)
    case .notPerformed(let delay, let isFaultOfServer):
      entry.mayHaveArrived = wasArrived
      let setback = EntryChange.Setback(retryAfter: delay, isFaultOfServer: isFaultOfServer)
      return postponed(entry, setback, serverFailures, limits)
    case .unknown(let delay, let isFaultOfServer):
      guard entry.isRepeatable else {
        var change = entry.leftUncertain
        change.retryAfter = delay
        return change
      }
      let setback = EntryChange.Setback(retryAfter: delay, isFaultOfServer: isFaultOfServer)
      return postponed(entry, setback, serverFailures, limits)
    }
  }

  private func postponed(
    _ new: EntryRecord, _ setback: EntryChange.Setback, _ serverFailures: Int, _ limits: QueueLimits
  ) -> EntryChange {
    if setback.isFaultOfServer, let limit = limits.maximumServerFailures,
      serverFailures + 1 >= limit
    {
      var change = entry.rejected(
        OfflineFailure(.repeatedly), mayHaveArrived: new.mayHaveArrived)
      change.retryAfter = setback.retryAfter
      return change
    }
    var waiting = new
    waiting.standing.phase = .waiting
    return EntryChange(old: entry, result: .stays(waiting), setback: setback)
  }
}

extension EntryRecord {
  /// Indicates whether it may be sent again although it may have been performed.
  var isRepeatable: Bool { isKeyed || uncertainty == .retry }

  /// Decides about a mutation whose request was under way when its sender ended.
  var recovered: EntryChange {
    guard isRepeatable else { return leftUncertain }
    var waiting = self
    waiting.standing.phase = .waiting
    return EntryChange(old: self, result: .stays(waiting))
  }

  /// Decides about a mutation that may have been performed, and must not be sent again.
  var leftUncertain: EntryChange {
    guard uncertainty != .assumeDone else {
      return EntryChange(old: self, result: .leaves(.assumed))
    }
    var uncertain = self
    uncertain.standing.phase = .uncertain
    return EntryChange(old: self, result: .stays(uncertain))
  }

  /// Decides about a mutation that the server does not perform, or that cannot be sent. Only what a
  /// server has rejected is dropped.
  func rejected(_ failure: OfflineFailure, mayHaveArrived: Bool) -> EntryChange {
    if conflict == .skip, failure.isOfGraphQLServer {
      var change = EntryChange(old: self, result: .leaves(.dropped))
      change.failure = failure
      return change
    }
    var failed = self
    failed.standing.phase = .failed
    failed.failure = failure
    failed.mayHaveArrived = mayHaveArrived
    return EntryChange(old: self, result: .stays(failed))
  }

  /// Decides about a mutation that waits for longer than it may.
  var expired: EntryChange {
    // It may have been performed, and the server may know its key no more.
    guard mayHaveArrived else {
      return rejected(OfflineFailure(.expired), mayHaveArrived: false)
    }
    // With each rule: it may never have been performed.
    var uncertain = self
    uncertain.standing.phase = .uncertain
    return EntryChange(old: self, result: .stays(uncertain))
  }
}
