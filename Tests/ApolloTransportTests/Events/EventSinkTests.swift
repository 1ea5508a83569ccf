import ApolloAPI
import ApolloTransport
import Foundation
import ManualClock
import TestOperations
import Testing

struct EventSinkTests {
  private let clock = ManualClock()

  private func record(_ kinds: [CallEvent.Kind], for observer: any CallEventObserver) -> UInt64 {
    let recorder = CallEventRecorder(
      HeroAPI.HeroQuery(name: "secret"), observers: [observer], clock: clock)
    for kind in kinds {
      clock.advance(by: .microseconds(1_250))
      recorder.record(kind)
    }
    return recorder.call.id
  }

  private struct Failure: Error, CustomStringConvertible {
    var description: String { "two\nlines" }
  }

  @Test func theLogHasALineForEachEvent() {
    let lines = Lock<[String]>([])
    let log = StandardErrorLog { line in lines.withLock { $0.append(line) } }
    let id = record(
      [
        .cacheRead(.miss, duration: .milliseconds(1)), .sent, .received(byteCount: 12),
        .decoded(errorCount: 2, duration: .microseconds(100)), .failed(Failure()),
      ], for: log)
    #expect(
      lines.get() == [
        "\(id) query Hero +0.0 ms began\n",
        "\(id) query Hero +1.2 ms cacheRead miss 1.0 ms\n",
        "\(id) query Hero +2.5 ms sent\n",
        "\(id) query Hero +3.7 ms received 12 bytes\n",
        "\(id) query Hero +5.0 ms decoded 0.1 ms 2 errors\n",
        "\(id) query Hero +6.2 ms failed two lines\n",
      ])
  }

  @Test func theBufferKeepsTheLatestEvents() {
    let buffer = EventRingBuffer(capacity: 3)
    _ = record([.sent, .received(byteCount: 1), .received(byteCount: 2)], for: buffer)
    #expect(buffer.events.map(\.attempt) == [1, 1, 1])
    #expect(buffer.names == ["received", "received", "cancelled"])
    buffer.removeAll()
    #expect(buffer.names.isEmpty)
  }

  /// The error of an event may own an object that uses the buffer when it is released.
  @Test(.timeLimit(.minutes(1)), arguments: [false, true])
  func eventsAreReleasedWithoutALock(removesAll: Bool) async throws {
    final class Owner: Error {
      let onRelease: @Sendable () -> Void
      init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
      deinit { onRelease() }
    }
    let other = EventRingBuffer()
    _ = record([.completed], for: other)
    let event = try #require(other.events.first)
    let (releases, release) = AsyncStream.makeStream(of: Void.self)
    let buffer = EventRingBuffer(capacity: 1)
    let useOfBuffer: @Sendable () -> Void = { [weak buffer] in
      _ = buffer?.names  // takes the lock
      release.yield()
    }
    _ = record([.failed(Owner(useOfBuffer))], for: buffer)
    Thread.detachNewThread {
      if removesAll { buffer.removeAll() } else { buffer.observe(event) }
    }
    var iterator = releases.makeAsyncIterator()
    #expect(await iterator.next() != nil, "The deinitializer waits for the lock.")
    withExtendedLifetime(buffer) {}
  }

  @Test func nothingFollowsTheTerminalEvent() {
    let buffer = EventRingBuffer()
    _ = record([.completed, .sent, .cancelled, .failed(Failure())], for: buffer)
    #expect(buffer.names == ["began", "completed"])
  }

  @Test func theVariablesOfACallAreSecrets() throws {
    let buffer = EventRingBuffer()
    _ = record([.completed], for: buffer)
    let call = try #require(buffer.events.first?.call)
    #expect(call.variables.map(\.name) == ["name"])
    #expect(call.variables.first?.value.reveal() == .string("secret"))
    var dumped = ""
    dump(buffer.events, to: &dumped)
    #expect(!dumped.contains("secret"))
    #expect(!"\(buffer.events) \(call)".contains("secret"))
  }

  /// Events that an observer causes are delivered after the one that it observes.
  @Test func anObserverMayCauseEvents() {
    final class Echo: CallEventObserver {
      let recorder = Lock<CallEventRecorder?>(nil)
      let names = Lock<[String]>([])

      func observe(_ event: CallEvent) {
        names.withLock { $0.append(event.kind.name) }
        if case .sent = event.kind { recorder.get()?.record(.completed) }
        names.withLock { $0.append("/\(event.kind.name)") }
      }
    }
    let echo = Echo()
    let recorder = CallEventRecorder(HeroAPI.HeroQuery(), observers: [echo], clock: clock)
    _ = echo.recorder.exchange(recorder)
    recorder.record(.sent)
    _ = echo.recorder.exchange(nil)
    #expect(
      echo.names.get() == ["began", "/began", "sent", "/sent", "completed", "/completed"])
  }

  @Test func threadsDoNotMixTheEventsOfACall() async {
    let buffer = EventRingBuffer(capacity: 10_000)
    let recorder = CallEventRecorder(HeroAPI.HeroQuery(), observers: [buffer], clock: clock)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<500 { recorder.record(.sent) } }
      }
    }
    recorder.record(.completed)
    #expect(buffer.events.map(\.attempt) == [0] + Array(1...4_000) + [4_000])
    #expect(buffer.names.last == "completed")
  }
}
