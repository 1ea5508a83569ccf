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
    var open: [ObjectIdentifier: Entry] = [:]
  }
  private let state = Lock(State())

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

  /// Notes that a transaction has ended.
  func end(_ transaction: any InterruptibleTransaction) {
    let identity = ObjectIdentifier(transaction)
    state.withLock { $0.open[identity] = nil }
  }

  /// Ends all that are open, and lets none begin.
  func suspend() {
    let open = state.withLock { state in
      state.isSuspended = true
      return state.open.values.compactMap(\.transaction)
    }
    for transaction in open { transaction.interrupt() }
  }

  /// Lets transactions begin again.
  func resume() {
    state.withLock { $0.isSuspended = false }
  }

  /// - Throws: ``SQLiteError`` while the cache is suspended.
  func checkIsNotSuspended() throws(SQLiteError) {
    if state.withLock({ $0.isSuspended }) { throw .suspended }
  }
}

extension SQLiteError {
  static let suspended = SQLiteError(
    code: SQLITE_INTERRUPT, message: "the cache is suspended, or was while a transaction was open",
    activity: "Using the cache")

  static let ended = SQLiteError(
    code: SQLITE_MISUSE, message: "the transaction has ended", activity: "Using the cache")
}
