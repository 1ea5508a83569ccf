import Apollo
import ApolloAPI
package import ApolloCache
import ApolloObservation
import Dispatch
import Foundation
import SeededRandom
import TestOperations

/// A violation of the law of order, with the schedule that leads to it.
package struct OrderViolation: Error, CustomStringConvertible {
  var seed: UInt64
  var reason: String
  var steps: [String]

  package var description: String {
    "\(reason) (seed \(seed))\n" + steps.suffix(120).joined(separator: "\n")
  }
}

/// The things that a random schedule may consist of.
package struct SimulationProfile: Sendable, CustomStringConvertible {
  var name = "everything"
  var steps: [SimulationStep]
  var storeCount = 1
  /// Indicates whether interceptors delay responses that were written already.
  var holdsResponses = false

  package var description: String { name }

  package static let everything = SimulationProfile(
    steps: SimulationStep.allCases.filter { $0 != .endSession }, storeCount: 2, holdsResponses: true
  )

  /// Schedules of few kinds of steps, each of which leads to one kind of violation if the client
  /// does not prevent it.
  package static let narrow: [SimulationProfile] = [
    SimulationProfile(
      name: "an observable query is refetched during an optimistic mutation",
      steps: [.refetchObservable, .mutateOptimistically, .read, .deliver, .change]),
    SimulationProfile(
      name: "responses are kept back by interceptors",
      steps: [.refetchObservable, .mutate, .deliver, .release, .change], holdsResponses: true),
    SimulationProfile(
      name: "a mutation ends between two parts", steps: [.fetchInParts, .mutate, .read, .deliver]),
    SimulationProfile(
      name: "a mutation overtakes a refetch",
      steps: [.refetchWatch, .mutate, .mutateOptimistically, .read, .deliver]),
    SimulationProfile(name: "results on a concurrent queue", steps: [.writeOften, .change]),
    SimulationProfile(
      name: "refetches are cancelled",
      steps: [.refetchObservable, .cancelObservable, .read, .deliver, .change]),
    SimulationProfile(
      name: "requests fail", steps: [.fail, .fetch, .deliver, .refetchWatch, .change]),
    SimulationProfile(
      name: "the cache is cleared", steps: [.fetch, .clear, .read, .deliver, .change]),
    SimulationProfile(
      name: "users leave",
      steps: [.fetch, .mutateOptimistically, .endSession, .read, .deliver, .change, .event]),
    SimulationProfile(
      name: "events wait for their reader",
      steps: [
        .fetch, .mutate, .mutateOptimistically, .read, .deliver, .change, .event, .write,
        .writeElsewhere, .delayReader, .resumeReader, .clear, .endSession,
      ]),
  ]
}

enum SimulationStep: CaseIterable, Sendable {
  case fetch, fetchInParts, mutate, mutateOptimistically, refetchWatch, refetchObservable
  case cancelObservable, read, deliver, fail, change, event, write, writeOften, update
  case writeElsewhere
  case remove, clear, release, endSession
  /// The reader of the subscription becomes slow, and goes on.
  case delayReader, resumeReader
}

