import ApolloAPI
import ApolloCache
import SeededRandom
import Testing

@Suite(.timeLimit(.minutes(2)))
struct WatchIndexTests {
  private static let records = (0..<5).map { RecordKey("R:\($0)") }
  private static let shapes: [RecordShape] = [.of(["a"]), .of(["b"]), .of(["a", "b"])]

  /// New dependencies share parts with the old ones, and both have entries several times.
  @Test func aWatchDependsOnItsLatestDependencies() {
    var random = SeededGenerator(seed: freshSeed)
    let seed = "\(random)"
    var index = WatchIndex()
    let id = StoreWatch.ID.next()
    index.add(id, toEverything: false, onChange: { _ in })
    var entries: [(shape: RecordShape, record: RecordKey)] = []
    for step in 0..<2_000 {
      let start = Int.random(in: 0...entries.count, using: &random)
      let end = Int.random(in: start...entries.count, using: &random)
      let new = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
        (
          Self.shapes[Int.random(in: 0..<Self.shapes.count, using: &random)],
          Self.records[Int.random(in: 0..<Self.records.count, using: &random)]
        )
      }
      entries.replaceSubrange(start..<end, with: new)
      var dependencies = Dependencies()
      for entry in entries { dependencies.insert(entry.shape, of: entry.record) }
      index.replaceDependencies(of: id, with: dependencies)
      for record in Self.records {
        for field in ["a", "b"] as [FieldKey] {
          var changes = ChangeSet()
          changes.insert(.listed([field]), of: record)
          let isExpected = entries.contains {
            $0.record == record && $0.shape.fields.contains(field)
          }
          #expect(
            index.watches(concernedBy: changes).isEmpty != isExpected, "\(seed), step \(step)")
        }
      }
    }
  }
}
