internal import ApolloAPI

/// Pages that are read as one list.
///
/// 1. The page at the beginning (or at the end, of a query with `last`) is read like any field.
/// 2. The next one is the page behind its last cursor, or behind its last item. Pages are added
///    until one is missing, so the list ends at the first gap.
/// 3. An item that an earlier page has is left out. Items are compared by their keys in the cache.
/// 4. `pageInfo` says what comes before the first page, and what comes after the last one. Other
///    fields of a connection than `edges` and `nodes` are those of the page at the beginning.
/// 5. A field of an item that failed is null. The path of its error counts the items of all pages.
struct MergedPages {
  /// An element of a list, or a null.
  private typealias Elements = [ResponseObject?]
  /// A failure for which null is served, and its path from the inside out.
  typealias Served = (failure: FieldFailure, path: [PathEntry])

  private let pages: ListPages
  /// Finds the keys of items that do not have them as their identities, because they were read
  /// from rows.
  private let plan: NormalizationPlan
  private let direction: ListPages.Direction
  private let isNullable: Bool
  /// The connection of the page at the beginning, and of the latest page.
  private let start: ResponseObject?
  private var end: ResponseObject?
  /// The elements of each page, by the index of the list in the connection; -1 for a plain list.
  private var elements: [Int: [Elements]] = [:]
  private var known: [Int: Set<RecordKey>] = [:]
  /// The number of items in all pages, and in the latest one, with those that are left out.
  private var count = 0
  private var latestCount = 0
  /// The number of pages that follow the one at the beginning.
  private var laterPageCount = 0
  /// The failures in these pages, and for each page with some, the place of each element among the
  /// page's elements that are not left out.
  private var served: [(page: Int, issue: Served)] = []
  private var places: [Int: [Int: [Int?]]] = [:]

  var isExtended: Bool { laterPageCount > 0 }

  /// Creates a list with its page at the beginning, or returns `nil` if other pages cannot follow.
  init?(_ contents: SlotContents, _ pages: ListPages, _ plan: NormalizationPlan) {
    guard let direction = pages.direction else { return nil }
    self.plan = plan
    self.pages = pages
    self.direction = direction
    switch contents {
    case .object(let connection) where pages.paging == .cursors:
      start = connection
      isNullable = false
      guard connection.pageInfo != nil else { return nil }
    case .objects, .nullableObjects:
      start = nil
      if case .nullableObjects = contents { isNullable = true } else { isNullable = false }
      guard pages.paging != .cursors else { return nil }
    default: return nil
    }
    guard add(contents, notingPlaces: false) else { return nil }
  }

  /// The key of the page that follows, or `nil` if there is none.
  var nextKey: FieldKey? {
    guard let end else { return latestCount > 0 ? pages.key(behind: count) : nil }
    return end.cursor(direction).map { pages.key(direction, $0) }
  }

  /// Adds the page that follows, with the failures in it. Returns `false` if it is no page of the
  /// list.
  mutating func append(_ contents: SlotContents, _ served: [Served]) -> Bool {
    laterPageCount += 1
    guard add(contents, notingPlaces: !served.isEmpty) else {
      laterPageCount -= 1
      return false
    }
    self.served += served.map { (laterPageCount, $0) }
    return true
  }

  private mutating func add(_ contents: SlotContents, notingPlaces: Bool) -> Bool {
    switch contents {
    case .object(let connection):
      guard let start, connection.layout === start.layout else { return false }
      let lists = connection.itemLists.map { ($0, connection.contents(ofField: $0).elements) }
      guard lists.allSatisfy({ $0.1 != nil }) else { return false }
      end = connection
      for (index, elements) in lists { add(elements ?? [], to: index, notingPlaces) }
      return true
    case .objects, .nullableObjects:
      guard start == nil, let page = contents.elements else { return false }
      latestCount = page.count
      count += page.count
      add(page, to: -1, notingPlaces)
      return true
    default: return false
    }
  }

  private mutating func add(_ page: Elements, to index: Int, _ notesPlaces: Bool) {
    // Taken out, so that the set is not copied for each page.
    var earlier = known.removeValue(forKey: index) ?? []
    var keys: [RecordKey] = []
    var news: Elements = []
    var places: [Int?] = []
    for element in page {
      let key = element.flatMap(itemKey)
      let isNew = key.map { !earlier.contains($0) } ?? true
      if notesPlaces { places.append(isNew ? news.count : nil) }
      guard isNew else { continue }
      news.append(element)
      if let key { keys.append(key) }
    }
    // Afterwards, because an item that a page repeats is shown twice.
    earlier.formUnion(keys)
    known[index] = earlier
    elements[index, default: []].append(news)
    if notesPlaces { self.places[laterPageCount, default: [:]][index] = places }
  }

