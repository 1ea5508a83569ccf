import ApolloAPI
import ApolloCache
import Testing

@testable import ApolloRedis

/// The near cache follows its rules, whatever messages arrive and in whatever order.
@Suite struct NearCacheTests {
  private let changes = ForeignChanges()
  private let near: NearCache

  init() {
    near = NearCache(partitionCount: 1, recordLimit: 4, changes: changes)
    near.start(at: [Self.meta(5)], in: 0)
    near.keep([(.record("A"), Self.contents), (.record("B"), Self.contents)], 0, at: Self.meta(5))
  }

  private static let contents = CellContents(fields: ["x": 1])

  private static func meta(_ version: UInt64, epoch: String = "e") -> Meta {
    Meta(epoch: epoch, version: version)
  }

  private func message(
    _ version: UInt64, epoch: String = "e", changing key: RecordKey = "A",
    from writer: [UInt8]? = nil
  ) -> [UInt8] {
    var changes = ChangeSet()
    changes.insert(key)
    let text = "\(epoch):\(version)"
    let other = [UInt8](repeating: 9, count: ChangeMessage.writerCount)
    return ChangeMessage.prefix(0) + Array("\(text)|\(text)".utf8)
      + ChangeMessage.suffix(changes, from: writer ?? other, 0)
  }

  /// The keys in memory, or `nil` if it cannot be used.
  private var keys: [String]? {
    near.contents().map { contents in
      ["A", "B", "C"].filter { contents.records.fields.fields(of: RecordKey($0)) != nil }
    }
  }

  @Test func theNextMessageRemovesExactlyWhatChanged() {
    #expect(near.receive(message(6)))
    #expect(keys == ["B"])
    #expect(near.meta(0) == Self.meta(6))
  }

