import ApolloAPI
import ApolloCache
import Dispatch
import Testing

@testable import ApolloSQLite

/// When a cache is suspended, and what that waits for.
@Suite(.timeLimit(.minutes(10)))
struct TransactionRegistryTests {
  /// A transaction whose last reference is gone, and that takes its time to give up its lock.
  private final class Lingering: InterruptibleTransaction {
    private let registry: TransactionRegistry
    private let onEnd: @Sendable () -> Void

    init(_ registry: TransactionRegistry, onEnd: @escaping @Sendable () -> Void) {
      self.registry = registry
      self.onEnd = onEnd
    }

    deinit {
      onEnd()
      registry.end(self)
    }

    func interrupt() {}
  }

  @Test func suspendingWaitsForATransactionThatIsJustEnding() async throws {
    let registry = TransactionRegistry()
    let events = Lock<[String]>([])
    let isEnding = DispatchSemaphore(value: 0), mayEnd = DispatchSemaphore(value: 0)
    let transaction = Lock<Lingering?>(
      Lingering(registry) {
        isEnding.signal()
        mayEnd.wait()
        events.withLock { $0.append("ended") }
      })
    try transaction.withLock { try registry.begin($0!) }  // just made
    DispatchQueue(label: "tests.ending").async {
      _ = transaction.withLock { $0.take() }
    }
    await withCheckedContinuation { isSuspended in
      DispatchQueue(label: "tests.suspending").async {
        isEnding.wait()
        registry.suspend()
        events.withLock { $0.append("suspended") }
        isSuspended.resume()
      }
      DispatchQueue(label: "tests.watching").async {
        while (try? registry.starting {}) != nil {}
        mayEnd.signal()  // It is suspended, or being suspended.
      }
    }
    #expect(events.withLock { $0 } == ["ended", "suspended"])
    registry.resume()
    try registry.starting {}
  }

  /// A transaction that runs until it is interrupted.
  private final class Endless: InterruptibleTransaction {
    private let isInterrupted = DispatchSemaphore(value: 0)

    func run() { isInterrupted.wait() }
    func interrupt() { isInterrupted.signal() }
  }

  @Test func suspendingInterruptsWhatRuns() throws {
    let registry = TransactionRegistry()
    let transaction = Endless()
    try registry.running(transaction) {
      DispatchQueue(label: "tests.suspending").async { registry.suspend() }
      transaction.run()
    }
    #expect(throws: SQLiteError.self) {
      try registry.running(transaction) { Issue.record("It is suspended.") }
    }
  }

  @Test func eachSuspensionEndsOnce() {
    let registry = TransactionRegistry()
    registry.resume()
    #expect(!registry.takeResumption(), "It was not suspended.")
    registry.suspend()
    #expect(!registry.takeResumption())
    registry.resume()
    #expect(registry.takeResumption())
    #expect(!registry.takeResumption())
  }

  /// A transaction that, as it is interrupted, lets others begin again, of which one does.
  private final class Resuming: InterruptibleTransaction {
    private let registry: TransactionRegistry
    let next: Lingering

    init(_ registry: TransactionRegistry) {
      self.registry = registry
      next = Lingering(registry) {}
    }

    func interrupt() {
      registry.resume()
      #expect(throws: Never.self) { try registry.begin(next) }
      registry.end(self)
    }
  }

  @Test func suspendingDoesNotWaitForTransactionsThatBeganWhenItWasTakenBack() throws {
    let registry = TransactionRegistry()
    let transaction = Resuming(registry)
    try registry.begin(transaction)
    registry.suspend()
    #expect(throws: Never.self, "It was taken back.") { try registry.starting {} }
    withExtendedLifetime(transaction) {}  // and with it the other one, which is still open
  }
}
