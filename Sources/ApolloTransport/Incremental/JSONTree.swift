internal import ApolloAPI
import Foundation

/// A JSON object that grows by parts, as a tree over the bytes of all parts.
///
/// 1. A value is a range of the bytes. Nothing within it is looked at until a path or a merge leads
///    into it; then its members, or elements, become nodes.
/// 2. A merge adds nodes and marks those around them as edited.
/// 3. Writing copies the ranges of the values that are not edited.
///
/// Adding a part therefore costs time for the part, and not for all data. A `JSONValue` cannot do
/// that: it would make a dictionary of every object of every part, lose the order of the keys,
/// which the decoder's speed depends on, and be written as a whole after each part.
struct JSONTree {
  typealias NodeID = Int

  struct Node {
    var range: Range<Int>
    var kind: JSONScanner.Kind
    /// The key with its quotation marks; empty for elements.
    var key: Range<Int>
    var parent: NodeID
    /// The number of nodes around it.
    var depth: Int
    /// The members or elements, or `nil` while they are unknown.
    var children: [NodeID]?
    /// `true` if the value differs from its range.
    var isEdited = false
  }

  /// The text of all parts.
  private(set) var bytes: [UInt8] = []
  private(set) var nodes: [Node] = []
  /// The members by name of the objects with many members into which a path or a merge has led.
  private var memberIndices: [NodeID: [[UInt8]: NodeID]] = [:]

  /// The greatest number of members that are compared one by one.
  private static let mostComparedMembers = 64

  /// The greatest depth of a part. Merging and writing take stack for each level.
  static let maximumDepth = 200

  /// The object around everything.
  static let root: NodeID = 0

  /// Makes room for text of so many bytes.
  mutating func reserve(byteCount: Int) { bytes.reserveCapacity(byteCount) }

  /// Appends the text of a part and returns its range.
  mutating func append(_ text: Data) -> Range<Int> {
    let start = bytes.count
    text.withUnsafeBytes { bytes.append(contentsOf: $0) }
    return start..<bytes.count
  }

  /// Appends the text of the next part that a framer has found, and returns its range.
  mutating func appendNextPart(
    of framer: inout any PartFramer
  ) throws(ResponseStreamError) -> Range<Int>? {
    let start = bytes.count
    return try framer.appendNext(to: &bytes) ? start..<bytes.count : nil
  }

  /// Reads an entry of `pending`, `incremental` or `completed`.
  func readEntry(_ range: Range<Int>) throws(ResponseStreamError) -> IncrementalEntry {
    try scan(range) { scanner throws(ResponseStreamError) in try scanner.readEntry() }
  }

  /// Creates the root with some members of an object.
  mutating func makeRoot(_ members: [(key: Range<Int>, value: Range<Int>)]) {
    memberIndices = [:]
    nodes = [
      Node(
        range: 0..<0, kind: .object, key: 0..<0, parent: -1, depth: 0, children: [],
        isEdited: true)
    ]
    for member in members { addChild(to: Self.root, key: member.key, value: member.value) }
  }

  /// Scans a range of the bytes.
  func scan<Result>(
    _ range: Range<Int>,
    _ body: (inout JSONScanner) throws(ResponseStreamError) -> Result
  ) throws(ResponseStreamError) -> Result {
    try bytes.withUnsafeBufferPointer { bytes throws(ResponseStreamError) in
      var scanner = JSONScanner(bytes, range)
      return try body(&scanner)
    }
  }

  func kind(of range: Range<Int>) -> JSONScanner.Kind {
    bytes.withUnsafeBufferPointer { JSONScanner($0, range).kind }
  }

  /// Returns whether a range has the given text.
  func isEqual(_ range: Range<Int>, _ text: StaticString) -> Bool {
    range.count == text.utf8CodeUnitCount
      && bytes.withUnsafeBufferPointer {
        memcmp($0.baseAddress! + range.lowerBound, text.utf8Start, range.count) == 0
      }
  }

  /// Returns whether two ranges have the same bytes.
  func isEqual(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
    first.count == second.count
      && bytes.withUnsafeBufferPointer {
        memcmp($0.baseAddress! + first.lowerBound, $0.baseAddress! + second.lowerBound, first.count)
          == 0
      }
  }

