import ApolloAPI
import ApolloSQLite
import Testing

@testable import ApolloCache

/// Responses that are written in another order than that of their requests, field by field.
struct OvertakenFieldsTests {
  enum Kind: CaseIterable { case memory, disk }

  private func store(_ kind: Kind) throws -> ApolloStore {
    switch kind {
    case .memory: ApolloStore(cache: InMemoryNormalizedCache())
    case .disk: ApolloStore(cache: try SQLiteNormalizedCache.inMemory())
    }
  }

  private func response(_ records: RecordSet, _ sent: SentRequest) -> NormalizedResponse {
    var response = NormalizedResponse(records: records)
    response.sent = sent
    return response
  }

  /// Writes the value of a query that was sent later, and then that of the first one, to a cache
  /// that may know another one.
  private func value(
    _ kind: Kind, known: CacheValue? = nil, earlier: CacheValue, later: CacheValue
  ) async throws -> CacheValue? {
    let store = try store(kind)
    if let known { try await store.publish(["Me": ["field": known]]) }
    let requests = (store.begin(.query), store.begin(.query))
    let traces = (
      try await store.publish(response(["Me": ["field": later]], requests.1)),
      try await store.publish(response(["Me": ["field": earlier, "other": 1]], requests.0))
    )
    #expect(traces.0.standing == .written)
    #expect(traces.1.standing == .overtaken)
    let record = try await store.withinReadTransaction { try $0.record(for: "Me") }
    #expect(record?["other"] == 1, "Only the earlier one has it.")
    return record?["field"]
  }

