import ApolloAPI
import Foundation
import ShapesAPI
import Testing

/// The catalogue of faults in a response: each row ends in a typed error or in the documented
/// outcome, never in a trap.
struct FaultTests {
  static let rows = bodies + texts + limits + numbers + shapes

  @Test(.timeLimit(.minutes(10)), arguments: rows)
  func endsAsExpected(_ row: FaultRow) throws { try row.check() }

  @Test func coversEveryRowOfTheCatalogue() {
    #expect(Set(Self.rows.map(\.id)) == Set((1...30).map { $0 < 10 ? "J0\($0)" : "J\($0)" }))
  }
}
