import ApolloAPI
import Testing

@testable import ApolloCache

/// The writes that a cache has kept are used as long as they can be true.
@Suite struct FreshnessTrackerTests {
  private let tracker = FreshnessTracker()
  private let address = FieldAddress(record: "A", field: "x")
  private let kept = KeptWrites(
    fields: ["A": ["x": WriteID(3)]],
    facts: [WriteID(3): WriteFacts(time: 10, operationName: nil, maxAge: nil)])

  private func change(_ key: RecordKey) -> ChangeSet {
    var changes = ChangeSet()
    changes.insert(key)
    return changes
  }

  @Test func keptWritesFillWhatIsUnknown() {
    tracker.add(kept, readAfter: tracker.ledger)
    #expect(tracker.ledger.facts(about: address)?.time == 10)
  }

  @Test func keptWritesDoNotReplaceWhatIsKnown() {
    let ledger = tracker.ledger
    tracker.note(
      ["A": ["x": 1]] as RecordSet, WriteFacts(time: 20, operationName: nil, maxAge: nil), nil)
    tracker.add(kept, readAfter: ledger)
    #expect(tracker.ledger.facts(about: address)?.time == 20)
  }

  @Test(arguments: [ChangeSet.everything, nil])
  func keptWritesThatWereReadBeforeOthersWereForgottenAreNotAdded(changes: ChangeSet?) {
    let ledger = tracker.ledger
    tracker.forget(changes ?? change("A"))
    tracker.add(kept, readAfter: ledger)
    #expect(tracker.ledger.writes(of: "A") == nil)
    tracker.add(kept, readAfter: tracker.ledger)
    #expect(tracker.ledger.facts(about: address)?.time == 10)
  }

  // MARK: - The size of the ledger

  /// Such a cache may have more records than memory, and remove some without a report.
  @Test(arguments: [true, false])
  func onlyACacheThatKeepsWritesIsAskedAgainForThoseOfManyRecords(keepsWrites: Bool) {
    let tracker = FreshnessTracker(ofCacheThatKeepsWrites: keepsWrites, limit: 100)
    for number in 0..<1_000 {
      tracker.note([RecordKey("\(number)"): ["x": 1]] as RecordSet, facts(1), nil)
    }
    let count = tracker.ledger.entryCount
    #expect(keepsWrites ? count <= 101 : count == 1_000)
    #expect(tracker.ledger.facts(about: FieldAddress(record: "999", field: "x"))?.time == 1)
  }

  /// A root, and any object with arguments, has a field for each of their values.
  @Test(arguments: [RecordKey.queryRoot, "Viewer:1"], [true, false])
  func onlyACacheThatKeepsWritesIsAskedAgainForThoseOfManyFields(
    key: RecordKey, keepsWrites: Bool
  ) {
    let tracker = FreshnessTracker(ofCacheThatKeepsWrites: keepsWrites, limit: 100)
    for number in 0..<1_000 {
      let record = Record(key: key, fields: [FieldKey("book(number:\(number))"): 1])
      tracker.note(RecordSet([record]), facts(1), nil)
    }
    let count = tracker.ledger.writes(of: key)?.all.count ?? 0
    #expect(keepsWrites ? count <= 101 : count == 1_000)
  }

  @Test func fieldsThatAreForgottenDoNotCount() {
    for number in 0..<20 {
      let record = Record(key: "A", fields: [FieldKey("book(number:\(number))"): 1])
      tracker.note(RecordSet([record]), facts(1), nil)
    }
    #expect(tracker.ledger.entryCount == 21)
    tracker.forget(["A": ["book(number:0)", "book(number:1)"]])
    #expect(tracker.ledger.entryCount == 19)
    tracker.forget(change("A"))
    #expect(tracker.ledger.entryCount == 0)
  }

  /// A reading may hold the ledger and the records from before.
  @Test func keptWritesThatWereReadBeforeManyWereForgottenAreNotAdded() {
    let tracker = FreshnessTracker(ofCacheThatKeepsWrites: true, limit: 2)
    let ledger = tracker.ledger
    for key: RecordKey in ["A", "B", "C", "D"] {
      tracker.note([key: ["x": 1]] as RecordSet, facts(20), nil)
    }
    tracker.add(kept, readAfter: ledger)
    #expect(tracker.ledger.writes(of: "A") == nil)
    tracker.add(kept, readAfter: tracker.ledger)
    #expect(tracker.ledger.facts(about: address)?.time == 10)
  }

