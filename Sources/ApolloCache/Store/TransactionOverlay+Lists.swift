internal import ApolloAPI

// How a list changes because of a directive such as `@appendEdge`:
//
// 1. The pages of the list are followed from the first one, by their cursors.
// 2. An item is inserted into the first or the last of them, unless one of the pages has it.
//    `pageInfo` stays, so what follows the last cursor still comes after it. The page that has an
//    item already counts as written: an older query must not replace it.
// 3. An item is removed from each page that has it.
// 4. The pages that have changed are replaced, with the other changes of the transaction.
// 5. A response that has waited in a layer changes no page and no record that a newer write has
//    brought since it became visible. Such a page counts as written as well: an older mutation must
//    not replace it.

extension TransactionOverlay {
  /// Makes the changes that a response brings, in order.
  ///
  /// The ways of the lists lead through no record. A list that is not in the cache stays unknown.
  func apply(_ changes: [ListChange], unlessIn newer: NewerWrites? = nil) throws {
    for change in changes {
      let values = change.values.map(\.value)
      switch change.edit.action {
      case .insertNodes(let edgeTypeName, let nodeTypes, let atEnd):
        let items = try values.filter { try isNode($0, ofTypes: nodeTypes) }
          .map { ListItem(node: $0, edgeTypeName: edgeTypeName) }
        for list in change.lists { try insert(items, into: list, atEnd, newer) }
      case .insertEdges(let atEnd):
        let items = try values.compactMap(item(ofEdge:))
        for list in change.lists { try insert(items, into: list, atEnd, newer) }
      case .delete(_, let alsoRecords):
        let keys = values.compactMap(\.referencedKey)
        for list in change.lists { try remove(Set(keys), from: list, newer) }
        guard alsoRecords, !change.keepsRecords else { continue }
        for key in keys where try !isNewer(key, newer) { remove(key) }
      }
    }
  }

  private func insert(
    _ items: [ListItem], into list: ListLocation, _ atEnd: Bool, _ newer: NewerWrites?
  ) throws {
    guard var page = try page(of: list, behind: nil) else { return }
    var new = items.withoutRepetitions
    func removeItems(of page: CachedPage) throws {
      let known = try page.keys(node(ofEdge:)).all
      let count = new.count
      new.removeAll { $0.key.map(known.contains) ?? false }
      // A page of an older request must not take the item away.
      if new.count < count { try confirm(page) }
    }
    let isLast = atEnd == (list.direction == .forward)
    // An item that was unknown before the response is on no page.
    let mayBeKnown = try new.contains { item in
      try item.key.map { try isInBase($0) } ?? false
    }
    if mayBeKnown {
      try removeItems(of: page)
      try forEachPage(behind: page, of: list) { next in
        try removeItems(of: next)
        if isLast { page = next }
      }
    } else {
      if isLast { page = try lastPage(of: list, from: page) }
      try removeItems(of: page)
    }
    guard !new.isEmpty else { return }
    guard !page.isReplaced(by: newer) else { return try confirm(page) }
    page.insert(new, atEnd: atEnd)
    try write(page)
  }

  private func remove(
    _ keys: Set<RecordKey>, from list: ListLocation, _ newer: NewerWrites?
  ) throws {
    func remove(from page: CachedPage) throws {
      guard !page.isReplaced(by: newer) else { return try confirm(page) }
      var page = page
      let known = try page.keys(node(ofEdge:))
      guard known.contain(anyOf: keys) else { return }
      page.remove(keys, among: known)
      try write(page)
    }
    guard let first = try page(of: list, behind: nil) else { return }
    try remove(from: first)
    try forEachPage(behind: first, of: list, remove)
  }

  /// Returns whether a newer write has brought fields of a record.
  private func isNewer(_ key: RecordKey, _ newer: NewerWrites?) throws -> Bool {
    guard let newer, let fields = try fields(of: key) else { return false }
    return newer(fields.keys.map { [$0] }, key)
  }

  // MARK: - Items

  /// Returns whether an object is of one of the types that edges can have. `types`: `nil` for all.
  private func isNode(_ value: CacheValue, ofTypes types: [String]?) throws -> Bool {
    guard let types else { return true }
    let fields: FieldMap? =
      switch value {
      case .object(let fields): fields
      case .reference(let key): try self.fields(of: key, among: [.typename])
      default: nil
      }
    guard case .string(let name)? = fields?[.typename] else { return true }
    return types.contains(name)
  }

  /// Returns an edge as an item, or `nil` if it has no node.
  private func item(ofEdge edge: CacheValue) throws -> ListItem? {
    guard let node = try node(ofEdge: edge), node != .null else { return nil }
    return ListItem(edge: edge, node: node)
  }

