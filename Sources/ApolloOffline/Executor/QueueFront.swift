import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation

/// The parts of a queue that callers and readers reach without waiting for the file.
///
/// Isolation: each lock guards its value. `machine` may be held when `followers` is taken, and no
/// other two are held together. No lock is held while code of the program runs. What ends the calls
/// of a session takes them out of the machine first, so that no other one can revive them.
final class QueueFront: Sendable {
  struct Clocks: Sendable {
    var alarms: any AlarmClock = SystemAlarmClock.shared
    var date: @Sendable () -> Double = { Date().timeIntervalSince1970 }
  }

  struct Registry: Sendable {
    var mutations: [String: RegisteredMutation] = [:]
    var updaters: [String: @Sendable (ReadWriteTransaction, JSONValue) throws -> Void] = [:]
  }

  private struct Attached {
    weak var client: ApolloClient?
    /// The store of the client, which can live longer: what it shows is removed there.
    weak var store: ApolloStore?
    /// Compared where a lock is held, under which no client may be released.
    var identity: ObjectIdentifier?
    /// The first of the numbers that the client's store has for the layers of this queue.
    var firstLayer: Int64 = 0
  }

  /// The mutations that could not be shown or are about to be, and the waits of tasks that end with
  /// the queue.
  private struct Unfinished {
    var unseen: Set<Int64> = []
    /// Those whose expected data does not fit its type, which was reported.
    var unfitting: Set<Int64> = []
    /// The contents of new mutations that are about to be shown.
    var new: [Int64: Payload] = [:]
    var waits: [Int: Task<Void, Never>] = [:]
    var waitCount = 0
    var isClosed = false
  }

