import ApolloAPI
import ApolloCache
import Testing

/// A cache must not lose a change between values that Swift treats as equal: texts that only look
/// alike, and the two zeros.
struct IdenticalValuesTests {
  private static let pairs: [(CacheValue, CacheValue)] = [
    (.string("caf\u{E9}"), .string("cafe\u{301}")),
    (.double(0), .double(-0.0)),
    (.list([.string("\u{E9}")]), .list([.string("e\u{301}")])),
    (.json(["a": .double(0)]), .json(["a": .double(-0.0)])),
    (.json(["\u{E9}": 1]), .json(["e\u{301}": 1])),
    (.json(["a": "\u{E9}"]), .json(["a": "e\u{301}"])),
    (.object(["a": .string("\u{E9}")]), .object(["a": .string("e\u{301}")])),
  ]

  @Test func theyDiffer() {
    #expect(FieldFailure(message: "\u{E9}") != FieldFailure(message: "e\u{301}"))
    for (value, other) in Self.pairs {
      #expect(value == value)
      #expect(value != other)
    }
  }

  @Test func oneReplacesTheOther() async throws {
    let store = ApolloStore()
    for (value, other) in Self.pairs {
      for value in [value, other, value] {
        try await store.publish(RecordSet([Record(key: "Cafe:1", fields: ["name": value])]))
        let stored = try await store.withinReadTransaction { try $0.record(for: "Cafe:1") }
        #expect(stored?["name"] == value)
      }
      try await store.clearCache()
    }
  }
}