  private func node(ofEdge edge: CacheValue) throws -> CacheValue? {
    switch edge {
    case .object(let fields): fields[.node]
    case .reference(let key): try fields(of: key, among: [.node])?[.node]
    default: nil
    }
  }

  // MARK: - Pages

  /// Calls a function with each page that follows the first one without a gap.
  private func forEachPage(
    behind first: CachedPage, of list: ListLocation, _ body: (CachedPage) throws -> Void
  ) throws {
    var visited: Set<JSONValue> = []  // a server may send a cursor again
    var cursor = first.cursor(list.direction)
    while let known = cursor, visited.insert(known).inserted,
      let page = try page(of: list, behind: known)
    {
      try body(page)
      cursor = page.cursor(list.direction)
    }
  }

  /// Returns the last page that follows without a gap.
  private func lastPage(of list: ListLocation, from first: CachedPage) throws -> CachedPage {
    // A change of an embedded list is one of the field that holds it, and cuts no chain.
    var chain = list.way.isEmpty ? chains?.takeChain(of: list) ?? PageChain() : PageChain()
    if mayHaveChanged(chain, in: list.record) { chain = PageChain() }
    var page = first
    if let last = chain.last, let known = try self.page(of: list, at: last) {
      page = known
    } else {
      chain = PageChain()
      _ = chain.append(list.key(behind: nil))
    }
    var areEmbedded = !page.way.isEmpty
    while let cursor = page.cursor(list.direction) {
      let key = list.key(behind: cursor)
      guard chain.append(key) else { break }
      guard let next = try self.page(of: list, at: key) else {
        chain.removeLast()
        break
      }
      page = next
      areEmbedded = areEmbedded && !page.way.isEmpty
    }
    // The cursor of a page that is a record changes without the list's record.
    if areEmbedded, list.way.isEmpty { chains?.keep(chain, of: list) }
    return page
  }

  private func page(of list: ListLocation, behind cursor: JSONValue?) throws -> CachedPage? {
    try page(of: list, at: list.key(behind: cursor))
  }

  private func page(of list: ListLocation, at field: FieldKey) throws -> CachedPage? {
    let record = try fields(of: list.record, among: [list.way.first ?? field])
    switch record?.object(at: list.way)?[field] {
    case .object(let fields):
      return CachedPage(record: list.record, way: list.way + [field], fields: fields)
    case .reference(let key):
      return try fields(of: key).map { CachedPage(record: key, way: [], fields: $0) }
    default: return nil
    }
  }

  private func write(_ page: CachedPage) throws {
    // As a whole, so that an older response replaces all of the page or nothing.
    guard let field = page.way.first else { return try replace(page.fields, of: page.record) }
    guard page.way.count > 1 else {
      return try replace(FieldMap([(field, .object(page.fields))]), of: page.record)
    }
    let object = try object(around: page)
    let inner = page.way.dropFirst()
    try replace(
      FieldMap([(field, .object(object.replacingObject(at: inner, by: page.fields)))]),
      of: page.record, part: object.part(at: inner))
  }

  /// Notes that a page stays as it is, but counts as changed.
  private func confirm(_ page: CachedPage) throws {
    guard let field = page.way.first, page.way.count > 1 else {
      return confirmed.insert(page.ways.map { $0[0] }, of: page.record)
    }
    confirmed.insert(
      try object(around: page).part(at: page.way.dropFirst()), field, of: page.record)
  }

  /// Returns the embedded object of the page's record, with the page.
  private func object(around page: CachedPage) throws -> FieldMap {
    let way = page.way.prefix(1)
    return try fields(of: page.record, among: Array(way))?.object(at: way) ?? FieldMap()
  }

  // MARK: - Ways

  /// Returns the changes of lists whose ways lead through no record. Each list occurs once in a
  /// change, although it can have several names.
  func resolved(_ changes: [ListChange]) throws -> [ListChange] {
    try changes.map { change in
      var change = change
      var known: Set<ListLocation> = []
      change.lists = try change.lists.map(resolved).filter { known.insert($0).inserted }
      return change
    }
  }

  private func resolved(_ list: ListLocation) throws -> ListLocation {
    try list.resolved { try fields(of: $0, among: [$1]) }
  }

  /// Returns whether a page of a list is there, so that directives can change the list.
  func has(_ list: ListLocation) throws -> Bool {
    try page(of: resolved(list), behind: nil) != nil
  }

  /// Returns the type of the object with a list, or `nil` if it is not known.
  ///
  /// The object itself knows it best: a cache key can begin with the name of another type. Without
  /// the object, the type is that of the root, or the one in the key.
  func typename(around list: ListLocation, _ schema: any SchemaMetadata.Type) throws -> String? {
    let list = try resolved(list)
    let record = try fields(of: list.record, among: [list.way.first ?? .typename])
    if case .string(let name)? = record?.object(at: list.way)?[.typename] { return name }
    guard list.way.isEmpty else { return nil }
    guard list.record != .queryRoot else { return schema.types.queryRootName }
    return list.record.rawValue.split(separator: ":").first.map(String.init)
  }
}

