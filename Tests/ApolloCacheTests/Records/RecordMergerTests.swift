import ApolloAPI
import ApolloCache
import Testing

@Suite struct RecordMergerTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let known: FieldMap
    let incoming: FieldMap
    let merged: FieldMap
    let changed: Set<FieldKey>

    init(
      _ description: String, _ known: FieldMap, _ incoming: FieldMap, gives merged: FieldMap,
      changing changed: Set<FieldKey>
    ) {
      testDescription = description
      self.known = known
      self.incoming = incoming
      self.merged = merged
      self.changed = changed
    }
  }

  private static let failure = CacheValue.failure(FieldFailure(message: "no"))
  private static let laterFailure = CacheValue.failure(FieldFailure(message: "still no"))

  @Test(arguments: [
    Case(
      "a new value replaces the old one", ["a": 1, "b": 2], ["a": 1, "b": 3],
      gives: ["a": 1, "b": 3], changing: ["b"]),
    Case("an absent field is kept", ["a": 1], ["b": 2], gives: ["a": 1, "b": 2], changing: ["b"]),
    Case(
      "fields in another order are the same fields", ["a": 1, "b": 2], ["b": 2, "a": 1],
      gives: ["a": 1, "b": 2], changing: []),
    Case("null overwrites", ["a": 1], ["a": .null], gives: ["a": .null], changing: ["a"]),
    Case(
      "an equal list does not change", ["a": [1, 2]], ["a": [1, 2]], gives: ["a": [1, 2]],
      changing: []),
    Case(
      "a list of leaves is replaced", ["a": [1, 2, 3]], ["a": [2]], gives: ["a": [2]],
      changing: ["a"]),
    Case(
      "embedded objects merge", ["o": ["x": 1]], ["o": ["y": 2]], gives: ["o": ["x": 1, "y": 2]],
      changing: ["o"]),
    Case(
      "embedded objects that tell nothing new do not change", ["o": ["x": 1, "y": 2]],
      ["o": ["y": 2]],
      gives: ["o": ["x": 1, "y": 2]], changing: []),
    Case(
      "embedded objects of another type are replaced", ["o": ["__typename": "A", "x": 1]],
      ["o": ["__typename": "B", "y": 2]],
      gives: ["o": ["__typename": "B", "y": 2]], changing: ["o"]),
    Case(
      "lists of embedded objects merge by position", ["l": [["x": 1], ["x": 2]]],
      ["l": [["y": 3], ["y": 4], ["y": 5]]],
      gives: ["l": [["x": 1, "y": 3], ["x": 2, "y": 4], ["y": 5]]], changing: ["l"]),
    Case(
      "edges of the same node merge", ["l": [["node": .reference("a"), "cursor": 1]]],
      ["l": [["node": .reference("a"), "x": 2]]],
      gives: ["l": [["node": .reference("a"), "cursor": 1, "x": 2]]], changing: ["l"]),
    Case(
      "edges of other nodes are replaced",
      ["l": [["node": .reference("a"), "cursor": 1], ["node": .reference("b"), "cursor": 2]]],
      ["l": [["node": .reference("b"), "x": 3], ["cursor": 4]]],
      gives: ["l": [["node": .reference("b"), "x": 3], ["node": .reference("b"), "cursor": 4]]],
      changing: ["l"]),
    Case(
      "lists of embedded objects take the incoming length", ["l": [["x": 1], ["x": 2]]],
      ["l": [["x": 1]]],
      gives: ["l": [["x": 1]]], changing: ["l"]),
    Case(
      "lists of lists merge likewise", ["l": [[["x": 1]], []]], ["l": [[["y": 1]], .null]],
      gives: ["l": [[["x": 1, "y": 1]], .null]], changing: ["l"]),
    Case(
      "a reference replaces an embedded object", ["o": ["x": 1]], ["o": .reference("O:1")],
      gives: ["o": .reference("O:1")], changing: ["o"]),
    Case(
      "a failure does not replace a value", ["a": 1], ["a": failure], gives: ["a": 1], changing: []),
    Case(
      "a failure does not replace a null", ["a": .null], ["a": failure], gives: ["a": .null],
      changing: []),
    Case(
      "a failure comes where nothing was", ["b": 1], ["a": failure], gives: ["a": failure, "b": 1],
      changing: ["a"]),
    Case(
      "a failure after a failure is no change", ["a": failure], ["a": laterFailure],
      gives: ["a": failure], changing: []),
    Case("a value replaces a failure", ["a": failure], ["a": 1], gives: ["a": 1], changing: ["a"]),
    Case(
      "a failure inside an embedded object keeps what was there", ["o": ["x": 1, "y": 1]],
      ["o": ["x": failure, "y": 2]],
      gives: ["o": ["x": 1, "y": 2]], changing: ["o"]),
    Case(
      "a failed element keeps what was there if the others are the same",
      ["l": [.reference("a"), .reference("b")]], ["l": [.reference("a"), failure]],
      gives: ["l": [.reference("a"), .reference("b")]], changing: []),
    Case(
      "a failed element does not become the former neighbor of another one",
      ["l": [.reference("a"), .reference("b"), .reference("c")]],
      ["l": [.reference("b"), failure, .reference("d")]],
      gives: ["l": [.reference("b"), failure, .reference("d")]], changing: ["l"]),
    Case(
      "a failed element of a list of another length is a failure", ["l": ["a", "b"]],
      ["l": ["a", failure, "b"]],
      gives: ["l": ["a", failure, "b"]], changing: ["l"]),
    Case(
      "a failed element of a list that has changed stays the earlier failure",
      ["l": ["a", failure]], ["l": ["b", laterFailure]],
      gives: ["l": ["b", failure]], changing: ["l"]),
    Case(
      "a failed element keeps what was there if the list grows at its end",
      ["l": [.reference("a"), .reference("b"), .reference("c")]],
      ["l": [.reference("a"), failure, .reference("c"), .reference("d")]],
      gives: ["l": [.reference("a"), .reference("b"), .reference("c"), .reference("d")]],
      changing: ["l"]),
    Case(
      "a failed element keeps what was there if another one has recovered",
      ["l": [failure, .reference("b")]], ["l": [.reference("a"), laterFailure]],
      gives: ["l": [.reference("a"), .reference("b")]], changing: ["l"]),
    Case(
      "a failed element is not the one that has taken the place of an earlier failure",
      ["l": [failure, .reference("a"), .reference("b")]],
      ["l": [.reference("a"), laterFailure, .reference("b")]],
      gives: ["l": [.reference("a"), laterFailure, .reference("b")]], changing: ["l"]),
    Case(
      "a failed element is not the one that has moved to the end",
      ["l": [.reference("a"), .reference("b"), .reference("c")]],
      ["l": [.reference("a"), failure, .reference("c"), .reference("b")]],
      gives: ["l": [.reference("a"), failure, .reference("c"), .reference("b")]], changing: ["l"]),
    Case(
      "a failed element keeps what was there beside embedded objects that change",
      ["l": [["x": 1], ["x": 2]]], ["l": [["x": 3], failure]],
      gives: ["l": [["x": 3], ["x": 2]]], changing: ["l"]),
    Case(
      "a failed edge does not become the edge of another node",
      ["l": [["node": .reference("a")], ["node": .reference("b")]]],
      ["l": [["node": .reference("b")], failure]],
      gives: ["l": [["node": .reference("b")], failure]], changing: ["l"]),
    Case(
      "a failed list does not become the former neighbor of another one",
      ["l": [["a"], ["b"], ["c"]]], ["l": [["b"], failure, ["d"]]],
      gives: ["l": [["b"], failure, ["d"]]], changing: ["l"]),
    Case(
      "an edge that the server has sent is not an inserted one",
      ["l": [["node": .reference("a"), "__inserted": true]]],
      ["l": [["node": .reference("a"), "x": 1]]],
      gives: ["l": [["node": .reference("a"), "x": 1]]], changing: ["l"]),
    Case(
      "an inserted edge that a local change does not touch remains one",
      ["l": [["node": .reference("a"), "__inserted": true], ["node": .reference("b"), "x": 1]]],
      ["l": [[:], ["x": 2]]],
      gives: [
        "l": [["node": .reference("a"), "__inserted": true], ["node": .reference("b"), "x": 2]]
      ], changing: ["l"]),
    Case(
      "a custom scalar is replaced as a whole", ["j": .json(["x": 1])], ["j": .json(["y": 2])],
      gives: ["j": .json(["y": 2])], changing: ["j"]),
  ])
  func mergesAndReportsWhatChanged(_ test: Case) {
    // The same rules must hold for small objects, which have shapes, and for large ones, which do
    // not.
    let padding = (0..<100).map { (FieldKey("padding\($0)"), CacheValue.int(Int64($0))) }
    for extra in [[], padding] {
      func padded(_ map: FieldMap) -> FieldMap { FieldMap(map.map { ($0.key, $0.value) } + extra) }
      var merged = padded(test.known)
      var merger = RecordMerger()
      let changed = merger.merge(test.incoming, into: &merged)
      #expect(merged == padded(test.merged))
      #expect(Set(changed?.listed ?? []) == test.changed)

      let again = merger.merge(test.incoming, into: &merged)
      #expect(again == nil, "Merging twice changes nothing.")
    }
  }

  @Test func anObjectGrowsPastTheLargestShape() {
    var known = FieldMap((0..<60).map { (FieldKey("a\($0)"), .int(Int64($0))) })
    var merger = RecordMerger()
    let changed = merger.merge(
      FieldMap((0..<60).map { (FieldKey("b\($0)"), .int(Int64($0))) }), into: &known)
    #expect(known.count == 120)
    #expect(Set(changed?.listed ?? []) == Set((0..<60).map { FieldKey("b\($0)") }))
  }
}
