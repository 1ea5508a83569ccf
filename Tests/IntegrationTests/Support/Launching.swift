import Foundation

extension Process {
  /// Starts the process with every signal deliverable.
  ///
  /// Tests run on threads that block signals, a child inherits what its parent's thread blocks, and a child that cannot be
  /// told to stop is not the one that these tests are about.
  func launchWithSignals() throws {
    var everything = sigset_t()
    var before = sigset_t()
    sigfillset(&everything)
    pthread_sigmask(SIG_UNBLOCK, &everything, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try run()
  }
}

/// The end of a process that is about to be started, for any number of waiters.
///
/// (`waitUntilExit` spins a run loop, which no test thread has.)
struct ProcessEnd: Sendable {
  private let group = DispatchGroup()

  init(of process: Process) {
    group.enter()
    process.terminationHandler = { [group] _ in group.leave() }
  }

  /// Returns when the process has ended, without holding a thread meanwhile.
  func reached() async {
    await withCheckedContinuation { continuation in
      group.notify(queue: .global()) { continuation.resume() }
    }
  }

  /// Holds the thread until the process has ended: for one that was just killed.
  func wait() { group.wait() }
}