/// An item that is inserted into a connection.
private struct ListItem {
  /// An element of `edges`.
  let edge: CacheValue
  /// An element of `nodes`.
  let node: CacheValue

  init(edge: CacheValue, node: CacheValue) {
    self.edge = edge
    self.node = node
  }

  /// Creates an item of a node. The edge has an empty cursor: pages are requested with that of
  /// `pageInfo`.
  init(node: CacheValue, edgeTypeName: String) {
    self.node = node
    edge = .object(
      FieldMap(
        [(.typename, .string(edgeTypeName)), ("cursor", .string("")), (.node, node)]
          as [(FieldKey, CacheValue)]))
  }

  /// The record of the node, or `nil` if it has none: two such items are never the same.
  var key: RecordKey? { node.referencedKey }
}

extension [ListItem] {
  /// The items, of which those with the same record occur once.
  fileprivate var withoutRepetitions: [ListItem] {
    var known: Set<RecordKey> = []
    return filter { $0.key.map { known.insert($0).inserted } ?? true }
  }
}

/// A page of a connection in the cache.
private struct CachedPage {
  let record: RecordKey
  /// The fields that lead to the page in the record. None if the page is the record.
  let way: [FieldKey]
  private(set) var fields: FieldMap

  /// The records of the nodes of `edges`, and those of `nodes`. `nil` for a node without one.
  struct ItemKeys {
    let edges: [RecordKey?]
    let nodes: [RecordKey?]
    var all: Set<RecordKey> { Set((edges + nodes).lazy.compactMap { $0 }) }

    func contain(anyOf keys: Set<RecordKey>) -> Bool {
      [edges, nodes].contains { $0.contains { $0.map(keys.contains) ?? false } }
    }
  }

  /// Returns the records of the items. `node`: Returns the node of an edge.
  func keys(_ node: (CacheValue) throws -> CacheValue?) rethrows -> ItemKeys {
    ItemKeys(
      edges: try fields.elements(of: .edges).map { try node($0)?.referencedKey },
      nodes: fields.elements(of: .nodes).map(\.referencedKey))
  }

  /// Returns the cursor behind which the next page begins, or `nil` if there is no further page.
  func cursor(_ direction: ListPages.Direction) -> JSONValue? {
    fields.cursor(direction)
  }

  /// Returns whether a newer write has brought the page.
  func isReplaced(by newer: NewerWrites?) -> Bool {
    newer?(ways, record) ?? false
  }

  /// The fields that lead from the record to the page, or to the lists of the record.
  var ways: [[FieldKey]] { way.isEmpty ? [[.edges], [.nodes]] : [way] }

  /// Inserts items into the lists that the page has. A list that is null is empty.
  mutating func insert(_ items: [ListItem], atEnd: Bool) {
    func insert(_ new: [CacheValue], _ field: FieldKey) {
      switch fields[field] {
      case .list(let known)?: fields[field] = .list(atEnd ? known + new : new + known)
      case .null?: fields[field] = .list(new)
      default: return
      }
    }
    insert(items.map(\.edge.asInsertedEdge), .edges)
    insert(items.map(\.node), .nodes)
  }

  /// Removes the items of records.
  mutating func remove(_ removed: Set<RecordKey>, among known: ItemKeys) {
    for (field, keys) in [(FieldKey.edges, known.edges), (.nodes, known.nodes)] {
      guard case .list(let elements)? = fields[field] else { continue }
      let rest = zip(elements, keys).filter { $1.map { !removed.contains($0) } ?? true }
      if rest.count < elements.count { fields[field] = .list(rest.map(\.0)) }
    }
  }
}

extension FieldMap {
  /// The elements of a list of a connection.
  func elements(of field: FieldKey) -> [CacheValue] {
    if case .list(let elements)? = self[field] { elements } else { [] }
  }

  /// Returns the cursor of a connection behind which the next page begins, or `nil` if there is no
  /// further page.
  func cursor(_ direction: ListPages.Direction) -> JSONValue? {
    guard case .object(let info)? = self["pageInfo"] else { return nil }
    let isForward = direction == .forward
    if info[isForward ? "hasNextPage" : "hasPreviousPage"] == .bool(false) { return nil }
    // Of any type that a reading accepts, such as `Float`.
    guard let cursor = info[isForward ? "endCursor" : "startCursor"]?.leaf, !cursor.isNull else {
      return nil
    }
    return cursor
  }
}

extension CacheValue {
  /// The record that the value refers to.
  var referencedKey: RecordKey? {
    if case .reference(let key) = self { key } else { nil }
  }
}
