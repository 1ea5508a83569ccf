import Foundation
import Testing

@testable import ApolloOffline

/// The right to send, which one queue of a file has.
@Suite(.timeLimit(.minutes(10)))
struct LeaseTests {
  private func core(_ url: URL) throws -> QueueCore {
    let file = try OfflineFile(url: url, survivesPowerLoss: false, busyTimeout: .seconds(300))
    var core = QueueCore(file: file, limits: QueueCore.Limits())
    core.registered = ["Rename"]
    core.isRunning = true
    try core.begin("")
    return core
  }

  private func add(_ key: String?, to core: inout QueueCore) throws -> Int64 {
    let new = NewEntry(
      lane: "", operationName: "Rename", key: key, rules: .enqueue(), needs: [], isVisible: false,
      payload: Array("{}".utf8), files: [])
    let id = try #require(try core.add(new, superseding: [], at: 0))
    core.release(id)
    return id
  }

  private func moment(_ seconds: Double) -> QueueCore.Moment {
    QueueCore.Moment(time: .seconds(seconds), date: seconds)
  }

  @Test func whatAnEndedQueueWasSendingIsSentAgainAtOnceWithItsKey() throws {
    let machine = try Machine()
    var ended = try core(machine.file)
    let id = try add("key", to: &ended)
    guard case .send = try ended.take(lane: "", at: moment(0)) else {
      Issue.record("It is not sent.")
      return
    }
    var next = try core(machine.file)
    guard case .wait(let time) = try next.take(lane: "", at: moment(5)), time > .seconds(5) else {
      Issue.record("The lease of another queue does not count.")
      return
    }
    // The lease has ended: the lane goes on at the same moment.
    guard case .wait(.seconds(20)) = try next.take(lane: "", at: moment(20)),
      case .send(let attempt) = try next.take(lane: "", at: moment(20))
    else {
      Issue.record("It is not sent.")
      return
    }
    #expect(attempt.id == id)
    #expect(attempt.number == 2)
    #expect(attempt.key == "key")
  }

  @Test func aQueueThatHasLostItsLeaseSendsNothing() throws {
    let machine = try Machine()
    var first = try core(machine.file)
    _ = try add("1", to: &first)
    _ = try add("2", to: &first)
    guard case .send(let attempt) = try first.take(lane: "", at: moment(0)) else {
      Issue.record("It is not sent.")
      return
    }
    // The first one is suspended, and another one takes over.
    var second = try core(machine.file)
    _ = try second.take(lane: "", at: moment(20))
    guard case .send(let again) = try second.take(lane: "", at: moment(20)) else {
      Issue.record("It is not sent.")
      return
    }
    #expect(again.id == attempt.id)
    #expect(try !first.finish(attempt, .rejected(OfflineFailure(.graphQL)), at: moment(21)))
    guard case .wait = try first.take(lane: "", at: moment(22)) else {
      Issue.record("It sends without the lease.")
      return
    }
  }

  @Test func withoutAKeyNothingIsSentAgain() throws {
    let machine = try Machine()
    var ended = try core(machine.file)
    let id = try add(nil, to: &ended)
    _ = try ended.take(lane: "", at: moment(0))
    var next = try core(machine.file)
    _ = try next.take(lane: "", at: moment(20))
    guard case .none = try next.take(lane: "", at: moment(20)) else {
      Issue.record("It is sent again.")
      return
    }
    #expect(next.entries[id]?.phase == .uncertain)
  }
}
