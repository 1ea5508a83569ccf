/// Who depends on which field, so that a write finds those it concerns at the cost of what it
/// changed.
///
/// Watchers elsewhere cost a write nothing, however many there are.
package struct WatchIndex: Sendable {
  package typealias ID = StoreWatch.ID

  private struct Watch: Sendable {
    let onChange: @Sendable (StoreChange) -> Void
    var dependencies: [Dependencies.Entry] = []
    var isSubscriber: Bool
  }

  private var watches: [ID: Watch] = [:]
  private var byRecord: [RecordKey: [(id: ID, fields: RecordShape)]] = [:]
  private var subscribers: Set<ID> = []

  package init() {}

  package mutating func add(
    _ id: ID, toEverything: Bool, onChange: @escaping @Sendable (StoreChange) -> Void
  ) {
    watches[id] = Watch(onChange: onChange, isSubscriber: toEverything)
    if toEverything { subscribers.insert(id) }
  }

  package mutating func remove(_ id: ID) {
    replaceDependencies(of: id, with: [])
    watches[id] = nil
    subscribers.remove(id)
  }

  /// - Complexity: O(*n*) in the number of records, and only a comparison where nothing is
  ///   different from before.
  package mutating func replaceDependencies(of id: ID, with entries: [Dependencies.Entry]) {
    guard let old = watches[id]?.dependencies, old != entries else { return }
    for entry in old { removeEntry(entry, of: id) }
    for entry in entries { byRecord[entry.record, default: []].append((id, entry.fields)) }
    watches[id]?.dependencies = entries
  }

  private mutating func removeEntry(_ entry: Dependencies.Entry, of id: ID) {
    guard let position = byRecord.index(forKey: entry.record) else { return }
    byRecord.values[position].removeAll { $0.id == id }
    if byRecord.values[position].isEmpty { byRecord.remove(at: position) }
  }

  /// Who is to be told of `changes`, in no particular order and each once.
  ///
  /// - Complexity: O(*c* + *w*) in the number of changed records and of watches that depend on one
  ///   of them.
  package func watches(concernedBy changes: ChangeSet) -> [@Sendable (StoreChange) -> Void] {
    guard !watches.isEmpty, !changes.isEmpty else { return [] }
    if changes.includesEverything { return watches.values.map(\.onChange) }
    var concerned = subscribers
    if !byRecord.isEmpty {
      for change in changes.entries {
        for (id, fields) in byRecord[change.record] ?? []
        where !concerned.contains(id) && change.fields.intersects(fields) {
          concerned.insert(id)
        }
      }
    }
    return concerned.compactMap { watches[$0]?.onChange }
  }
}
