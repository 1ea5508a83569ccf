import Dispatch

/// The thread of a queue's executor, which waits for the disk and for other processes that write.
///
/// The threads of Swift's concurrency are as many as the processor has cores, so waiting on one of
/// them would stop other tasks.
final class QueueThread: SerialExecutor {
  private let queue = DispatchQueue(label: "apollo.offline-queue")

  // Older systems of Apple know the first form only, and elsewhere it is deprecated.
  #if canImport(Darwin)
    func enqueue(_ job: UnownedJob) {
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  #else
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  #endif

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
