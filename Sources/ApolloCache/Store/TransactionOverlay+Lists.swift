internal import ApolloAPI

// How a list changes because of a directive such as `@appendEdge`:
//
// 1. The pages of the list are followed from the first one, as readers do (`MergedPages`).
// 2. An item is inserted into the first or the last of them, unless that page has it. `pageInfo`
//    stays, so what follows the last cursor still comes after it.
// 3. An item is removed from each page that has it.
// 4. The pages that have changed are written, with the other changes of the transaction.

extension TransactionOverlay {
  /// Makes the changes that a response brings, in order.
  ///
  /// A list that is not in the cache stays unknown.
  func apply(_ changes: [ListChange]) throws {
    for change in changes {
      switch change.action {
      case .insert(let items, let atEnd):
        for list in change.lists where !items.isEmpty { try insert(items, into: list, atEnd) }
      case .remove(let keys, let alsoRecords):
        for list in change.lists where !keys.isEmpty { try remove(Set(keys), from: list) }
        if alsoRecords { keys.forEach(remove) }
      }
    }
  }

  private func insert(_ items: [ListItem], into list: ListLocation, _ atEnd: Bool) throws {
    guard var page = try page(of: list, behind: nil) else { return }
    if atEnd == (list.direction == .forward) {
      for next in try pagesBehind(page, of: list) { page = next }
    }
    if page.insert(items, atEnd: atEnd) { try write(page) }
  }

  private func remove(_ keys: Set<RecordKey>, from list: ListLocation) throws {
    guard let first = try page(of: list, behind: nil) else { return }
    for var page in [first] + (try pagesBehind(first, of: list)) where page.remove(keys) {
      try write(page)
    }
  }

  /// Returns the pages that follow the first one without a gap.
  private func pagesBehind(_ first: CachedPage, of list: ListLocation) throws -> [CachedPage] {
    var pages: [CachedPage] = []
    var visited: Set<JSONValue> = []  // a server may send a cursor again
    var cursor = first.cursor(list.direction)
    while let known = cursor, visited.insert(known).inserted,
      let page = try page(of: list, behind: known)
    {
      pages.append(page)
      cursor = page.cursor(list.direction)
    }
    return pages
  }

  private func page(of list: ListLocation, behind cursor: JSONValue?) throws -> CachedPage? {
    let field = list.key(behind: cursor)
    switch try fields(of: list.record, among: [field])?[field] {
    case .object(let fields): return CachedPage(record: list.record, field: field, fields: fields)
    case .reference(let key):
      return try fields(of: key).map { CachedPage(record: key, field: nil, fields: $0) }
    default: return nil
    }
  }

  private func write(_ page: CachedPage) throws {
    // As a whole, so that an older response replaces all of the page or nothing.
    let written = page.field.map { FieldMap([($0, .object(page.fields))]) } ?? page.fields
    try merge(RecordSet([Record(key: page.record, fields: written)]))
  }
}

/// A page of a connection in the cache.
private struct CachedPage {
  let record: RecordKey
  /// The field that embeds the page, or `nil` if the page is the record.
  let field: FieldKey?
  private(set) var fields: FieldMap

  private static let edges: FieldKey = "edges"
  private static let nodes: FieldKey = "nodes"

  /// Returns the cursor behind which the next page begins, or `nil` if there is no further page.
  func cursor(_ direction: ListPages.Direction) -> JSONValue? {
    guard case .object(let info)? = fields["pageInfo"] else { return nil }
    let isForward = direction == .forward
    if info[isForward ? "hasNextPage" : "hasPreviousPage"] == .bool(false) { return nil }
    switch info[isForward ? "endCursor" : "startCursor"] {
    case .string(let text): return .string(text)
    case .int(let number): return .int(number)
    case .json(let value): return value
    default: return nil
    }
  }

  /// Inserts items that the page does not have. Returns `false` if it has all of them.
  mutating func insert(_ items: [ListItem], atEnd: Bool) -> Bool {
    let edges = insert(items, \.edge, to: Self.edges, atEnd)
    let nodes = insert(items, \.node, to: Self.nodes, atEnd)
    return edges || nodes
  }

  private mutating func insert(
    _ items: [ListItem], _ part: KeyPath<ListItem, CacheValue>, to field: FieldKey, _ atEnd: Bool
  ) -> Bool {
    guard case .list(var elements)? = fields[field] else { return false }
    let known = Set(elements.lazy.compactMap(\.keyOfNode))
    let new = items.filter { item in
      if case .reference(let key) = item.node { !known.contains(key) } else { true }
    }
    guard !new.isEmpty else { return false }
    elements.insert(contentsOf: new.map { $0[keyPath: part] }, at: atEnd ? elements.count : 0)
    fields[field] = .list(elements)
    return true
  }

  /// Removes the items of records. Returns `false` if the page has none of them.
  mutating func remove(_ keys: Set<RecordKey>) -> Bool {
    var isChanged = false
    for field in [Self.edges, Self.nodes] {
      guard case .list(let elements)? = fields[field] else { continue }
      let rest = elements.filter { $0.keyOfNode.map { !keys.contains($0) } ?? true }
      guard rest.count < elements.count else { continue }
      fields[field] = .list(rest)
      isChanged = true
    }
    return isChanged
  }
}

extension CacheValue {
  /// The record of an item: that of the node of an edge, or of the node itself.
  fileprivate var keyOfNode: RecordKey? {
    switch self {
    case .reference(let key): key
    case .object(let fields): if case .reference(let key)? = fields["node"] { key } else { nil }
    default: nil
    }
  }
}
