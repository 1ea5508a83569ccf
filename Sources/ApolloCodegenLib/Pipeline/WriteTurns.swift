/// Repeats a run until no other generator writes to its folders.
///
/// 1. The run is performed. It fails with ``GenerationError/Code/locked`` when another generator
///    holds one of its folders.
/// 2. The folder is waited for.
/// 3. Everything is done again, because the inputs may have changed in the meantime.
///
/// A folder that is free for a moment may be locked again before the next attempt. Therefore the
/// timeout covers all attempts together.
struct WriteTurns {
  let fileSystem: any FileSystem
  let clock: any WaitingClock
  let timeout: Duration

  /// Performs `run` as often as needed.
  ///
  /// - Parameters:
  ///   - waiting: Called with each folder before it is waited for, once.
  ///   - run: One attempt.
  /// - Returns: The result of the first attempt that finds all folders free.
  /// - Throws: The error of the last attempt.
  func perform<Result>(
    waiting: (String) -> Void, _ run: () throws(GenerationError) -> Result
  ) throws(GenerationError) -> Result {
    let end = clock.now + timeout
    var awaited: Set<String> = []
    while true {
      do throws(GenerationError) {
        return try run()
      } catch {
        guard let folder = error.lockedFolder, clock.now < end else { throw error }
        if awaited.insert(folder).inserted { waiting(folder) }
        guard waitUntilUnlocked(folder, until: end) else { throw error }
      }
    }
  }

  /// Waits while another generator holds a folder.
  ///
  /// A folder can be locked without waiting, or with waiting for an unlimited time. Therefore this
  /// tries repeatedly.
  ///
  /// - Parameters:
  ///   - folder: A folder that could not be locked.
  ///   - end: The time to give up.
  /// - Returns: `false` if the folder is still locked.
  private func waitUntilUnlocked(_ folder: String, until end: ContinuousClock.Instant) -> Bool {
    while isLocked(folder) {
      guard clock.now < end else { return false }
      clock.pause()
    }
    return true
  }

  private func isLocked(_ folder: String) -> Bool {
    do {
      return try fileSystem.lock(folder) == nil
    } catch {
      // The next attempt to lock the folder reports the reason.
      return false
    }
  }
}
