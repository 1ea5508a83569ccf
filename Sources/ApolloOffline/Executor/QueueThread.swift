import ApolloAPI
import Dispatch

/// The place where a queue's executor works.
///
/// A queue that waits for the disk, or for other processes that write, has a thread of its own. The
/// threads of Swift's concurrency are as many as the processor has cores, so waiting on one of them
/// would stop other tasks.
///
/// One that does neither writes as fast as a cache on disk, of which the way to another thread and
/// back would be the larger part. It works on the thread of the caller, one job after the other: a
/// job that comes while another one runs is left to the thread that runs that.
final class QueueThread: SerialExecutor {
  private let queue: DispatchQueue?
  private let jobs = Lock(Jobs())

  private struct Jobs {
    var isRunning = false
    var waiting: [UnownedJob] = []

    /// Returns the next job, or ends the run.
    mutating func next() -> UnownedJob? {
      guard !waiting.isEmpty else {
        isRunning = false
        return nil
      }
      return waiting.removeFirst()
    }
  }

  /// Creates the place for a queue.
  ///
  /// - Parameter waits: `true` for a thread of its own.
  init(waits: Bool) {
    queue = waits ? DispatchQueue(label: "apollo.offline-queue") : nil
  }

  private func run(_ job: UnownedJob) {
    guard let queue else { return runHere(job) }
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  private func runHere(_ job: UnownedJob) {
    let isFirst = jobs.withLock { jobs in
      jobs.waiting.append(job)
      defer { jobs.isRunning = true }
      return !jobs.isRunning
    }
    guard isFirst else { return }
    // The last job may release the queue, and this with it. The runtime has no reference.
    let own = Unmanaged.passRetained(self)
    defer { own.release() }
    while let job = jobs.withLock({ $0.next() }) {
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  // Older systems of Apple know the first form only, and elsewhere it is deprecated.
  #if canImport(Darwin)
    func enqueue(_ job: UnownedJob) { run(job) }
  #else
    func enqueue(_ job: consuming ExecutorJob) { run(UnownedJob(job)) }
  #endif

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