  /// Returns whether there is a value, and it is not null.
  func isValue(_ range: Range<Int>?) -> Bool { range.map { kind(of: $0) != .null } ?? false }

  /// Returns the elements of a list of the bytes.
  func entries(of list: Range<Int>) throws(ResponseStreamError) -> [Range<Int>] {
    try members(of: list, .list).map(\.value)
  }

  /// The text of a range, for messages.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  // MARK: - Nodes

  @discardableResult
  private mutating func addChild(
    to parent: NodeID, key: Range<Int>, value: Range<Int>
  ) -> NodeID {
    let id = nodes.count
    nodes.append(
      Node(
        range: value, kind: kind(of: value), key: key, parent: parent,
        depth: nodes[parent].depth + 1))
    nodes[parent].children?.append(id)
    if memberIndices[parent] != nil { index(id, in: parent) }
    return id
  }

  private mutating func markEdited(_ id: NodeID) {
    var id = id
    while id >= 0, !nodes[id].isEdited {
      nodes[id].isEdited = true
      id = nodes[id].parent
    }
  }

  /// Makes nodes of the members of an object, or of the elements of a list.
  private mutating func expand(_ id: NodeID) throws(ResponseStreamError) {
    guard nodes[id].children == nil else { return }
    let node = nodes[id]
    if node.depth > Self.maximumDepth {
      throw ResponseStreamError(
        .unexpectedPart, "it belongs below more than \(Self.maximumDepth) objects and lists")
    }
    nodes[id].children = []
    for member in try members(of: node.range, node.kind) {
      addChild(to: id, key: member.key, value: member.value)
    }
  }

  /// Returns the members of an object or the elements of a list in the bytes.
  private func members(
    of range: Range<Int>, _ kind: JSONScanner.Kind
  ) throws(ResponseStreamError) -> [(key: Range<Int>, value: Range<Int>)] {
    var members: [(key: Range<Int>, value: Range<Int>)] = []
    try scan(range) { scanner throws(ResponseStreamError) in
      if kind == .object {
        try scanner.readMembers { key, scanner throws(ResponseStreamError) in
          members.append((key, try scanner.skipValue()))
        }
      } else {
        try scanner.readElements { scanner throws(ResponseStreamError) in
          members.append((0..<0, try scanner.skipValue()))
        }
      }
    }
    return members
  }

  /// Returns the member of an object that has the key in a range.
  ///
  /// - Complexity: O(1) on average, and O(*m*) in the members for the first time.
  private mutating func member(_ key: Range<Int>, of id: NodeID) -> NodeID? {
    guard let children = nodes[id].children else { return nil }
    guard children.count > Self.mostComparedMembers else {
      return children.first { isEqualKey(nodes[$0].key, key) }
    }
    if memberIndices[id] == nil {
      memberIndices[id] = [:]
      for child in children { index(child, in: id) }
    }
    return memberIndices[id]?[name(of: key)]
  }

  /// Adds a member to the index of an object. Of two members with one name, the first counts.
  private mutating func index(_ child: NodeID, in id: NodeID) {
    let name = name(of: nodes[child].key)
    if memberIndices[id]?[name] == nil { memberIndices[id]?[name] = child }
  }

  /// The bytes of a key without quotation marks and escapes.
  private func name(of key: Range<Int>) -> [UInt8] {
    let content = bytes[key].dropFirst().dropLast()
    guard content.contains(UInt8(ascii: "\\")), let text = string(key) else {
      return Array(content)
    }
    return Array(text.utf8)
  }

  /// Returns whether two keys with quotation marks are equal, with or without escapes.
  private func isEqualKey(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
    if first.count == second.count,
      bytes.withUnsafeBufferPointer({
        memcmp($0.baseAddress! + first.lowerBound, $0.baseAddress! + second.lowerBound, first.count)
      }) == 0
    {
      return true
    }
    let escape = UInt8(ascii: "\\")
    guard bytes[first].contains(escape) || bytes[second].contains(escape),
      let name = string(first)
    else { return false }
    return name == string(second)
  }

  /// The content of a string with quotation marks, or `nil` if it is malformed.
  func string(_ range: Range<Int>) -> String? {
    let content = bytes[range].dropFirst().dropLast()
    if !content.contains(UInt8(ascii: "\\")) { return String(decoding: content, as: UTF8.self) }
    // A malformed string is reported by the caller, with its place.
    return try? JSONValue(jsonBytes: bytes[range]).stringValue
  }

