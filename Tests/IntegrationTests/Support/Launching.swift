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
