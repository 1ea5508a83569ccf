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
  /// A failure for which null is served, and its path from the inside out.
  typealias Served = (failure: FieldFailure, path: [PathEntry])

  private let pages: ListPages
  private let plan: NormalizationPlan
  private let direction: ListPages.Direction
  private let isNullable: Bool
  private var merged: [MergedPage] = []
  /// The keys of the pages, or `nil` while they are those of the earlier reading.
  private var visited: Set<FieldKey>?
  /// The items of the pages, by the index of the list in the connection. While `isInStep`, also
  /// those of the earlier pages that are still to come: most sets then need no change at all.
  private var known: [Int: Set<RecordKey>]
  /// The pages of an earlier reading.
  private let earlier: [MergedPage]
  /// Indicates whether all pages until now have the items of the earlier ones.
  private var isInStep: Bool
  /// The failures in pages behind the first one, and for each page with some, the place of each
  /// element among the page's elements that are shown.
  private var served: [(page: Int, issue: Served)] = []
  private var places: [Int: [Int: [Int?]]] = [:]

  var isExtended: Bool { merged.count > 1 }

  /// Creates a list with its page at the beginning, or returns `nil` if other pages cannot follow.
  ///
  /// - Parameters:
  ///   - contents: The contents of the page.
  ///   - key: The key of the page.
  ///   - pages: The keys of the others.
  ///   - plan: The plan of the reading.
  ///   - earlier: The same list as an earlier reading has read it.
  init?(
    _ contents: SlotContents, _ key: FieldKey, _ pages: ListPages, _ plan: NormalizationPlan,
    after earlier: KeptList?
  ) {
    guard let direction = pages.direction, let page = MergedPage(contents, key, plan),
      (page.connection != nil) == (pages.paging == .cursors)
    else { return nil }
    if let connection = page.connection, connection.pageInfos.isEmpty { return nil }
    self.plan = plan
    self.pages = pages
    self.direction = direction
    if case .nullableObjects = contents { isNullable = true } else { isNullable = false }
    self.earlier = earlier?.pages ?? []
    isInStep = earlier != nil
    known = earlier?.known.take() ?? [:]
    add(page)
  }

  // MARK: - Adding pages

  /// The key of the page that follows, or `nil` if there is none.
  mutating func nextKey() -> FieldKey? {
    guard let next = merged.last?.next else { return nil }
    if visited == nil, merged.count < earlier.count, earlier[merged.count].key == next {
      return next
    }
    // A server may send a cursor again.
    var keys = visited.take() ?? Set(merged.map(\.key))
    defer { visited = keys }
    return keys.insert(next).inserted ? next : nil
  }

  /// Returns the page of the earlier reading that is next, if it has a key.
  func earlierPage(_ key: FieldKey) -> MergedPage? {
    guard merged.count < earlier.count else { return nil }
    let page = earlier[merged.count]
    return page.key == key && isOfSameType(page) ? page : nil
  }

  private func isOfSameType(_ page: MergedPage) -> Bool {
    page.connection?.layout === merged[0].connection?.layout
  }

  /// Returns the page that follows, or `nil` if the contents are no page of the list.
  func page(_ contents: SlotContents, _ key: FieldKey) -> MergedPage? {
    guard let page = MergedPage(contents, key, plan), isOfSameType(page) else { return nil }
    return page
  }

  /// Adds the page that follows, with the failures in it.
  mutating func append(_ page: consuming MergedPage, _ served: [Served]) {
    if !served.isEmpty { leaveStep() }
    add(page)
    guard !served.isEmpty else { return }
    self.served += served.map { (merged.count - 1, $0) }
    for list in merged[merged.count - 1].lists {
      var count = 0
      places[merged.count - 1, default: [:]][list.index] = list.elements.indices.map { index in
        guard list.isShown(index) else { return nil }
        defer { count += 1 }
        return count
      }
    }
  }

  private mutating func add(_ page: consuming MergedPage) {
    if isInStep, merged.count < earlier.count, page.hasItems(of: earlier[merged.count]) {
      page.hideItems(as: earlier[merged.count])
    } else {
      leaveStep()
      page.hideItems(in: &known)
    }
    page.noteStart(merged.last?.end ?? 0, pages, direction)
    merged.append(page)
  }

  /// Removes the items of the earlier pages that are still to come from those that are known.
  private mutating func leaveStep() {
    guard isInStep else { return }
    isInStep = false
    for page in earlier[min(merged.count, earlier.count)...] { page.removeItems(from: &known) }
  }

  /// Returns the list for the next reading.
  consuming func keptList() -> KeptList {
    leaveStep()
    return KeptList(pages: merged, known: KnownItems(known))
  }

  // MARK: - The result

  /// The contents of the field with all pages, or `nil` if they do not fit.
  var contents: SlotContents? {
    guard let start = merged[0].connection, let end = merged.last?.connection else {
      return list(0, isNullable: isNullable)
    }
    var parts: [(index: Int, contents: SlotContents)] = []
    for (number, list) in merged[0].lists.enumerated() {
      let isNullable = !start.layout.fields[list.index].hasNonNullElements
      parts.append((list.index, self.list(number, isNullable: isNullable)))
    }
    for index in start.layout.fields.indices
    where start.layout.fields[index].name == "pageInfo" {
      let info = pageInfo(start.contents(ofField: index), end.contents(ofField: index))
      parts.append((index, info))
    }
    return start.replacing(parts).map(SlotContents.object)
  }

  /// Returns the items of all pages. `number`: The place of the list among those of a page.
  private func list(_ number: Int, isNullable: Bool) -> SlotContents {
    // By index, because copying a page counts references to all that it has.
    let order = (0..<merged.count).map { direction == .backward ? merged.count - 1 - $0 : $0 }
    guard !isNullable else {
      var all: [ResponseObject?] = []
      for page in order {
        let list = merged[page].lists[number]
        for (index, element) in list.elements.map({ $0 }).enumerated() where list.isShown(index) {
          all.append(element)
        }
      }
      return .nullableObjects(all)
    }
    var all: [ResponseObject] = []
    all.reserveCapacity(merged.reduce(0) { $0 + $1.lists[number].elements.count })
    for page in order { merged[page].lists[number].appendShown(to: &all) }
    return .objects(all)
  }

  /// Returns the latest page's information, with that of the first page about the other end.
  private func pageInfo(_ start: SlotContents, _ end: SlotContents) -> SlotContents {
    guard case .object(let first) = start, case .object(let latest) = end,
      first.layout === latest.layout
    else { return end }
    let other =
      direction == .forward
      ? ["hasPreviousPage", "startCursor"] : ["hasNextPage", "endCursor"]
    let kept = latest.layout.fields.indices.filter { other.contains(latest.layout.fields[$0].name) }
    let merged = latest.replacing(kept.map { ($0, first.contents(ofField: $0)) })
    return merged.map(SlotContents.object) ?? end
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
    var place = 0
    if let start = merged[0].connection {
      guard position >= 0, case .field(let key) = path[position],
        let index = start.layout.fields.firstIndex(where: { $0.responseKey == key })
      else { return other }
      guard let list = merged[0].lists.firstIndex(where: { $0.index == index }) else {
        let isLatestInfo =
          start.layout.fields[index].name == "pageInfo" && page == merged.count - 1
        return isLatestInfo ? path : other
      }
      place = list
      position -= 1
    }
    guard position >= 0, case .index(let element) = path[position] else { return other }
    let index = merged[0].lists[place].index
    guard let shown = page == 0 ? element : places[page]?[index]?[element] else { return nil }
    let before = direction == .forward ? merged[..<page] : merged[(page + 1)...]
    var path = path
    path[position] = .index(shown + before.reduce(0) { $0 + $1.lists[place].shownCount })
    return path
  }
}
