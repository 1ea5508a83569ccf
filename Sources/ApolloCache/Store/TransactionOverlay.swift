/// What a transaction has changed so far, over a view of the records as they were when it began.
///
/// Nothing reaches the cache before the transaction ends well; then ``mutations`` are applied in
/// order.
package final class TransactionOverlay: RecordSnapshot {
  package private(set) var mutations: [CacheMutation] = []
  private let base: any RecordSnapshot
  private var merger = RecordMerger()

  /// Records that were written, and those that were removed (nil).
  private var staged: [RecordKey: FieldMap?] = [:]
  private var hidesBase = false
  private var hiddenPatterns: [String] = []

  package init(_ base: any RecordSnapshot) {
    self.base = base
  }

  package func fields(of key: RecordKey) throws -> FieldMap? {
    if let fields = staged[key] { return fields }
    if hidesBase || hiddenPatterns.contains(where: { key.contains(ignoringCase: $0) }) {
      return nil
    }
    return try base.fields(of: key)
  }

  package func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    if staged[key] != nil || hidesBase || !hiddenPatterns.isEmpty { return try fields(of: key) }
    return try base.fields(of: key, among: wanted)
  }

  package func prepare(_ keys: [RecordKey]) throws {
    if !hidesBase { try base.prepare(keys) }
  }

  package func merge(_ records: RecordSet) throws {
    for record in records {
      var fields = try fields(of: record.key) ?? FieldMap()
      _ = merger.merge(record.fields, into: &fields)
      staged[record.key] = .some(fields)
    }
    noteMerge(of: records)
  }

  /// Merges that follow each other are one, so that a cache that cannot apply several changes at once
  /// has one to apply, and a write that fails leaves nothing.
  private func noteMerge(of records: RecordSet) {
    guard case .merge(var merged)? = mutations.last else {
      return mutations.append(.merge(records))
    }
    mutations.removeLast()  // so that `merged` is the only owner
    for record in records { merged.append(record) }
    mutations.append(.merge(merged))
  }

  package func remove(_ key: RecordKey) {
    staged[key] = .some(nil)
    mutations.append(.remove(key))
  }

  package func remove(matching pattern: String) {
    for key in Array(staged.keys) where key.contains(ignoringCase: pattern) {
      staged[key] = .some(nil)
    }
    hiddenPatterns.append(pattern)
    mutations.append(.removeMatching(pattern))
  }

  package func clear() {
    staged = [:]
    hidesBase = true
    mutations = [.clear]
  }
}
