internal import ApolloAPI

/// The page of a list that a field has, and the keys of the other pages.
///
/// Each page is a field of its record, under a key without the size of the page:
///
/// ```
/// products(category:"Toys")                   the first page
/// products(after:"c50",category:"Toys")       the page behind a cursor
/// products(before:null,category:"Toys")       the last page, of a query with 'last'
/// products(before:"c9",category:"Toys")       the page before a cursor
/// products(after:"c5",category:"Toys",last:9) the last of the items behind a cursor
/// products(category:"Toys",offset:50)         the page at an offset
/// products(category:"Toys",page:2,size:50)    the page with a number
/// products(__items:"nodes",category:"Toys")   the first page, of a query with 'nodes' alone
/// ```
///
/// Everything that a page consists of is written with it: its items, and the cursor behind them
/// with the answer to whether more follow. So a field that does not select all of these has no page
/// of the list, but a value of its own, and one that selects other lists of items has another list.
/// Otherwise it would bring a cursor for items that it does not replace, or replace items whose
/// cursor stays.
///
/// So a page costs its own size, the latest page for a place replaces the one before it, and the
/// order of requests applies to each page as to any field.
package struct ListPages: Sendable {
  /// The direction in which pages are read after this one.
  enum Direction {
    case forward
    case backward
  }

  /// The key of the page.
  let key: FieldKey
  /// The direction, if the page is the first or the last of its list. Others are read alone.
  let direction: Direction?
  let paging: ListPolicy.Paging
  /// Indicates whether the page before this one follows it in the list.
  private let isBackward: Bool
  private let name: String
  /// The arguments that select the list.
  private let arguments: [String: JSONValue]
  /// The largest number of items in a numbered page.
  private let size: Int?

  /// Finds the page of a field, or returns `nil` if it has none: no policy applies to it, or its
  /// selections are not those of a page.
  init?(_ field: FieldLayout, of layout: ObjectLayout, keys: FieldKeys) {
    guard let position = field.position else { return nil }
    let connection = field.connection
    let schema = layout.position.plan.schema
    guard connection != nil || schema.hasListPolicies else { return nil }
    let policy: ListPolicy
    if let connection {
      policy = .connection(keyArguments: connection.filters)
    } else {
      let types = [layout.typename].compactMap { $0 } + layout.position.sources.map(\.parentType)
      guard let found = schema.listPolicy(ofField: field.name, on: types) else { return nil }
      policy = found
    }
    guard field.listRank == (policy.paging == .cursors ? 0 : 1) else { return nil }
    let itemLists = policy.paging == .cursors ? ItemLists(of: position) : nil
    self.init(
      policy, name: connection?.key.map { "__\($0)_connection" } ?? field.name,
      keys.arguments(of: field), itemLists?.name)
    guard policy.paging == .cursors else { return }
    guard let itemLists, isBackward ? itemLists.hasStart : itemLists.hasEnd else { return nil }
  }

  /// - Parameters:
  ///   - policy: The policy of the field.
  ///   - name: The name of the list.
  ///   - all: The arguments of the field.
  ///   - items: The lists of items that it selects, if they are not the usual ones.
  init(
    _ policy: ListPolicy, name: String, _ all: [String: JSONValue], _ items: String? = nil
  ) {
    // A cursor or a size that is null counts as absent. For other arguments, null is a value, as in
    // the key of every field: the server's default replaces absent arguments only.
    let all = all.filter { !$0.value.isNull || !policy.paging.arguments.contains($0.key) }
    paging = policy.paging
    self.name = name
    var arguments = all.filter { policy.selectsLists(by: $0.key) }
    arguments["__items"] = items.map(JSONValue.string)
    var place: [String: JSONValue] = [:]
    var size: Int?
    switch policy.paging {
    case .cursors:
      place = Self.place(all)
      direction = place.isEmpty ? .forward : place["before"] == .null ? .backward : nil
    case .offset(let name, _):
      // A value that is no number, such as a cursor, is a place of its own.
      let isFirst = all[name].map { $0.intValue == 0 } ?? true
      place = isFirst ? [:] : all.filter { $0.key == name }
      direction = isFirst ? .forward : nil
    case .page(let name, let sizeName, let first):
      let isFirst = all[name].map { $0.intValue == first } ?? true
      place = isFirst ? [:] : all.filter { $0.key == name }
      direction = isFirst ? .forward : nil
      arguments[sizeName] = all[sizeName]
      size = all[sizeName]?.intValue
    }
    self.size = size
    self.arguments = arguments
    isBackward = place["before"] != nil && place["after"] == nil
    key = FieldKey(FieldKeys.key(name: name, arguments.merging(place) { $1 }))
  }

  /// Returns the arguments that say which page of a connection a field has.
  ///
  /// A page is next to its cursor, or at an end of the list, whatever its size. But a size that
  /// counts from the other end leaves out items between the page and its cursor. Such a page has a
  /// place of its own for each size:
  ///
  /// | arguments | items |
  /// | :-- | :-- |
  /// | `after` and `last` | the last of all that are behind the cursor |
  /// | `before` and `first`, without `after` | the first of all that are before the cursor |
  /// | `first` and `last` | the last of the first |
  ///
  /// Spec: GraphQL Cursor Connections, "Pagination algorithm".
  private static func place(_ all: [String: JSONValue]) -> [String: JSONValue] {
    var place = all.filter { $0.key == "after" || $0.key == "before" }
    guard let last = all["last"] else {
      if place["before"] != nil, place["after"] == nil { place["first"] = all["first"] }
      return place
    }
    if let first = all["first"] {
      place["first"] = first
      place["last"] = last
    } else if place["after"] != nil {
      place["last"] = last
    } else if place.isEmpty {
      place["before"] = .null
    }
    return place
  }

  /// Returns the key of the page behind a cursor, or before it.
  func key(_ direction: Direction, _ cursor: JSONValue) -> FieldKey {
    key([direction == .forward ? "after" : "before": cursor])
  }

  /// Returns the key of the page behind so many items, or `nil` if there is none. Only the items of
  /// the first page are counted from the beginning of the list.
  func key(behind count: Int) -> FieldKey? {
    guard direction != nil else { return nil }
    switch paging {
    case .cursors: return nil
    case .offset(let name, _): return key([name: .int(Int64(count))])
    case .page(let name, _, let first):
      guard let size, size > 0, count.isMultiple(of: size) else { return nil }
      return key([name: .int(Int64(first + count / size))])
    }
  }

  /// Returns the place of the list in a record, or `nil` if it is no connection.
  func location(in record: RecordKey) -> ListLocation? {
    guard paging == .cursors else { return nil }
    return ListLocation(
      record: record, name: name, arguments: arguments,
      direction: isBackward ? .backward : .forward)
  }

  private func key(_ place: [String: JSONValue]) -> FieldKey {
    FieldKey(FieldKeys.key(name: name, arguments.merging(place) { $1 }))
  }
}

