/// The time, as a generator sees it that waits for another one.
///
/// A protocol so that tests decide when time passes: they do not sleep.
package protocol WaitingClock: Sendable {
  /// The current time.
  var now: ContinuousClock.Instant { get }
  /// Suspends the thread until it is worthwhile to look again.
  func pause()
}

/// The clock of this computer.
package struct SystemClock: WaitingClock {
  package init() {}

  package var now: ContinuousClock.Instant { .now }

  /// Suspends the thread for some milliseconds. It has no other work: a generator only reads and
  /// writes files.
  package func pause() { Disk.pause() }
}