  /// After a failover, the new primary server lacks the latest writes, and counts on from there.
  /// The subscription is at another node of the cluster, which delivers the messages of both.
  @Test(arguments: [[7], [6, 7]] as [[UInt64]], [false, true])
  func aVersionThatIsUsedAgainEmptiesMemory(versions: [UInt64], isOwn: Bool) {
    for version in UInt64(6)...7 { #expect(near.receive(message(version, changing: "B"))) }
    #expect(keys == ["A"])
    for version in versions {
      #expect(near.receive(message(version, changing: "B", from: isOwn ? near.writer : nil)))
      #expect(keys == [])
      #expect(near.meta(0) == Self.meta(7))
    }
    #expect(near.receive(message(8, changing: "C")))
    #expect(near.meta(0) == Self.meta(8))
    near.keep([(.record("A"), Self.contents)], 0, at: Self.meta(8))
    #expect(keys == ["A"])
  }

  /// The stores do not know the writes to which the versions belong now.
  @Test func aVersionThatIsUsedAgainIsReportedAsAChangeOfEverything() async {
    let changes = ForeignChanges()
    let near = NearCache(partitionCount: 1, recordLimit: 4, changes: changes)
    let (sets, continuation) = AsyncStream<ChangeSet>.makeStream()
    changes.addHandler { set in
      continuation.yield(set)
      return true
    }
    var reports = sets.makeAsyncIterator()
    near.start(at: [Self.meta(5)], in: 0)
    let start = await reports.next()
    #expect(start?.includesEverything == true)
    #expect(near.receive(message(5)))
    #expect(near.receive(message(6)))
    let next = await reports.next()
    #expect(next?.includesEverything == true)
  }

  /// A program that makes a store for each of its requests may be the only one that writes.
  @Test func handlersThatHaveEndedAreReleasedWithoutAChange() {
    final class Token: Sendable {}
    let changes = ForeignChanges()
    weak var released: Token?
    do {
      let token = Token()
      released = token
      changes.addHandler { _ in withExtendedLifetime(token) { false } }
    }
    for _ in 0..<100 { changes.addHandler { _ in false } }
    #expect(released == nil)
  }

  @Test(arguments: [[7], [8, 7], [7, 6, 8]]) func aGapEmptiesMemory(versions: [UInt64]) {
    for version in versions { #expect(near.receive(message(version))) }
    #expect(keys == [])
    #expect(near.meta(0) == Self.meta(versions.max() ?? 0))
  }

  @Test func anotherEpochEmptiesMemory() {
    #expect(near.receive(message(6, epoch: "f")))
    #expect(keys == [])
    #expect(near.meta(0) == Self.meta(6, epoch: "f"))
  }

  @Test func aVersionThatCannotBeCountedIsNoState() {
    let text = "e:\(UInt64.max)"
    near.stop()
    near.start(at: [Meta(Array("\(text)|\(text)".utf8))], in: near.session)
    #expect(near.receive(message(1, epoch: "f")))
    #expect(near.meta(0) == Self.meta(1, epoch: "f"))
  }

  @Test func aDamagedMessageEndsTheSubscription() {
    #expect(!near.receive(Array(message(6).dropLast())))
    #expect(keys == nil)
  }

  @Test func whatWasReadAtAnotherVersionIsNotKept() {
    near.keep([(.record("C"), Self.contents)], 0, at: Self.meta(4))
    near.keep([(.record("C"), Self.contents)], 0, at: Self.meta(6))
    #expect(keys == ["A", "B"])
  }

  @Test func anOwnWriteIsUsedWhenItsMessageHasArrived() {
    near.recordOwnWrite([(.record("C"), Self.contents), (.record("A"), nil)], 0, Self.meta(6))
    #expect(keys == nil)
    #expect(near.receive(message(6, from: near.writer)))
    #expect(keys == ["B", "C"])
  }

  @Test func anOwnWriteWhoseMessageWasFasterIsUsedAtOnce() {
    #expect(near.receive(message(6, from: near.writer)))
    near.recordOwnWrite([(.record("C"), Self.contents)], 0, Self.meta(6))
    #expect(keys == ["B", "C"])
  }

  @Test func theWritesOfARecordComeAndGoWithIt() throws {
    let written = CellContents(fields: ["x": 1], writes: .each(["x": 7]))
    near.keep([(.record("A"), written)], 0, at: Self.meta(5))
    near.recordOwnWrite([(.record("C"), written)], 0, Self.meta(6))
    #expect(near.receive(message(6, changing: "C", from: near.writer)))
    #expect(writes(of: "A") == ["x": 7])
    #expect(writes(of: "B") == nil)
    #expect(writes(of: "C") == ["x": 7])
    #expect(near.receive(message(7)))
    #expect(writes(of: "A") == nil)
    near.keep([(.record("C"), Self.contents)], 0, at: Self.meta(7))
    #expect(writes(of: "C") == nil)
  }

  private func writes(of key: RecordKey) -> FieldMap? {
    guard case .each(let writes)? = near.contents()?.records.writes[key] else { return nil }
    return writes
  }

  @Test func aServerThatIsAheadMakesMemoryUnusableUntilTheMessageArrives() {
    #expect(near.observe(Self.meta(6), 0, before: Self.meta(5)))
    #expect(keys == nil)
    #expect(near.receive(message(6)))
    #expect(keys == ["B"])
  }

  /// The second of two responses has shown what the first message does not bring.
  @Test func aServerThatIsFurtherAheadMakesMemoryUnusableUntilItsLastMessageArrives() {
    #expect(near.observe(Self.meta(6), 0, before: Self.meta(5)))
    #expect(near.observe(Self.meta(7), 0, before: Self.meta(5)))
    #expect(near.receive(message(6)))
    #expect(keys == nil)
    #expect(near.receive(message(7)))
    #expect(keys == ["B"])
  }

  /// The response of a reading that was under way at a clearing says nothing about the messages.
  @Test(arguments: [6, 1]) func aResponseFromBeforeAClearingDoesNotHoldMemoryUp(version: UInt64) {
    #expect(near.receive(message(version, epoch: "f")))
    #expect(near.observe(Self.meta(5), 0, before: Self.meta(5)))
    #expect(keys == [])
  }

  @Test func aServerThatIsBehindIsNoServerOfThisMemory() {
    #expect(!near.observe(Self.meta(4), 0, before: Self.meta(5)))
  }

  @Test func messagesBeforeTheFirstStateCountFromThere() {
    near.stop()
    #expect(near.receive(message(6)))
    #expect(near.receive(message(7)))
    near.start(at: [Self.meta(6)], in: near.session)
    #expect(near.meta(0) == Self.meta(7))
  }

  /// The states of the server may arrive after the connection has been lost.
  @Test func aSubscriptionThatHasEndedStartsNothing() {
    let session = near.session
    near.stop()
    near.start(at: [Self.meta(6)], in: session)
    #expect(near.meta(0) == nil && near.contents() == nil)
    near.start(at: [Self.meta(6)], in: near.session)
    #expect(near.meta(0) == Self.meta(6))
  }

  @Test func tooManyRecordsEmptyMemory() {
    for number in 0..<10 {
      near.keep([(.record(RecordKey("\(number)")), Self.contents)], 0, at: Self.meta(5))
    }
    #expect((near.contents()?.records.count ?? 0) <= 4)
  }

  /// A program that reads what it has written needs no reading of the server.
  @Test(arguments: [false, true]) func tooManyOwnWritesEmptyMemory(isMessageFirst: Bool) {
    for version in UInt64(6)...20 {
      let key = RecordKey("\(version)")
      let bytes = message(version, changing: key, from: near.writer)
      if isMessageFirst { #expect(near.receive(bytes)) }
      near.recordOwnWrite([(.record(key), Self.contents)], 0, Self.meta(version))
      if !isMessageFirst { #expect(near.receive(bytes)) }
      #expect((near.contents()?.records.count ?? .max) <= 4)
    }
  }

  @Test func theFieldsOfARootCountAsRecords() {
    for number in 0..<20 {
      let field = FieldKey("f\(number)")
      near.keep(
        [(.field(.queryRoot, field), CellContents(fields: [field: 1]))], 0, at: Self.meta(5))
      #expect((near.contents()?.records.fields.fields(of: .queryRoot)?.count ?? .max) <= 4)
    }
  }
}
