import Apollo
import ApolloAPI
import Foundation
import ManualClock
import TestOperations
import Testing

@testable import ApolloOffline

/// Order, keys, failures and decisions.
@Suite(.timeLimit(.minutes(10)))
struct SendingTests {
  @Test func aLaneSendsInOrderAndEachKeyIsPerformedOnce() async throws {
    let machine = try Machine()
    machine.server.react(
      .offline, .lostBefore, .lostAfter, .respond, .lostAfter, .offline, .respond)
    let (client, queue) = try await machine.start()
    for name in ["A", "B", "C", "D"] { try await client.rename(to: name) }
    await queue.drain(machine.clock)
    #expect(machine.server.names == ["A", "B", "C", "D"])
    #expect(Set(machine.server.performed.map(\.key)).count == 4)
    #expect(try await client.heroName() == "D")
  }

  @Test func aKeyIsKeptOverARestart() async throws {
    let machine = try Machine()
    machine.server.react(.lostAfter, .offline)
    do {
      let (client, queue) = try await machine.start()
      try await client.rename(to: "A")
      await queue.waitUntil { _ in machine.server.requestCount == 1 && queue.counts.waiting == 1 }
    }
    await machine.waitForEnd()
    machine.server.react(.respond)
    let (client, queue) = try await machine.start()
    await queue.drain(machine.clock)
    #expect(try await client.heroName() == "A")
    #expect(machine.server.names == ["A"])
    #expect(machine.server.keys.count == 2)
    #expect(Set(machine.server.keys).count == 1)
  }

