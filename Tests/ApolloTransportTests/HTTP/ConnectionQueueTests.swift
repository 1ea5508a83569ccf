import Testing

@testable import ApolloTransport

#if CURL
  struct ConnectionQueueTests {
    private final class User {
      let name: String
      init(_ name: String) { self.name = name }
    }

    private let users = ["a", "b", "c", "d", "e"].map { User($0) }

    /// Lets all users enter.
    private func enter(_ queue: inout ConnectionQueue<String, User>) -> [Bool] {
      users.map { queue.enter($0, "host") }
    }

    /// Lets some users leave, and returns the names of those who follow.
    private func leave(_ queue: inout ConnectionQueue<String, User>, _ count: Int) -> [String?] {
      (0..<count).map { _ in queue.leave("host")?.name }
    }

    @Test func servesThoseThatWaitInTheirOrder() {
      var queue = ConnectionQueue<String, User>(limit: 2)
      #expect(enter(&queue) == [true, true, false, false, false])
      #expect(leave(&queue, 5) == ["c", "d", "e", nil, nil])
      #expect(enter(&queue) == [true, true, false, false, false])
    }

    @Test func eachHostHasItsOwnConnections() {
      var queue = ConnectionQueue<String, User>(limit: 1)
      let haveEntered = [("one", 0), ("two", 1), ("two", 2)].map { queue.enter(users[$1], $0) }
      #expect(haveEntered == [true, true, false])
      let next = ["one", "two"].map { queue.leave($0)?.name }
      #expect(next == [nil, "c"])
    }

    @Test func thoseThatHaveGoneAreNotServed() {
      var queue = ConnectionQueue<String, User>(limit: 1)
      for user in users { _ = queue.enter(user, "host") }
      queue.remove(users[1], "host")
      queue.remove(users[3], "host")
      queue.remove(users[0], "host")
      #expect(leave(&queue, 3) == ["c", "e", nil])
    }

    @Test func releasesThoseThatWereServed() {
      var queue = ConnectionQueue<String, User>(limit: 1)
      weak var released: User?
      do {
        let user = User("released")
        released = user
        _ = queue.enter(users[0], "host")
        _ = queue.enter(user, "host")
        _ = queue.enter(users[1], "host")
        _ = queue.leave("host")
      }
      #expect(released == nil)
    }

    /// The length of a queue's description shows the number of its places.
    private func isShort(_ queue: ConnectionQueue<String, User>) -> Bool {
      "\(queue)".count < 2_000
    }

    /// Subscriptions may keep all connections, so that every query waits and gives up.
    @Test func usersThatGiveUpTakeNoMemory() {
      var queue = ConnectionQueue<String, User>(limit: 1)
      _ = queue.enter(users[0], "host")
      for _ in 0..<10_000 {
        _ = queue.enter(users[1], "host")
        queue.remove(users[1], "host")
      }
      #expect(isShort(queue))
    }

    @Test func usersThatWereServedTakeNoMemoryWhileOthersWait() {
      var queue = ConnectionQueue<String, User>(limit: 1)
      _ = queue.enter(users[0], "host")
      _ = queue.enter(users[1], "host")
      for _ in 0..<10_000 {
        _ = queue.enter(users[2], "host")
        _ = queue.leave("host")
      }
      #expect(isShort(queue))
    }

    @Test func allThatWaitCanBeRemoved() {
      var queue = ConnectionQueue<String, User>(limit: 1)
      for user in users { _ = queue.enter(user, "host") }
      let waiting = queue.removeWaiting().map(\.name)
      #expect(waiting == ["b", "c", "d", "e"])
      #expect(leave(&queue, 1) == [nil])
    }
  }
#endif
