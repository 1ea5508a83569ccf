internal import ApolloAPI

// Reading the pages of lists that a policy merges.

/// The fields among which the pages of an object's lists are.
enum PageFields {
  /// The fields of a record.
  case record(RecordKey)
  /// The fields of an object that a record embeds.
  case embedded(FieldMap)
}

extension ObjectReader {
  /// The numbers of issues before a reading.
  typealias IssueCounts = (misses: Int, served: Int)

  /// The numbers of issues until now.
  var issueCounts: IssueCounts { (issues.misses.count, issues.served.count) }

  /// Returns an object with the pages that follow those in its fields.
  ///
  /// The reading depends on the page that is missing, so that a watch notices when it arrives. The
  /// pages of an embedded object are a part of the field that embeds it.
  ///
  /// - Parameters:
  ///   - object: The object, with the page at the beginning of each list.
  ///   - fields: The fields of the object, with all pages.
  ///   - counts: The numbers of issues before the object was read.
  /// - Returns: The object with the whole lists.
  /// - Throws: The errors of the cache.
  @inline(never)
  mutating func merged(
    _ object: ResponseObject, among fields: PageFields, since counts: IssueCounts
  ) throws -> ResponseObject {
    let layout = plan.layout(of: object)
    guard !layout.listFields.isEmpty else { return object }
    let outer = place
    defer { place = outer }
    if case .record(let key) = fields {
      record = key
      field = nil
    }
    var newer: [(index: Int, contents: SlotContents)] = []
    for index in layout.listFields {
      let field = layout.fields[index]
      guard let pages = field.pages,
        let list = try list(
          in: object, ofField: index, field, pages, among: fields,
          at: reusablePosition(of: index, layout.layout.position, among: fields)),
        let contents = list.contents
      else { continue }
      issues.changePaths(of: field.responseKey, since: counts, list.path(ofFirstPage:))
      issues.served += list.servedInLaterPages
      newer.append((index, contents))
    }
    return newer.isEmpty ? object : object.replacing(newer) ?? object
  }

  /// Returns the position of a list whose pages the next reading can take over, or `nil` if it
  /// cannot: those of an embedded list are not told apart, and those of a list inside of a later
  /// page are kept, or read again, with that.
  private func reusablePosition(
    of index: Int, _ position: ObjectPosition, among fields: PageFields
  ) -> ListPosition? {
    guard reuse != nil, !isInPage, case .record(let key) = fields else { return nil }
    return ListPosition(record: key, position: position.number, field: index)
  }

  /// Reads the list that begins with a page. Returns `nil` if no other page follows.
  private mutating func list(
    in object: ResponseObject, ofField index: Int, _ field: RecordField, _ pages: ListPages,
    among fields: PageFields, at listPosition: ListPosition?
  ) throws -> MergedPages? {
    let first = object.contents(ofField: index)
    guard
      var list = MergedPages(
        first, field.key, pages, plan, after: listPosition.flatMap { reuse?.takeList(at: $0) })
    else { return nil }
    let changes = listPosition.flatMap { reuse?.changes(of: $0.record) }
    while let next = list.nextKey() {
      if let changes, let page = list.earlierPage(next), let part = reuse?.takeOver(page, changes) {
        dependencies.insert(part)
        list.append(page, [])
        continue
      }
      let start = dependencies.listedCount
      let outer = (isInPage, pageNumber)
      defer { (isInPage, pageNumber) = outer }
      isInPage = true
      if listPosition != nil {
        pageCount += 1
        pageNumber = pageCount
      }
      guard let value = try value(of: next, among: fields),
        let (read, served) = try page(value, next, field, of: list, in: object, index)
      else { break }
      var page = read
      if let listPosition {
        let part = dependencies.makePart(from: start)
        // A page with errors is read again, because they are noted at its reading.
        if served.isEmpty { page.origin = PageOrigin(part, page: next, of: listPosition.record) }
      }
      list.append(page, served)
    }
    guard list.isExtended else { return nil }
    if let listPosition { reuse?.keep(list, at: listPosition) }
    return list
  }

  private mutating func value(of page: FieldKey, among fields: PageFields) throws -> CacheValue? {
    switch fields {
    case .record(let key):
      dependencies.insert(.of([page]), of: key)
      return try records.fields(of: key, among: [page])?[page]
    case .embedded(let fields): return fields[page]
    }
  }

  /// Reads a further page, with the failures in it. Returns `nil` if something of it is missing:
  /// the list ends before it, and its age does not depend on that page. Items that a directive has
  /// inserted are left out instead.
  ///
  /// A field that failed is null with its error, also if failures of the first page are misses.
  /// Otherwise the page would be requested again and again, and never be shown. But if the whole
  /// list would be null because of it (`@throwOnFieldError`, `@required`), the list ends before it.
  private mutating func page(
    _ value: CacheValue, _ key: FieldKey, _ field: RecordField, of list: MergedPages,
    in object: ResponseObject, _ index: Int
  ) throws -> (MergedPage, [MergedPages.Served])? {
    guard let position = field.position else { return nil }
    let counts = issueCounts
    let listedCount = dependencies.listedCount
    let servesOtherFailures = servesFailures
    servesFailures = true
    defer { servesFailures = servesOtherFailures }
    var rest: CacheValue? = value
    while let value = rest {
      let contents = try at(.field(field.responseKey)) {
        try $0.objects(of: value, at: position, field)
      }
      let served = Array(issues.served.dropFirst(counts.served))
      let misses = Array(issues.misses.dropFirst(counts.misses))
      issues.removeAll(since: counts)
      if let contents, misses.isEmpty {
        if let page = list.page(contents, key), fits(contents, served, field, of: object, index) {
          return (page, served)
        }
        rest = nil
      } else {
        rest = value.removingInserted(misses, from: field)
      }
      dependencies.removeLayouts(from: listedCount)
    }
    return nil
  }
}

extension ObjectReader {
  /// Returns whether a further page leaves the list a value, because each failure in it ends inside
  /// of the page.
  private func fits(
    _ page: SlotContents, _ served: [MergedPages.Served], _ field: RecordField,
    of object: ResponseObject, _ index: Int
  ) -> Bool {
    guard let operation = plan.root.sources.first, operation.containsFailures,
      let object = object.replacing([(index, page)])
    else { return true }
    return object.keepsValue(
      ofField: field.responseKey, despite: served.map { $0.failure.error(at: $0.path) },
      in: operation)
  }
}

extension CacheValue {
  /// Returns a page without the edges of which something is missing, if directives such as
  /// `@appendNode` have inserted all of them: the mutation may have selected less of an item than
  /// the list does. Returns `nil` if something else is missing.
  fileprivate func removingInserted(_ misses: [CacheMiss], from field: RecordField) -> CacheValue? {
    guard case .object(var page) = self, case .list(let edges)? = page[.edges],
      !misses.isEmpty
    else { return nil }
    var removed: Set<Int> = []
    for miss in misses {
      // From the inside out: `name, node, 3, edges, products`.
      guard miss.path.count > 2, case .index(let index) = miss.path[miss.path.count - 3],
        edges.indices.contains(index), edges[index].isInsertedEdge
      else { return nil }
      removed.insert(index)
    }
    page[.edges] = .list(edges.indices.filter { !removed.contains($0) }.map { edges[$0] })
    return .object(page)
  }
}
