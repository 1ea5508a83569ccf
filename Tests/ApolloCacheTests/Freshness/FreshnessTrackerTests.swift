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
      [["A": ["x": 1]]], WriteFacts(time: 20, operationName: nil, maxAge: nil), nil)
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
}
