import Testing

@testable import ApolloWebSocket

struct OutboxTests {
  private var outbox = Outbox<String>()

  @Test mutating func returnsMessagesInTheirOrder() {
    outbox.append(.connectionInit(payload: nil))
    outbox.append(.subscribe(id: "1", "A"))
    outbox.append(.complete(id: "0"))
    outbox.append(.connectionTerminate)
    #expect(
      takeAll() == [
        .connectionInit(payload: nil), .subscribe(id: "1", "A"), .complete(id: "0"),
        .connectionTerminate,
      ])
  }

  @Test mutating func keepsOnePingAndTheLatestPong() {
    for number in 1...1_000 {
      outbox.append(.ping)
      outbox.append(.pong(payload: MessagePayload("{\"n\":\(number)}")))
    }
    #expect(takeAll() == [.ping, .pong(payload: MessagePayload("{\"n\":1000}"))])
    outbox.append(.pong(payload: nil))
    #expect(takeAll() == [.pong(payload: nil)], "one that was taken is not replaced")
  }

  @Test mutating func dropsSubscriptionsThatEndBeforeTheyAreSent() {
    outbox.append(.subscribe(id: "first", "A"))
    for number in 1...10_000 {
      outbox.append(.subscribe(id: String(number), "A"))
      outbox.append(.complete(id: String(number)))
    }
    outbox.append(.subscribe(id: "last", "A"))
    #expect(takeAll() == [.subscribe(id: "first", "A"), .subscribe(id: "last", "A")])
  }

  @Test mutating func sendsTheEndOfASubscriptionThatWasSent() {
    outbox.append(.subscribe(id: "1", "A"))
    #expect(outbox.removeFirst() == .subscribe(id: "1", "A"))
    outbox.append(.complete(id: "1"))
    #expect(takeAll() == [.complete(id: "1")])
  }

  /// Taking and dropping in any order keeps the rest in order.
  @Test mutating func staysInOrderWhilePlacesAreReused() {
    var expected: [Int] = []
    var next = 0
    for round in 1...500 {
      for _ in 1...(round % 7 + 1) {
        outbox.append(.subscribe(id: String(next), "A"))
        expected.append(next)
        next += 1
      }
      if round.isMultiple(of: 3), let dropped = expected.popLast() {
        outbox.append(.complete(id: String(dropped)))
      }
      for _ in 1...4 where !expected.isEmpty {
        #expect(outbox.removeFirst() == .subscribe(id: String(expected.removeFirst()), "A"))
      }
    }
    #expect(takeAll() == expected.map { .subscribe(id: String($0), "A") })
  }

  private mutating func takeAll() -> [ClientMessage<String>] {
    var messages: [ClientMessage<String>] = []
    while let message = outbox.removeFirst() { messages.append(message) }
    return messages
  }
}
