internal import ApolloAPI
internal import ApolloCache

/// The records of a scope that this process has in memory.
///
/// They are those of one version of each partition. How they stay correct:
///
/// 1. Each write has the next version, and sends a message with that version and the changes.
/// 2. A message with the next version removes the changed records from memory, or replaces them if
///    this process has written them. Any other one empties memory: with a later version, messages
///    were lost; with an earlier one, the server may have lost its latest writes, as after a
///    failover, and counts their versions again.
/// 3. A record that was read is kept only if it was read at the version of memory.
/// 4. After a write of its own, a process does not use memory until the message of that write has
///    arrived. So a program reads what it has written.
/// 5. A subscription that is lost empties memory, which stays unused until there is another one.
/// 6. A record that Redis removes after a time is removed here before that time.
///
/// With a limit of no records, nothing is kept, and only the changes by others are passed on.
///
/// Isolation: the state is guarded by a lock. Handlers are called without it.
final class NearCache: Sendable {
  /// The records at one moment.
  struct Contents {
    let records: NearRecords
    let metas: [Meta]
    /// The number of changes of the records until this moment.
    let version: UInt64
  }

  fileprivate struct OwnWrite: Hashable {
    let partition: Int
    let version: UInt64
  }

  fileprivate struct State: Sendable {
    private(set) var records = NearRecords()
    /// The number of changes of what a complete reading can have read. Records that are added, as
    /// they are at the same version of the server, change nothing of that.
    var version: UInt64 = 1
    /// The times at which the server removes records.
    private var expiries = CellExpiries()
    var metas: [Meta]
    /// The versions that this process has written or read, which memory must reach, and the times
    /// since which it has waited for a message.
    var targets: [(version: UInt64, since: ContinuousClock.Instant)?]
    var isLive = false
    /// The number of subscriptions that have ended.
    var session = 0
    /// The messages that arrived between the start of a subscription and the first state.
    var early: [ChangeMessage] = []
    /// The records of own writes whose messages have not arrived.
    var own: [OwnWrite: ([(Cell, CellContents?)], [Cell: ContinuousClock.Instant])] = [:]
    /// The tokens of own writes whose responses were lost. The store takes these writes for
    /// failures, so their messages count as those of others, whenever they arrive.
    var lost: Set<[UInt8]> = []

    init(_ partitionCount: Int) {
      metas = Array(repeating: .empty, count: partitionCount)
      targets = Array(repeating: nil, count: partitionCount)
    }

    mutating func put(
      _ cells: some Sequence<(Cell, CellContents?)>, _ times: [Cell: ContinuousClock.Instant]
    ) {
      for (cell, contents) in cells {
        records.put(cell, contents)
        if !times.isEmpty || !expiries.isEmpty { expiries.set(times[cell], of: cell) }
      }
    }

    mutating func remove(_ key: RecordKey, _ changed: ChangedFields) {
      records.remove(key, changed)
    }

    mutating func removeRecords() {
      version += 1
      records = NearRecords()
      expiries = CellExpiries()
    }

    /// Removes the records that the server has removed by now.
    mutating func removeExpired() {
      guard !expiries.isEmpty else { return }
      let expired = expiries.takeExpired(at: .now)
      if !expired.isEmpty { version += 1 }
      for cell in expired { records.put(cell, nil) }
    }

    /// Indicates whether the records are those of the server, as far as this process knows, when
    /// what has expired was removed.
    mutating func isCurrent() -> Bool {
      guard isLive, targets.allSatisfy({ $0 == nil }) else { return false }
      removeExpired()
      return true
    }

    /// The time at which the server removes a cell, if it is here and has one.
    func expiry(of cell: Cell) -> ContinuousClock.Instant? { expiries[cell] }

    mutating func setExpiry(_ expiry: ContinuousClock.Instant, of cell: Cell) {
      if expiries[cell] != nil { expiries.set(expiry, of: cell) }
    }

    mutating func reset() {
      removeRecords()
      own = [:]
      early = []
      isLive = false
      for index in metas.indices {
        metas[index] = .empty
        targets[index] = nil
      }
    }
  }

  private let state: Lock<State>
  private let partitionCount: Int
  /// The identity of this process' cache in messages. In the message of a write, the bytes behind
  /// ``ChangeMessage/cacheCount`` are the token of the write.
  let writer: [UInt8] = (0..<ChangeMessage.writerCount).map { _ in .random(in: .min ... .max) }
  private let recordLimit: Int
  private let changes: ForeignChanges

  /// The largest number of lost writes that are remembered.
  private static let mostLostWrites = 1_024

  /// The time that a message may be late before the subscription counts as broken.
  static let longestDelay = Duration.seconds(1)

