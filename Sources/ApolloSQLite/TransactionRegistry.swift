internal import ApolloAPI
internal import CSQLite
internal import ApolloCache

/// A transaction that can be ended from any thread.
protocol InterruptibleTransaction: AnyObject, Sendable {
  /// Ends it without its changes. Who uses it afterwards gets an error.
  func interrupt()
}

/// The transactions of one cache that are open, so that all of them can be ended at once.
final class TransactionRegistry: Sendable {
  private struct Entry: Sendable {
    weak var transaction: (any InterruptibleTransaction)?
  }

  private struct State: Sendable {
    var isSuspended = false
    /// How many transactions are being begun, which may have a lock on the file before they are in `open`.
    var beginningCount = 0
    var open: [ObjectIdentifier: Entry] = [:]
  }
  private let state = Lock(State())

  /// Runs what begins a transaction: nobody suspends the cache in the middle of it.
  ///
  /// - Throws: ``SQLiteError`` while the cache is suspended; what `body` throws.
  func beginning<Result>(_ body: () throws -> Result) throws -> Result {
    try state.withLock { state in
      guard !state.isSuspended else { throw SQLiteError.suspended }
      state.beginningCount += 1
    }
    defer { state.withLock { $0.beginningCount -= 1 } }
    return try body()
  }

  /// Notes that a transaction is open.
  ///
  /// - Throws: ``SQLiteError`` while the cache is suspended: the transaction has to end then.
  func begin(_ transaction: any InterruptibleTransaction) throws(SQLiteError) {
    let isSuspended = state.withLock { state in
      if !state.isSuspended {
        state.open[ObjectIdentifier(transaction)] = Entry(transaction: transaction)
      }
      return state.isSuspended
    }
    if isSuspended { throw .suspended }
  }

  /// Notes that a transaction has ended, and holds no lock any more.
  func end(_ transaction: any InterruptibleTransaction) {
    let identity = ObjectIdentifier(transaction)
    state.withLock { $0.open[identity] = nil }
  }

  /// Ends all that are open, and lets none begin. Those that are being begun find out about it and end; it waits for that, and for those
  /// that are just ending by themselves, as they may not be referred to any more, but have a lock still. It waits no longer when
  /// somebody lets transactions begin again meanwhile: nobody ends those.
  func suspend() {
    let open = state.withLock { state in
      state.isSuspended = true
      return state.open.values.compactMap(\.transaction)
    }
    for transaction in open { transaction.interrupt() }
    var waiting = Waiting(.zero)
    while state.withLock({ $0.isSuspended && ($0.beginningCount > 0 || !$0.open.isEmpty) }) {
      waiting.block()
    }
  }

  /// Lets transactions begin again.
  func resume() {
    state.withLock { $0.isSuspended = false }
  }
}

extension SQLiteError {
  static let suspended = SQLiteError(
    code: SQLITE_INTERRUPT, message: "the cache is suspended, or was while a transaction was open",
    activity: "Using the cache")

  static let ended = SQLiteError(
    code: SQLITE_MISUSE, message: "the transaction has ended", activity: "Using the cache")
}
