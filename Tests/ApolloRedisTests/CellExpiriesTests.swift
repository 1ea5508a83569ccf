import ApolloAPI
import ApolloCache
import Testing

@testable import ApolloRedis

@Suite struct CellExpiriesTests {
  /// A record that is written again and again has one time, the last one.
  @Test func theEarlierTimesOfACellDoNotCollect() {
    var expiries = CellExpiries()
    let now = ContinuousClock.now
    for second in 1...10_000 {
      expiries.set(now + .seconds(second), of: .record("A"))
      expiries.set(now + .seconds(20_000 - second), of: .record("B"))
    }
    #expect(expiries.entryCount < 200)
    let early = expiries.takeExpired(at: now + .seconds(9_999))
    let late = expiries.takeExpired(at: now + .seconds(10_000))
    #expect(early == [])
    #expect(Set(late) == [.record("A"), .record("B")])
    #expect(expiries.isEmpty)
  }
}
