internal import ApolloAPI
internal import ApolloCache

/// A transaction that can be ended from any thread.
protocol InterruptibleTransaction: AnyObject, Sendable {
  /// Ends the transaction without its changes. Later uses of it throw.
  func interrupt()
}

/// The open transactions of one cache, so that all of them can be ended at once.
///
/// | state | a transaction begins | `suspend()` | `resume()` |
/// | :-- | :-- | :-- | :-- |
/// | running | it is registered | ends all transactions, next: suspended | – |
/// | suspended | throws | – | next: running |
///
/// How suspending works:
///
/// 1. No transaction can begin any more.
/// 2. Every open transaction is interrupted: its statement ends, it rolls back and releases its
///    lock.
/// 3. A transaction that was just beginning fails when it registers, and releases its lock.
/// 4. `suspend()` returns when no transaction is beginning or open.
///
/// How resuming works: transactions can begin again. A `suspend()` that still waits returns,
/// because new transactions would keep it waiting.
final class TransactionRegistry: Sendable {
  private struct Entry: Sendable {
    weak var transaction: (any InterruptibleTransaction)?
  }

  private struct State: Sendable {
    var isSuspended = false
    /// Indicates whether a suspension has ended since the last ``takeResumption()``.
    var hasResumed = false
    /// The number of transactions that are beginning. They may have a lock on the file before they
    /// are in `open`.
    var startingCount = 0
    var open: [ObjectIdentifier: Entry] = [:]
  }
  private let state = Lock(State())

  /// Runs `body`, which begins a transaction. Suspending waits for its end.
  ///
  /// - Throws: ``SQLiteError`` while the cache is suspended; the errors of `body`.
  func starting<Result>(_ body: () throws -> Result) throws -> Result {
    try state.withLock { state in
      guard !state.isSuspended else { throw SQLiteError.suspended }
      state.startingCount += 1
    }
    defer { state.withLock { $0.startingCount -= 1 } }
    return try body()
  }

  /// Runs `body`, all of which is a transaction. Suspending interrupts it and waits for its end.
  ///
  /// - Throws: ``SQLiteError`` while the cache is suspended.
  func running(_ transaction: any InterruptibleTransaction, _ body: () -> Void) throws {
    try begin(transaction)
    defer { end(transaction) }
    body()
  }

  /// Registers an open transaction.
  ///
  /// - Throws: ``SQLiteError`` while the cache is suspended. The transaction must end then.
  func begin(_ transaction: any InterruptibleTransaction) throws(SQLiteError) {
    let isSuspended = state.withLock { state in
      if !state.isSuspended {
        state.open[ObjectIdentifier(transaction)] = Entry(transaction: transaction)
      }
      return state.isSuspended
    }
    if isSuspended { throw .suspended }
  }

  /// Removes a transaction that has ended and released its lock.
  func end(_ transaction: any InterruptibleTransaction) {
    let identity = ObjectIdentifier(transaction)
    state.withLock { $0.open[identity] = nil }
  }

  /// Ends all open transactions and lets none begin. Returns when no lock is held.
  ///
  /// It also waits for transactions that are ending by themselves: they may be released already,
  /// but still have a lock.
  func suspend() {
    let open = state.withLock { state in
      state.isSuspended = true
      return state.open.values.compactMap(\.transaction)
    }
    for transaction in open { transaction.interrupt() }
    var waiting = Waiting(.zero)
    while state.withLock({ $0.isSuspended && ($0.startingCount > 0 || !$0.open.isEmpty) }) {
      waiting.block()
    }
  }

  /// Lets transactions begin again.
  func resume() {
    state.withLock { state in
      if state.isSuspended { state.hasResumed = true }
      state.isSuspended = false
    }
  }

  /// Returns whether a suspension has ended since the last call.
  func takeResumption() -> Bool {
    state.withLock { state in
      defer { state.hasResumed = false }
      return state.hasResumed
    }
  }
}