  @Test func aKeyCanBeAVariable() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start { $0.keyCarriers = [.variable("name")] }
    try await client.rename(to: "A", .enqueue(key: "my-key"))
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["my-key"])
    #expect(machine.server.keys == [nil])
  }

  /// A transport without headers refuses requests that need them.
  @Test func aRequestNeedsItsHeadersIfTheKeyIsNowhereElse() async throws {
    let header = OfflineKeyCarrier.header("Idempotency-Key")
    let cases: [(carriers: [OfflineKeyCarrier], key: OfflineKey?, needsHeaders: Bool)] = [
      ([header], "key", true), ([.variable("other"), header], "key", true),
      ([header, .variable("name")], "key", false), ([.variable("name"), header], "key", false),
      ([header], nil, false),
    ]
    for (carriers, key, needsHeaders) in cases {
      let machine = try Machine()
      let needs = Lock<Bool?>(nil)
      machine.server.intercept { request in
        needs.withLock { $0 = request.facts.session?.record?.needsHeaders }
      }
      let (client, queue) = try await machine.start { $0.keyCarriers = carriers }
      try await client.rename(to: "A", .enqueue(key: key))
      await queue.waitUntilEmpty()
      #expect(needs.get() == needsHeaders, "\(carriers)")
    }
  }

  @Test func aLaneThatFailsBlocksNoOther() async throws {
    let machine = try Machine()
    machine.server.react(.reject, .respond)
    let (client, queue) = try await machine.start { $0.maximumLaneCount = 1 }
    try await client.rename(to: "poison", .enqueue(key: .automatic, lane: "a"))
    await queue.waitUntil { $0.failed == 1 }
    try await client.rename(to: "behind", .enqueue(key: .automatic, lane: "a"))
    let other = try await client.rename("2", to: "B", .enqueue(key: .automatic, lane: "b"))
    #expect(try await other.response.data?.rename?.name == "B")
    #expect(queue.counts.failed == 1)
    #expect(queue.counts.waiting == 1)
    // What the server has rejected is not shown, what waits behind it is.
    #expect(try await client.heroName() == "behind")
    let failed = try #require(queue.entries.first)
    guard case .failed(let failure) = failed.state else {
      Issue.record("\(failed.state)")
      return
    }
    #expect(failure.kind == .graphQL)
    #expect(failure.messages == ["not poison"])
    #expect(try await queue.drop(failed.id))
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["B", "behind"])
  }

  @Test func lanesAreSentInParallel() async throws {
    let machine = try Machine()
    machine.server.hold()
    let (client, queue) = try await machine.start()
    for lane in ["a", "b", "c"] {
      try await client.rename(to: lane, .enqueue(key: .automatic, lane: lane))
      try await client.rename(to: lane + "2", .enqueue(key: .automatic, lane: lane))
    }
    await queue.waitUntil { $0.sending == 3 }
    #expect(queue.counts.waiting == 3)
    machine.server.release()
    await queue.waitUntilEmpty()
    for lane in ["a", "b", "c"] {
      #expect(machine.server.names.filter { $0.hasPrefix(lane) } == [lane, lane + "2"])
    }
  }

  @Test(arguments: [OfflineUncertainty.ask, .assumeDone, .retry])
  func withoutAKeyTheProgramDecides(uncertainty: OfflineUncertainty) async throws {
    let machine = try Machine()
    machine.server.react(.lostAfter, .respond)
    let (client, queue) = try await machine.start()
    let change = try await client.rename(to: "A", .enqueue(uncertainty: uncertainty))
    try await client.rename(to: "B", .enqueue())
    switch uncertainty {
    case .ask:
      await queue.waitUntil { $0.uncertain == 1 }
      #expect(machine.server.names == ["A"])
      #expect(queue.counts.description == "1 change is waiting, 1 change is in need of a decision")
      #expect(try await client.heroName() == "B")
      #expect(try await queue.assumePerformed(change.id))
      await queue.waitUntilEmpty()
      #expect(machine.server.names == ["A", "B"])
    case .assumeDone:
      await queue.waitUntilEmpty()
      #expect(machine.server.names == ["A", "B"])
      await #expect(throws: OfflineError.self) { try await change.response }
    case .retry:
      await queue.drain(machine.clock)
      #expect(machine.server.names == ["A", "A", "B"])
    }
    #expect(machine.server.keys.allSatisfy { $0 == nil })
  }

  @Test func withoutAConnectionAMutationWithoutAKeyIsTriedAgain() async throws {
    let machine = try Machine()
    machine.server.react(.offline, .offline, .respond)
    let (client, queue) = try await machine.start()
    try await client.rename(to: "A", .enqueue())
    await queue.drain(machine.clock)
    #expect(machine.server.names == ["A"])
    #expect(machine.server.requestCount == 3)
  }

  @Test func nothingIsSentWithoutANetwork() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start()
    queue.networkChanged(isAvailable: false)
    try await client.rename(to: "A")
    await queue.lookNow()
    #expect(queue.counts.sending == 0)
    #expect(queue.counts.waiting == 1)
    queue.networkChanged(isAvailable: true)
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["A"])
  }

  @Test func retryNowEndsTheBackoff() async throws {
    let machine = try Machine()
    machine.server.react(.offline, .respond)
    let (client, queue) = try await machine.start()
    try await client.rename(to: "A")
    await queue.waitUntil { _ in machine.server.requestCount == 1 && queue.counts.waiting == 1 }
    queue.retryNow()
    await queue.waitUntilEmpty()  // although the clock stands still
    #expect(machine.server.names == ["A"])
  }

  // MARK: Conflicts

  private func start(
    _ machine: Machine,
    _ decide: @escaping @Sendable (OfflineConflict<Rename>) async -> OfflineDecision<Rename>
  ) async throws -> (ApolloClient, OfflineMutationQueue) {
    let queue = try machine.queue()
    queue.register(Rename.self, onConflict: decide)
    let client = try await machine.client()
    client.use(queue)
    return (client, queue)
  }

  @Test func aHandlerChangesTheMutation() async throws {
    let machine = try Machine()
    machine.server.react(.reject, .respond)
    let (client, queue) = try await start(machine) { conflict in
      let name = conflict.variables["name"]?.stringValue ?? ""
      #expect(conflict.response?.errors?.first?.message == "not A")
      #expect(conflict.attemptCount == 1)
      return .change(
        Rename(id: "1", name: name + "2"), optimistic: try? renamed("1", name + "2"))
    }
    let change = try await client.rename(
      to: "A", .enqueue(key: .automatic, conflict: .handler))
    try await client.rename("2", to: "B")
    #expect(try await change.response.data?.rename?.name == "A2")
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["A2", "B"])
    // A server gives its response to a key again, so a changed mutation has another key.
    #expect(Set(machine.server.keys).count == 3)
  }

  @Test func aHandlerSkips() async throws {
    let machine = try Machine()
    machine.server.react(.reject, .respond)
    let (client, queue) = try await start(machine) { _ in .skip }
    let change = try await client.rename(
      to: "A", .enqueue(key: .automatic, conflict: .handler))
    try await client.rename("2", to: "B")
    await queue.waitUntilEmpty()
    await #expect(throws: OfflineError.self) { try await change.response }
    #expect(machine.server.names == ["B"])
    try await client.waitForHeroName("Ben")
  }

  @Test func aHandlerIsAskedAgainAfterARestart() async throws {
    let machine = try Machine()
    machine.server.react(.reject)
    do {
      let (client, queue) = try await start(machine) { _ in .stop }
      try await client.rename(to: "A", .enqueue(key: .automatic, conflict: .handler))
      await queue.waitUntil { $0.failed == 1 }
    }
    await machine.waitForEnd()
    machine.server.react(.respond)
    let (client, queue) = try await start(machine) { conflict in
      #expect(conflict.failure.messages == ["not A"])
      return .retry
    }
    await queue.drain(machine.clock)
    #expect(machine.server.names == ["A"])
    #expect(try await client.heroName() == "A")
  }

  @Test func tooOldMutationsFailAndAreNotDropped() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    let (client, queue) = try await machine.start { $0.maximumAge = .seconds(60) }
    try await client.rename(to: "A", .enqueue(conflict: .skip))
    await queue.waitUntil { _ in machine.server.requestCount == 1 && queue.counts.waiting == 1 }
    machine.clock.advance(by: .seconds(120))
    await queue.waitUntil { $0.failed == 1 }
    #expect(machine.server.names == [])
    try await client.waitForHeroName("Ben")
  }

  /// The same mutation, which also selects the name of the root type.
  private struct TypedRename: GraphQLMutation {
    static let operationName = Rename.operationName
    static let operationDocument = Rename.operationDocument
    static let __selections = GeneratedCode.Selections(
      #"Mutation {type: __typename String! rename(id: $id, name: $name) Hero {id ID!}}"#)
    var __variables: Variables? { ["id": "1", "name": "A"] }

    struct Data: HeroAPI.SelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: GeneratedCode.ResponseObject
      static let __layout = TypedRename.__selections[0]
    }
  }

  @Test func aLaneWithManyMutationsLeavesItsPlaceToOthers() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start { $0.maximumLaneCount = 1 }
    queue.networkChanged(isAvailable: false)
    for name in ["a1", "a2", "a3", "b1", "b2"] {
      try await client.rename(
        to: name, .enqueue(key: .automatic, lane: String(name.prefix(1))))
    }
    queue.networkChanged(isAvailable: true)
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["a1", "b1", "a2", "b2", "a3"])
  }

  @Test func aHandlerThatAlwaysRetriesIsSlowedDown() async throws {
    let machine = try Machine()
    machine.server.react(.reject)
    let asked = Lock(0)
    let (client, queue) = try await start(machine) { _ in
      asked.withLock { $0 += 1 }
      return .retry
    }
    try await client.rename(to: "A", .enqueue(key: .automatic, conflict: .handler))
    // At once after the first rejection, and not before an alarm after the second one.
    await queue.waitUntil { _ in asked.get() == 2 && queue.counts.waiting == 1 }
    for _ in 0..<20 { await queue.lookNow() }
    #expect(machine.server.requestCount == 2)
    machine.server.react(.respond)
    await queue.drain(machine.clock)
    #expect(machine.server.names == ["A"])
  }

  @Test func whatARuleDropsSaysWhy() async throws {
    let machine = try Machine()
    machine.server.react(.reject)
    let (client, _) = try await machine.start()
    let change = try await client.rename(to: "A", .enqueue(key: .automatic, conflict: .skip))
    let failure = await #expect(throws: OfflineFailure.self) { try await change.response }
    #expect(failure?.messages == ["not A"])
  }

  @Test func theNameOfTheRootTypeIsNoEffect() async throws {
    let machine = try Machine()
    machine.server.react(.rejectWithTypename)
    let queue = try machine.queue()
    queue.register(TypedRename.self)
    let client = try await machine.client()
    client.use(queue)
    _ = try await client.perform(mutation: TypedRename(), offline: .enqueue(key: .automatic))
    await queue.waitUntil { $0.total == 0 || $0.failed == 1 }
    #expect(queue.counts.failed == 1)
  }

  @Test func aMutationWithAResultAndErrorsWasPerformed() async throws {
    let machine = try Machine()
    machine.server.react(.respondWithError, .respond)
    let failures = Lock<[String]>([])
    let (client, queue) = try await machine.start {
      $0.onFailure = { error in failures.withLock { $0.append("\(error)") } }
    }
    let change = try await client.rename(
      "new-1", to: "A",
      .enqueue(key: .automatic, conflict: .skip, creates: ["new-1": ["rename", "id"]]))
    let response = try await change.response
    #expect(response.data?.rename?.name == "A")
    #expect(response.errors?.count == 1)
    await queue.waitUntilEmpty()
    #expect(queue.realIdentifier(for: "new-1") == "real-new-1")
    #expect(machine.server.requestCount == 1)
    #expect(failures.get() == ["graphQL: no friends"])
  }

  // MARK: Identifiers and superseding

  @Test func laterMutationsUseTheIdentifiersOfEarlierOnes() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    do {
      let (client, _) = try await machine.start()
      try await client.rename(
        "new-1", to: "A",
        .enqueue(key: .automatic, lane: "a", creates: ["new-1": ["rename", "id"]]))
      try await client.rename("new-1", to: "B", .enqueue(key: .automatic, lane: "b"))
    }
    await machine.waitForEnd()
    machine.server.react(.respond)
    let (client, queue) = try await machine.start()
    await queue.drain(machine.clock)
    #expect(machine.server.performed.map(\.id) == ["new-1", "real-new-1"])
    #expect(machine.server.names == ["A", "B"])
    #expect(queue.realIdentifier(for: "new-1") == "real-new-1")
    // A screen that still has the temporary one can use it.
    try await client.rename("new-1", to: "C")
    await queue.waitUntilEmpty()
    #expect(machine.server.performed.last?.id == "real-new-1")
  }

  @Test func aMutationWhoseCreatorIsDroppedFails() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    let (client, queue) = try await machine.start()
    let creator = try await client.rename(
      "new-1", to: "A", .enqueue(key: .automatic, lane: "a", creates: ["new-1": ["rename", "id"]]))
    try await client.rename("new-1", to: "B", .enqueue(key: .automatic, lane: "b"))
    await queue.waitUntil { _ in machine.server.requestCount >= 1 && queue.counts.waiting == 2 }
    #expect(try await queue.drop(creator.id))
    await queue.waitUntil { $0.failed == 1 }
    guard case .failed(let failure) = queue.entries.first?.state else {
      Issue.record("\(queue.entries)")
      return
    }
    #expect(failure.kind == .dependency)
  }

  @Test func aLaterChangeTakesThePlaceOfAnEarlierOne() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start()
    queue.networkChanged(isAvailable: false)
    let rules = OfflineRules.enqueue(key: .automatic, superseding: .replace("name of 1"))
    let first = try await client.rename(to: "A", rules)
    try await client.rename("2", to: "B")
    try await client.rename(to: "C", rules)
    #expect(queue.counts.waiting == 2)
    await #expect(throws: OfflineError.self) { try await first.response }
    #expect(try await client.heroName() == "C")
    queue.networkChanged(isAvailable: true)
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["B", "C"])
  }

  @Test func whatMayHaveArrivedIsNotReplaced() async throws {
    let machine = try Machine()
    machine.server.react(.lostAfter, .offline)
    let (client, queue) = try await machine.start()
    let rules = OfflineRules.enqueue(key: .automatic, superseding: .replace("name of 1"))
    try await client.rename(to: "A", rules)
    await queue.waitUntil { _ in machine.server.requestCount == 1 && queue.counts.waiting == 1 }
    try await client.rename(to: "B", rules)
    #expect(queue.counts.total == 2)
  }

  @Test func changesAreMerged() async throws {
    let machine = try Machine()
    let queue = try machine.queue()
    queue.register(
      Rename.self,
      merging: { older, newer in
        var merged = newer
        let names = [older, newer].map { $0["name"]?.stringValue ?? "" }
        merged["name"] = .string(names.joined(separator: "+"))
        return merged
      })
    queue.registerUpdater("note") { transaction, argument in
      try transaction.merge(["Note": ["text": .string(argument.stringValue ?? "")]])
    }
    let client = try await machine.client()
    client.use(queue)
    queue.networkChanged(isAvailable: false)
    for name in ["A", "B", "C"] {
      try await client.rename(to: name, .enqueue(superseding: .merge("name of 1")))
    }
    #expect(queue.counts.waiting == 1)
    queue.networkChanged(isAvailable: true)
    await queue.waitUntilEmpty()
    #expect(machine.server.names == ["A+B+C"])
  }

  /// They may own an object of the program that uses the queue when it is released.
  @Test(arguments: [true, false])
  func closuresThatAreReplacedAreReleasedWithoutALock(isUpdater: Bool) throws {
    final class Screen: Sendable {
      let queue: OfflineMutationQueue
      init(_ queue: OfflineMutationQueue) { self.queue = queue }
      deinit { queue.registerUpdater("closed") { _, _ in } }
    }
    let machine = try Machine()
    let queue = try machine.queue()
    func register() {
      let screen = Screen(queue)
      if isUpdater {
        queue.registerUpdater("draft") { _, _ in withExtendedLifetime(screen) {} }
      } else {
        queue.register(Rename.self, merging: { _, new in withExtendedLifetime(screen) { new } })
      }
    }
    register()
    if isUpdater { queue.registerUpdater("draft") { _, _ in } } else { queue.register(Rename.self) }
    #expect(queue.front.registry.get().updaters["closed"] != nil)
  }

  @Test func aMergedMutationKeepsTheFilesAndUpdatersOfTheOlderOne() async throws {
    let machine = try Machine()
    let queue = try machine.queue()
    queue.register(Rename.self, merging: { _, newer in newer })
    queue.registerUpdater("suffix") { transaction, argument in
      let text = argument.stringValue ?? ""
      try transaction.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name += text }
    }
    let client = try await machine.client()
    client.use(queue)
    queue.networkChanged(isAvailable: false)
    func add(_ name: String, _ field: String) async throws {
      let file = GraphQLFile(
        fieldName: field, originalName: name, mimeType: "text/plain", data: Data(name.utf8))
      _ = try await client.perform(
        mutation: Rename(id: "1", name: name),
        updating: OfflineUpdate("suffix", argument: .string(name)),
        files: [file], offline: .enqueue(superseding: .merge("name of 1")))
    }
    try await add("a", "one")
    try await add("b", "two")
    try await add("c", "two")
    #expect(queue.counts.waiting == 1)
    #expect(try await client.heroName() == "Benabc")
    queue.networkChanged(isAvailable: true)
    await queue.waitUntilEmpty()
    #expect(machine.server.files.last?.map(\.originalName) == ["a", "c"])
  }

  @Test func aKeyIsPutIntoNoInputThatIsNotThere() async throws {
    let machine = try Machine()
    let (client, queue) = try await machine.start {
      $0.keyCarriers = [.variable("input.clientMutationId"), .variable("key")]
    }
    let error = await #expect(throws: OfflineError.self) { try await client.rename(to: "A") }
    #expect(error?.code == .noPlaceForKey)
    #expect(queue.counts.total == 0)
    let variables: JSONValue = ["input": ["id": "1"], "name": "A"]
    #expect(
      variables.setting("k", at: "input.key") == ["input": ["id": "1", "key": "k"], "name": "A"])
    for path in ["other.key", "name.key", "key", ""] {
      #expect(variables.setting("k", at: path) == nil)
    }
  }

  /// A queue whose keys are in a variable, with a merge that drops it.
  private func startWithKeyInVariable(
    _ machine: Machine, change: OfflineDecision<Rename>
  ) async throws -> (ApolloClient, OfflineMutationQueue, failures: Lock<[String]>) {
    let failures = Lock<[String]>([])
    let queue = try machine.queue {
      $0.keyCarriers = [.variable("name")]
      $0.onFailure = { error in failures.withLock { $0.append("\(error)") } }
    }
    queue.register(
      Rename.self, onConflict: { _ in change },
      merging: { older, _ in ["id": older["id"] ?? .null] })
    let client = try await machine.client()
    client.use(queue)
    return (client, queue, failures)
  }

  @Test func aMergeThatLeavesNoPlaceForTheKeyIsRefused() async throws {
    let machine = try Machine()
    let (client, queue, _) = try await startWithKeyInVariable(machine, change: .stop)
    queue.networkChanged(isAvailable: false)
    let rules = OfflineRules.enqueue(key: .automatic, superseding: .merge("name of 1"))
    try await client.rename(to: "A", rules)
    let error = await #expect(throws: OfflineError.self) {
      try await client.rename(to: "B", rules)
    }
    #expect(error?.code == .noPlaceForKey)
    #expect(queue.counts.waiting == 1)
    #expect(try await client.heroName() == "A")
  }

  /// The same mutation with a variable for the key, which may have no value.
  private struct KeyedRename: GraphQLMutation {
    typealias Data = Rename.Data
    static let operationName = Rename.operationName
    static let operationDocument = Rename.operationDocument
    static let __selections = Rename.__selections
    var name: String
    var hasInput: Bool

    var __variables: Variables? {
      var variables: Variables = ["id": "1", "name": name]
      if hasInput { variables["input"] = .object([:]) }
      return variables
    }
  }

  @Test func aChangeThatHasNoPlaceForTheKeyIsNotMade() async throws {
    let machine = try Machine()
    machine.server.react(.reject, .respond)
    let failures = Lock<[OfflineError.Code]>([])
    let queue = try machine.queue {
      $0.keyCarriers = [.variable("input.key")]
      $0.onFailure = { error in
        if let error = error as? OfflineError { failures.withLock { $0.append(error.code) } }
      }
    }
    queue.register(
      KeyedRename.self, onConflict: { _ in .change(KeyedRename(name: "B", hasInput: false)) })
    let client = try await machine.client()
    client.use(queue)
    _ = try await client.perform(
      mutation: KeyedRename(name: "A", hasInput: true),
      offline: .enqueue(key: .automatic, conflict: .handler))
    await queue.waitUntil { $0.failed == 1 }
    while failures.get().isEmpty { await Task.yield() }
    #expect(failures.get() == [.noPlaceForKey])
    #expect(machine.server.requestCount == 1)
    #expect(queue.counts.failed == 1)
  }

  @Test func contentsThatCannotBeDecryptedYetWait() async throws {
    let machine = try Machine()
    let isLocked = Lock(false)
    struct Locked: Error {}
    let failures = Lock(0)
    let (client, queue) = try await machine.start {
      $0.protection = OfflineProtection(
        seal: { $0 },
        open: { if isLocked.get() { throw Locked() } else { $0 } })
      $0.onFailure = { _ in failures.withLock { $0 += 1 } }
    }
    isLocked.withLock { $0 = true }
    try await client.rename(to: "A", .enqueue(conflict: .skip))
    await queue.waitUntil { _ in failures.get() > 0 && queue.counts.waiting == 1 }
    #expect(machine.server.requestCount == 0)
    isLocked.withLock { $0 = false }
    await queue.drain(machine.clock)
    #expect(machine.server.names == ["A"])
  }

  @Test func whatCouldNotBeDecryptedIsShownAndAskedAboutLater() async throws {
    let machine = try Machine()
    machine.server.react(.reject)
    let isLocked = Lock(false)
    struct Locked: Error {}
    func start(
      _ decide: @escaping @Sendable (OfflineConflict<Rename>) async -> OfflineDecision<Rename>
    ) async throws -> (ApolloClient, OfflineMutationQueue) {
      let queue = try machine.queue {
        $0.protection = OfflineProtection(
          seal: { $0 }, open: { if isLocked.get() { throw Locked() } else { $0 } })
        $0.onFailure = { _ in }
      }
      queue.register(Rename.self, onConflict: decide)
      let client = try await machine.client()
      client.use(queue)
      return (client, queue)
    }
    do {
      let (client, queue) = try await start { _ in .stop }
      try await client.rename(
        "2", to: "Finn", .enqueue(key: .automatic, conflict: .handler, lane: "a"))
      await queue.waitUntil { $0.failed == 1 }
      queue.networkChanged(isAvailable: false)
      try await client.rename(to: "Rey", .enqueue(key: .automatic, lane: "b"))
    }
    await machine.waitForEnd()
    machine.server.react(.respond)
    isLocked.withLock { $0 = true }
    let asked = Lock(0)
    let (client, queue) = try await start { _ in
      asked.withLock { $0 += 1 }
      return .retry
    }
    #expect(try await client.heroName() == "Ben")
    isLocked.withLock { $0 = false }
    queue.retryNow()
    try await client.waitForHeroName("Rey")
    await queue.drain(machine.clock)
    #expect(asked.get() == 1)
    #expect(Set(machine.server.names) == ["Rey", "Finn"])
  }

  @Test func aMutationOfATypeThatIsRegisteredLaterIsShownThen() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    do {
      let (client, _) = try await machine.start()
      try await client.rename(to: "Rey")
    }
    await machine.waitForEnd()
    // A look at the queue before the registration reports the type.
    let queue = try machine.queue { $0.onFailure = nil }
    let client = try await machine.client()
    client.use(queue)
    #expect(try await client.heroName() == "Ben")
    queue.register(Rename.self)
    try await client.waitForHeroName("Rey")
  }

  @Test func handlersTakeNoPlaceOfRequests() async throws {
    let machine = try Machine()
    machine.server.react(.reject, .respond)
    let (asked, askedSignal) = AsyncStream<Void>.makeStream()
    let (decided, decision) = AsyncStream<Void>.makeStream()
    let queue = try machine.queue { $0.maximumLaneCount = 1 }
    queue.register(
      Rename.self,
      onConflict: { _ in
        askedSignal.yield()
        for await _ in decided {}
        return .skip
      })
    let client = try await machine.client()
    client.use(queue)
    try await client.rename(to: "A", .enqueue(key: .automatic, conflict: .handler, lane: "a"))
    for await _ in asked { break }
    let other = try await client.rename("2", to: "B", .enqueue(key: .automatic, lane: "b"))
    #expect(try await other.response.data?.rename?.name == "B")
    decision.finish()
    await queue.waitUntilEmpty()
  }

  @Test func aWatchDoesNotSeeTheOldDataWhenARequestFails() async throws {
    let machine = try Machine()
    machine.server.react(.offline)
    let (client, queue) = try await machine.start()
    try await client.rename(to: "Rey")
    await queue.waitUntil { _ in machine.server.requestCount == 1 && queue.counts.waiting == 1 }
    let seen = Lock<Set<String?>>([])
    for attempt in 2..<40 {
      queue.retryNow()
      while machine.server.requestCount < attempt || queue.counts.waiting == 0 {
        let name = try await client.heroName()
        seen.withLock { _ = $0.insert(name) }
        await Task.yield()
      }
    }
    #expect(seen.get() == ["Rey"])
  }

  @Test func statesAreReportedInOrder() async throws {
    let machine = try Machine()
    machine.server.react(.offline, .respond)
    let (client, queue) = try await machine.start()
    var states = queue.states.makeAsyncIterator()
    try await client.rename(to: "A")
    var seen: [OfflineState] = []
    while seen.last != .done(.performed) {
      let event = try #require(await states.next())
      seen.append(event.state)
      if seen.count == 3 { queue.retryNow() }
    }
    #expect(seen == [.waiting, .sending, .waiting, .sending, .done(.performed)])
  }
}