  init(partitionCount: Int, recordLimit: Int, changes: ForeignChanges) {
    state = Lock(State(partitionCount))
    self.partitionCount = partitionCount
    self.recordLimit = recordLimit
    self.changes = changes
  }

  // MARK: - Reading

  /// The records, or `nil` if memory cannot be used now.
  func contents() -> Contents? {
    guard keepsRecords else { return nil }
    return state.withLock { state in
      guard state.isCurrent() else { return nil }
      return Contents(records: state.records, metas: state.metas, version: state.version)
    }
  }

  /// The number of changes of the records, or `nil` if memory cannot be used now.
  var version: UInt64? {
    guard keepsRecords else { return nil }
    return state.withLock { $0.isCurrent() ? $0.version : nil }
  }

  /// The state of a partition according to the messages, or `nil` if they do not arrive.
  func meta(_ partition: Int) -> Meta? {
    state.withLock { $0.isLive ? $0.metas[partition] : nil }
  }

  /// Indicates whether records are kept at all.
  var keepsRecords: Bool { recordLimit > 0 }

  /// Keeps cells that were read, if memory is at the same version.
  ///
  /// - Parameters:
  ///   - cells: The cells.
  ///   - partition: Their partition.
  ///   - meta: The version at which they were read.
  ///   - expiries: The times at which the server removes some of them.
  func keep(
    _ cells: some Sequence<(Cell, CellContents)>, _ partition: Int, at meta: Meta,
    expiries: [Cell: ContinuousClock.Instant] = [:]
  ) {
    guard keepsRecords else { return }
    let released = state.withLock { state -> NearRecords? in
      guard state.isLive, state.metas[partition] == meta else { return nil }
      let old = state.limit(to: recordLimit)
      state.put(cells.lazy.map { ($0, $1) }, expiries)
      return old
    }
    withExtendedLifetime(released) {}  // outside of the lock
  }

  /// Notes the state of a partition that a response of the server contained.
  ///
  /// - Parameters:
  ///   - meta: The state.
  ///   - partition: The partition.
  ///   - before: The state according to the messages when the request was sent.
  /// - Returns: `false` if messages were lost: the subscription must start again.
  func observe(_ meta: Meta, _ partition: Int, before: Meta?) -> Bool {
    state.withLock { state in
      guard state.isLive, let before else { return true }
      let own = state.metas[partition]
      // The partition was cleared while the request was under way, and the response is from before
      // that. Its state says nothing about the messages to come.
      if own.epoch != before.epoch, own.epoch != meta.epoch,
        meta.epoch == before.epoch || meta.version <= own.version
      {
        return true
      }
      if own.epoch != meta.epoch || meta.version > own.version {
        guard let target = state.targets[partition] else {
          // A message is about to arrive. If it does not, this is noticed by a later response.
          state.targets[partition] = (meta.version, .now)
          return true
        }
        // Memory must not show less than this response.
        state.targets[partition]?.version = max(target.version, meta.version)
        return target.since + Self.longestDelay > .now
      }
      return meta.version >= before.version
    }
  }

  // MARK: - Writing

  /// Returns those of some cells that the server may remove before a time, as far as this is known.
  func cells(_ cells: some Sequence<Cell>, expiringBefore time: ContinuousClock.Instant) -> [Cell] {
    state.withLock { state in
      cells.filter { cell in state.expiry(of: cell).map { $0 < time } ?? true }
    }
  }

  /// Notes that the server keeps cells for longer.
  func renew(_ cells: some Sequence<Cell>, until expiry: ContinuousClock.Instant) {
    state.withLock { state in for cell in cells { state.setExpiry(expiry, of: cell) } }
  }

  /// Notes an own write that the server has carried out.
  func recordOwnWrite(
    _ cells: [(Cell, CellContents?)], _ partition: Int, _ meta: Meta,
    expiries: [Cell: ContinuousClock.Instant] = [:]
  ) {
    guard keepsRecords else { return }
    let released = state.withLock { state -> NearRecords? in
      guard state.isLive else { return nil }
      if state.metas[partition] == meta {
        // Its message was first.
        let old = state.limit(to: recordLimit)
        state.version += 1
        state.put(cells, expiries)
        return old
      } else if state.metas[partition].version < meta.version {
        state.own[OwnWrite(partition: partition, version: meta.version)] = (cells, expiries)
        let since = state.targets[partition]?.since ?? .now
        state.targets[partition] = (
          max(meta.version, state.targets[partition]?.version ?? 0), since
        )
      }
      return nil
    }
    withExtendedLifetime(released) {}  // outside of the lock
  }

