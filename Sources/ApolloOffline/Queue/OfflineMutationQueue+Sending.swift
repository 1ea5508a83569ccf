import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation

// How a lane is worked off:
//
// 1. An event wakes lanes: a new mutation, a result, a decision, an alarm, the network.
// 2. A worker takes the next of them, and asks the core what the lane does.
// 3. It sends the first mutation: the core has noted that in the file. Its optimistic layer moves
//    below those that wait.
// 4. The response is written to the cache, in place of the layer. Then the mutation is removed from
//    the file. If the process ends in between, the mutation counts as "may have been performed".
// 5. It asks again, until the lane has to wait.

extension OfflineMutationQueue {
  /// The worker whose task this is, or a task that it has begun.
  @TaskLocal static var worker: Int?

  /// Looks at all lanes that have something to do.
  func wakeAll() { wake(core.withLock { $0.idleLanes }) }

  /// Looks at lanes.
  func wake(_ lanes: [String]) {
    guard !lanes.isEmpty else { return }
    state.withLock { $0.wake(lanes) }
    startWorkers()
    keepTime()
  }

  /// Starts as many workers as there is work for, up to the limit.
  private func startWorkers() {
    state.withLock { state in
      while state.workers.count < configuration.maximumLaneCount,
        state.workers.count < state.pending.count + state.active.count
      {
        state.workerCount += 1
        let number = state.workerCount
        state.workers[number] = Task { [weak self] in
          await Self.$worker.withValue(number) { await self?.work(number) }
        }
      }
    }
  }

  private func work(_ number: Int) async {
    while !Task.isCancelled, let lane = popLane(number) {
      await run(lane)
      state.withLock { $0.end(lane) }
    }
    guard Task.isCancelled else { return }
    _ = state.withLock { $0.workers.removeValue(forKey: number) }
    // What the next session has to do.
    startWorkers()
  }

  /// Returns the next lane, or ends the worker.
  private func popLane(_ number: Int) -> String? {
    state.withLock { state in
      if let lane = state.popPending() { return lane }
      state.workers[number] = nil
      return nil
    }
  }

  private func run(_ lane: String) async {
    while !Task.isCancelled, let client = state.withLock({ $0.client }) {
      let step: QueueCore.Step
      do {
        step = try change { try $0.take(lane: lane, at: now) }
      } catch {
        configuration.onFailure?(error)
        return setAlarm(for: lane, after: configuration.baseDelay)
      }
      await showTouchedLayers()
      switch step {
      case .none: return
      case .wait(let time):
        let delay = time - now.time
        guard delay <= .zero else { return setAlarm(for: lane, after: delay) }
      case .ask(let id): await ask(id, in: lane)
      case .send(let attempt): await send(attempt, with: client)
      }
    }
  }

  private func setAlarm(for lane: String, after delay: Duration) {
    let alarm = clocks.get().alarms.setAlarm(after: delay) { [weak self] in self?.wake([lane]) }
    let old = state.withLock { $0.alarms.updateValue(alarm, forKey: lane) }
    old?.cancel()
  }

  // MARK: - One request

  private func send(_ attempt: Attempt, with client: ApolloClient) async {
    let id = attempt.id
    keepTime()
    var layer: LayerID?
    let sent: RegisteredMutation.Sent
    do {
      let isVisible = core.withLock { $0.entries[id]?.isVisible ?? false }
      let update = isVisible ? layerUpdate(id, attempt.operationName) : nil
      let new = try await client.store.changeLayers { $0.beginSending(id, update) }
      layer = new
      sent = try await request(attempt, in: new, with: client)
    } catch is CancellationError {
      sent = .init(outcome: .notPerformed(retryAfter: nil, isFaultOfServer: false))
    } catch {
      let failure = OfflineFailure(.unsendable, messages: ["\(error)"])
      sent = .init(outcome: .rejected(failure), error: error)
    }
    await finish(attempt, sent, layer, in: client.store)
  }

  private func request(
    _ attempt: Attempt, in layer: LayerID, with client: ApolloClient
  ) async throws -> RegisteredMutation.Sent {
    guard let registered = registry.withLock({ $0.mutations[attempt.operationName] }) else {
      throw OfflineError(.notRegistered, "'\(attempt.operationName)' is not registered.")
    }
    let payload = try Payload(bytes: opened(attempt.payload)).replacingTexts(attempt.identifiers)
    var configuration = client.defaultRequestConfiguration
    var variables = payload.variables
    if let key = attempt.key {
      for carrier in self.configuration.keyCarriers {
        switch carrier {
        case .header(let name): configuration.additionalHeaders[name] = key
        case .variable(let path):
          variables = variables.setting(.string(key), at: path.split(separator: "."))
        }
      }
    }
    let request = RegisteredMutation.Request(
      layer: layer, files: try attempt.files.map { try file($0) }, configuration: configuration,
      creates: attempt.creates)
    return await registered.send(client, variables, request)
  }