  @Test(arguments: Kind.allCases)
  func theLaterValueStays(kind: Kind) async throws {
    #expect(try await value(kind, earlier: "old", later: "new") == "new")
    #expect(try await value(kind, earlier: "old", later: .null) == .null)
    #expect(
      try await value(kind, earlier: .reference("A"), later: .reference("B")) == .reference("B"))
    #expect(try await value(kind, earlier: .list([1, 2]), later: .list([3])) == .list([3]))
  }

  @Test(arguments: Kind.allCases)
  func anEmbeddedObjectKeepsWhatOnlyTheEarlierResponseHas(kind: Kind) async throws {
    let value = try await value(
      kind, earlier: .object(["a": "old", "b": 1]), later: .object(["a": "new", "c": 2]))
    #expect(value == .object(["a": "new", "b": 1, "c": 2]))
  }

  /// The value that the cache has from before both requests is older than either.
  @Test(arguments: Kind.allCases)
  func anEmbeddedObjectTakesOnlyWhatTheLaterResponseHasBrought(kind: Kind) async throws {
    let known: CacheValue = .object(["a": "known", "b": "known", "c": "known"])
    let value = try await value(
      kind, known: known, earlier: .object(["a": "old", "b": "old"]), later: .object(["a": "new"]))
    #expect(value == .object(["a": "new", "b": "old", "c": "known"]))
    let list = try await self.value(
      kind, known: .list([known, known]),
      earlier: .list([.object(["a": "old", "b": "old"]), .object(["b": "old"])]),
      later: .list([.object(["a": "new"]), .object(["a": "new"])]))
    #expect(
      list
        == .list([
          .object(["a": "new", "b": "old", "c": "known"]),
          .object(["a": "new", "b": "old", "c": "known"]),
        ]))
  }

  /// Several later writes have each brought a part.
  @Test(arguments: Kind.allCases)
  func theLaterPartsOfAnEmbeddedObjectAddUp(kind: Kind) async throws {
    let store = try store(kind)
    let requests = (store.begin(.query), store.begin(.query))
    try await store.publish(response(["Me": ["field": .object(["a": "new"])]], requests.1))
    try await store.publish(["Me": ["field": .object(["b": "own"])]])
    try await store.publish(
      response(["Me": ["field": .object(["a": "old", "b": "old", "c": "old"])]], requests.0))
    let record = try await store.withinReadTransaction { try $0.record(for: "Me") }
    #expect(record?["field"] == .object(["a": "new", "b": "own", "c": "old"]))
  }

  /// The response of a mutation waits in its layer, or was committed, before something newer is
  /// written.
  @Test(arguments: [false, true])
  func whatWasWrittenAfterAWaitingResponseStays(isCommitted: Bool) async throws {
    let store = try store(.memory)
    let query = store.begin(.query)
    let ids = (store.layers.reserve(), store.layers.reserve())
    for id in [ids.0, ids.1] { try await store.showLayer(id) { try $0.merge(["You": ["x": 1]]) } }
    let mutation = store.begin(.mutation)
    try await store.publish(
      response(["Me": ["field": .object(["a": "mutation"])]], mutation), at: .layer(ids.1))
    if isCommitted { await store.removeLayer(ids.0) }
    try await store.publish(["Me": ["field": .object(["a": "own"])]])
    try await store.publish(
      response(["Me": ["field": .object(["a": "old", "b": "old"])]], query))
    if !isCommitted { await store.removeLayer(ids.0) }
    let record = try await store.withinReadTransaction { try $0.record(for: "Me") }
    #expect(record?["field"] == .object(["a": "own", "b": "old"]))
    withExtendedLifetime(mutation) {}
  }

  /// The same object at two paths, each of which selects another field.
  private static let twoOccurrences = RecordSet([
    Record(key: "Me", fields: ["a": "old"]), Record(key: "Me", fields: ["b": "old"]),
  ])

  /// The commit of a response that has waited brings nothing new, whichever path the object is at.
  @Test func whatIsSentAfterAWaitingResponseReplacesAllOccurrencesOfAnObject() async throws {
    let store = try store(.memory)
    let ids = (store.layers.reserve(), store.layers.reserve())
    for id in [ids.0, ids.1] { try await store.showLayer(id) { try $0.merge(["You": ["x": 1]]) } }
    let mutation = store.begin(.mutation)
    try await store.publish(response(Self.twoOccurrences, mutation), at: .layer(ids.1))
    let query = store.begin(.query)
    await store.removeLayer(ids.0)
    let trace = try await store.publish(response(["Me": ["a": "new", "b": "new"]], query))
    #expect(trace.standing == .written)
    let record = try await store.withinReadTransaction { try $0.record(for: "Me") }
    #expect(record?.fields == ["a": "new", "b": "new"])
    withExtendedLifetime((mutation, query)) {}
  }

  /// An event is as old as its arrival, and what its closure changes is as new as the moment.
  @Test(arguments: Kind.allCases)
  func whatIsSentAfterAnEventReplacesAllOccurrencesOfAnObject(kind: Kind) async throws {
    let store = try store(kind)
    let subscription = store.begin(.subscription)
    let event = try #require(subscription.noteEvent())
    let query = store.begin(.query)
    try await store.publish(response(Self.twoOccurrences, event)) {
      try $0.merge(["Me": ["c": "closure"]])
    }
    let fields: FieldMap = ["a": "new", "b": "new", "c": "new"]
    let trace = try await store.publish(response(["Me": fields], query))
    #expect(trace.standing == .overtaken)
    let record = try await store.withinReadTransaction { try $0.record(for: "Me") }
    #expect(record?.fields == ["a": "new", "b": "new", "c": "closure"])
    withExtendedLifetime((subscription, event, query)) {}
  }

  /// Of two mutations in the wrong order, each has brought a part.
  @Test(arguments: Kind.allCases)
  func theEarlierMutationKeepsItsPart(kind: Kind) async throws {
    let store = try store(kind)
    let requests = (store.begin(.query), store.begin(.mutation), store.begin(.mutation))
    try await store.publish(response(["Me": ["field": .object(["a": "3"])]], requests.2))
    try await store.publish(
      response(["Me": ["field": .object(["a": "2", "b": "2"])]], requests.1))
    try await store.publish(
      response(["Me": ["field": .object(["a": "1", "b": "1", "c": "1"])]], requests.0))
    let record = try await store.withinReadTransaction { try $0.record(for: "Me") }
    #expect(record?["field"] == .object(["a": "3", "b": "2", "c": "1"]))
  }

  /// A query that was sent after two mutations has replaced what the later one has brought. The
  /// earlier one does not bring that back.
  @Test(arguments: Kind.allCases)
  func aPartThatWasReplacedSinceIsNotWrittenAgain(kind: Kind) async throws {
    func value(_ fields: FieldMap, inList: Bool) -> CacheValue {
      inList ? .list([.object(fields), .object(fields)]) : .object(fields)
    }
    for inList in [false, true] {
      for old: FieldMap in [["a": 1, "b": 1], ["b": 1], ["__typename": "Me", "a": 1, "b": 1]] {
        let store = try store(kind)
        let mutations = (store.begin(.mutation), store.begin(.mutation))
        let newer = value(["b": 2], inList: inList)
        try await store.publish(response(["Me": ["field": newer]], mutations.1))
        let query = store.begin(.query)
        let newest = value(["b": 9], inList: inList)
        try await store.publish(response(["Me": ["field": newest]], query))
        let trace = try await store.publish(
          response(["Me": ["field": value(old, inList: inList)]], mutations.0))
        #expect(trace.standing == .overtaken)
        var expected = old
        expected["b"] = 9
        let record = try await store.withinReadTransaction { try $0.record(for: "Me") }
        #expect(record?["field"] == value(expected, inList: inList))
        withExtendedLifetime((mutations, query)) {}
      }
    }
  }

  /// Elements at one place are not the same if they are edges of other nodes.
  @Test(arguments: Kind.allCases)
  func anEdgeOfAnotherNodeTakesOverNothing(kind: Kind) async throws {
    func edges(_ node: RecordKey, _ role: String?) -> CacheValue {
      var edge: FieldMap = ["node": .reference(node)]
      if let role { edge["role"] = .string(role) }
      return .list([.object(edge)])
    }
    let replaced = try await value(
      kind, earlier: edges("User:A", "admin"), later: edges("User:B", nil))
    #expect(replaced == edges("User:B", nil))
    let added = try await value(
      kind, earlier: edges("User:A", "admin"), later: edges("User:A", nil))
    #expect(added == edges("User:A", "admin"))
  }

  /// A failed field inside of an object takes nothing else out of the order.
  @Test(arguments: Kind.allCases)
  func aFailureInAnEmbeddedObjectIsNoneOfTheOthers(kind: Kind) async throws {
    let failure = CacheValue.failure(FieldFailure(message: "?"))
    let newer = try await value(
      kind, earlier: .object(["a": "old", "b": 1]), later: .object(["a": "new", "b": failure]))
    #expect(newer == .object(["a": "new", "b": 1]))
    let older = try await value(
      kind, earlier: .object(["a": "old", "b": failure]), later: .object(["a": "new"]))
    guard case .object(let fields)? = older else {
      Issue.record("The object is gone.")
      return
    }
    #expect(fields["a"] == "new")
  }

  /// The clearing was asked for before the requests and comes after the first response.
  @Test func aClearingThatWaitsForgetsNothingNewer() async throws {
    let store = try store(.memory)
    let clearing = store.order.askForClearing()
    let requests = (store.begin(.query), store.begin(.query))
    try await store.publish(response(["Me": ["field": "new"]], requests.1))
    store.order.noteClearing(at: clearing)
    let trace = try await store.publish(response(["Me": ["field": "old"]], requests.0))
    #expect(trace.standing == .overtaken)
    let record = try await store.withinReadTransaction { try $0.record(for: "Me") }
    #expect(record?["field"] == "new")
  }

  /// The cache may still wait for its readers, and another cache of its file may write.
  @Test func aRequestFromBeforeAClearingIsExcludedOnceThatIsCommitted() async throws {
    let store = try store(.memory)
    let order = store.order
    let sent = store.begin(.query)
    let asked = order.askForClearing()
    let later = store.begin(.query)
    let position = try #require(order.beginWrite())
    #expect(!order.isExcluded(sent, for: .writing), "A clearing that waits removes it.")
    order.expect([], clearing: asked, at: position)
    #expect(order.isExcluded(sent, for: .writing) && !order.isExcluded(sent, for: .reading))
    #expect(!order.isExcluded(later, for: .writing))
    order.withdraw(position)
    #expect(!order.isExcluded(sent, for: .writing), "It has failed.")
    order.expect([], clearing: asked, at: position)
    order.confirm(position)
    let trace = try await store.publish(response(["Me": ["field": "old"]], sent))
    #expect(trace.standing == .excluded)
    #expect(try await store.publish(response(["Me": ["field": 1]], later)).standing == .written)
  }

  /// A clearing that is cancelled, or refused inside of a transaction, has cleared nothing.
  @Test(arguments: Kind.allCases)
  func aClearingThatDoesNotHappenExcludesNothing(kind: Kind) async throws {
    let store = try store(kind)
    try await store.publish(["Me": ["field": "known"]])
    let layers = (store.layers.reserve(), store.layers.reserve())
    try await store.showLayer(layers.0) { try $0.merge(["You": ["field": "?"]]) }
    let mutation = store.begin(.mutation)
    try await store.publish(response(["Me": ["field": "new"]], mutation), at: .layer(layers.1))
    let query = store.begin(.query)
    let clearing = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.clearCache()
    }
    await #expect(throws: CancellationError.self) { try await clearing.value }
    try await store.withinReadWriteTransaction { _ in
      _ = await #expect(throws: StoreError.self) { try await store.clearCache() }
    }
    try await store.publish(["You": ["other": 1]])
    func field() async throws -> CacheValue? {
      try await store.withinReadTransaction { try $0.record(for: "Me")?["field"] }
    }
    #expect(try await field() == "new")
    await store.removeLayer(layers.0)
    #expect(try await field() == "new")
    let trace = try await store.publish(response(["Me": ["other": 2]], query))
    #expect(trace.standing == .written)
  }

  /// A commit may fail after others were told of it.
  @Test func aWriteThatFailsOvertakesNothing() throws {
    let order = RequestOrder(isShared: true)
    let earlier = order.begin(.query)
    let moment = try #require(RequestMoment(earlier))
    let later = order.begin(.query)
    let fields = [WrittenFields(Record(key: "Me", fields: ["field": 1]))]
    let position = try #require(order.beginWrite())
    let write = OrderedWrite(at: position, from: RequestMoment(later)) { .fields(fields) }
    func overtaken(_ purpose: RequestOrder.Purpose) -> Bool {
      !order.overtaken({ fields }, of: moment, for: purpose).isEmpty
    }
    order.expect([write], clearing: nil, at: position)
    #expect(overtaken(.writing) && !overtaken(.reading), "Readers do not see it yet.")
    order.withdraw(position)
    #expect(!overtaken(.writing))
    order.expect([write], clearing: nil, at: position)
    order.expect([write], clearing: nil, at: position)
    order.confirm(position)
    #expect(overtaken(.writing) && overtaken(.reading))
    #expect(order.noteCount == 1, "A further attempt takes the place of the one before.")
    withExtendedLifetime((earlier, later)) {}
  }

  /// Each part has all that came before it, also the value of an object that a later one has
  /// replaced, at another path (`@defer`).
  @Test(arguments: Kind.allCases)
  func aPartDoesNotRepeatAnOlderValueOfAnObjectAtTwoPaths(kind: Kind) async throws {
    let store = try store(kind)
    let request = store.begin(.query)
    let records = [
      Record(key: "Me", fields: ["field": "early"]), Record(key: "Me", fields: ["field": "late"]),
      Record(key: "You", fields: ["field": "other"]),
    ]
    var earlier: ResponsePart?
    var values: [CacheValue?] = []
    for count in 1...3 {
      var part = response(RecordSet(records.prefix(count)), request)
      part.earlierPart = earlier
      try await store.publish(part)
      earlier = ResponsePart(part)
      values.append(try await store.withinReadTransaction { try $0.record(for: "Me")?["field"] })
    }
    #expect(values == ["early", "late", "late"])
    withExtendedLifetime(request) {}
  }

  /// A response asks again before its commit, and only about itself.
  @Test func onlyWhatOvertakesAResponseIsInItsWay() throws {
    let order = RequestOrder(isShared: true)
    let first = order.begin(.query)
    let second = order.begin(.query)
    let moment = try #require(RequestMoment(first))
    let check = OrderCheck(moment: moment, noteNumber: order.noteNumber)
    func write(_ key: RecordKey, from sent: SentRequest?) throws {
      let position = try #require(order.beginWrite())
      let write = OrderedWrite(at: position, from: sent.flatMap { RequestMoment($0) }) {
        .fields([WrittenFields(Record(key: key, fields: ["field": 1]))])
      }
      order.expect([write], clearing: nil, at: position)
      order.confirm(position)
    }
    func isCurrent() -> Bool {
      order.isCurrent(
        check, { [WrittenFields(Record(key: "Me", fields: ["field": 1]))] }, at: nil)
    }
    try write("You", from: second)
    try write("Me", from: first)
    #expect(isCurrent(), "Another record, and an earlier part of the same response.")
    try write("Me", from: second)
    #expect(!isCurrent())
    withExtendedLifetime((first, second)) {}
  }

  /// A write that was expected first may be confirmed last.
  @Test(arguments: [false, true])
  func theLatestNoteOfAFieldCounts(isEmbedded: Bool) throws {
    let order = RequestOrder(isShared: true)
    let requests = (order.begin(.mutation), order.begin(.query))
    let moment = try #require(RequestMoment(requests.0))
    let value: CacheValue = isEmbedded ? .object(["a": 1]) : 1
    let fields = [WrittenFields(Record(key: "Me", fields: ["field": value]))]
    func expect(from sent: SentRequest?) throws -> UInt64 {
      let position = try #require(order.beginWrite())
      let write = OrderedWrite(at: position, from: sent.flatMap { RequestMoment($0) }) {
        .fields(fields)
      }
      order.expect([write], clearing: nil, at: position)
      return position
    }
    let slow = try expect(from: requests.1)
    let check = OrderCheck(moment: moment, noteNumber: order.noteNumber)
    let event = try expect(from: nil)
    order.confirm(event)
    order.confirm(slow)
    #expect(!order.isCurrent(check, { fields }, at: nil))
    withExtendedLifetime(requests) {}
  }

  /// Of embedded objects, the order in which the parts became visible counts, also if one of them
  /// is in a response that waits.
  @Test(arguments: Kind.allCases)
  func whatWasWrittenBeforeAWaitingResponseIsBelowIt(kind: Kind) async throws {
    let store = try store(kind)
    let ids = (store.layers.reserve(), store.layers.reserve())
    try await store.showLayer(ids.0) { try $0.merge(["You": ["field": "?"]]) }
    let mutation = store.begin(.mutation)
    let queries = (store.begin(.query), store.begin(.query))
    let position = ResponsePosition.requested(after: ids.1)
    try await store.publish(
      response(["Me": ["field": .object(["a": "query"])]], queries.1), at: position)
    try await store.publish(
      response(["Me": ["field": .object(["a": "mutation"])]], mutation), at: .layer(ids.1))
    try await store.publish(
      response(["Me": ["field": .object(["a": "old", "b": "old"])]], queries.0), at: position)
    let expected = CacheValue.object(["a": "mutation", "b": "old"])
    func field() async throws -> CacheValue? {
      try await store.withinReadTransaction { try $0.record(for: "Me")?["field"] }
    }
    #expect(try await field() == expected)
    await store.removeLayer(ids.0)
    #expect(try await field() == expected)
    withExtendedLifetime((mutation, queries)) {}
  }

  /// The closure of a response changes another part of an embedded object than the response.
  @Test(arguments: Kind.allCases)
  func whatAClosureChangesBesideAResponseThatWaitedOvertakesToo(kind: Kind) async throws {
    let store = try store(kind)
    let query = store.begin(.query)
    let ids = (store.layers.reserve(), store.layers.reserve())
    try await store.showLayer(ids.0) { try $0.merge(["You": ["field": "?"]]) }
    let mutation = store.begin(.mutation)
    try await store.publish(
      response(["Me": ["field": .object(["a": "response"])]], mutation), at: .layer(ids.1),
      update: { try $0.merge(["Me": ["field": .object(["b": "closure"])]]) })
    await store.removeLayer(ids.0)
    let old = CacheValue.object(["a": "old", "b": "old"])
    try await store.publish(response(["Me": ["field": old]], query))
    let record = try await store.withinReadTransaction { try $0.record(for: "Me") }
    #expect(record?["field"] == .object(["a": "response", "b": "closure"]))
    withExtendedLifetime((query, mutation)) {}
  }

  /// Events with embedded objects during a long upload: no request tells them apart.
  @Test func writesThatNoRequestTellsApartAreOneNote() async throws {
    let store = try store(.memory)
    let upload = store.begin(.mutation)
    let query = store.begin(.query)
    for number in 0..<9_000 {
      try await store.publish([
        "Me": ["field": .object(["a": .int(Int64(number)), "b": .int(Int64(number))])]
      ])
    }
    #expect(store.order.noteCount < 5_000)
    let later = store.begin(.query)
    try await store.publish(["Me": ["field": .object(["a": -1, "b": -1])]])
    let fields: FieldMap = ["field": .object(["a": "old", "b": "old", "c": "old"])]
    let trace = try await store.publish(response(["Me": fields], later))
    #expect(trace.standing == .overtaken)
    func field() async throws -> CacheValue? {
      try await store.withinReadTransaction { try $0.record(for: "Me")?["field"] }
    }
    #expect(try await field() == .object(["a": -1, "b": -1, "c": "old"]))
    try await store.publish(response(["Me": fields], query))
    #expect(try await field() == .object(["a": -1, "b": -1, "c": "old"]))
    withExtendedLifetime((upload, query, later)) {}
  }

  /// The same of mutations, while an event waits for a program that does not read on.
  @Test func mutationsThatNoRequestTellsApartAreOneNote() async throws {
    let store = try store(.memory)
    let subscription = store.begin(.subscription)
    let event = try #require(subscription.noteEvent())
    for number in 0..<9_000 {
      let mutation = store.begin(.mutation)
      let value = CacheValue.int(Int64(number))
      let fields: FieldMap = ["field": .object(["a": value, "b": value])]
      try await store.publish(response(["Me": fields], mutation))
      mutation.end()
    }
    #expect(store.order.noteCount < 5_000)
    let fields: FieldMap = ["field": .object(["a": "old", "b": "old", "c": "old"])]
    let trace = try await store.publish(response(["Me": fields], event))
    #expect(trace.standing == .overtaken)
    let record = try await store.withinReadTransaction { try $0.record(for: "Me") }
    #expect(record?["field"] == .object(["a": 8_999, "b": 8_999, "c": "old"]))
    withExtendedLifetime((subscription, event)) {}
  }

  /// A later program that has a store for each user leaves nothing behind.
  @Test func theResponsesThatHaveWaitedInAStoreAreForgotten() async throws {
    let cache = InMemoryNormalizedCache()
    let store = ApolloStore(cache: cache)
    let query = store.begin(.query)
    func settle(in other: ApolloStore) async throws -> LayerID {
      let ids = (other.layers.reserve(), other.layers.reserve())
      try await other.showLayer(ids.0) { try $0.merge(["You": ["field": "?"]]) }
      try await other.publish(
        response(["Me": ["field": "new"]], other.begin(.mutation)), at: .layer(ids.1))
      return ids.0
    }
    var other: ApolloStore? = ApolloStore(cache: cache)
    _ = try await settle(in: #require(other))
    #expect(store.order.noteCount == 1)
    other = nil
    #expect(store.order.noteCount == 0)
    await store.removeLayer(try await settle(in: store))
    #expect(store.order.noteCount == 1, "That of the commit.")
    withExtendedLifetime(query) {}
  }

  /// Another mutation has optimistic data, and this one has none: what the program writes while it
  /// is under way is newer than its response.
  @Test(arguments: [false, true])
  func aMutationWithoutOptimisticDataIsOvertakenByTheProgram(isBesideAnother: Bool) async throws {
    let store = try store(.memory)
    if isBesideAnother {
      try await store.showLayer(store.layers.reserve()) { try $0.merge(["You": ["field": "?"]]) }
    }
    let id = store.layers.reserveIfNeeded()
    #expect((id != nil) == isBesideAnother)
    let sent = store.begin(.mutation)
    try await store.publish(["Me": ["field": "own"]])
    let position = id.map { ResponsePosition.layer($0) } ?? .newest
    try await store.publish(response(["Me": ["field": "old", "other": 1]], sent), at: position)
    let record = try await store.withinReadTransaction { try $0.record(for: "Me") }
    #expect(record == Record(key: "Me", fields: ["field": "own", "other": 1]))
  }

  @Test(arguments: Kind.allCases)
  func embeddedObjectsInAListOfTheSameLengthAreMerged(kind: Kind) async throws {
    let value = try await value(
      kind, earlier: .list([.object(["number": "1"]), .object(["number": "2"])]),
      later: .list([.object(["kind": "home"]), .object(["kind": "work"])]))
    #expect(
      value
        == .list([
          .object(["number": "1", "kind": "home"]), .object(["number": "2", "kind": "work"]),
        ]))
  }

  @Test(arguments: Kind.allCases)
  func anEmbeddedObjectOfAnotherTypeOrAListOfAnotherLengthStays(kind: Kind) async throws {
    let dog: CacheValue = .object(["__typename": "Dog", "name": "Rex"])
    let cat: CacheValue = .object(["__typename": "Cat", "lives": 9])
    #expect(try await value(kind, earlier: dog, later: cat) == cat)
    let list: CacheValue = .list([.object(["kind": "home"])])
    let longer: CacheValue = .list([.object(["number": "1"]), .object(["number": "2"])])
    #expect(try await value(kind, earlier: longer, later: list) == list)
    #expect(try await value(kind, earlier: longer, later: .null) == .null)
  }

  @Test func notesThatOvertakeNoRequestAreDropped() async throws {
    let store = try store(.memory)
    var requests = [store.begin(.query)]
    for number in 0..<10_000 {
      try await store.publish([RecordKey("Item:\(number)"): ["value": 1]])
    }
    #expect(store.order.noteCount == 10_000)
    requests.append(store.begin(.query))
    requests.removeFirst()
    for number in 0..<20_000 {
      try await store.publish([RecordKey("Item:\(number % 100)"): ["value": 2]])
    }
    #expect(store.order.noteCount < 10_000)
    requests = []
    #expect(store.order.noteCount == 0)
  }

  @Test func thePatternsOfRemovalsDoNotAddUp() async throws {
    let store = try store(.memory)
    let request = store.begin(.query)
    for _ in 0..<5_000 { try await store.removeObjects(matching: "Item:") }
    #expect(store.order.noteCount < 5_000)
    let trace = try await store.publish(response(["Item:1": ["value": 1]], request))
    #expect(trace.standing == .overtaken)
  }

  @Test(arguments: Kind.allCases)
  func aCollectionMakesNoResponseOlder(kind: Kind) async throws {
    let store = try store(kind)
    try await store.publish(["Book:1": ["title": "old"]])
    let request = store.begin(.query)
    #expect(try await store.collectGarbage().removedCount == 1)
    let trace = try await store.publish(response(["Book:1": ["title": "new"]], request))
    #expect(trace.standing == .written)
    let record = try await store.withinReadTransaction { try $0.record(for: "Book:1") }
    #expect(record?["title"] == "new")
  }

  @Test func aRequestIsUnderWayUntilTheLastOfThoseThatShareItHasWritten() async throws {
    let store = try store(.memory)
    let first = store.begin(.query)
    let joined = store.begin(.query)
    joined.join(first.hold())
    let later = store.begin(.query)
    first.end()
    #expect(store.order.requestCount == 3)
    try await store.publish(response(["Me": ["field": "new"]], later))
    let trace = try await store.publish(response(["Me": ["field": "old"]], first))
    #expect(trace.standing == .overtaken)
    joined.end()
    #expect(store.order.requestCount == 1)
    joined.join(later.hold())
    later.end()
    #expect(store.order.requestCount == 0, "A request that has ended keeps no other one.")
  }

  /// The response waits for an older mutation of its own store, after its request has ended.
  @Test func whatAnotherStoreWritesOvertakesAResponseThatWaits() async throws {
    let cache = InMemoryNormalizedCache()
    let (store, other) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    let layers = (store.layers.reserve(), store.layers.reserve())
    try await store.showLayer(layers.0) { try $0.merge(["You": ["field": "?"]]) }
    let request = store.begin(.mutation)
    try await store.publish(
      response(["Me": ["field": "old", "other": 1]], request), at: .layer(layers.1))
    request.end()
    func fields() async throws -> FieldMap? {
      try await store.withinReadTransaction { try $0.record(for: "Me")?.fields }
    }
    #expect(try await fields() == ["field": "old", "other": 1])
    try await other.publish(["Me": ["field": "new"]])
    #expect(try await fields() == ["field": "new", "other": 1])
    await store.removeLayer(layers.0)
    #expect(store.layers.isIdle)
    #expect(try await fields() == ["field": "new", "other": 1])
    #expect(store.order.requestCount == 0 && store.order.noteCount == 0)
  }

  /// The rest of a list in a layer is not merged into other elements, which an older layer has put
  /// there. (A directive writes a list twice as well, so that nothing of the old one stays.)
  @Test func aListThatAnotherStoreReplacesIsNotMixedWithThatOfAnOlderLayer() async throws {
    func edges(_ nodes: RecordKey...) -> CacheValue {
      .list(nodes.map { .object(["node": .reference($0)]) })
    }
    let cache = InMemoryNormalizedCache()
    let (store, other) = (ApolloStore(cache: cache), ApolloStore(cache: cache))
    let layers = (store.layers.reserve(), store.layers.reserve())
    let optimistic: RecordSet = ["Me": ["list": edges("B", "O")]]
    try await store.showLayer(layers.0) { try $0.merge(optimistic) }
    let request = store.begin(.mutation)
    try await store.publish(
      response(["Me": ["list": edges("X", "B")]], request), at: .layer(layers.1))
    func list() async throws -> CacheValue? {
      try await store.withinReadTransaction { try $0.record(for: "Me")?["list"] }
    }
    #expect(try await list() == edges("X", "B"))
    let newer = edges("A", "B")
    for value in [CacheValue.null, newer] { try await other.publish(["Me": ["list": value]]) }
    #expect(try await list() == newer)
    await store.removeLayer(layers.0)
    #expect(try await list() == newer)
    withExtendedLifetime(request) {}
  }

  @Test func aStoreWithoutRequestsNotesNothing() async throws {
    let store = try store(.memory)
    try await store.publish(["Me": ["field": "a"]])
    #expect(store.order.noteCount == 0 && store.order.requestCount == 0)
    let request = store.begin(.query)
    #expect(store.order.requestCount == 1)
    let trace = try await store.publish(response(["Me": ["field": "b"]], request))
    #expect(trace.standing == .written)
    #expect(store.order.noteCount == 0, "It overtakes no other request.")
    let subscription = store.begin(.subscription)
    try await store.publish(["Me": ["field": "c"]])
    withExtendedLifetime((request, subscription)) {}
  }
}
