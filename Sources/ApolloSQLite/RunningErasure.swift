internal import ApolloAPI

/// The rest of an erasure, which runs outside of a write context.
///
/// After an interruption, it stays pending. The next end of a reader, the next commit or `resume()`
/// continues it.
final class RunningErasure: InterruptibleTransaction {
  /// The connection of the writer.
  ///
  /// `nonisolated(unsafe)` because only ``DatabaseConnection/interrupt()`` and
  /// ``DatabaseConnection/allowStatements()`` are called, which are safe on any thread.
  nonisolated(unsafe) private let connection: DatabaseConnection
  private let isRunning = Lock(true)

  init(_ connection: DatabaseConnection) { self.connection = connection }

  func interrupt() {
    // An interruption that comes late must not reach the next user of the connection.
    isRunning.withLock { if $0 { connection.interrupt() } }
  }

  /// Ends it. The connection has no lock on the file any more.
  func end() {
    isRunning.withLock { $0 = false }
    connection.allowStatements()
  }
}
