import Dispatch

/// The place where a queue's executor works, one job after the other.
///
/// A queue that waits for the disk, or for other processes that write, has a thread of its own. The
/// threads of Swift's concurrency are as many as the processor has cores, so waiting on one of them
/// would stop other tasks.
///
/// One that does neither writes as fast as a cache on disk, of which the way to another thread and
/// back would be the larger part. It takes turns with its callers: a task on a thread of Swift's
/// concurrency stays there while it works for the queue. A continuation that is resumed elsewhere,
/// such as on the main thread, or in a store's turn to write, never runs there.
enum QueuePlace: Sendable {
  case thread(QueueThread)
  case turns(QueueTurns)

  /// Creates the place for a queue.
  ///
  /// - Parameter waits: `true` for a thread of its own.
  init(waits: Bool) { self = waits ? .thread(QueueThread()) : .turns(QueueTurns()) }

  var unownedExecutor: UnownedSerialExecutor {
    switch self {
    case .thread(let thread): thread.asUnownedSerialExecutor()
    case .turns(let turns): turns.unownedExecutor
    }
  }
}

/// Turns on the threads of Swift's concurrency.
actor QueueTurns {}

/// A thread for a queue.
final class QueueThread: SerialExecutor {
  private let queue = DispatchQueue(label: "apollo.offline-queue")

  private func run(_ job: UnownedJob) {
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
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
