import ApolloAPI

/// Reports the progress of an upload to the program, away from the threads of the network.
///
/// 1. The network notes each number of bytes. A step of at least a hundredth of the body, and of 64
///    KiB, becomes a report, and so does the whole body.
/// 2. A task delivers the report. A newer one replaces one that waits, so a slow program slows
///    nothing down.
/// 3. The call waits for the delivery of the last report before it returns. None follows, although
///    the network may send a cancelled body for a moment longer.
///
/// Reports are delivered one at a time and in their order, with no lock held.
package final class UploadProgressReporter: Sendable {
  /// The reporter of the upload that the task sends; `nil` if there is none.
  ///
  /// A task-local value, so that clients that wrap another one need not pass it on.
  @TaskLocal package static var current: UploadProgressReporter?

  private struct State {
    /// The report that has not been delivered.
    var pending: UploadProgress?
    var isDelivering = false
    /// The calls that wait for the delivery.
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// The latest number of bytes that became a report.
    var reportedByteCount = 0
    /// `true` once the call ends, which the network may notice later.
    var hasEnded = false
  }

  private let state = Lock(State())
  private let handler: @Sendable (UploadProgress) -> Void

  /// Creates a reporter that calls `handler`.
  package init(_ handler: @escaping @Sendable (UploadProgress) -> Void) { self.handler = handler }

  /// Notes how much has been sent. Never waits, and never calls the program.
  package func note(_ sentByteCount: Int, of totalByteCount: Int) {
    let step = max(totalByteCount / 100, 64 << 10)
    let needsTask = state.withLock { state in
      guard !state.hasEnded else { return false }
      let advance = sentByteCount - state.reportedByteCount
      guard advance >= step || advance < 0 || advance > 0 && sentByteCount == totalByteCount
      else { return false }
      state.reportedByteCount = sentByteCount
      // The delivery of the report that waits takes this one instead.
      let needsTask = state.pending == nil && !state.isDelivering
      state.pending = UploadProgress(
        sentByteCount: sentByteCount, totalByteCount: totalByteCount)
      return needsTask
    }
    if needsTask { Task.detached { self.deliver() } }
  }

  /// Delivers the report that waits, if there is one.
  package func deliver() {
    var next: UploadProgress? = state.withLock { state in
      guard !state.isDelivering, let pending = state.pending else { return nil }
      state.pending = nil
      state.isDelivering = true
      return pending
    }
    while let progress = next {
      Self.$current.withValue(nil) { handler(progress) }
      next = state.withLock { state in
        defer { state.pending = nil }
        if state.pending == nil { state.isDelivering = false }
        return state.pending
      }
    }
    let waiters = state.withLock { state in
      defer { if !state.isDelivering { state.waiters = [] } }
      return state.isDelivering ? [] : state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Does the same as ``finish()`` for the last time: later notes of the network are ignored.
  package func end() async {
    state.withLock { $0.hasEnded = true }
    await finish()
  }

  /// Delivers the report that waits, and suspends until no report is being delivered.
  package func finish() async {
    deliver()
    await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        if state.isDelivering { state.waiters.append(continuation) }
        return state.isDelivering
      }
      if !isWaiting { continuation.resume() }
    }
  }
}