  private func file(_ file: StoredFile) throws -> GraphQLFile {
    if let content = file.content {
      return GraphQLFile(
        fieldName: file.fieldName, originalName: file.originalName, mimeType: file.mimeType,
        data: Data(try opened(content)))
    }
    return try GraphQLFile(
      fieldName: file.fieldName, originalName: file.originalName, mimeType: file.mimeType,
      contentsOf: URL(fileURLWithPath: file.path ?? ""))
  }

  private func finish(
    _ attempt: Attempt, _ sent: RegisteredMutation.Sent, _ layer: LayerID?, in store: ApolloStore
  ) async {
    if case .rejected = sent.outcome { state.withLock { $0.rejected[attempt.id] = sent } }
    var delay = configuration.baseDelay
    while true {
      do {
        try change { _ = try $0.finish(attempt, sent.outcome, at: now) }
        break
      } catch {
        // The result must not be lost: the mutation would be sent again.
        configuration.onFailure?(error)
        guard (try? await clocks.get().alarms.sleep(for: delay)) != nil else { break }
        delay = min(delay * 2, configuration.maximumDelay)
      }
    }
    var dependents: [Int64] = []
    if case .performed(let identifiers) = sent.outcome {
      dependents = core.withLock { $0.dependents(of: identifiers.keys) }
    }
    // Before the layer goes, so that the expected data does not disappear in between.
    await showLayers(of: [attempt.id] + dependents)
    if let layer { await store.removeLayer(layer) }
    deliver(sent, of: attempt.id)
    if !attempt.creates.isEmpty { wakeAll() }
  }

  private func deliver(_ sent: RegisteredMutation.Sent, of id: Int64) {
    let hasEnded = core.withLock { $0.entries[id] == nil }
    let handle = state.withLock { state -> EndOfMutation? in
      if hasEnded { state.rejected[id] = nil }
      guard case .performed = sent.outcome else { return nil }
      return state.handles.removeValue(forKey: id)
    }
    if let response = sent.response { handle?.end(.success(response)) }
  }

  // MARK: - Conflicts

  private func ask(_ id: Int64, in lane: String) async {
    let sent = state.withLock { $0.rejected.removeValue(forKey: id) }
    defer { core.withLock { $0.endAsking(id, in: lane) } }
    do {
      guard
        let (entry, contents) = try core.withLock({ core in
          try core.contents(of: id).flatMap { contents in core.entries[id].map { ($0, contents) } }
        })
      else { return }
      let registered = registry.withLock { $0.mutations[entry.operationName] }
      guard let decide = registered?.decide else { return }
      let payload = try Payload(bytes: opened(contents.payload))
        .replacingTexts(contents.identifiers)
      let rejection = RegisteredMutation.Rejection(
        variables: payload.variables, failure: entry.failure ?? OfflineFailure(.rejected),
        sent: sent, attemptCount: Int(entry.attempts))
      let decision = await decide(rejection)
      try Task.checkCancellation()
      try apply(decision, to: id, payload)
      await showLayers(of: [id])
      wakeAll()  // mutations of other lanes may need what this one creates
    } catch is CancellationError {
      // The session has ended. The handler is asked again in the next one.
    } catch {
      configuration.onFailure?(error)
    }
  }

  private func apply(_ decision: ErasedDecision, to id: Int64, _ payload: Payload) throws {
    let key = UUID().uuidString
    switch decision {
    case .stop: break
    case .skip: _ = try change { try $0.remove(id, .dropped) }
    case .retry: _ = try change { try $0.retry(id, newKey: key) }
    case .change(let variables, let optimistic):
      let new = Payload(variables: variables, optimistic: optimistic, update: payload.update)
      let bytes = try sealed(new.bytes)
      _ = try change { try $0.retry(id, payload: bytes, newKey: key) }
    }
  }
}

// MARK: - Time

extension OfflineMutationQueue {
  /// The time between two looks for changes of other processes.
  private static let pollTime = Duration.seconds(1)

  /// Prolongs the lease and looks for changes of other processes, from time to time.
  func keepTime() {
    let begins = state.withLock { state in
      guard !state.keepsTime, state.client != nil else { return false }
      state.keepsTime = true
      return true
    }
    if begins { setTimeAlarm(after: nextTime()) }
  }

  private func nextTime() -> Duration {
    let third = Duration.seconds(configuration.limits.leaseTime / 3)
    return configuration.isShared ? min(Self.pollTime, third) : third
  }

  private func setTimeAlarm(after delay: Duration) {
    _ = clocks.get().alarms.setAlarm(after: delay) { [weak self] in self?.timePassed() }
  }

  private func timePassed() {
    do {
      let isSending = try change { try $0.keepLease(at: now.date) } != nil
      if configuration.isShared { try reload() }
      let goesOn = state.withLock { state in
        state.keepsTime = state.client != nil && (isSending || configuration.isShared)
        return state.keepsTime
      }
      if goesOn { setTimeAlarm(after: nextTime()) }
    } catch {
      configuration.onFailure?(error)
      setTimeAlarm(after: nextTime())
    }
  }

  private func reload() throws {
    guard try change({ try $0.reloadIfNeeded() }) else { return }
    Task { [weak self] in
      await self?.showTouchedLayers()
      self?.wakeAll()
    }
  }
}
