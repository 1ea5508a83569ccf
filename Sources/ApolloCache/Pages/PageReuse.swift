internal import ApolloAPI

// Reading a merged list again costs little for the pages that have not changed:
//
// 1. A reading notes for each page what it was read from (`DependencyPart`), and keeps the page.
// 2. The next reading of the same selection follows the pages again. It takes over a page unless
//    something that the page was read from has changed, and reads the others.
// 3. An object that several pages show is read once for each of them, so that the part of each
//    page is complete.
//
// A reading takes over pages only if the log of changes has all commits that its snapshot shows
// (`RecordedState`). Otherwise some pages would be older than others.

/// The origin of a page: what must not change if the page is to be taken over.
struct PageOrigin: Sendable {
  /// The fields that the page was read from.
  let part: DependencyPart
  /// The records of the part, but for that of the list.
  fileprivate let records: KeyFilter
  /// Indicates whether the page was read from other fields of the list's record than its own.
  fileprivate let readsListRecord: Bool

  /// - Parameters:
  ///   - part: The fields that the page was read from.
  ///   - page: The field of the page.
  ///   - record: The record of the list.
  init(_ part: DependencyPart, page: FieldKey, of record: RecordKey) {
    self.part = part
    let own = RecordShape.of([page])
    var records = KeyFilter()
    var readsListRecord = false
    for entry in part.entries {
      if entry.record != record {
        records.insert(entry.record)
      } else if entry.fields !== own {
        readsListRecord = true
      }
    }
    self.records = records
    self.readsListRecord = readsListRecord
  }
}

/// A merged list as a reading has left it.
struct KeptList: Sendable {
  let pages: [MergedPage]
  let known: KnownItems
}

/// The items of all pages of a list, by the index of the list in the connection.
///
/// A class, so that the next reading can take the items out of it, whatever else owns the list.
/// Otherwise the reading would copy the sets, which have as many items as the list, to change them.
final class KnownItems: Sendable {
  private let sets: Lock<[Int: Set<RecordKey>]>

  init(_ sets: [Int: Set<RecordKey>]) { self.sets = Lock(sets) }

  /// Removes the items, and returns them.
  func take() -> [Int: Set<RecordKey>] {
    sets.withLock { sets in
      defer { sets = [:] }
      return sets
    }
  }
}

/// The place of a merged list in a selection.
struct ListPosition: Hashable, Sendable {
  let record: RecordKey
  let position: Int
  let field: Int
}

/// The pages that one reading takes over from the reading before, and those that it leaves to the
/// next one.
package final class PageReuse {
  private var earlier: [ListPosition: KeptList]
  private let changes: ComparedChanges
  /// The lists that were read.
  private(set) var lists: [ListPosition: KeptList] = [:]

  /// - Parameters:
  ///   - earlier: The lists of the reading before.
  ///   - changes: The changes since.
  init(
    _ earlier: [ListPosition: KeptList] = [:], changes: ComparedChanges = ComparedChanges([])
  ) {
    self.earlier = earlier
    self.changes = changes
  }

  /// Removes a list of the reading before, and returns it.
  func takeList(at position: ListPosition) -> KeptList? { earlier.removeValue(forKey: position) }

  /// Takes over a page, unless it has changed.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - own: The changes of the record that has the list.
  /// - Returns: What the page was read from, or `nil` if it must be read again.
  func takeOver(_ page: MergedPage, _ own: OwnChanges) -> DependencyPart? {
    guard let origin = page.origin, !own.concern(page.key) else { return nil }
    // Most pages have none of the changed records, and what they were read from is not looked at.
    let isChanged =
      own.areAny && origin.readsListRecord
      ? changes.concern(origin.part) : changes.concern(origin.part, origin.records)
    return isChanged ? nil : origin.part
  }

  /// Returns the changes of the record that has a list.
  func changes(of record: RecordKey) -> OwnChanges { OwnChanges(changes.changes(of: record)) }

  func keep(_ list: consuming MergedPages, at position: ListPosition) {
    lists[position] = list.keptList()
  }
}

/// The changes of the record that has a list, each page of which is one of its fields.
struct OwnChanges {
  private let fields: Set<FieldKey>
  private let includeAll: Bool
  var areAny: Bool { includeAll || !fields.isEmpty }

  init(_ changes: [ChangedFields]) {
    fields = Set(changes.lazy.flatMap(\.listed))
    includeAll = changes.contains(where: \.isAll)
  }

  func concern(_ field: FieldKey) -> Bool {
    includeAll || !fields.isEmpty && fields.contains(field)
  }
}