/// The lists of items that a connection selects, and the ends at which it says what follows.
///
/// Fields that may arrive later do not count, nor do those of an unknown type of an interface.
private struct ItemLists {
  /// The lists, or `nil` for the usual ones: `edges`.
  let name: String?
  /// Indicates whether the last cursor is selected, and whether a page follows.
  let hasEnd: Bool
  /// Indicates whether the first cursor is selected, and whether a page precedes.
  let hasStart: Bool

  /// Finds the lists, or returns `nil` if there are none.
  init?(of connection: ObjectPosition) {
    let fields = connection.immediateFields
    let lists = fields.filter { field in
      guard field.listRank == 1, let position = field.position else { return false }
      let hasNode = position.immediateFields.contains { $0.name == "node" && $0.position != nil }
      return field.name == "nodes" || field.name == "edges" && hasNode
    }
    guard !lists.isEmpty else { return nil }
    let names = Set(lists.map(\.name)).sorted()
    name = names == ["edges"] ? nil : names.joined(separator: " ")
    // Several aliases can select it, each with its own fields.
    let infos = fields.filter { $0.name == "pageInfo" }.map { info in
      Set((info.position?.immediateFields ?? []).map(\.name))
    }
    hasEnd = infos.contains { $0.isSuperset(of: ["endCursor", "hasNextPage"]) }
    hasStart = infos.contains { $0.isSuperset(of: ["startCursor", "hasPreviousPage"]) }
  }
}

extension ObjectPosition {
  /// The fields of all objects here, but for those that may arrive later.
  fileprivate var immediateFields: [FieldLayout] {
    layout(forTypename: nil).fields.filter { !$0.isDeferred }
  }
}

extension ListPolicy {
  /// Returns whether another value of an argument is another list.
  func selectsLists(by argument: String) -> Bool {
    keyArguments?.contains(argument) ?? !paging.arguments.contains(argument)
  }
}

extension ListPolicy.Paging {
  /// The arguments that say which page a field has, or how large it is.
  fileprivate var arguments: Set<String> {
    switch self {
    case .cursors: ["first", "last", "after", "before"]
    case .offset(let offset, let limit): Set([offset, limit].compactMap { $0 })
    case .page(let page, let size, _): [page, size]
    }
  }
}

extension FieldKey {
  static let edges: FieldKey = "edges"
  static let nodes: FieldKey = "nodes"
  static let node: FieldKey = "node"
}
