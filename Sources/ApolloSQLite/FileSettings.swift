/// The settings of a cache file (``SQLiteNormalizedCache/Configuration``).
struct FileSettings: Sendable {
  let busyTimeout: Duration
  let checksIntegrity: Bool
  let replacesUnusableFile: Bool
  var journalMode: JournalMode
  let shouldVacuumOnClear: Bool

  var busyTimeoutInMilliseconds: Int32 {
    Int32(max(0, min(busyTimeout / .milliseconds(1), Double(Int32.max))))
  }
}