  // MARK: - Paths

  /// Returns the node to which the keys and indices of a list in the bytes lead, from `base` on.
  /// The last entry can be left out.
  mutating func node(
    at path: Range<Int>, from base: NodeID, excludingLast: Bool = false
  ) throws(ResponseStreamError) -> NodeID {
    guard kind(of: path) == .list else {
      throw ResponseStreamError(.malformedPart, "its path is not a list")
    }
    var steps = try members(of: path, .list).map(\.value)
    if excludingLast { steps.removeLast() }
    var id = base
    for step in steps {
      guard let child = try child(step, of: id) else {
        throw ResponseStreamError(.unexpectedPart, "there is nothing at the path \(text(path))")
      }
      id = child
    }
    return id
  }

  private mutating func child(
    _ step: Range<Int>, of id: NodeID
  ) throws(ResponseStreamError) -> NodeID? {
    switch (nodes[id].kind, kind(of: step)) {
    case (.object, .string):
      try expand(id)
      return member(step, of: id)
    case (.list, .other):
      try expand(id)
      guard let index = integer(step), let children = nodes[id].children,
        children.indices.contains(index)
      else { return nil }
      return children[index]
    default: return nil
    }
  }

  /// The number in a range, or `nil` if it is not an integer that fits. Some languages have no
  /// integers, and write 1.0.
  func integer(_ range: Range<Int>) -> Int? {
    let text = text(range)
    return Int(text.hasSuffix(".0") ? text.dropLast(2) : text[...])
  }

  /// Returns the last entry of a path, or `nil` if it is empty.
  func lastEntry(of path: Range<Int>) throws(ResponseStreamError) -> Range<Int>? {
    guard kind(of: path) == .list else {
      throw ResponseStreamError(.malformedPart, "its path is not a list")
    }
    return try members(of: path, .list).last?.value
  }

  /// The number of elements of a list.
  mutating func elementCount(of id: NodeID) throws(ResponseStreamError) -> Int {
    try expand(id)
    return nodes[id].children?.count ?? 0
  }

  // MARK: - Merging

  /// Merges an object of the bytes into a node.
  ///
  /// Objects are merged by key and lists by index. Null does not replace a known value.
  mutating func merge(
    object range: Range<Int>, into id: NodeID
  ) throws(ResponseStreamError) {
    try expand(id)
    for (key, value) in try members(of: range, .object) {
      if let known = member(key, of: id) {
        try merge(value, into: known)
      } else {
        addChild(to: id, key: key, value: value)
        markEdited(id)
      }
    }
  }

  /// Merges elements in the bytes into a list, from an index on. Further elements are appended.
  mutating func merge(
    _ elements: ArraySlice<Range<Int>>, into id: NodeID, at index: Int
  ) throws(ResponseStreamError) {
    try expand(id)
    let knownCount = nodes[id].children?.count ?? 0
    for (offset, element) in elements.enumerated() {
      if index + offset < knownCount, let child = nodes[id].children?[index + offset] {
        try merge(element, into: child)
      } else {
        addChild(to: id, key: 0..<0, value: element)
        markEdited(id)
      }
    }
  }

  private mutating func merge(
    _ range: Range<Int>, into id: NodeID
  ) throws(ResponseStreamError) {
    switch (nodes[id].kind, kind(of: range)) {
    case (_, .null): return
    case (.object, .object): try merge(object: range, into: id)
    case (.list, .list): try merge(entries(of: range)[...], into: id, at: 0)
    case (.null, let kind):
      replace(id, with: range, kind)
    case (.string, let kind) where kind == .string || kind == .other,
      (.other, let kind) where kind == .string || kind == .other:
      replace(id, with: range, kind)
    default:
      throw ResponseStreamError(
        .unexpectedPart, "its value of \(text(nodes[id].key)) is of another kind than the known one"
      )
    }
  }

  private mutating func replace(
    _ id: NodeID, with range: Range<Int>, _ kind: JSONScanner.Kind
  ) {
    nodes[id].range = range
    nodes[id].kind = kind
    nodes[id].children = nil
    memberIndices[id] = nil
    // The text of the object around the value is out of date.
    markEdited(nodes[id].parent)
  }