/// A random schedule of requests, responses and writes, after each step of which every observer is
/// compared with the law.
///
/// The server has a true history: each name is the number of its latest change. A response has the
/// numbers of the moment at which the server has read them, which is any between its request and
/// its delivery.
///
/// 1. A step happens, and what follows from it inside of the client comes to an end
///    (``SimulatedTasks/rest()``).
/// 2. The cache has what a second implementation of the law says (``ModelledName``).
/// 3. What a watch, an observable query or a call shows is never older than what it has shown.
/// 4. An observer shows what the cache shows, unless data is missing, which it fetches.
/// 5. At the end all requests are answered. Then nothing is left in memory of the order, and a
///    fetch brings everything up to date.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor package final class OrderSimulation {
  private static let ids = ["1", "2", "3"]
  private let query = HeroAPI.HeroQuery()

  private let tasks: SimulatedTasks
  private let seed: UInt64
  private var random: SeededGenerator
  private let profile: SimulationProfile
  private let server: OrderServer
  private let holding: HoldingInterceptors?
  private let read: @Sendable (RecordKey) async throws -> FieldMap?
  private let stores: [ApolloStore]
  private let clients: [ApolloClient]

  private var truth: [String: Int] = [:]
  private var latestVersion = 0
  private var model: [String: ModelledName] = [:]
  /// The newest version of each name in the model, and those to which it has gone back. An observer
  /// that waits for missing data may not have seen the versions in between.
  private var newestModelled: [String: Int] = [:]
  private var returns: [String: Set<Int>] = [:]
  private var optimisticCount = 0
  /// The optimistic names of the mutations that have a layer.
  private var layered: Set<String> = []
  /// The names of those that have none, and may have to wait for such a mutation before.
  private var queued: Set<String> = []
  private var steps: [String] = []

  /// The versions that the server has read for each call.
  private var readings: [Int: [String: Int]] = [:]
  private var answered: Set<Int> = []
  /// The calls whose first part was sent.
  private var begun: Set<Int> = []

  private let observers: [Observer]
  private var watchers: [GraphQLQueryWatcher<HeroAPI.HeroQuery>] = []
  private let observable: ObservableQuery<HeroAPI.HeroQuery>
  private var refetch: Task<Void, Never>?
  /// Indicates whether the latest refetch has not ended.
  private var isRefetching: Lock<Bool>?
  private var subscription: Task<Void, Never>?
  private let gate = ReaderGate()
  /// The events that wait for their reader.
  private var unread: [(id: String, version: Int, arrival: Interval)] = []

  /// The names that one watch, query or call has shown.
  final class Observer: Sendable {
    let name: String
    private struct State {
      var shown: [String: String] = [:]
      var floor: [String: Int] = [:]
      /// The versions that were shown after newer ones.
      var older: [String: Set<Int>] = [:]
    }
    private let state = Lock(State())

    init(_ name: String) { self.name = name }

    /// Notes what is shown now.
    func show(_ names: [String: String]) {
      state.withLock { state in
        let before = state.shown
        state.shown = names
        // A name that stays does not go back, even where ``forget(_:)`` came between.
        for (id, name) in names where name != before[id] {
          guard let version = Int(name) else { continue }  // optimistic
          if let floor = state.floor[id], version < floor {
            state.older[id, default: []].insert(version)
          }
          state.floor[id] = version
        }
      }
    }

    var shown: [String: String] { state.withLock { $0.shown } }

    /// The versions that were shown after newer ones since the last call.
    func takeOlder() -> [String: Set<Int>] {
      state.withLock { state in
        defer { state.older = [:] }
        return state.older
      }
    }

    /// Forgets what was shown of an object, whose order is not known.
    func forget(_ id: String) {
      state.withLock { state in
        state.floor[id] = nil
        state.older[id] = nil
      }
    }
  }

  /// Prepares a schedule on stores of one cache.
  ///
  /// - Parameters:
  ///   - seed: The number from which the schedule follows.
  ///   - profile: The things that the schedule may consist of.
  ///   - tasks: The tasks of the process.
  ///   - makeStore: A closure that makes a store of the cache, which is empty.
  ///   - read: A closure that reads a record from the cache, without optimistic data.
  package init(
    seed: UInt64, profile: SimulationProfile, tasks: SimulatedTasks,
    makeStore: () -> ApolloStore,
    read: @escaping @Sendable (RecordKey) async throws -> FieldMap?
  ) {
    self.tasks = tasks
    self.seed = seed
    self.profile = profile
    self.read = read
    random = SeededGenerator(seed: seed)
    holding = profile.holdsResponses ? HoldingInterceptors() : nil
    server = OrderServer(interceptors: holding)
    let stores = (0..<profile.storeCount).map { _ in makeStore() }
    self.stores = stores
    clients = stores.map { [server] in ApolloClient(networkTransport: server, store: $0) }
    observers = ["watch 0", "watch 1", "observable"].map(Observer.init)
    observable = ObservableQuery(query, client: clients[0])
  }

  /// Prepares a schedule on a cache, which is empty.
  package convenience init(
    seed: UInt64, profile: SimulationProfile, tasks: SimulatedTasks, cache: any NormalizedCache
  ) {
    self.init(
      seed: seed, profile: profile, tasks: tasks, makeStore: { ApolloStore(cache: cache) },
      read: { try cache.loadRecords(forKeys: [$0])[$0]?.fields })
  }

  // MARK: - The run

  /// Runs the schedule.
  ///
  /// - Parameter stepCount: The number of steps before the end.
  /// - Throws: ``OrderViolation``
  package func run(stepCount: Int) async throws {
    tasks.seed(seed)
    tasks.describe("\(profile), seed \(seed)")
    try await start()
    for _ in 0..<stepCount {
      guard let step = profile.steps.randomElement(using: &random) else { break }
      guard await perform(step) else { continue }
      try await check()
    }
    try await finish()
  }

  private func start() async throws {
    for id in Self.ids {
      change(id)
      model[id] = ModelledName()
    }
    for (index, client) in [clients[0], clients[clients.count - 1]].enumerated() {
      let observer = observers[index]
      watchers.append(
        client.watch(
          query: query, cachePolicy: index == 0 ? .fetchIgnoringCacheData : .default,
          callbackQueue: tasks.queue
        ) { result in
          if let hero = (try? result.get())?.data?.hero { observer.show(hero.names) }
        })
    }
    subscribe()
    showObservable()
    await settle()
  }

  private func subscribe() {
    subscription = Task { [client = clients[0], gate] in
      var events = client.subscribe(subscription: HeroAPI.HeroChangedSubscription())
        .makeAsyncIterator()
      repeat { await gate.pass() } while (try? await events.next()) != nil
    }
  }

  /// Sends all that is missing, and checks that everything is up to date and forgotten.
  private func finish() async throws {
    holding?.stop()
    steps.append("end")
    await resumeReader()
    await settle()
    try await check()
    for _ in 0..<50 {
      await settle()
      guard let open = openCalls().first else { break }
      await deliver(open)
      try await check()
    }
    for id in Self.ids { change(id) }
    await call("the last fetch", clients[0]) {
      try await $0.fetch(query: $1, cachePolicy: .networkOnly)
    }
    await settle()
    for open in openCalls() { await deliver(open) }
    try await check(isStrict: true)
    for id in Self.ids {
      let found = await base(id)
      guard found != truth[id] else { continue }
      throw violation("the last fetch left '\(id)' at \(found as Any), not \(truth[id] as Any)")
    }
    if stores[0].order.noteCount != 0 { throw violation("notes remain without a request") }
    for watcher in watchers { watcher.cancel() }
    observable.cancel()
    subscription?.cancel()
  }

  // MARK: - Steps

  private func perform(_ step: SimulationStep) async -> Bool {
    let client = clients.randomElement(using: &random) ?? clients[0]
    let id = Self.ids.randomElement(using: &random) ?? "1"
    let open = openCalls()
    switch step {
    case .fetch:
      guard open.count < 4 else { return false }
      await call("fetch", client) { try await $0.fetch(query: $1, cachePolicy: .networkOnly) }
    case .fetchInParts:
      guard open.count < 4 else { return false }
      await fetchInParts(client)
    case .mutate, .mutateOptimistically:
      guard open.count < 4 else { return false }
      await mutate(id, client, isOptimistic: step == .mutateOptimistically)
    case .refetchWatch:
      guard let watcher = watchers.randomElement(using: &random) else { return false }
      steps.append("refetch a watch")
      watcher.refetch()
      await settle()
    case .refetchObservable:
      steps.append("refetch the observable query")
      let (task, isRefetching) = (observable.refetch(), Lock(true))
      (refetch, self.isRefetching) = (task, isRefetching)
      Task {
        await task.value
        isRefetching.withLock { $0 = false }
      }
    case .cancelObservable:
      guard let task = refetch else { return false }
      steps.append("cancel the refetch")
      task.cancel()
      await task.value
      (refetch, isRefetching) = (nil, nil)
    case .read:
      guard let index = open.randomElement(using: &random) else { return false }
      read(index)
    case .deliver:
      // While its first part is held back, a call does not take the second one.
      guard let index = open.randomElement(using: &random),
        !(begun.contains(index) && holding?.isHolding == true)
      else { return false }
      await deliver(index)
    case .fail:
      guard let index = open.randomElement(using: &random) else { return false }
      steps.append("call \(index) fails")
      answered.insert(index)
      server.calls[index].fail(URLError(.timedOut))
    case .change:
      change(id)
    case .event:
      guard let index = subscriptionCall else { return false }
      await event(id, of: index)
    case .write, .writeElsewhere:
      let store = step == .write ? stores[0] : stores[stores.count - 1]
      await write("write \(id)", id) { [version = truth[id] ?? 0] in
        _ = try? await store.publish([RecordKey("Hero:\(id)"): Self.fields(id, version)])
      }
    case .writeOften:
      let count = steps.count
      for _ in 0..<20 {
        change(id)
        await write("write \(id)", id, settles: false) {
          [store = stores[0], version = truth[id] ?? 0] in
          _ = try? await store.publish([RecordKey("Hero:\(id)"): Self.fields(id, version)])
        }
      }
      steps.removeSubrange(count...)
      steps.append("write \(id) often, at last \(truth[id] ?? 0)")
    case .update:
      guard await isComplete else { return false }
      // It fails if an optimistic layer alone has one of the objects.
      let update = { @Sendable [store = stores[0], version = truth["1"] ?? 0] in
        try await store.withinReadWriteTransaction {
          try $0.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name = "\(version)" }
        }
      }
      if await base("1") == truth["1"] {
        // A closure that changes nothing writes nothing.
        steps.append("update 1 without a change")
        try? await update()
      } else {
        await write("update 1", "1", update)
      }
    case .remove:
      await write("remove \(id)", id, removes: true) { [store = stores[0]] in
        try? await store.removeObject(for: RecordKey("Hero:\(id)"))
      }
    case .clear:
      steps.append("clear")
      let before = stores[0].simulatedMoment()
      try? await clients[0].clearCache()
      let time = Interval(before: before, after: stores[0].simulatedMoment())
      for id in Self.ids { model[id]?.clear(at: time) }
    case .release:
      guard let holding, holding.isHolding else { return false }
      steps.append("release responses")
      holding.release()
    case .endSession: await endSession()
    case .delayReader:
      guard !gate.isClosed else { return false }
      steps.append("delay the reader of the subscription")
      gate.close()
    case .resumeReader:
      guard gate.isClosed else { return false }
      await resumeReader()
    }
    await settle()
    return true
  }

  /// Ends the session of a user, and shows the data of the next one. The server may still answer
  /// the requests of the former.
  private func endSession() async {
    steps.append("end the session")
    let count = server.calls.count
    let before = stores[0].simulatedMoment()
    try? await clients[0].endSession()
    let time = Interval(before: before, after: stores[0].simulatedMoment())
    for id in Self.ids { model[id]?.clear(at: time) }
    subscription?.cancel()
    unread = []
    gate.open()
    subscribe()
    for watcher in watchers { watcher.refetch() }
    (refetch, isRefetching) = (observable.refetch(), nil)
    await settle()
    for call in openQueries(since: count) { await deliver(call) }
  }

  private func openQueries(since count: Int) -> [Int] {
    openCalls().filter { $0 >= count && server.calls[$0].operation is HeroAPI.HeroQuery }
  }

  private static func fields(_ id: String, _ version: Int) -> FieldMap {
    ["__typename": "Hero", "id": .string(id), "name": .string("\(version)")]
  }

  private func change(_ id: String) {
    latestVersion += 1
    truth[id] = latestVersion
    steps.append("server: \(id) = \(latestVersion)")
  }

  private func read(_ index: Int) {
    guard readings[index] == nil else { return }
    if let mutation = server.calls[index].operation as? HeroAPI.RenameMutation {
      change(mutation.id)
    }
    readings[index] = truth
    steps.append(
      "the server reads for call \(index): \(truth.sorted { $0.key < $1.key }.map(\.value))")
  }

  private func event(_ id: String, of index: Int) async {
    let version = truth[id] ?? 0
    let send = { [server] in server.calls[index].send(HeroBody.event("\(version)", id: id)) }
    guard gate.holdsReader else { return await write("event \(id)", id) { send() } }
    steps.append("event \(id), which waits for its reader")
    let before = stores[0].simulatedMoment()
    send()
    let time = Interval(before: before, after: stores[0].simulatedMoment())
    unread.append((id, version, time))
  }

  private func resumeReader() async {
    guard gate.isClosed else { return }
    steps.append("the reader of the subscription goes on")
    gate.open()
    await settle()
    for event in unread {
      model[event.id]?.receive(eventAt: event.arrival, event.version)
      // A watch may have shown each of several events.
      if let name = model[event.id] { note(name, event.id, isKnown: !name.isUnknown) }
    }
    unread = []
  }

  /// Changes an object in a way that is as new as the moment, unless that fails.
  private func write(
    _ text: String, _ id: String, removes: Bool = false, settles: Bool = true,
    _ body: () async throws -> Void
  ) async {
    steps.append(text)
    let before = stores[0].simulatedMoment()
    do {
      try await body()
    } catch {
      return steps.append("that failed: \(error)")
    }
    if settles { await settle() }
    model[id]?.set(
      removes ? nil : truth[id], at: Interval(before: before, after: stores[0].simulatedMoment()))
  }

  private func call(
    _ name: String, _ client: ApolloClient,
    _ fetch:
      @escaping @Sendable (ApolloClient, HeroAPI.HeroQuery) async throws
      -> GraphQLResponse<HeroAPI.HeroQuery>
  ) async {
    steps.append(name)
    Task { [query] in _ = try? await fetch(client, query) }
    await settle()
  }

  private func fetchInParts(_ client: ApolloClient) async {
    steps.append("fetch in parts")
    Task {
      let parts = client.fetch(query: HeroAPI.DeferredHeroQuery(), fetchBehavior: .networkOnly)
      do { for try await _ in parts {} } catch {}  // some calls fail
    }
    await settle()
  }

  private func mutate(_ id: String, _ client: ApolloClient, isOptimistic: Bool) async {
    steps.append(
      "rename \(id)\(isOptimistic ? " optimistically" : "")\(client === clients[0] ? "" : " elsewhere")"
    )
    optimisticCount += 1
    let name = "o\(optimisticCount)"
    if isOptimistic {
      layered.insert(name)
    } else if stores.contains(where: { !$0.layers.isEmpty }) {
      queued.insert(name)
    }
    Task {
      let mutation = HeroAPI.RenameMutation(id: id, name: name)
      guard isOptimistic else {
        _ = try? await client.perform(mutation: mutation)
        return
      }
      _ = try? await client.perform(
        mutation: mutation,
        optimistic: { try $0.merge([RecordKey("Hero:\(id)"): ["name": .string(name)]]) })
    }
    await settle()
  }

  /// Sends the next part of a response, or all of it.
  private func deliver(_ index: Int) async {
    read(index)
    let call = server.calls[index]
    guard let names = readings[index] else { return }
    let before = stores[0].simulatedMoment()
    func name(_ id: String) -> String { "\(names[id] ?? 0)" }
    func friend(_ id: String) -> String { HeroBody.object(id, name(id)) }
    let friends = "[\(friend("2")),\(friend("3"))]"
    var ids = Self.ids
    switch call.operation {
    case let mutation as HeroAPI.RenameMutation:
      ids = [mutation.id]
      answered.insert(index)
      call.end(HeroBody.rename(name(mutation.id), id: mutation.id))
    case is HeroAPI.DeferredHeroQuery where begun.insert(index).inserted:
      ids = ["1"]
      call.send(HeroBody.part(name("1")))
    case is HeroAPI.DeferredHeroQuery:
      ids = ["2", "3"]
      answered.insert(index)
      call.end(HeroBody.hero(name("1"), friends: friends))
    default:
      answered.insert(index)
      call.end(HeroBody.hero(name("1"), friends: friends))
    }
    steps.append("deliver call \(index), sent at \(call.number): \(ids.map(name))")
    await settle()
    let time = Interval(before: before, after: stores[0].simulatedMoment())
    for id in ids {
      guard let version = names[id] else { continue }
      if let mutation = call.operation as? HeroAPI.RenameMutation {
        model[id]?.receive(
          mutation: call.number, version, hasLayer: layered.contains(mutation.name),
          mayWait: queued.contains(mutation.name), at: time)
        let isOvertaken = model[id]?.version != version
        if isOvertaken, mayWaitElsewhere { model[id]?.becomeUnknown(until: time) }
      } else {
        model[id]?.receive(query: call.number, version)
      }
    }
  }

  // MARK: - Looking

  private var subscriptionCall: Int? {
    server.calls.lastIndex {
      $0.operation is HeroAPI.HeroChangedSubscription && !$0.hasEnded.get()
    }
  }

  /// The queries and mutations that wait for an answer.
  private func openCalls() -> [Int] {
    server.calls.enumerated().filter { index, call in
      !answered.contains(index) && !call.hasEnded.get()
        && !(call.operation is HeroAPI.HeroChangedSubscription)
    }.map(\.offset)
  }

  /// The version that the cache has, without optimistic data.
  private func base(_ id: String) async -> Int? {
    guard case .string(let name)? = try? await read(RecordKey("Hero:\(id)"))?["name"] else {
      return nil
    }
    return Int(name)
  }

  private func visible(_ store: ApolloStore) async -> [String: String]? {
    try? await store.load(query).data?.hero?.names
  }

  private var isComplete: Bool {
    get async { await visible(stores[0]) != nil }
  }

  /// Lets what follows from a step come to an end.
  private func settle() async {
    await tasks.rest()
    showObservable()
  }

  private func showObservable() {
    if let hero = observable.data?.hero { observers[2].show(hero.names) }
  }

  // MARK: - Checking

  /// `isStrict`: Whether every observer must show something.
  private func check(isStrict: Bool = false) async throws {
    let hasLayers = stores.contains { !$0.layers.isEmpty }
    for id in Self.ids {
      guard var name = model[id] else { continue }
      let wasUnknown = name.isUnknown
      let found = await base(id)
      if wasUnknown, !hasLayers { name.resolve(found) }
      if !hasLayers, found != name.version {
        throw violation("the cache has \(found as Any) for '\(id)', not \(name.version as Any)")
      }
      model[id] = name
      note(name, id, isKnown: !wasUnknown)
    }
    for (index, observer) in observers.enumerated() {
      try checkOrder(of: observer)
      try await check(
        observer, index == 1 ? stores[stores.count - 1] : stores[0], isStrict: isStrict)
      try checkOrder(of: observer)
    }
    try checkLoading()
  }

  /// Indicates whether a mutation may wait in the layer of one of several stores. The others show
  /// one that was sent before it until it is committed, and count that as newer than queries under
  /// way.
  private var mayWaitElsewhere: Bool {
    stores.count > 1 && stores.contains { !$0.layers.isEmpty }
  }

  /// Notes that the law itself lets a name go back: to that of a request which was sent later, but
  /// which the server has read earlier. Nobody but the server knows.
  private func note(_ name: ModelledName, _ id: String, isKnown: Bool) {
    if name.version == nil || !isKnown { for observer in observers { observer.forget(id) } }
    guard let version = name.version, !name.isUnknown else { return }
    let newest = newestModelled[id] ?? 0
    if version < newest { returns[id, default: []].insert(version) }
    newestModelled[id] = max(version, newest)
  }

  private func checkOrder(of observer: Observer) throws {
    for (id, versions) in observer.takeOlder() {
      let wrong = versions.subtracting(returns[id] ?? [])
      guard let version = wrong.first, model[id]?.isUnknown == false else { continue }
      throw violation("\(observer.name) went back to \(version) for '\(id)'")
    }
  }

  /// Checks that the observable query says that it loads if that is so.
  private func checkLoading() throws {
    if let isRefetching, isRefetching.get() {
      guard observable.isLoading else { throw violation("the observable query does not load") }
      return
    }
    guard openCalls().isEmpty, holding?.isHolding != true else { return }
    if observable.isLoading { throw violation("the observable query loads for ever") }
  }

  private func check(
    _ observer: Observer, _ store: ApolloStore, isStrict: Bool
  ) async throws {
    guard let visible = await visible(store), isStrict || !observer.shown.isEmpty,
      // The watch waits for its own response, which is in the cache already.
      observer.shown != visible, holding?.isHolding != true
    else { return }
    throw violation("\(observer.name) shows \(observer.shown), the cache \(visible)")
  }

  private func violation(_ reason: String) -> OrderViolation {
    if let holding, holding.isHolding { steps.append("\(holding.count) responses are held back") }
    return OrderViolation(seed: seed, reason: reason, steps: steps)
  }
}

extension HeroAPI.HeroQuery.Data.Hero {
  /// The names of the hero and of the friends by their identifiers.
  fileprivate var names: [String: String] {
    var names = [id: name]
    for friend in friends ?? [] { names[friend.id] = friend.name }
    return names
  }
}

/// Interceptors that keep responses back that are in the cache already.
private final class HoldingInterceptors: GraphQLInterceptor, InterceptorProvider {
  private struct State {
    var waiters: [CheckedContinuation<Void, Never>] = []
    var callCount = 0
    var hasStopped = false
  }
  private let state = Lock(State())

  var count: Int { state.withLock { $0.waiters.count } }
  var isHolding: Bool { count > 0 }

  func graphQLInterceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any GraphQLInterceptor] {
    Operation.operationType == .query ? [self] : []
  }

  func intercept<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let response = try await next.proceed(request)
    await hold()
    return response
  }

  /// Holds every third response.
  private func hold() async {
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        state.callCount += 1
        guard !state.hasStopped, state.callCount % 3 == 0 else { return false }
        state.waiters.append(continuation)
        return true
      }
      if !isHeld { continuation.resume() }
    }
  }

  /// Holds no more responses.
  func stop() {
    state.withLock { $0.hasStopped = true }
    release()
  }

  func release() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
