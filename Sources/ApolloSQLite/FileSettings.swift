/// The settings of a cache file (``SQLiteNormalizedCache/Configuration``).
struct FileSettings: Sendable {
  let busyTimeout: Duration
  let checksIntegrity: Bool
  let replacesUnusableFile: Bool
  var journalMode: JournalMode
  let shouldVacuumOnClear: Bool

  var busyTimeoutInMilliseconds: Int32 {
    let (seconds, attoseconds) = busyTimeout.components
    return Int32(
      clamping: seconds.multipliedReportingOverflow(by: 1_000).partialValue + attoseconds
        / 1_000_000_000_000_000)
  }
}
