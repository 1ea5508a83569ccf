internal import ApolloAPI
package import Foundation

/// Merges the parts of a response with `@defer` and `@stream`.
///
/// After each part, ``body()`` is a complete response: what a server would send at once if it had
/// no more data. Two formats are told apart by the shape of the parts, as servers mix them:
///
/// - *2022*: an entry of `incremental` has a `path`. The last entry of a stream's path is the index
///   of its first item.
/// - *2026*: an entry has an `id`, which `pending` has announced with a path, and perhaps a
///   `subPath`. Items are appended. `completed` ends an `id`, with errors if it failed.
///
/// | state | part | next state |
/// | :-- | :-- | :-- |
/// | `waiting`, `open` | `{}`, a heartbeat | the same |
/// | `waiting` | the first one, with `data` or `errors` | `open`, or `ended` if no more follow |
/// | `open` | more data, with `hasNext: true` | `open` |
/// | `open` | more data or none, with `hasNext: false` | `ended` |
/// | any | a part that breaks the rules | the same; what was merged before stays |
///
/// A part takes effect in this order: `pending`, `data`, `incremental` one by one, `completed`.
///
/// - Complexity: O(*p*) for a part of *p* bytes, besides the objects and lists on its paths, which
///   are read once.
package struct IncrementalMerger {
  private enum State {
    case waiting, open, ended
  }

  private struct PendingPart {
    let path: Range<Int>
    /// The object or the list at the path, once the first data for it has arrived.
    var node: JSONTree.NodeID?
  }

  private var tree = JSONTree()
  private var state = State.waiting
  /// The parts that have been announced but are not complete, by id.
  private var pending: [String: PendingPart] = [:]
  private var knownIDs: Set<String> = []
  /// The lists of the 2022 format that get no more items, because one of them was null.
  private var failedLists: Set<JSONTree.NodeID> = []
  /// `true` if a list has failed, so that it lacks elements for good.
  private(set) var hasFailedList = false
  /// The latest id, which most parts share with the part before.
  private var latestID: (range: Range<Int>, text: String)?
  /// The place of the data of the latest id, while that is pending.
  private var latestNode: JSONTree.NodeID?
  /// The entries of the current part.
  private var entries = IncrementalEntries()
  /// The text around the items of the latest part, if it has nothing but items.
  private var repetition: Repetition?

  /// `true` if ``body()`` has changed since it was last taken.
  package private(set) var hasNews = false

  /// True if more parts follow, or `nil` if the last part did not say.
  private(set) var hasNext: Bool?

  /// Creates a merger without any parts.
  package init() {}

  /// `true` after the last part.
  package var hasEnded: Bool { state == .ended }

  /// The number of bytes of all parts.
  package var byteCount: Int { tree.bytes.count }

  /// Takes the response as it is after the parts so far.
  package mutating func body() -> Data {
    hasNews = false
    return tree.text
  }

  /// The errors so far, which the server has sent.
  var errors: [GraphQLError] {
    state == .waiting ? [] : ResponseDecoder().errors(in: tree.text) ?? []
  }

  /// Makes room for parts of so many bytes.
  mutating func reserve(byteCount: Int) { tree.reserve(byteCount: byteCount) }

  /// Merges a part, for tests.
  ///
  /// - Throws: ``ResponseStreamError``. What the part changed before its error stays.
  package mutating func merge(_ part: Data) throws(ResponseStreamError) {
    try merge(tree.append(part))
  }

  /// Merges the next part that a framer has found. Returns `false` if there is none.
  ///
  /// - Throws: ``ResponseStreamError``, of the framer or as ``merge(_:)``.
  mutating func mergeNextPart(
    of framer: inout any PartFramer
  ) throws(ResponseStreamError) -> Bool {
    guard let range = try tree.appendNextPart(of: &framer) else { return false }
    try merge(range)
    return true
  }

  private mutating func merge(_ range: Range<Int>) throws(ResponseStreamError) {
    guard state != .ended else {
      throw ResponseStreamError(.unexpectedPart, "it comes after the last one")
    }
    if try mergeRepetition(range) { return }
    let part = try readPart(range)
    if part.isEmpty { return }
    let isFirst = state == .waiting
    if isFirst {
      try start(with: part)
    } else if try hasData(part) {
      throw ResponseStreamError(.unexpectedPart, "it has 'data', which only the first one may have")
    }
    try apply(part, isFirst: isFirst)
    repetition = Repetition(of: part, range, entries, latestNode)
  }

  /// Returns `true` if a part has data. Null is an absent member, unless the part has errors and
  /// nothing else: that is the form of a response that failed as a whole.
  private func hasData(_ part: Part) throws(ResponseStreamError) -> Bool {
    guard let data = part.data, !tree.isValue(data) else { return part.data != nil }
    if tree.isValue(part.incremental) || tree.isValue(part.completed) { return false }
    return try hasErrors(part.errors)
  }

  /// Returns `true` for a list with entries and for a value of another kind, but not for null.
  private func hasErrors(_ errors: Range<Int>?) throws(ResponseStreamError) -> Bool {
    guard let errors, tree.kind(of: errors) == .list else { return tree.isValue(errors) }
    return try !tree.entries(of: errors).isEmpty
  }

  /// Ends the response.
  ///
  /// - Throws: ``ResponseStreamError`` if more parts were announced.
  package func finish() throws(ResponseStreamError) {
    switch state {
    case .waiting:
      throw ResponseStreamError(.truncated, "no part has arrived")
    case .open where hasNext == true:
      throw ResponseStreamError(.truncated, "more parts were announced")
    case .open: try checkNothingIsPending()
    case .ended: return
    }
  }

  private func checkNothingIsPending() throws(ResponseStreamError) {
    guard let id = pending.keys.min() else { return }
    throw ResponseStreamError(.truncated, "the part with the id '\(id)' has not arrived")
  }

  // MARK: - Reading

  /// The members of a part, as ranges of the bytes.
  private struct Part {
    var isEmpty = true
    var data: Range<Int>?
    var errors: Range<Int>?
    var extensions: Range<Int>?
    var pending: Range<Int>?
    var incremental: Range<Int>?
    /// `true` if the entries of `incremental` were read together with the part.
    var hasEntries = false
    var completed: Range<Int>?
    var hasNext: Range<Int>?
    /// Those that belong to the response.
    var response: [(key: Range<Int>, value: Range<Int>)] = []

    static func set(
      _ member: inout Range<Int>?, _ value: Range<Int>
    ) throws(ResponseStreamError) {
      guard member == nil else {
        throw ResponseStreamError(.malformedPart, "it has one of its members twice")
      }
      member = value
    }
  }

  private mutating func readPart(_ range: Range<Int>) throws(ResponseStreamError) -> Part {
    var part = Part()
    try tree.scan(range) { scanner throws(ResponseStreamError) in
      scanner.skipByteOrderMark()
      try scanner.readMembers { key, scanner throws(ResponseStreamError) in
        part.isEmpty = false
        let member = scanner.member(key)
        if member == .incremental, part.incremental == nil {
          let start = scanner.position
          part.hasEntries = scanner.readEntries(into: &entries)
          if part.hasEntries { return part.incremental = start..<scanner.position }
        }
        let value = try scanner.skipValue()
        switch member {
        case .hasNext: return try Part.set(&part.hasNext, value)
        case .incremental: return try Part.set(&part.incremental, value)
        case .pending: return try Part.set(&part.pending, value)
        case .completed: return try Part.set(&part.completed, value)
        case .data: try Part.set(&part.data, value)
        case .errors: try Part.set(&part.errors, value)
        case .extensions: try Part.set(&part.extensions, value)
        default: return
        }
        part.response.append((key, value))
      }
      scanner.skipWhitespace()
      if scanner.position < scanner.end {
        throw ResponseStreamError(.malformedPart, "something follows its JSON object")
      }
    }
    return part
  }

  // MARK: - Repetitions

  /// The text of a part around its items: `{"incremental":[{"id":"0","items":[` and
  /// `]}],"hasNext":true}`.
  ///
  /// A server sends a long list in many parts that differ in their items alone. With the same text
  /// around its items, a part has the same meaning, so only the ends of its items must be found.
  private struct Repetition {
    /// The bytes before the first item.
    let start: Range<Int>
    /// The bytes behind the last item.
    let end: Range<Int>
    /// The list to which the items belong.
    let list: JSONTree.NodeID

    /// Creates a repetition, or returns `nil` if the part has more than the items of one list, or
    /// may be the last one. `list` is the place of the latest id.
    init?(
      of part: Part, _ range: Range<Int>, _ entries: IncrementalEntries, _ list: JSONTree.NodeID?
    ) {
      guard let list, part.hasEntries, entries.entries.count == 1, part.hasNext != nil,
        part.pending == nil, part.completed == nil, part.response.isEmpty,
        let elements = entries.entries[0].elements, entries.entries[0].hasItemsAlone,
        let first = entries.elements[elements].first, let last = entries.elements[elements].last
      else { return nil }
      start = range.lowerBound..<first.lowerBound
      end = last.upperBound..<range.upperBound
      self.list = list
    }
  }

  /// Merges a part that differs from the one before it in its items alone. Returns `false`, and
  /// changes nothing, if it is another one.
  private mutating func mergeRepetition(_ range: Range<Int>) throws(ResponseStreamError) -> Bool {
    guard let repetition, hasNext == true,
      range.count > repetition.start.count + repetition.end.count
    else { return false }
    let items =
      range.lowerBound + repetition.start.count..<range.upperBound - repetition.end.count
    guard tree.isEqual(range.lowerBound..<items.lowerBound, repetition.start),
      tree.isEqual(items.upperBound..<range.upperBound, repetition.end),
      tree.nodes[repetition.list].kind == .list
    else { return false }
    entries.removeAll()
    let areItems = try tree.scan(items) { scanner throws(ResponseStreamError) in
      scanner.readElements(upToEnd: &entries.elements)
    }
    guard areItems else { return false }
    let count = try tree.elementCount(of: repetition.list)
    hasNews = true
    try tree.merge(entries.elements[...], into: repetition.list, at: count)
    return true
  }

  // MARK: - Applying

  private mutating func start(with part: Part) throws(ResponseStreamError) {
    guard part.data != nil || part.errors != nil else {
      throw ResponseStreamError(.unexpectedPart, "it is the first one but has no 'data'")
    }
    tree.makeRoot(part.response)
    state = .open
    hasNews = true
  }

  private mutating func apply(_ part: Part, isFirst: Bool) throws(ResponseStreamError) {
    for entry in try listEntries(of: part.pending, "pending") {
      try announce(tree.readEntry(entry))
    }
    if !isFirst {
      try add(errors: part.errors)
      try add(extensions: part.extensions)
    }
    if part.hasEntries {
      for index in entries.entries.indices { try merge(entries.entries[index]) }
    } else {
      for entry in try listEntries(of: part.incremental, "incremental") {
        try merge(tree.readEntry(entry))
      }
    }
    for entry in try listEntries(of: part.completed, "completed") {
      try complete(tree.readEntry(entry))
    }
    try advance(part, isFirst: isFirst)
  }

  private mutating func advance(_ part: Part, isFirst: Bool) throws(ResponseStreamError) {
    if let flag = part.hasNext {
      hasNext = tree.isEqual(flag, "true") ? true : tree.isEqual(flag, "false") ? false : nil
    } else {
      // Without any sign of more, the first part is an ordinary response.
      hasNext = isFirst ? !pending.isEmpty : nil
    }
    guard hasNext == false else { return }
    state = .ended
    try checkNothingIsPending()
  }

  private func listEntries(
    of list: Range<Int>?, _ name: String
  ) throws(ResponseStreamError) -> [Range<Int>] {
    guard let list, tree.isValue(list) else { return [] }
    guard tree.kind(of: list) == .list else {
      throw ResponseStreamError(.malformedPart, "its '\(name)' is not a list")
    }
    return try tree.entries(of: list)
  }

  /// An entry of `pending`, `incremental` or `completed`.
  typealias Entry = IncrementalEntry

  // MARK: - Format of 2026

  /// The text of an id, which some servers write as a number.
  private mutating func id(of entry: Entry) throws(ResponseStreamError) -> String {
    guard let range = entry.id else {
      throw ResponseStreamError(.malformedPart, "an entry has no 'id'")
    }
    if let latestID, tree.isEqual(latestID.range, range) { return latestID.text }
    switch tree.kind(of: range) {
    case .string:
      if let id = tree.string(range) {
        latestID = (range, id)
        latestNode = nil
        return id
      }
    case .other:
      latestID = nil
      latestNode = nil
      return tree.text(range)
    default: break
    }
    throw ResponseStreamError(.malformedPart, "the id \(tree.text(range)) is not a string")
  }

  private mutating func announce(_ entry: Entry) throws(ResponseStreamError) {
    let id = try id(of: entry)
    guard let path = entry.path, tree.kind(of: path) == .list else {
      throw ResponseStreamError(.malformedPart, "'pending' has no path for the id '\(id)'")
    }
    guard knownIDs.insert(id).inserted else {
      throw ResponseStreamError(.unexpectedPart, "the id '\(id)' is announced twice")
    }
    pending[id] = PendingPart(path: path)
  }

  private mutating func complete(_ entry: Entry) throws(ResponseStreamError) {
    let id = try id(of: entry)
    guard let part = pending.removeValue(forKey: id) else { throw unknown(id) }
    latestNode = nil
    repetition = nil
    try add(errors: entry.errors)
    // An empty list is an absent one, as in a response.
    guard try hasErrors(entry.errors) else { return }
    // What is announced for a path that leads nowhere cannot have been a list.
    let target = try? part.node ?? dataNode(at: part.path)
    if let target, tree.nodes[target].kind == .list { hasFailedList = true }
  }

  private func unknown(_ id: String) -> ResponseStreamError {
    let reason = knownIDs.contains(id) ? "is complete already" : "was not announced"
    return ResponseStreamError(.unexpectedPart, "the id '\(id)' \(reason)")
  }

  private mutating func merge(_ entry: Entry) throws(ResponseStreamError) {
    try add(extensions: entry.extensions)
    // The errors of an entry stay even if its data cannot be merged.
    try add(errors: entry.errors)
    guard entry.id != nil else { return try mergeByPath(entry) }
    let id = try id(of: entry)
    guard latestNode != nil || pending[id] != nil else { throw unknown(id) }
    if tree.isValue(entry.data) || tree.isValue(entry.items) {
      var target: JSONTree.NodeID
      if let latestNode {
        target = latestNode
      } else {
        target = try node(of: id)
        latestNode = target
      }
      if let subPath = entry.subPath { target = try tree.node(at: subPath, from: target) }
      if let data = entry.data, tree.isValue(data) { try merge(data, into: target) }
      if let items = entry.items, tree.isValue(items) {
        let count = try checkedElementCount(of: target)
        try merge(items, entry.elements, into: target, at: count)
      }
      try addNulls(for: entry.errors, in: target)
    }
  }

  /// Returns the object or the list of a pending id.
  private mutating func node(of id: String) throws(ResponseStreamError) -> JSONTree.NodeID {
    guard let part = pending[id] else { throw unknown(id) }
    if let node = part.node { return node }
    let node = try dataNode(at: part.path)
    pending[id]?.node = node
    return node
  }

  // MARK: - Format of 2022

  private mutating func mergeByPath(_ entry: Entry) throws(ResponseStreamError) {
    if let data = entry.data, tree.isValue(data) {
      let target: JSONTree.NodeID
      if let path = entry.path {
        target = try dataNode(at: path)
      } else {
        target = try rootData()
      }
      try merge(data, into: target)
      try addNulls(for: entry.errors, in: target)
    }
    if let items = entry.items, try !isAbsent(items, entry),
      let list = try mergeItems(items, entry)
    {
      try addNulls(for: entry.errors, in: list)
    }
  }

  /// Returns `true` if null stands for absent items: beside data, and beside null data at the path
  /// of an object. Otherwise it says that a list has failed.
  private func isAbsent(_ items: Range<Int>, _ entry: Entry) throws(ResponseStreamError) -> Bool {
    guard !tree.isValue(items), entry.data != nil else { return false }
    guard !tree.isValue(entry.data), let path = entry.path else { return true }
    return try tree.lastEntry(of: path).flatMap(tree.integer) == nil
  }

  /// Returns the list, or `nil` if it has failed.
  private mutating func mergeItems(
    _ items: Range<Int>, _ entry: Entry
  ) throws(ResponseStreamError) -> JSONTree.NodeID? {
    guard let path = entry.path, let last = try tree.lastEntry(of: path),
      let index = tree.integer(last)
    else {
      throw ResponseStreamError(.malformedPart, "its items have no path that ends with an index")
    }
    let list = try tree.node(at: path, from: try rootData(), excludingLast: true)
    let count = try checkedElementCount(of: list)
    if failedLists.contains(list) { return nil }
    guard tree.isValue(items) else {
      failedLists.insert(list)
      hasFailedList = true
      return nil
    }
    guard (0...count).contains(index) else {
      throw ResponseStreamError(
        .unexpectedPart, "its items begin at index \(index) of a list with \(count) elements")
    }
    try merge(items, entry.elements, into: list, at: index)
    return list
  }

  // MARK: - Data

  private func rootData() throws(ResponseStreamError) -> JSONTree.NodeID {
    if let data = tree.rootMember("\"data\"") { return data }
    throw ResponseStreamError(.unexpectedPart, "the response has no data")
  }

  private mutating func dataNode(at path: Range<Int>) throws(ResponseStreamError) -> JSONTree.NodeID
  {
    try tree.node(at: path, from: rootData())
  }

  private mutating func merge(
    _ data: Range<Int>, into target: JSONTree.NodeID
  ) throws(ResponseStreamError) {
    guard tree.kind(of: data) == .object else {
      throw ResponseStreamError(.malformedPart, "its 'data' is not an object")
    }
    guard tree.nodes[target].kind == .object else {
      throw ResponseStreamError(.unexpectedPart, "there is no object at its path")
    }
    hasNews = true
    try tree.merge(object: data, into: target)
  }

  private mutating func merge(
    _ items: Range<Int>, _ elements: Range<Int>? = nil, into target: JSONTree.NodeID,
    at index: Int
  ) throws(ResponseStreamError) {
    guard tree.kind(of: items) == .list else {
      throw ResponseStreamError(.malformedPart, "its 'items' are not a list")
    }
    hasNews = true
    if let elements {
      return try tree.merge(entries.elements[elements], into: target, at: index)
    }
    try tree.merge(tree.entries(of: items)[...], into: target, at: index)
  }

  private mutating func checkedElementCount(
    of list: JSONTree.NodeID
  ) throws(ResponseStreamError) -> Int {
    guard tree.nodes[list].kind == .list else {
      throw ResponseStreamError(.unexpectedPart, "there is no list at its path")
    }
    return try tree.elementCount(of: list)
  }

  /// Appends errors to those of the response, whatever their form and whether or not they have
  /// paths. A value other than a list is added too, unless it is empty: it may say what is wrong.
  private mutating func add(errors: Range<Int>?) throws(ResponseStreamError) {
    guard let errors, tree.isValue(errors) else { return }
    let isList = tree.kind(of: errors) == .list
    if isList || errors.count > 2 {
      let list = tree.rootMember("\"errors\"") ?? tree.addToRoot("\"errors\"", "[]")
      tree.replaceNull(list, with: "[]")
      let count = try checkedElementCount(of: list)
      if isList { return try merge(errors, into: list, at: count) }
      hasNews = true
      try tree.merge([errors], into: list, at: count)
    }
    throw ResponseStreamError(.malformedPart, "its 'errors' are not a list")
  }

  /// Makes each absent field null that an error of a part is about: its path leads to the field or,
  /// in the object or the list that the part belongs to, into it. Some servers leave failed fields
  /// out, and without its fields a deferred fragment would stay pending. An error without a path
  /// names no field, so the fragment does stay pending.
  private mutating func addNulls(
    for errors: Range<Int>?, in target: JSONTree.NodeID
  ) throws(ResponseStreamError) {
    guard let errors, tree.kind(of: errors) == .list else { return }
    for error in try tree.entries(of: errors) where tree.kind(of: error) == .object {
      guard let path = try tree.readEntry(error).path, tree.kind(of: path) == .list else {
        continue
      }
      try tree.addNull(at: path, from: rootData(), in: target)
    }
  }

  /// Adds members to the extensions of the response.
  private mutating func add(extensions: Range<Int>?) throws(ResponseStreamError) {
    guard let extensions, tree.isValue(extensions) else { return }
    let known = tree.rootMember("\"extensions\"") ?? tree.addToRoot("\"extensions\"", "{}")
    tree.replaceNull(known, with: "{}")
    try merge(extensions, into: known)
  }
}
