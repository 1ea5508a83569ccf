internal import ApolloAPI

/// A page of a merged list, as it was read.
struct MergedPage: Sendable {
  /// The key of the page in its object.
  let key: FieldKey
  /// The connection, or `nil` if the page is a plain list.
  let connection: ResponseObject?
  /// The lists of items that the page has.
  fileprivate(set) var lists: [PageItems]
  /// The number of items in this page and those before, with those that are not shown.
  private(set) var end = 0
  /// The key of the page that follows, or `nil` if there is none.
  private(set) var next: FieldKey?
  /// The origin of the page, or `nil` if the next reading reads it again.
  var origin: PageOrigin?

  /// Creates a page, or returns `nil` if the contents are not those of one.
  ///
  /// - Parameters:
  ///   - contents: The contents of the field.
  ///   - key: The key of the field.
  ///   - plan: Finds the keys of items that do not have them as their identities, because they were
  ///     read from rows.
  init?(_ contents: SlotContents, _ key: FieldKey, _ plan: NormalizationPlan) {
    self.key = key
    if case .object(let connection) = contents {
      self.connection = connection
      lists = []
      for index in connection.itemLists {
        guard let items = PageItems(connection.contents(ofField: index), of: index, plan) else {
          return nil
        }
        lists.append(items)
      }
    } else {
      connection = nil
      guard let items = PageItems(contents, of: PageItems.plain, plan) else { return nil }
      lists = [items]
    }
  }

  /// Notes the place of the page in its list, from which the key of the next one follows.
  ///
  /// - Parameters:
  ///   - start: The number of items in the pages before.
  ///   - pages: The keys of pages.
  ///   - direction: The direction in which pages follow.
  mutating func noteStart(_ start: Int, _ pages: ListPages, _ direction: ListPages.Direction) {
    if let connection {
      guard next == nil else { return }  // a cursor does not depend on the place
      next = connection.cursor(direction).map { pages.key(direction, $0) }
    } else {
      let count = lists[0].elements.count
      guard end != start + count || next == nil else { return }
      end = start + count
      next = count > 0 ? pages.key(behind: end) : nil
    }
  }

  /// Returns whether two pages have the same items, though these may have other fields.
  func hasItems(of other: MergedPage) -> Bool {
    lists.count == other.lists.count
      && zip(lists, other.lists).allSatisfy { $0.index == $1.index && $0.keys == $1.keys }
  }

  /// Hides the items that `other` hides, which has the same ones.
  mutating func hideItems(as other: MergedPage) {
    // A page that is taken over hides them already, and its lists need no copy.
    for index in lists.indices where lists[index].hidden != other.lists[index].hidden {
      lists[index].hidden = other.lists[index].hidden
    }
  }

  /// Hides the items that earlier pages have, and adds the others to these.
  mutating func hideItems(in known: inout [Int: Set<RecordKey>]) {
    for index in lists.indices {
      let keys = lists[index].keys.lazy.compactMap { $0 }
      // Taken out, so that the set is not copied for each page.
      var earlier = known.removeValue(forKey: lists[index].index) ?? []
      lists[index].hidden = Set(keys.filter(earlier.contains))
      // Afterwards, because an item that a page repeats is shown twice.
      earlier.formUnion(keys)
      known[lists[index].index] = earlier
    }
  }

  /// Removes the items that this page shows from those of earlier pages.
  func removeItems(from known: inout [Int: Set<RecordKey>]) {
    for list in lists {
      for case let key? in list.keys where !list.hidden.contains(key) {
        known[list.index]?.remove(key)
      }
    }
  }
}

/// The items of one list of a page.
struct PageItems: Sendable {
  /// The index of the list in the connection, or ``plain``.
  let index: Int
  let elements: PageElements
  /// The key of each element: that of the object, or of the node of an edge without a key.
  let keys: [RecordKey?]
  /// The items that an earlier page has.
  fileprivate(set) var hidden: Set<RecordKey> = []