  /// Notes an own write whose response was lost, so that it may have been carried out.
  ///
  /// - Parameters:
  ///   - token: The token of the write.
  ///   - changed: The changes. They are reported at once, because the message may have arrived
  ///     already, and once more if it arrives later.
  func recordLostWrite(_ token: [UInt8], _ changed: ChangeSet) {
    state.withLock { state in
      // Messages of forgotten ones count as own. Their changes were reported when they were lost.
      if state.lost.count >= Self.mostLostWrites { state.lost = [] }
      state.lost.insert(token)
    }
    changes.add(changed)
  }

  // MARK: - The subscription

  /// The number of subscriptions that have ended.
  var session: Int { state.withLock { $0.session } }

  /// Starts at the states that the server had when the subscription was there.
  ///
  /// `session`: The number of the subscription. If it has ended since, nothing starts.
  func start(at metas: [Meta], in session: Int) {
    let early = state.withLock { state -> [ChangeMessage]? in
      guard state.session == session else { return nil }
      let early = state.early
      state.reset()
      state.metas = metas
      state.isLive = true
      return early
    }
    guard let early else { return }
    for message in early { _ = receive(message) }
    changes.add(.everything)
  }

  /// Empties memory. It is not used until ``start(at:in:)``.
  func stop() {
    let old = state.withLock { state in
      state.session += 1
      let records = state.records
      state.reset()
      return records
    }
    withExtendedLifetime(old) {}
  }

  /// Empties memory, because something is wrong with the messages.
  ///
  /// - Returns: `false`: the subscription must start again.
  private func isBroken() -> Bool {
    stop()
    return false
  }

  /// Applies a message.
  ///
  /// - Returns: `false` if the subscription must start again.
  func receive(_ bytes: [UInt8]) -> Bool {
    guard let message = ChangeMessage(bytes), message.partition < partitionCount else {
      return isBroken()
    }
    return receive(message)
  }

  private func receive(_ message: ChangeMessage) -> Bool {
    let (foreign, released) = state.withLock { state -> (ChangeSet?, NearRecords?) in
      guard state.isLive else {
        if state.early.count < 1_024 { state.early.append(message) }
        return (nil, nil)
      }
      let isOwn = message.isFrom(writer) && state.lost.remove(message.token) == nil
      let old = isOwn && keepsRecords ? state.limit(to: recordLimit) : nil
      let changes = state.apply(message, isOwn: isOwn)
      // The store that has written knows its changes.
      let isKnown = isOwn && !keepsRecords && changes?.includesEverything == false
      return (isKnown ? nil : changes, old)
    }
    withExtendedLifetime(released) {}  // outside of the lock
    if let foreign { changes.add(foreign) }
    return true
  }
}

extension NearCache.State {
  /// Applies a message and returns the changes that the stores do not know, or `nil`.
  fileprivate mutating func apply(_ message: ChangeMessage, isOwn: Bool) -> ChangeSet? {
    let partition = message.partition
    let known = metas[partition]
    let own = self.own.removeValue(
      forKey: NearCache.OwnWrite(partition: partition, version: message.meta.version))
    let isNext = message.meta.version == known.version + 1
    let isSameEpoch = message.meta.epoch == known.epoch || known.epoch.isEmpty
    if isSameEpoch, message.meta.version <= known.version {
      // A message from before the subscription is rare, and looks like one of a server that has
      // lost its latest writes. The state stays: it changes when the versions exceed it, or when a
      // response shows that the server is behind it.
      removeRecords(andOwnWritesTo: partition)
      return .everything
    }
    metas[partition] = message.meta
    version += 1
    if let target = targets[partition] {
      if target.version <= message.meta.version {
        targets[partition] = nil
      } else {
        // The target rises while others write. Messages arrive, so the subscription works.
        targets[partition]?.since = .now
      }
    }
    guard isNext, isSameEpoch, !message.changes.includesEverything else {
      removeRecords(andOwnWritesTo: partition)
      return isOwn && isNext ? nil : .everything
    }
    if isOwn, let own {
      put(own.0, own.1)
      return nil
    }
    for entry in message.changes.entries { remove(entry.record, entry.fields) }
    return message.changes
  }

  /// Empties memory, because its records of a partition may be wrong. Those of other partitions are
  /// correct, but this is rare.
  private mutating func removeRecords(andOwnWritesTo partition: Int) {
    removeRecords()
    own = own.filter { $0.key.partition != partition }
  }

  /// Empties the records if there are too many, and returns the old ones.
  fileprivate mutating func limit(to count: Int) -> NearRecords? {
    guard records.count >= count else { return nil }
    defer { removeRecords() }
    return records
  }
}
