/// The watches of a store by the records that they depend on.
///
/// A write finds the watches that it concerns at the cost of its changes. Other watches cost it
/// nothing, however many there are.
package struct WatchIndex: Sendable {
  package typealias ID = StoreWatch.ID

  private struct Watch: Sendable {
    let onChange: @Sendable (StoreChange) -> Void
    /// Indicates whether the watch depends on everything as long as it exists.
    let isSubscriber: Bool
    /// The type of the data that is watched, for tools.
    let subject: Any.Type?
    /// Called when the session of a user ends.
    let onSessionEnd: (@Sendable (SessionEnd) -> Void)?
    var dependencies: [Dependencies.Entry] = []
  }

  private var watches: [ID: Watch] = [:]
  private var byRecord: [RecordKey: RecordWatches] = [:]
  /// The watches that depend on everything.
  private var subscribers: Set<ID> = []

  package init() {}

  /// Indicates whether there are no watches.
  package var isEmpty: Bool { watches.isEmpty }

  /// The number of watches.
  var count: Int { watches.count }

  /// Returns the first watches, in the order in which they began. Those that wait for a session's
  /// end alone are left out.
  func activity(atMost count: Int) -> [StoreActivity.Watch] {
    watches.filter {
      !$0.value.dependencies.isEmpty || $0.value.subject != nil || subscribers.contains($0.key)
    }
    .sorted { $0.key.number < $1.key.number }.prefix(count)
    .map { id, watch in
      StoreActivity.Watch(
        number: id.number, subject: watch.subject,
        dependsOnEverything: subscribers.contains(id),
        dependencies: watch.dependencies.map { ($0.record, $0.fields.fields) })
    }
  }

  /// The records that watches depend on.
  var records: [RecordKey] { Array(byRecord.keys) }

  /// Returns whether a watch depends on a field of a record.
  func contains(_ field: FieldKey, of record: RecordKey) -> Bool {
    var concerned: Set<ID> = []
    byRecord[record]?.add(concernedBy: .listed([field]), to: &concerned)
    return !concerned.isEmpty
  }

  /// Returns whether a watch depends on a record.
  func contains(_ record: RecordKey) -> Bool { byRecord[record] != nil }

  package mutating func add(
    _ id: ID, toEverything: Bool, subject: Any.Type? = nil,
    onSessionEnd: (@Sendable (SessionEnd) -> Void)? = nil,
    onChange: @escaping @Sendable (StoreChange) -> Void
  ) {
    watches[id] = Watch(
      onChange: onChange, isSubscriber: toEverything, subject: subject,
      onSessionEnd: onSessionEnd)
    if toEverything { subscribers.insert(id) }
  }

  /// Removes a watch.
  ///
  /// - Returns: The callbacks of the watch, or `nil` if there is no such watch. Release them
  ///   without a lock held: they may hold the last reference to anything, such as another watch.
  /// - Complexity: O(*n*) in the number of records that it depends on, however many watches there
  ///   are.
  package mutating func remove(_ id: ID) -> Callbacks? {
    replaceDependencies(of: id, with: [])
    subscribers.remove(id)
    return watches.removeValue(forKey: id).map { ($0.onChange, $0.onSessionEnd) }
  }

  package typealias Callbacks = (
    onChange: @Sendable (StoreChange) -> Void, onSessionEnd: (@Sendable (SessionEnd) -> Void)?
  )

  /// The callbacks for the end of the session of a user.
  var sessionEndCallbacks: [@Sendable (SessionEnd) -> Void] {
    watches.values.compactMap(\.onSessionEnd)
  }

  /// Replaces the dependencies of a watch.
  ///
  /// - Complexity: O(*n*) in the number of records. Dependencies that are equal at the beginning
  ///   and at the end, as those of a long list with a new item, cost only a comparison.
  package mutating func replaceDependencies(of id: ID, with entries: [Dependencies.Entry]) {
    if !subscribers.isEmpty, watches[id]?.isSubscriber == false { subscribers.remove(id) }
    guard let old = watches[id]?.dependencies else { return }
    let startCount = Self.equalCount(zip(old, entries))
    guard startCount < max(old.count, entries.count) else { return }
    let endCount = Self.equalCount(
      zip(old[startCount...].reversed(), entries[startCount...].reversed()))
    let added = entries[startCount...].dropLast(endCount)
    var removed = Set(old[startCount...].dropLast(endCount)).subtracting(added)
    // The same entry may be there several times, but it is in the index once.
    if !removed.isEmpty {
      for entry in entries[..<startCount] { removed.remove(entry) }
      for entry in entries.suffix(endCount) { removed.remove(entry) }
    }
    for entry in removed { removeEntry(entry, of: id) }
    for entry in added {
      byRecord[entry.record, default: .one(id, entry.fields)].insert(id, entry.fields)
    }
    watches[id]?.dependencies = entries
  }

  /// Returns the number of equal pairs at the beginning.
  private static func equalCount(
    _ pairs: some Sequence<(Dependencies.Entry, Dependencies.Entry)>
  ) -> Int {
    var count = 0
    for (old, new) in pairs {
      guard old == new else { break }
      count += 1
    }
    return count
  }

  /// Lets a watch depend on everything until its dependencies are replaced.
  package mutating func dependOnEverything(_ id: ID) {
    if watches[id] != nil { subscribers.insert(id) }
  }

  private mutating func removeEntry(_ entry: Dependencies.Entry, of id: ID) {
    guard let position = byRecord.index(forKey: entry.record) else { return }
    if byRecord.values[position].remove(id, entry.fields) { byRecord.remove(at: position) }
  }

  /// Returns the callbacks of the watches that `changes` concern, each once, in no particular
  /// order.
  ///
  /// - Complexity: O(*c* + *w*) in the number of changed records and of watches that depend on one
  ///   of them.
  package func watches(concernedBy changes: ChangeSet) -> [@Sendable (StoreChange) -> Void] {
    guard !watches.isEmpty, !changes.isEmpty else { return [] }
    if changes.includesEverything { return watches.values.map(\.onChange) }
    var concerned = subscribers
    if !byRecord.isEmpty {
      for change in changes.entries {
        byRecord[change.record]?.add(concernedBy: change.fields, to: &concerned)
      }
    }
    return concerned.compactMap { watches[$0]?.onChange }
  }
}
