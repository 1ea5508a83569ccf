import ApolloAPI
import Foundation
import Testing

@testable import ApolloTransport

/// The positions of bytes that are taken in other pieces than those in which they arrive.
@Suite struct EventArrivalsTests {
  /// The position of what arrives now. Something else that is sent or written raises it.
  private let position: Lock<UInt64>
  private let arrivals: EventArrivals

  init() {
    let position = Lock<UInt64>(2)
    self.position = position
    arrivals = EventArrivals(
      of: SentRequest(
        number: 1, operationType: .subscription,
        onEvent: { beginning, latest in
          let number = position.get()
          if let latest, latest.number == number { return latest }
          return SentRequest(eventAt: number, ofSubscriptionAt: beginning, order: 0) { _ in }
        },
        onEnd: { _ in }))
  }

  private func split(_ chunk: String) -> [String] {
    arrivals.split(Data(chunk.utf8)).map { part in
      let position = part.event.map { "\($0.number)" } ?? "no position"
      return "\(String(decoding: part.bytes, as: UTF8.self)) at \(position)"
    }
  }

  /// The reader takes a chunk, and divides it some time later.
  @Test func bytesThatArriveAfterAChunkWasTakenKeepTheirPosition() {
    arrivals.note(byteCount: 3)
    arrivals.note(byteCount: 2)
    #expect(split("abc") == ["abc at 2"])
    position.withLock { $0 = 3 }
    arrivals.note(byteCount: 1)
    #expect(split("de") == ["de at 2"])
    #expect(split("f") == ["f at 3"])
  }

  @Test func aChunkIsDividedAtTheChangesOfPosition() {
    arrivals.note(byteCount: 1)
    arrivals.note(byteCount: 2)
    position.withLock { $0 = 3 }
    arrivals.note(byteCount: 3)
    #expect(split("abcde") == ["abc at 2", "de at 3"])
    #expect(split("fg") == ["f at 3", "g at no position"])
  }
}
