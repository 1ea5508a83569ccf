internal import ApolloAPI

/// The fields that one page of a merged list was read from.
///
/// Readings share it for as long as nothing of it changes, so that a change of one page costs
/// little for the others.
package final class DependencyPart: Sendable {
  let entries: [Dependencies.Entry]
  let fingerprint: FieldsFingerprint
  /// Made at the first change after the page was read.
  private let index = Lock<DependencyIndex?>(nil)

  init(_ entries: [Dependencies.Entry]) {
    self.entries = entries
    fingerprint = entries.reduce(into: FieldsFingerprint()) { $0.insert($1.fields, of: $1.record) }
  }

  /// Returns whether one of the changes concerns one of the entries.
  ///
  /// - Complexity: O(*n*) in the number of changes.
  fileprivate func isConcerned(by changes: [ChangeSet.Entry]) -> Bool {
    knownIndex.isConcerned(by: changes)
  }

  /// Removes the entries of the part from a set.
  ///
  /// - Complexity: O(*n*) in the number of entries of the part or of the set, whichever has fewer.
  ///   The first time, in that of the part.
  func remove(from others: inout Set<Dependencies.Entry>) {
    guard !others.isEmpty else { return }
    guard others.count < entries.count else { return entries.forEach { others.remove($0) } }
    let index = knownIndex
    others = others.filter { !index.contains($0) }
  }

  private var knownIndex: DependencyIndex {
    index.withLock { index in
      let known = index ?? DependencyIndex(entries)
      index = known
      return known
    }
  }
}

/// Entries by record, so that a change is compared only with the records that it changed.
struct DependencyIndex: Sendable {
  /// Most records occur once, and need no list of their own.
  private var fields: [RecordKey: RecordShape]
  /// The further fields of records that occur several times.
  private var otherFields: [RecordKey: Set<RecordShape>] = [:]

  init(_ entries: [Dependencies.Entry]) {
    fields = Dictionary(minimumCapacity: entries.count)
    for entry in entries {
      guard let first = fields[entry.record] else {
        fields[entry.record] = entry.fields
        continue
      }
      if first !== entry.fields { otherFields[entry.record, default: []].insert(entry.fields) }
    }
  }

  func contains(_ entry: Dependencies.Entry) -> Bool {
    guard let first = fields[entry.record] else { return false }
    return first === entry.fields || otherFields[entry.record]?.contains(entry.fields) ?? false
  }

  /// - Complexity: O(*n*) in the number of changes.
  func isConcerned(by changes: [ChangeSet.Entry]) -> Bool {
    changes.contains { change in
      guard let first = fields[change.record] else { return false }
      return change.fields.intersects(first)
        || otherFields[change.record]?.contains(where: change.fields.intersects) ?? false
    }
  }
}

/// Changes of several commits, for being compared with dependencies.
struct ComparedChanges {
  private let includeEverything: Bool
  private let entries: [ChangeSet.Entry]
  private let byRecord: [RecordKey: [ChangedFields]]
  /// The hashes of the entries' records.
  private let hashes: [UInt64]

  /// The largest number of changes that are compared with filters.
  private static let mostFiltered = 256

  init(_ changes: some Sequence<ChangeSet>) {
    includeEverything = changes.contains(where: \.includesEverything)
    entries = includeEverything ? [] : changes.flatMap(\.entries)
    byRecord = Dictionary(grouping: entries, by: \.record).mapValues { $0.map(\.fields) }
    hashes = entries.map(\.record.identity.hash)
  }

  /// Returns whether they concern a part.
  ///
  /// - Complexity: O(*n*) in the number of changes, or of entries if there are fewer of these.
  func concern(_ part: DependencyPart) -> Bool {
    guard !includeEverything, entries.count >= part.entries.count else {
      return includeEverything || part.isConcerned(by: entries)
    }
    return part.entries.contains { entry in
      byRecord[entry.record]?.contains { $0.intersects(entry.fields) } ?? false
    }
  }

  /// Returns whether they concern a part, of whose records there is a filter.
  ///
  /// - Complexity: O(*n*) in the number of changes, or of entries if there are many changes. What
  ///   the part has is not looked at if the filter has none of the records.
  func concern(_ part: DependencyPart, _ records: KeyFilter) -> Bool {
    guard !includeEverything, hashes.count <= Self.mostFiltered else { return concern(part) }
    let candidates = hashes.indices.filter { records.mayContain(hashes[$0]) }
    return !candidates.isEmpty && part.isConcerned(by: candidates.map { entries[$0] })
  }

  /// Returns the changes of a record.
  func changes(of record: RecordKey) -> [ChangedFields] {
    includeEverything ? [.all] : byRecord[record] ?? []
  }
}

extension Dependencies {
  /// Returns whether changes concern any of the dependencies.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - index: The index of the entries that are in no part.
  /// - Returns: Whether they do.
  func areConcerned(by changes: some Sequence<ChangeSet>, _ index: DependencyIndex) -> Bool {
    if changes.contains(where: { $0.includesEverything || index.isConcerned(by: $0.entries) }) {
      return true
    }
    guard !parts.isEmpty else { return false }
    let compared = ComparedChanges(changes)
    // From the end of the list, which changes most often.
    return parts.reversed().contains(where: compared.concern)
  }
}