  /// Returns the key of an item of a list: that of the object, or of the node of an edge.
  private func itemKey(_ element: ResponseObject) -> RecordKey? {
    key(of: element) ?? element.object(named: "node").flatMap(key)
  }

  private func key(of object: ResponseObject) -> RecordKey? {
    object.recordKey ?? plan.key(of: object, plan.layout(of: object))
  }

  // MARK: - The result

  /// The contents of the field with all pages, or `nil` if they do not fit.
  var contents: SlotContents? {
    guard let start, let end else { return list(-1, isNullable: isNullable) }
    var parts: [(index: Int, contents: SlotContents)] = []
    for index in start.layout.fields.indices {
      let field = start.layout.fields[index]
      if elements[index] != nil {
        parts.append((index, list(index, isNullable: !field.hasNonNullElements)))
      } else if field.name == "pageInfo" {
        parts.append(
          (index, pageInfo(start, end).map(SlotContents.object) ?? end.contents(ofField: index)))
      }
    }
    return start.replacing(parts).map(SlotContents.object)
  }

  private func list(_ index: Int, isNullable: Bool) -> SlotContents {
    var parts = elements[index] ?? []
    if direction == .backward { parts.reverse() }
    let all = parts.flatMap { $0 }
    return isNullable ? .nullableObjects(all) : .objects(all.compactMap { $0 })
  }

  /// Returns the latest page's information, with that of the first page about the other end.
  private func pageInfo(_ start: ResponseObject, _ end: ResponseObject) -> ResponseObject? {
    guard let first = start.pageInfo, let latest = end.pageInfo, first.layout === latest.layout
    else { return nil }
    let other =
      direction == .forward
      ? ["hasPreviousPage", "startCursor"] : ["hasNextPage", "endCursor"]
    let kept = latest.layout.fields.indices.filter { other.contains(latest.layout.fields[$0].name) }
    return latest.replacing(kept.map { ($0, first.contents(ofField: $0)) })
  }

  // MARK: - Issues

  /// The failures in later pages that concern the list, with their paths in it.
  var servedInLaterPages: [Served] {
    served.compactMap { page, issue in
      path(issue.path, ofPage: page).map { (issue.failure, $0) }
    }
  }

  /// Returns the path in the list of an issue of the page at the beginning.
  func path(ofFirstPage path: [PathEntry]) -> [PathEntry] {
    self.path(path, ofPage: 0) ?? path
  }

  /// Returns the path in the list of an issue of a page, or `nil` if the list does not have what
  /// the issue is about. Paths lead from the inside out, up to the field of the list:
  ///
  /// ```
  /// name, node, 3, edges, products
  /// name, 3, items
  /// ```
  private func path(_ path: [PathEntry], ofPage page: Int) -> [PathEntry]? {
    let other = page == 0 ? path : nil
    var position = path.count - 2
    var list = -1
    if let start {
      guard position >= 0, case .field(let key) = path[position],
        let index = start.layout.fields.firstIndex(where: { $0.responseKey == key })
      else { return other }
      guard elements[index] != nil else {
        let isLatestInfo = start.layout.fields[index].name == "pageInfo" && page == laterPageCount
        return isLatestInfo ? path : other
      }
      list = index
      position -= 1
    }
    guard position >= 0, case .index(let element) = path[position] else { return other }
    let place = page == 0 ? element : places[page]?[list]?[element]
    guard let place, let pages = elements[list] else { return nil }
    let before = direction == .forward ? pages[..<page] : pages[(page + 1)...]
    var path = path
    path[position] = .index(place + before.reduce(0) { $0 + $1.count })
    return path
  }
}

extension SlotContents {
  /// The elements of a list of objects.
  fileprivate var elements: [ResponseObject?]? {
    switch self {
    case .objects(let objects): objects
    case .nullableObjects(let objects): objects
    default: nil
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

  fileprivate var pageInfo: ResponseObject? { object(named: "pageInfo") }

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
    guard let info = pageInfo,
      let index = info.fieldIndex(named: isForward ? "endCursor" : "startCursor")
    else { return nil }
    if let more = info.fieldIndex(named: isForward ? "hasNextPage" : "hasPreviousPage"),
      case .bool(false) = info.contents(ofField: more)
    {
      return nil
    }
    let cursor = info.leafValue(of: info.layout.fields[index])
    return cursor.isNull ? nil : cursor
  }
}
