import ApolloAPI
import ApolloCache
package import Dispatch
import Foundation
import SeededRandom

/// The tasks of a whole process, which run one step at a time, in a random order that follows from
/// a seed.
///
/// ```swift
/// SimulatedTasks.run { tasks in
///   tasks.seed(52)
///   let fetch = Task { try? await client.fetch(query: HeroQuery()) }
///   await tasks.rest()  // The request was sent, and nothing else can happen.
/// }
/// ```
///
/// The Swift runtime passes each step of a task (a job) to a hook. So ``rest()`` knows when nothing
/// is left to do, on any machine. It takes no time and counts no yields:
///
/// 1. A random job of those that are ready runs. The jobs of the main actor are a queue of their
///    own, of which the first one may be chosen. So may ``queue``, with all that waits there.
/// 2. When no job is ready, what waits in ``queue`` runs, and what is under way outside of tasks
///    ends, such as the commands of a database server and the pauses of writers.
/// 3. When no job is ready then, nothing is left: ``rest()`` returns. If nothing waits for that,
///    the program hangs, and the process stops.
///
/// A schedule is repeated by its seed if dictionaries have the same order in each run, which the
/// environment variable `SWIFT_DETERMINISTIC_HASHING` does. With several threads, jobs run at the
/// same time. Rest is known as well then, and schedules are not repeatable.
///
/// It belongs into a process of its own: the hooks take all of its tasks.
///
/// Isolation: `state` is guarded by a lock. Jobs run outside of it.
package final class SimulatedTasks: Sendable {
  fileprivate struct State {
    var random = SeededGenerator(seed: 0)
    var ready: [UnownedJob] = []
    /// The jobs of the main actor, in order.
    var main: ArraySlice<UnownedJob> = []
    var isMainRunning = false
    var runningCount = 0
    /// The number of jobs that have begun.
    var jobCount = 0
    /// The number of threads that wait for a job.
    var idleCount = 0
    /// Indicates whether a thread looks for what is under way outside of tasks.
    var isLooking = false
    var resting: [CheckedContinuation<Void, Never>] = []
    var hasEnded = false
    var description = ""
  }

  fileprivate enum Turn {
    case job(UnownedJob, isMain: Bool)
    case queue
    case look
    case wait
    case end
  }

  private let state = Lock(State())
  private let threadCount: Int
  private let jobs = DispatchSemaphore(value: 0)
  private let isIdleOutside: @Sendable () -> Bool

  /// A queue for the results of calls. Its blocks may run at the same time.
  package let queue = DispatchQueue(label: "apollo.simulation", attributes: .concurrent)

  private init(threadCount: Int, isIdleOutside: @escaping @Sendable () -> Bool) {
    self.threadCount = threadCount
    self.isIdleOutside = isIdleOutside
    // One thread decides when the queue runs.
    if threadCount == 1 { queue.suspend() }
  }

  fileprivate static let current = Lock<SimulatedTasks?>(nil)

  /// Runs a program with all tasks that it starts, on this thread and on others.
  ///
  /// - Parameters:
  ///   - threadCount: The number of jobs that may run at the same time.
  ///   - isIdleOutside: Returns whether nothing is under way from which a job may follow.
  ///   - body: The program.
  package static func run(
    threadCount: Int = 1,
    isIdleOutside: @escaping @Sendable () -> Bool = { !RetryPause.isUnderWay },
    _ body: @escaping @MainActor @Sendable (SimulatedTasks) async -> Void
  ) {
    let tasks = SimulatedTasks(threadCount: threadCount, isIdleOutside: isIdleOutside)
    current.withLock { $0 = tasks }
    RuntimeHooks.install()
    _ = Task { @MainActor in
      await body(tasks)
      await tasks.rest()
      tasks.state.withLock { $0.hasEnded = true }
    }
    let ends = DispatchGroup()
    for _ in 1..<threadCount {
      ends.enter()
      Thread {
        tasks.work()
        ends.leave()
      }.start()
    }
    tasks.work()
    ends.wait()
    RuntimeHooks.remove()
    current.withLock { $0 = nil }
    if threadCount == 1 { tasks.queue.resume() }
  }

  /// Begins another order of jobs.
  package func seed(_ seed: UInt64) {
    state.withLock { $0.random = SeededGenerator(seed: seed) }
  }

  /// The text with which the process stops if nothing can ever happen again.
  package func describe(_ description: String) {
    state.withLock { $0.description = description }
  }

  /// Waits until nothing is left to do for any other task.
  package func rest() async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.resting.append(continuation) }
    }
  }

  // MARK: - Jobs

  fileprivate func add(_ job: UnownedJob, isMain: Bool = false) {
    add { state in
      if isMain { state.main.append(job) } else { state.ready.append(job) }
    }
  }

  /// Changes the state, and wakes a thread up that waits for a job.
  private func add(_ change: (inout State) -> Void) {
    let mustWake = state.withLock { state in
      change(&state)
      guard state.idleCount > 0 else { return false }
      state.idleCount -= 1
      return true
    }
    if mustWake { jobs.signal() }
  }

  private func work() {
    while true {
      switch state.withLock({ $0.nextTurn(hasOneThread: threadCount == 1) }) {
      case .job(let job, let isMain):
        job.runSynchronously(
          on: isMain ? SimulatedMainActor.shared.asUnownedSerialExecutor() : Self.anyExecutor)
        add { $0.jobEnded(isMain: isMain) }
      case .queue: runQueue()
      case .look: look()
      case .wait: jobs.wait()
      case .end:
        add { _ in }  // the next thread ends too
        return
      }
    }
  }

  /// Runs what waits in the queue.
  private func runQueue() {
    if threadCount == 1 { queue.resume() }
    queue.sync(flags: .barrier) {}
    if threadCount == 1 { queue.suspend() }
  }

  /// Lets everything outside of tasks come to an end, of which jobs may follow.
  private func look() {
    // The queue runs between the two counts of jobs: another thread's job, or what ends outside,
    // may add to it meanwhile.
    let (jobCount, isRunning) = state.withLock { ($0.jobCount, $0.runningCount > 0) }
    let wasIdle = isIdleOutside()
    runQueue()
    runQueue()  // what the queues in front of it have added meanwhile
    let isIdle = wasIdle && isIdleOutside()
    if !isIdle { usleep(20) }
    let resting = state.withLock {
      $0.resting(isIdle: isIdle && !isRunning && $0.jobCount == jobCount)
    }
    for continuation in resting { continuation.resume() }
    add { $0.isLooking = false }
  }

  // The runtime's own executor of tasks without another one is two zeros.
  private static let anyExecutor = unsafeBitCast(
    (UInt(0), UInt(0)), to: UnownedSerialExecutor.self)
}