  /// Adds a member that is null where a path first leads to a member that an object lacks. If that
  /// is not its last entry, the object must be `target` or inside of it.
  mutating func addNull(
    at path: Range<Int>, from base: NodeID, in target: NodeID
  ) throws(ResponseStreamError) {
    var (id, isInside) = (base, base == target)
    let steps = try entries(of: path)
    for (index, step) in steps.enumerated() {
      if let child = try child(step, of: id) {
        id = child
        isInside = isInside || id == target
        continue
      }
      // An error may be about something that is null, or that has not arrived.
      guard nodes[id].kind == .object, kind(of: step) == .string,
        isInside || index == steps.count - 1
      else { return }
      addChild(to: id, key: step, value: append(Data("null".utf8)))
      return markEdited(id)
    }
  }

  /// Adds a member to the root that no part has: a literal key and a literal value.
  mutating func addToRoot(_ key: StaticString, _ value: StaticString) -> NodeID {
    func range(of text: StaticString) -> Range<Int> {
      text.withUTF8Buffer { append(Data($0)) }
    }
    return addChild(to: Self.root, key: range(of: key), value: range(of: value))
  }

  /// The member of the root with a literal key, such as `"errors"` with quotation marks.
  func rootMember(_ key: StaticString) -> NodeID? {
    nodes[Self.root].children?.first { isEqual(nodes[$0].key, key) }
  }

  /// Replaces a null by a literal value.
  mutating func replaceNull(_ id: NodeID, with value: StaticString) {
    guard nodes[id].kind == .null else { return }
    let range = value.withUTF8Buffer { append(Data($0)) }
    replace(id, with: range, kind(of: range))
  }

  // MARK: - Writing

  /// The whole object as JSON text.
  ///
  /// - Complexity: O(*n*) in the bytes, most of which are copied in large pieces.
  var text: Data {
    var writer = TextWriter(capacity: bytes.count + 64)
    bytes.withUnsafeBufferPointer { bytes in
      nodes.withUnsafeBufferPointer { Self.write(Self.root, of: $0, bytes, to: &writer) }
    }
    return writer.data
  }

  private static func write(
    _ id: NodeID, of nodes: UnsafeBufferPointer<Node>, _ bytes: UnsafeBufferPointer<UInt8>,
    to writer: inout TextWriter
  ) {
    guard nodes[id].isEdited, let children = nodes[id].children else {
      return writer.append(bytes, nodes[id].range)
    }
    let isObject = nodes[id].kind == .object
    writer.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    for (index, child) in children.enumerated() {
      if index > 0 { writer.append(UInt8(ascii: ",")) }
      if isObject {
        writer.append(bytes, nodes[child].key)
        writer.append(UInt8(ascii: ":"))
      }
      write(child, of: nodes, bytes, to: &writer)
    }
    writer.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }
}

/// Text that grows, in memory that becomes a `Data` without a copy.
///
/// To be used once: ``data`` takes the memory.
private struct TextWriter {
  private var memory: UnsafeMutableRawPointer
  private var count = 0
  private var capacity: Int

  init(capacity: Int) {
    memory = Self.grown(nil, to: capacity)
    self.capacity = capacity
  }

  /// The text.
  var data: Data { Data(bytesNoCopy: memory, count: count, deallocator: .free) }

  mutating func append(_ byte: UInt8) {
    reserve(1)
    memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    guard let base = bytes.baseAddress, !range.isEmpty else { return }
    precondition(range.upperBound <= bytes.count, "A value lies behind the bytes.")
    reserve(range.count)
    (memory + count).copyMemory(from: base + range.lowerBound, byteCount: range.count)
    count += range.count
  }

  private mutating func reserve(_ byteCount: Int) {
    guard capacity - count < byteCount else { return }
    capacity = max(capacity * 2, count + byteCount)
    memory = Self.grown(memory, to: capacity)
  }

  private static func grown(
    _ memory: UnsafeMutableRawPointer?, to capacity: Int
  ) -> UnsafeMutableRawPointer {
    guard let grown = realloc(memory, capacity) else {
      preconditionFailure("There is no memory for \(capacity) bytes.")
    }
    return grown
  }
}
