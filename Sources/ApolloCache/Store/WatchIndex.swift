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
    var dependencies = Dependencies()
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
        dependencies: watch.dependencies.entries.map { ($0.record, $0.fields.fields) })
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
    replaceDependencies(of: id, with: Dependencies())
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
  /// - Complexity: O(*n*) in the number of records that are not in a part, and of those in parts
  ///   that were added or removed. Dependencies that are equal at the beginning and at the end, as
  ///   those of a long list with a new item, cost only a comparison.
  package mutating func replaceDependencies(of id: ID, with new: Dependencies) {
    if !subscribers.isEmpty, watches[id]?.isSubscriber == false { subscribers.remove(id) }
    guard let old = watches[id]?.dependencies else { return }
    // As the dependencies may be those of a response, whose objects they would keep alive.
    let new = new.withoutObjects
    let entries = Replacement(old.listed, new.listed, areEqual: ==)
    let parts = Replacement(old.parts, new.parts, areEqual: ===)
    guard !entries.isEmpty || !parts.isEmpty else { return }
    let added = parts.added.reduce(into: Array(entries.added)) { $0 += $1.entries }
    var removed = parts.removed.reduce(into: Set(entries.removed)) { $0.formUnion($1.entries) }
    if !removed.isEmpty { removed.subtract(added) }
    // The same entry may be there several times, but it is in the index once.
    if !removed.isEmpty {
      entries.forEachKept { removed.remove($0) }
      parts.forEachKept { $0.remove(from: &removed) }
    }
    for entry in removed { removeEntry(entry, of: id) }
    for entry in added {
      byRecord[entry.record, default: .one(id, entry.fields)].insert(id, entry.fields)
    }
    watches[id]?.dependencies = new
  }

  /// The callbacks of the watches that depend on everything because a reading failed.
  ///
  /// - Complexity: O(*n*) in the number of watches that depend on everything.
  package var watchesAfterFailure: [@Sendable (StoreChange) -> Void] {
    subscribers.compactMap { watches[$0] }.filter { !$0.isSubscriber }.map(\.onChange)
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

/// The elements that tell a list from the one before.
private struct Replacement<Element> {
  let added: ArraySlice<Element>
  let removed: ArraySlice<Element>
  private let new: [Element]

  /// Indicates whether the lists are equal.
  var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  init(_ old: [Element], _ new: [Element], areEqual: (Element, Element) -> Bool) {
    let most = min(old.count, new.count)
    var startCount = 0
    while startCount < most, areEqual(old[startCount], new[startCount]) { startCount += 1 }
    var endCount = 0
    while startCount + endCount < most,
      areEqual(old[old.count - 1 - endCount], new[new.count - 1 - endCount])
    {
      endCount += 1
    }
    added = new[startCount...].dropLast(endCount)
    removed = old[startCount...].dropLast(endCount)
    self.new = new
  }

  /// Calls a function with each element at the beginning and at the end that both have.
  func forEachKept(_ body: (Element) -> Void) {
    new[..<added.startIndex].forEach(body)
    new[added.endIndex...].forEach(body)
  }
}