  /// The newer write of the field is among those that are forgotten.
  @Test func keptWritesThatAreTooManyDoNotReplaceWhatWasKnown() {
    let tracker = FreshnessTracker(ofCacheThatKeepsWrites: true, limit: 2)
    for key: RecordKey in ["B", "C"] {
      tracker.note([key: ["x": 1]] as RecordSet, facts(1), nil)
    }
    let ledger = tracker.ledger
    tracker.note(["A": ["x": 1]] as RecordSet, facts(20), nil)
    tracker.add(kept, readAfter: ledger)
    #expect(tracker.ledger.writes(of: "A") == nil)
    #expect(tracker.ledger.entryCount == 0)
  }

  // MARK: - Writes of whole selections

  private func facts(_ time: Double) -> WriteFacts {
    WriteFacts(time: time, operationName: nil, maxAge: nil)
  }

  /// A ledger with a write of one field of each of some records, which are a whole selection.
  private func ledger(ofRecords count: Int, _ selection: SelectionKey) -> FreshnessLedger {
    var ledger = FreshnessLedger()
    ledger.set(facts(1), of: WriteID(1))
    ledger.note((0..<count).map { (RecordKey("\($0)"), .of(["x"])) }, WriteID(1))
    ledger.noteWhole(WriteID(1), FieldsFingerprint(), of: selection)
    return ledger
  }

  private var selection: SelectionKey { selection(0) }

  private func selection(_ number: Int) -> SelectionKey {
    SelectionKey(
      LibraryQuery<WholeBook>.Data.__layout, schema: LibraryAPI.SchemaMetadata.self,
      variables: ["number": number])
  }

  @Test func aFewReplacedRecordsAreListedAndManyEndAWholeWrite() {
    var ledger = ledger(ofRecords: 20, selection)
    for index in 0..<17 {
      #expect(ledger.wholeWrite(of: selection)?.replaced.count == index)
      let id = WriteID(Int64(index) + 2)
      ledger.set(facts(2), of: id)
      ledger.note([(RecordKey("\(index)"), .of(["x"]))], id)
      ledger.sortIn()
    }
    #expect(ledger.wholeWrite(of: selection) == nil)
  }

  @Test func aRemovedRecordCountsAsReplaced() {
    var ledger = ledger(ofRecords: 2, selection)
    ledger.forget("1")
    #expect(ledger.wholeWrite(of: selection)?.replaced == ["1"])
    #expect(ledger.wholeWrite(of: selection, fingerprint: FieldsFingerprint()) == nil)
  }

  @Test func theLatestWritesAreSortedInWhenTheyAreMany() {
    var ledger = FreshnessLedger()
    for number in 1...300 {
      ledger.set(facts(1), of: WriteID(Int64(number)))
      ledger.note([("A", .of(["x"]))], WriteID(Int64(number)))
    }
    #expect(!ledger.isSorted)
    ledger.sortIn()
    #expect(ledger.writes(of: "A")?["x"] == WriteID(300))
  }

  @Test func theLeastUsedSelectionsAreForgotten() {
    var ledger = FreshnessLedger()
    for number in 1...257 {
      ledger.set(facts(1), of: WriteID(Int64(number)))
      ledger.noteWhole(WriteID(Int64(number)), FieldsFingerprint(), of: selection(number))
    }
    #expect(ledger.wholeWrite(of: selection(1)) == nil)
    #expect(ledger.wholeWrite(of: selection(257))?.id == WriteID(257))
  }

  @Test func writesWithOneNumberAreToldApart() {
    let id = WriteID(7)
    tracker.note(["A": ["x": 1]] as RecordSet, facts(1), id)
    tracker.note(["B": ["x": 1]] as RecordSet, facts(2), id)
    #expect(tracker.ledger.facts(about: FieldAddress(record: "A", field: "x"))?.time == 1)
    #expect(tracker.ledger.facts(about: FieldAddress(record: "B", field: "x"))?.time == 2)
  }
}