  let configuration: OfflineQueueConfiguration
  let machine: Lock<QueueMachine>
  let registry = Lock(Registry())
  let followers = Lock(QueueFollowers())
  let reader: OfflineReader
  /// Tests set other clocks.
  let clocks: Lock<Clocks>
  private let attached = Lock(Attached())
  private let unfinished = Lock(Unfinished())
  /// Wakes the executor.
  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init(
    _ configuration: OfflineQueueConfiguration, machine: Lock<QueueMachine>,
    reader: OfflineReader, clocks: Clocks
  ) {
    self.configuration = configuration
    self.machine = machine
    self.reader = reader
    self.clocks = Lock(clocks)
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// The client that the queue sends with, or `nil` if it has none.
  var client: ApolloClient? { attached.withLock { $0.client } }

  /// The moment of an event.
  var now: Moment {
    let clocks = clocks.get()
    return Moment(time: clocks.alarms.now, date: clocks.date())
  }

  /// Lets the executor look at the queue.
  func wake() { signal.yield() }

  func fail(_ error: any Error) { configuration.onFailure?(error) }

  // MARK: - Sessions

  /// Lets nothing of the session be sent any more, at once.
  ///
  /// - Parameter keeping: `false` to remove its mutations from the file, `nil` for the rule of the
  ///   configuration.
  /// - Returns: The session, which the executor ends.
  func stopSending(keeping: Bool? = nil) -> QueueSession? {
    let (session, calls) = machine.withLock { $0.stopSending(keeping: keeping) }
    calls?.end()
    return session
  }

  // MARK: - Clients

  /// Shows what waits to everything that reads from a client's store from now on, and lets the
  /// queue send with the client.
  ///
  /// - Returns: The client that the queue sends with no more, if it had another one.
  func attach(to client: ApolloClient) -> ApolloClient? {
    let old = attached.exchange(Attached())
    let isOther = old.client.map { $0 !== client } ?? false
    if isOther { machine.withLock { $0.stopCalls() }?.end() }
    old.store?.removeWaitingLayers(of: old.firstLayer)
    clocks.withLock { $0.alarms = client.alarmClock }
    let firstLayer = client.store.addWaitingQueue()
    let shown = machine.withLock { machine in
      _ = machine.takeTouched()
      return machine.orderedEntries.filter { machine.isShown($0.id) }
    }
    client.store.restoreWaitingLayers(
      shown.map { (firstLayer + $0.id, layerUpdate($0.id, $0.operationName)) })
    // Not before, so that nothing is sent whose layer is still to come. What changes meanwhile is
    // touched, and shown when the executor wakes.
    attached.withLock {
      $0 = Attached(
        client: client, store: client.store, identity: ObjectIdentifier(client),
        firstLayer: firstLayer)
    }
    machine.withLock { machine in
      machine.allowCalls()
      machine.wakeAll()
    }
    wake()
    return isOther ? old.client : nil
  }

  /// Lets the queue send nothing more with its client, and removes what it shows there.
  func detach() {
    let old = attached.exchange(Attached())
    machine.withLock { $0.stopCalls() }?.end()
    old.store?.removeWaitingLayers(of: old.firstLayer)
  }

  /// Ends the queue. Nothing shows its mutations any more, also if the store lives on.
  func close() {
    detach()
    let waits = unfinished.withLock { unfinished in
      unfinished.isClosed = true
      defer { unfinished.waits = [:] }
      return unfinished.waits
    }
    for wait in waits.values { wait.cancel() }
    signal.finish()
    let released = OfflineError(
      .ended, "The queue was released. The mutation is in its file, and is sent by the next one.")
    followers.withLock { $0.takeAll() }.end(released)
  }

  /// Waits, also in a task that is cancelled, until the time has passed or the queue ends.
  ///
  /// - Returns: `false` if the queue has ended.
  func wait(for delay: Duration) async -> Bool {
    let clock = clocks.get().alarms
    let (number, wait) = unfinished.withLock { unfinished -> (Int, Task<Void, Never>?) in
      guard !unfinished.isClosed else { return (0, nil) }
      unfinished.waitCount += 1
      // Cancelled by the end of the queue, which is all that can be thrown.
      let wait = Task { _ = try? await clock.sleep(for: delay) }
      unfinished.waits[unfinished.waitCount] = wait
      return (unfinished.waitCount, wait)
    }
    await wait?.value
    return unfinished.withLock { unfinished in
      unfinished.waits[number] = nil
      return !unfinished.isClosed
    }
  }

  // MARK: - Reports

  /// Reports changes of state, in their order.
  ///
  /// - Returns: The mutations that have left the queue.
  func report() -> [Int64] {
    let (events, ended) = machine.withLock { machine in
      let events = machine.takeEvents()
      guard machine.takeChangeOfCounts() || !events.isEmpty else {
        return (events, [(EndOfMutation, any Error)]())
      }
      // Under the lock, so that a new follower gets the counts before the next ones.
      return (events, followers.withLock { $0.report(events, machine.counts) })
    }
    for (handle, error) in ended { handle.end(.failure(error)) }
    return events.compactMap { event in
      if case .done = event.state { event.id.rawValue } else { nil }
    }
  }

  // MARK: - Layers

  /// Returns the closure that shows a mutation. It reads its contents from the file when it runs,
  /// so that thousands of waiting mutations need little memory.
  func layerUpdate(_ id: Int64, _ operationName: String) -> OptimisticUpdate {
    { [weak self] transaction in try self?.show(id, operationName, transaction) }
  }

  private func show(
    _ id: Int64, _ operationName: String, _ transaction: ReadWriteTransaction
  ) throws {
    // The machine knows the mutations of the current session only.
    guard machine.withLock({ $0.entries[id] != nil }) else { return }
    guard let payload = try payload(of: id) else { return }
    let names = machine.withLock { machine in
      machine.names.reals(of: machine.entries[id]?.needs ?? [])
    }
    do {
      try write(payload.replacingTexts(names), operationName, transaction)
    } catch let error as UndecodableData {
      // Of an older model. The mutation is sent all the same.
      if unfitting(id) { fail(error) }
      throw error
    }
  }

  /// Returns the contents of a mutation to show, or `nil` if it is not there.
  private func payload(of id: Int64) throws -> Payload? {
    if let new = unfinished.withLock({ $0.new[id] }) { return new }
    do {
      return try reader.payload(of: id).map { try Payload(bytes: opened($0)) }
    } catch {
      unfinished.withLock { _ = $0.unseen.insert(id) }
      throw error
    }
  }

  /// Keeps the contents of a new mutation until it is shown for the first time, so that they need
  /// not be read from the file.
  func keep(_ payload: Payload?, of id: Int64) {
    unfinished.withLock { $0.new[id] = payload }
  }

  /// Notes that a mutation cannot be shown. Returns `false` if that was noted before.
  private func unfitting(_ id: Int64) -> Bool {
    unfinished.withLock { $0.unfitting.insert(id).inserted }
  }

  private func write(
    _ payload: Payload, _ operationName: String, _ transaction: ReadWriteTransaction
  ) throws {
    let registry = registry.get()
    if let data = payload.optimistic {
      try registry.mutations[operationName]?.write(transaction, data, payload.variables)
    }
    for update in payload.updates {
      try registry.updaters[update.name]?(transaction, update.argument)
    }
  }

  /// Returns the mutations whose contents could not be read when they were to be shown.
  func takeUnseen() -> Set<Int64> {
    unfinished.withLock { unfinished in
      defer { unfinished.unseen = [] }
      return unfinished.unseen
    }
  }

  /// Moves the layer of a mutation below those that wait.
  func beginSending(_ attempt: Attempt, in client: ApolloClient) async throws -> LayerID? {
    let attached = attached.get()
    guard attached.client === client else { return nil }
    let update =
      attempt.entry.isVisible ? layerUpdate(attempt.id, attempt.entry.operationName) : nil
    return try await client.store.beginSending(attached.firstLayer + attempt.id, update)
  }

  /// Shows or hides mutations, as their states say, in one change for readers.
  ///
  /// - Parameters:
  ///   - ids: The mutations.
  ///   - sent: The layers of requests that have ended, which go, unless they have the response.
  ///   - client: The client of the request, or whose queue this is.
  func showLayers(
    of ids: [Int64], after sent: [LayerID] = [], in client: ApolloClient
  ) async {
    guard !ids.isEmpty || !sent.isEmpty else { return }
    // Not the client, whose last reference must not be released under the lock of the layers.
    let identity = ObjectIdentifier(client)
    await client.store.changeLayers { stack in
      for layer in sent { stack.remove(layer) }
      guard let first = self.firstLayer(of: identity) else { return }
      // Looked up here, so that of two such changes the later one sees the later state.
      let places = self.machine.withLock { machine in ids.map(machine.visibility) }
      for (id, place) in zip(ids, places) {
        switch place {
        case .waiting(let name): stack.showWaiting(first + id, self.layerUpdate(id, name))
        case .sending: break
        case .hidden: stack.remove(LayerID(waiting: first + id))
        }
      }
    }
  }

  private func firstLayer(of client: ObjectIdentifier) -> Int64? {
    attached.withLock { attached in
      attached.identity == client ? attached.firstLayer : nil
    }
  }

  // MARK: - Encryption

  func sealed(_ bytes: [UInt8]) throws -> [UInt8] {
    guard let protection = configuration.protection else { return bytes }
    return [UInt8](try protection.seal(Data(bytes)))
  }

  func opened(_ bytes: [UInt8]) throws -> [UInt8] {
    guard let protection = configuration.protection else { return bytes }
    do {
      return [UInt8](try protection.open(Data(bytes)))
    } catch {
      throw SealedContents(error: error)
    }
  }
}

/// The program could not decrypt a mutation, or read a file of it that exists. It may do so later,
/// such as when the device is unlocked.
struct SealedContents: Error, CustomStringConvertible {
  let error: any Error

  var description: String { "The contents of a mutation cannot be read now: \(error)" }
}