  /// The index of a list that is no connection.
  static let plain = -1

  fileprivate init?(_ contents: SlotContents, of index: Int, _ plan: NormalizationPlan) {
    guard let elements = PageElements(contents) else { return nil }
    self.index = index
    self.elements = elements
    keys = elements.map { $0.flatMap { Self.key(ofItem: $0, plan) } }
  }

  /// Returns whether an element is shown.
  func isShown(_ index: Int) -> Bool { keys[index].map { !hidden.contains($0) } ?? true }

  /// The number of elements that are shown.
  var shownCount: Int {
    hidden.isEmpty ? elements.count : elements.indices.count(where: isShown)
  }

  /// Appends the objects that are shown, none of which is null.
  func appendShown(to all: inout [ResponseObject]) {
    switch elements {
    case .objects(let objects) where hidden.isEmpty: all += objects
    case .objects(let objects):
      for (index, object) in objects.enumerated() where isShown(index) { all.append(object) }
    case .nullable(let objects):
      for case (let index, let object?) in objects.enumerated() where isShown(index) {
        all.append(object)
      }
    }
  }

  private static func key(ofItem element: ResponseObject, _ plan: NormalizationPlan) -> RecordKey? {
    key(of: element, plan) ?? element.object(named: "node").flatMap { key(of: $0, plan) }
  }

  private static func key(of object: ResponseObject, _ plan: NormalizationPlan) -> RecordKey? {
    object.recordKey ?? plan.key(of: object, plan.layout(of: object))
  }
}

/// The elements of a list of objects.
enum PageElements: Sendable {
  case objects([ResponseObject])
  case nullable([ResponseObject?])

  init?(_ contents: SlotContents) {
    switch contents {
    case .objects(let objects): self = .objects(objects)
    case .nullableObjects(let objects): self = .nullable(objects)
    default: return nil
    }
  }

  var count: Int {
    switch self {
    case .objects(let objects): objects.count
    case .nullable(let objects): objects.count
    }
  }

  var indices: Range<Int> { 0..<count }

  func map<Result>(_ transform: (ResponseObject?) -> Result) -> [Result] {
    switch self {
    case .objects(let objects): objects.map(transform)
    case .nullable(let objects): objects.map(transform)
    }
  }
}

extension ResponseObject {
  private func fieldIndex(named name: String) -> Int? {
    layout.fields.indices.first { layout.fields[$0].name == name }
  }

  fileprivate func object(named name: String) -> ResponseObject? {
    guard let index = fieldIndex(named: name), case .object(let object) = contents(ofField: index)
    else { return nil }
    return object
  }

  /// The objects that say what precedes the first item of a connection, and what follows the last:
  /// one for each alias.
  var pageInfos: [ResponseObject] {
    layout.fields.indices.compactMap { index in
      guard layout.fields[index].name == "pageInfo",
        case .object(let object) = contents(ofField: index)
      else { return nil }
      return object
    }
  }

  /// The indices of the lists of items.
  fileprivate var itemLists: [Int] {
    layout.fields.indices.filter { index in
      let field = layout.fields[index]
      return field.listRank == 1 && field.position != nil
        && ["edges", "nodes"].contains(field.name)
    }
  }

  /// The cursor behind which the next page begins, or `nil` if there is no further page.
  fileprivate func cursor(_ direction: ListPages.Direction) -> JSONValue? {
    let isForward = direction == .forward
    for info in pageInfos {
      guard let index = info.fieldIndex(named: isForward ? "endCursor" : "startCursor"),
        let more = info.fieldIndex(named: isForward ? "hasNextPage" : "hasPreviousPage")
      else { continue }
      if case .bool(false) = info.contents(ofField: more) { return nil }
      let cursor = info.leafValue(of: info.layout.fields[index])
      return cursor.isNull ? nil : cursor
    }
    return nil
  }
}
