/// The values of a response that were left out of its commit, because others were about to commit
/// newer ones. If one of these commits fails, the values are the newest after all.
struct LeftOutValues: Sendable {
  var records = RecordSet()
  /// The numbers of the other commits.
  var commits: Set<UInt64> = []
}