extension SimulatedTasks.State {
  fileprivate mutating func nextTurn(hasOneThread: Bool) -> SimulatedTasks.Turn {
    if hasEnded { return .end }
    let hasMain = !main.isEmpty && !isMainRunning
    let count = ready.count + (hasMain ? 1 : 0)
    guard count > 0 else {
      guard runningCount == 0, !isLooking else {
        idleCount += 1
        return .wait
      }
      isLooking = true
      return .look
    }
    let choice = Int.random(in: 0..<(hasOneThread ? count + 1 : count), using: &random)
    if choice == count { return .queue }
    runningCount += 1
    jobCount += 1
    guard choice < ready.count else {
      isMainRunning = true
      return .job(main.removeFirst(), isMain: true)
    }
    ready.swapAt(choice, ready.count - 1)
    return .job(ready.removeLast(), isMain: false)
  }

  fileprivate mutating func jobEnded(isMain: Bool) {
    runningCount -= 1
    if isMain { isMainRunning = false }
  }

  /// Returns what waits for rest, if nothing is left to do.
  fileprivate mutating func resting(isIdle: Bool) -> [CheckedContinuation<Void, Never>] {
    guard isIdle, ready.isEmpty, main.isEmpty, runningCount == 0, !hasEnded else { return [] }
    precondition(!resting.isEmpty, "Nothing is left that could happen. \(description)")
    defer { resting = [] }
    return resting
  }
}

/// The runtime's hooks for jobs that are to run.
///
/// They are variables of the library of concurrency, which Swift programs that control their tasks
/// in tests set by name; their types are those of its header `ConcurrencyHooks.def`.
private enum RuntimeHooks {
  typealias Enqueue = @convention(thin) (UnownedJob) -> Void
  typealias EnqueueHook = @convention(thin) (UnownedJob, Enqueue) -> Void
  typealias MainExecutor = @convention(thin) () -> UnownedSerialExecutor
  typealias MainExecutorHook = @convention(thin) (MainExecutor) -> UnownedSerialExecutor

  // `nonisolated(unsafe)` because the hooks change only while one thread runs.
  nonisolated(unsafe) private static let enqueue =
    variable("enqueueGlobal").assumingMemoryBound(to: EnqueueHook?.self)
  nonisolated(unsafe) private static let mainExecutor =
    variable("getMainExecutor").assumingMemoryBound(to: MainExecutorHook?.self)

  static func install() {
    enqueue.pointee = { job, original in
      guard let tasks = SimulatedTasks.current.get() else { return original(job) }
      tasks.add(job)
    }
    mainExecutor.pointee = { _ in SimulatedMainActor.shared.asUnownedSerialExecutor() }
  }

  static func remove() {
    enqueue.pointee = nil
    mainExecutor.pointee = nil
  }

  private static func variable(_ name: String) -> UnsafeMutableRawPointer {
    guard let address = dlsym(dlopen(nil, RTLD_NOW), "swift_task_\(name)_hook") else {
      preconditionFailure("The runtime has no hook \(name).")
    }
    return address
  }
}

/// The executor of the main actor.
private final class SimulatedMainActor: SerialExecutor {
  static let shared = SimulatedMainActor()

  func enqueue(_ job: UnownedJob) { SimulatedTasks.current.get()?.add(job, isMain: true) }
}
