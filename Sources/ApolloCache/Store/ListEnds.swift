internal import ApolloAPI

/// The pages of the lists to which directives have appended items last, so that the next item finds
/// the end of its list without following the cursors of all pages.
///
/// They are those of the cache below all layers. Each commit cuts them at the pages that it
/// changes.
final class ListEnds: Sendable {
  /// A state of a cache.
  struct State: Hashable, Sendable {
    /// The cache's own count of commits, if it counts them.
    var version: UInt64?
    let foreignCommitCount: Int
  }

  private struct Entry: Sendable {
    var chain: PageChain
    var state: State
    let useNumber: UInt64
  }

  private let entries = Lock<[ListLocation: Entry]>([:])

  /// The largest number of lists.
  private static let maximumCount = 16

  /// Removes the pages of a list, and returns them, or an empty chain if they are not known.
  ///
  /// - Complexity: O(1) on average.
  func takeChain(of list: ListLocation, in state: State) -> PageChain {
    let entry = entries.withLock { $0.removeValue(forKey: list) }
    guard let entry, entry.state == state else { return PageChain() }
    return entry.chain
  }

  /// Keeps the pages of a list.
  func keep(_ chain: PageChain, of list: ListLocation, in state: State) {
    let dropped = entries.withLock { entries -> Entry? in
      let number = (entries.values.lazy.map(\.useNumber).max() ?? 0) + 1
      var old = entries.updateValue(
        Entry(chain: chain, state: state, useNumber: number), forKey: list)
      if entries.count > Self.maximumCount,
        let oldest = entries.min(by: { $0.value.useNumber < $1.value.useNumber })
      {
        old = entries.removeValue(forKey: oldest.key)
      }
      return old
    }
    withExtendedLifetime(dropped) {}  // its keys are released outside the lock
  }

  /// Notes a commit of a store. The caller is still the only writer of the cache.
  ///
  /// - Parameters:
  ///   - changes: What has changed.
  ///   - version: The cache's own count of commits, if it counts them.
  /// - Complexity: O(*n*) in the number of changes, unless no list is known.
  func note(_ changes: ChangeSet, version: UInt64?) {
    let dropped = entries.withLock { entries -> [ListLocation: Entry] in
      guard !entries.isEmpty else { return [:] }
      var dropped: [ListLocation: Entry] = [:]
      for list in Array(entries.keys) {
        guard var entry = entries.removeValue(forKey: list) else { continue }
        let isNext = version.flatMap { new in entry.state.version.map { new <= $0 + 1 } } ?? true
        entry.chain.cut(because: changes, in: list.record)
        entry.state.version = version ?? entry.state.version
        if isNext, !entry.chain.isEmpty { entries[list] = entry } else { dropped[list] = entry }
      }
      return dropped
    }
    withExtendedLifetime(dropped) {}  // as above
  }

  /// Forgets all lists, because anything may have changed.
  func removeAll() {
    let old = entries.withLock { entries in
      defer { entries = [:] }
      return entries
    }
    withExtendedLifetime(old) {}  // as above
  }
}

/// The keys of the pages of a list in its record, from the first one on.
struct PageChain: Sendable {
  private var keys: [FieldKey] = []
  private var places: [FieldKey: Int] = [:]

  var isEmpty: Bool { keys.isEmpty }
  var last: FieldKey? { keys.last }

  func contains(_ key: FieldKey) -> Bool { places[key] != nil }

  /// Adds a page. Returns `false` if it is there already: a server may send a cursor again.
  mutating func append(_ key: FieldKey) -> Bool {
    guard places[key] == nil else { return false }
    places[key] = keys.count
    keys.append(key)
    return true
  }

  mutating func removeLast() {
    if let key = keys.popLast() { places[key] = nil }
  }

  /// Removes the pages behind the first one that has changed, whose cursor may be another one, or
  /// all pages if the record may have changed in any way.
  mutating func cut(because changes: ChangeSet, in record: RecordKey) {
    guard !changes.includesEverything else { return self = PageChain() }
    var place = keys.count
    for change in changes.entries where change.record == record {
      guard !change.fields.isAll else { return self = PageChain() }
      for field in change.fields.listed { place = min(place, places[field] ?? place) }
    }
    while keys.count > place + 1 { removeLast() }
  }
}

/// The chains that a transaction can use, and leaves to the next one.
struct KnownChains {
  let ends: ListEnds
  let state: ListEnds.State

  func takeChain(of list: ListLocation) -> PageChain { ends.takeChain(of: list, in: state) }
  func keep(_ chain: PageChain, of list: ListLocation) { ends.keep(chain, of: list, in: state) }
}
