import Testing

@testable import ApolloCache

/// The pages that an append of an item to a list need not follow again.
struct PageChainTests {
  private static let record: RecordKey = "QUERY_ROOT"
  private static let keys: [FieldKey] = ["p", "p(after:1)", "p(after:2)", "p(after:3)"]

  private func chain() -> PageChain {
    var chain = PageChain()
    for key in Self.keys {
      let isAdded = chain.append(key)
      #expect(isAdded)
    }
    return chain
  }

  @Test func aPageThatComesAgainIsNotAdded() {
    var chain = chain()
    let isAdded = chain.append("p(after:1)")
    #expect(!isAdded)
    #expect(chain.last == "p(after:3)")
  }

  /// The page that has changed stays, because its key is that of the page before.
  @Test(
    arguments: [
      (["p(after:2)"], "p(after:2)"), (["p(after:3)", "p(after:1)"], "p(after:1)"),
      (["other"], "p(after:3)"), (["p"], "p"),
    ] as [([FieldKey], FieldKey)])
  func aChangeCutsTheChainBehindItsPage(changed: [FieldKey], last: FieldKey) {
    var chain = chain()
    var changes = ChangeSet()
    for field in changed { changes.insert(FieldAddress(record: Self.record, field: field)) }
    changes.insert(FieldAddress(record: "Other:1", field: "p"))
    chain.cut(because: changes, in: Self.record)
    #expect(chain.last == last)
    // What was cut off can be added again.
    let isAdded = chain.append("p(after:3)")
    #expect(isAdded == (last != "p(after:3)"))
  }

  @Test func aChangeOfTheWholeRecordLeavesNothing() {
    var removal = ChangeSet()
    removal.insert(Self.record)
    for changes in [removal, .everything] {
      var chain = chain()
      chain.cut(because: changes, in: Self.record)
      #expect(chain.isEmpty)
    }
  }

  /// A chain is that of one state of the cache.
  @Test func aStateThatNoStoreHasMadeHasNoChain() throws {
    let list = try #require(ListLocation("p"))
    func take(_ state: ListEnds.State, after change: (ListEnds) -> Void) -> PageChain {
      let ends = ListEnds()
      ends.keep(chain(), of: list, in: ListEnds.State(version: 4, foreignCommitCount: 0))
      change(ends)
      return ends.takeChain(of: list, in: state)
    }
    let next = ListEnds.State(version: 5, foreignCommitCount: 0)
    #expect(take(next) { $0.note(ChangeSet(), version: 5) }.last == Self.keys.last)
    #expect(take(next) { _ in }.isEmpty, "A write without a store.")
    #expect(take(next) { $0.note(ChangeSet(), version: 6) }.isEmpty, "Another one before it.")
    let others = ListEnds.State(version: 4, foreignCommitCount: 1)
    #expect(take(others) { _ in }.isEmpty, "A write of another program.")
  }
}
