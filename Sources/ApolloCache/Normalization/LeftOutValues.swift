/// The values of a response that were left out of its commit, because others were about to commit
/// newer ones. If one of these commits fails, the values are the newest after all.
struct LeftOutValues: Sendable {
  private(set) var records = RecordSet()
  /// The numbers of the other commits.
  private(set) var commits: Set<UInt64> = []

  init() {}

  init(records: RecordSet, commits: Set<UInt64>) {
    (self.records, self.commits) = (records, commits)
  }

  /// Removes fields of some records.
  mutating func remove(_ fields: (Record) -> Set<FieldKey>) {
    records.update { $0.fields.removeAll(fields($0)) }
    records = RecordSet(records.filter { !$0.fields.isEmpty })
  }
}
