/// Reads the data of a response into objects, in one walk over the bytes.
///
/// Layouts say what to expect, so in the usual case a key is one comparison and its value goes straight into its slot.
struct ResponseReader: ~Copyable {
  var json: JSONReader
  private let listener: (any ResponseListener)?
  /// Whether fields that may be null may be left out, as in JSON that did not come from a server.
  private let allowsMissing: Bool
  /// Nulls where none may be. They took the objects around them with them, and are to be explained by errors.
  private(set) var violations: [Violation] = []
  private(set) var layouts: LayoutMemory

  /// A null where the schema rules it out.
  struct Violation {
    /// From the innermost step outwards.
    var reversedPath: [PathEntry] = []
    let byteOffset: Int
  }

  init(
    _ json: JSONReader, layouts: LayoutMemory = LayoutMemory(),
    listener: (any ResponseListener)?, allowsMissing: Bool
  ) {
    self.json = json
    self.layouts = layouts
    self.listener = listener
    self.allowsMissing = allowsMissing
  }

  /// Reads the object of the root, or `nil` when a null where none may be has taken it.
  mutating func readRoot(at place: Place) throws(ReadFailure) -> ResponseObject? {
    guard json.next == UInt8(ascii: "{") else { throw json.wrongType(expected: "an object") }
    return try readObject(at: Unmanaged.passUnretained(place))
  }

  // MARK: - Objects

  /// Reads an object; the next byte is its opening brace. Returns `nil` when a null where none may be has taken it.
  private mutating func readObject(
    at place: Unmanaged<Place>
  ) throws(ReadFailure) -> ResponseObject? {
    try json.open()
    return try readObject(try layout(at: place).takeUnretainedValue())
  }

  private mutating func readObject(_ layout: ObjectLayout) throws(ReadFailure) -> ResponseObject? {
    // The frames of a level of nesting are `readFields`, `readObject` and `readObjectField`. With optimization a level takes less
    // than 1 KB, so that 512 fit a stack of 512 KB; without, 128 levels fit and 192 do not.
    let object = ResponseObject.uninitialized(layout)
    var filled = FieldSet(count: layout.steps.count)
    let isWhole: Bool
    do {
      isWhole = try readFields(of: object, layout, &filled)
    } catch {
      fillMissing(of: object, layout, filled)  // so that the object can be released
      throw error
    }
    guard isWhole else {
      fillMissing(of: object, layout, filled)
      return nil
    }
    return listener?.didComplete(object) ?? object
  }

  /// Reads the fields up to the closing brace. Returns whether none of them was a null where none may be.
  private mutating func readFields(
    of object: ResponseObject, _ layout: ObjectLayout, _ filled: inout FieldSet
  ) throws(ReadFailure) -> Bool {
    let steps = layout.steps
    let slots = object.slot(0)
    var isWhole = true
    var expected = 0
    if json.next == UInt8(ascii: "}") {
      json.close()
    } else {
      repeat {
        guard let index = try nextField(of: layout, expected: expected) else { continue }
        guard filled.insert(index) else { throw duplicateKey(layout, index) }
        expected = index &+ 1
        let step = steps.baseAddress! + index  // there is at least one field
        isWhole = try readField(step, into: slots + step.pointee.slot &* 16) && isWhole
      } while try json.continues(until: UInt8(ascii: "}"))
    }
    if !filled.isFull { try handleMissing(of: object, layout, &filled) }
    withExtendedLifetime(object) {}
    return isWhole
  }

  /// Consumes a key and the colon. Returns the field's index, or `nil` when nobody asked for it, and then its value is consumed too.
  @inline(__always)
  private mutating func nextField(
    of layout: ObjectLayout, expected: Int
  ) throws(ReadFailure) -> Int? {
    if expected < layout.steps.count {
      let step = layout.steps.baseAddress! + expected  // there is one
      if json.isNext(step.pointee.key, step.pointee.keyCount) {
        json.cursor += step.pointee.keyCount
        if json.consume(UInt8(ascii: ":")) { json.skipWhitespace() } else { try json.expectColon() }
        return expected
      }
    }
    return try findField(of: layout)
  }

  /// The same for keys that come in another order than they were asked for in, and for those that nobody asked for.
  @inline(never)
  private mutating func findField(of layout: ObjectLayout) throws(ReadFailure) -> Int? {
    guard json.next == UInt8(ascii: "\"") else { throw json.malformed("expected a key") }
    let first = json.cursor + 1
    let last = JSONReader.scanString(from: first).last
    let index: Int?
    if last.pointee == UInt8(ascii: "\"") {
      json.cursor = last + 1
      index = layout.keys.index(of: UnsafeBufferPointer(start: first, count: last - first))
      // A key that is asked for is valid UTF-8; others are checked for it by reading them again.
      if index == nil {
        json.cursor = first - 1
        _ = try json.readString()
      }
    } else {
      var key = try json.readString()
      index = key.withUTF8 { layout.keys.index(of: $0) }
    }
    try json.expectColon()
    if index == nil { try json.skipValue() }
    return index
  }

  @inline(never)
  private func duplicateKey(_ layout: ObjectLayout, _ index: Int) -> ReadFailure {
    let key = layout.fields[index].responseKey
    return json.failure(.malformedJSON("the key '\(key)' comes twice in one object"))
  }

  /// Reads a field's value. Returns whether the object can stay; if not, there was a null where none may be.
  @inline(__always)
  private mutating func readField(
    _ step: UnsafePointer<ReadStep>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) -> Bool {
    let violationCount = violations.count
    do {
      let isWhole = try readValue(step, into: slot)
      if violations.count != violationCount { addToPath(step, since: violationCount) }
      return isWhole
    } catch {
      abandon(step, slot, error)
      throw error
    }
  }

  /// The slot has not been initialized, but counts as filled.
  @inline(never)
  private func abandon(
    _ step: UnsafePointer<ReadStep>, _ slot: UnsafeMutableRawPointer, _ failure: ReadFailure
  ) {
    step.pointee.initializeEmpty(slot, isNull: false)
    _ = failure.adding(.field(step.pointee.responseKey))
  }

  @inline(never)
  private mutating func addToPath(_ step: UnsafePointer<ReadStep>, since count: Int) {
    let key = PathEntry.field(step.pointee.responseKey)
    for index in count..<violations.count { violations[index].reversedPath.append(key) }
  }

  // MARK: - Values

  /// Reads a value and initializes the slot, unless it throws. Returns `false` when there was a null where none may be.
  @inline(__always)
  private mutating func readValue(
    _ step: UnsafePointer<ReadStep>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) -> Bool {
    if json.next == UInt8(ascii: "n") {
      return try readNull(step, into: slot)
    }
    switch step.pointee.reading {
    case .object: return try readObjectField(step, into: slot)
    case .objects:
      return step.pointee.hasNonNullElements
        ? try readObjects(step, into: slot) : try readNullableObjects(step, into: slot)
    case .nestedObjects: return try readNestedObjects(step, into: slot)
    case .strings: return try readStrings(step, into: slot)
    case .leaf: return try readOtherLeaf(step, into: slot)
    case .string, .id, .text, .int, .double, .bool, .enumeration:
      try readScalar(step, into: slot)
      return true
    }
  }

  /// A function of its own because what it needs on the stack is not wanted once for each level of nesting.
  @inline(never)
  private mutating func readScalar(
    _ step: UnsafePointer<ReadStep>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) {
    switch step.pointee.reading {
    case .string:
      guard json.next == UInt8(ascii: "\"") else { throw json.wrongType(expected: "a string") }
      slot.initializeSlot(as: String??.self, to: try json.readString())
    case .id:
      slot.initializeSlot(as: String??.self, to: try readID())
    case .text:
      slot.initializeSlot(as: String??.self, to: try readText())
    case .int:
      slot.initializeSlot(as: Int??.self, to: try json.readInt())
    case .double:
      slot.initializeSlot(as: Double??.self, to: try json.readDouble())
    case .bool:
      guard let value = json.consumeBool() else { throw json.wrongType(expected: "a Boolean") }
      slot.initializeSlot(as: Bool??.self, to: value)
    case .enumeration:
      if let value = step.pointee.cases?._withUnsafeGuaranteedRef({ $0.slot(forNextOf: &json) }) {
        slot.initializeMemory(as: Slot.self, to: value)
      } else {
        try readLeaf(step, into: slot)
      }
    case .leaf, .strings, .object, .objects, .nestedObjects:
      _ = try readOtherLeaf(step, into: slot)  // not reached: the caller has handled these
    }
  }

  @inline(never)
  private mutating func readNull(
    _ step: UnsafePointer<ReadStep>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) -> Bool {
    guard json.consumeNull() else { throw json.malformed("expected a value") }
    step.pointee.initializeEmpty(slot, isNull: true)
    if step.pointee.isNonNull { violations.append(Violation(byteOffset: json.offset - 4)) }
    return !step.pointee.isNonNull
  }

  /// What becomes of a field whose value was taken by a null: null itself, which may take the object with it.
  @inline(never)
  private mutating func nullify(
    _ step: UnsafePointer<ReadStep>, _ slot: UnsafeMutableRawPointer
  ) -> Bool {
    step.pointee.initializeEmpty(slot, isNull: true)
    return !step.pointee.isNonNull
  }

  @inline(__always)
  private mutating func readID() throws(ReadFailure) -> String {
    if json.next == UInt8(ascii: "\"") { return try json.readString() }
    guard json.next == UInt8(ascii: "-") || json.next.isASCIIDigit else {
      throw json.wrongType(expected: "an ID")
    }
    let start = json
    let number = try json.readNumber()
    guard number.isInteger else { throw start.wrongType(expected: "an ID") }
    return number.string
  }

  /// The value of a custom scalar that is an alias of `String`: a string, or the text of a number or a Boolean.
  private mutating func readText() throws(ReadFailure) -> String {
    if json.next == UInt8(ascii: "\"") { return try json.readString() }
    if json.next == UInt8(ascii: "-") || json.next.isASCIIDigit {
      return try json.readNumber().string
    }
    guard let value = json.consumeBool() else { throw json.wrongType(expected: "a string") }
    return value ? "true" : "false"
  }

  @inline(never)
  private mutating func readObjectField(
    _ step: UnsafePointer<ReadStep>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) -> Bool {
    guard json.next == UInt8(ascii: "{") else { throw json.wrongType(expected: "an object") }
    guard let object = try readObject(at: step.pointee.place!) else {  // objects have a place
      return nullify(step, slot)
    }
    slot.initializeSlot(as: ResponseObject??.self, to: object)
    return true
  }

  // MARK: - Lists

  @inline(never)
  private mutating func readObjects(
    _ step: UnsafePointer<ReadStep>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) -> Bool {
    var objects: [ResponseObject] = []
    var isWhole = true
    let place = step.pointee.place!  // objects have a place
    try readElements { reader, index throws(ReadFailure) in
      if let object = try reader.readElement(at: place, index, isNonNull: true) {
        objects.append(object)
      } else {
        isWhole = false
      }
    }
    guard isWhole else { return nullify(step, slot) }
    slot.initializeSlot(as: [ResponseObject]??.self, to: objects)
    return true
  }

  @inline(never)
  private mutating func readNullableObjects(
    _ step: UnsafePointer<ReadStep>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) -> Bool {
    var objects: [ResponseObject?] = []
    let place = step.pointee.place!  // objects have a place
    try readElements { reader, index throws(ReadFailure) in
      objects.append(try reader.readElement(at: place, index, isNonNull: false))
    }
    slot.initializeSlot(as: [ResponseObject?]??.self, to: objects)
    return true
  }

  /// Reads one object of a list, or `nil` for a null.
  @inline(__always)
  private mutating func readElement(
    at place: Unmanaged<Place>, _ index: Int, isNonNull: Bool
  ) throws(ReadFailure) -> ResponseObject? {
    if json.next == UInt8(ascii: "{") { return try readObject(at: place) }
    let offset = json.offset
    guard json.consumeNull() else { throw json.wrongType(expected: "an object") }
    if isNonNull { violations.append(Violation(byteOffset: offset)) }
    return nil
  }

  /// Reads a list, calling `read` where each element begins.
  @inline(__always)
  private mutating func readElements(
    _ read: (inout ResponseReader, Int) throws(ReadFailure) -> Void
  ) throws(ReadFailure) {
    guard json.next == UInt8(ascii: "[") else { throw json.wrongType(expected: "a list") }
    try json.open()
    if json.next == UInt8(ascii: "]") { return json.close() }
    var index = 0
    repeat {
      let violationCount = violations.count
      do {
        try read(&self, index)
      } catch {
        throw error.adding(.index(index))
      }
      if violations.count != violationCount { addToPath(index, since: violationCount) }
      index &+= 1
    } while try json.continues(until: UInt8(ascii: "]"))
  }

  @inline(never)
  private mutating func addToPath(_ index: Int, since count: Int) {
    for violation in count..<violations.count {
      violations[violation].reversedPath.append(.index(index))
    }
  }

  /// A list of strings.
  @inline(never)
  private mutating func readStrings(
    _ step: UnsafePointer<ReadStep>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) -> Bool {
    guard step.pointee.hasNonNullElements else { return try readOtherLeaf(step, into: slot) }
    var strings: [String] = []
    var isWhole = true
    try readElements { reader, _ throws(ReadFailure) in
      if reader.json.next == UInt8(ascii: "\"") {
        strings.append(try reader.json.readString())
      } else {
        let offset = reader.json.offset
        guard reader.json.consumeNull() else { throw reader.json.wrongType(expected: "a string") }
        reader.violations.append(Violation(byteOffset: offset))
        isWhole = false
      }
    }
    guard isWhole else { return nullify(step, slot) }
    slot.initializeSlot(as: [String]??.self, to: strings)
    return true
  }

  // MARK: - The rest, by way of JSON values

  @inline(never)
  private mutating func readOtherLeaf(
    _ step: UnsafePointer<ReadStep>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) -> Bool {
    let field = step.pointee.field
    guard field.type.rank > 0 || field.type.isStrict else {
      try readLeaf(step, into: slot)
      return true
    }
    guard let value = try readLeafTree(field.type, depth: 0) else { return nullify(step, slot) }
    try initializeLeaf(slot, field, value, at: json)
    return true
  }

  private mutating func readLeaf(
    _ step: UnsafePointer<ReadStep>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) {
    let start = json
    let value = try json.readValue()
    try initializeLeaf(slot, step.pointee.field, value, at: start)
  }

  private func initializeLeaf(
    _ slot: UnsafeMutableRawPointer, _ field: FieldLayout, _ value: JSONValue, at place: JSONReader
  ) throws(ReadFailure) {
    guard let operations = field.operations as? any LeafSlotOperations else {
      throw place.wrongType(expected: field.typeDescription)
    }
    do {
      try operations.initialize(slot, decoding: value)
    } catch {
      throw place.failure(.invalidScalar(String(describing: error)))
    }
  }

  /// Reads lists of leaves, checking nulls and kinds with their paths. Returns `nil` when a null has taken the value.
  private mutating func readLeafTree(
    _ type: FieldType, depth: Int
  ) throws(ReadFailure) -> JSONValue? {
    let offset = json.offset
    if json.consumeNull() {
      guard type.isNonNull(at: depth) else { return .null }
      violations.append(Violation(byteOffset: offset))
      return nil
    }
    if depth == type.rank { return try readBase(type.base) }
    var elements: [JSONValue] = []
    var isWhole = true
    try readElements { reader, _ throws(ReadFailure) in
      if let element = try reader.readLeafTree(type, depth: depth + 1) {
        elements.append(element)
      } else {
        isWhole = false
      }
    }
    if isWhole { return .array(elements) }
    return type.isNonNull(at: depth) ? nil : .null
  }

  private mutating func readBase(_ base: FieldType.Base) throws(ReadFailure) -> JSONValue {
    switch base {
    case .string:
      guard json.next == UInt8(ascii: "\"") else { throw json.wrongType(expected: "a string") }
      return .string(try json.readString())
    case .id: return .string(try readID())
    case .int: return .int(Int64(try json.readInt()))
    case .double: return .double(try json.readDouble())
    case .bool:
      guard let value = json.consumeBool() else { throw json.wrongType(expected: "a Boolean") }
      return .bool(value)
    case .leaf(let type):
      let start = json
      let value = try json.readValue()
      do {
        _ = try type.init(_jsonValue: value)
      } catch {
        throw start.failure(.invalidScalar(String(describing: error)))
      }
      return value
    case .object: throw json.wrongType(expected: "a value")
    }
  }

  @inline(never)
  private mutating func readNestedObjects(
    _ step: UnsafePointer<ReadStep>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) -> Bool {
    let field = step.pointee.field
    let place = step.pointee.place!  // objects have a place
    let tree = try readObjectTree(field.type, at: place, depth: 0)
    guard let tree, let operations = field.operations as? any ObjectSlotOperations,
      operations.initialize(slot, tree)
    else { return nullify(step, slot) }
    return true
  }

  /// Reads lists of lists of objects. Returns `nil` when a null has taken the value.
  private mutating func readObjectTree(
    _ type: FieldType, at place: Unmanaged<Place>, depth: Int
  ) throws(ReadFailure) -> ObjectTree? {
    let isNonNull = type.isNonNull(at: depth)
    if depth == type.rank {
      let object = try readElement(at: place, 0, isNonNull: isNonNull)
      return object.map(ObjectTree.object) ?? (isNonNull ? nil : .null)
    }
    let offset = json.offset
    if json.consumeNull() {
      if isNonNull { violations.append(Violation(byteOffset: offset)) }
      return isNonNull ? nil : .null
    }
    var elements: [ObjectTree] = []
    var isWhole = true
    try readElements { reader, _ throws(ReadFailure) in
      if let element = try reader.readObjectTree(type, at: place, depth: depth + 1) {
        elements.append(element)
      } else {
        isWhole = false
      }
    }
    if isWhole { return .list(elements) }
    return isNonNull ? nil : .null
  }

  // MARK: - Fields that are not there

  @inline(never)
  private func handleMissing(
    of object: ResponseObject, _ layout: ObjectLayout, _ filled: inout FieldSet
  ) throws(ReadFailure) {
    for (index, field) in layout.fields.enumerated() where !filled.contains(index) {
      guard allowsMissing, !field.isNonNull else {
        throw json.failure(.missingValue).adding(.field(field.responseKey))
      }
    }
    fillMissing(of: object, layout, filled)
    filled.fill()
  }

  @inline(never)
  private func fillMissing(of object: ResponseObject, _ layout: ObjectLayout, _ filled: FieldSet) {
    for index in layout.steps.indices where !filled.contains(index) {
      let step = layout.steps.baseAddress! + index  // there is one
      step.pointee.initializeEmpty(object.slot(step.pointee.slot), isNull: false)
    }
    withExtendedLifetime(object) {}
  }

  // MARK: - Layouts

  /// The layout of the object that begins before the next byte.
  @inline(__always)
  private mutating func layout(
    at place: Unmanaged<Place>
  ) throws(ReadFailure) -> Unmanaged<ObjectLayout> {
    let number = place._withUnsafeGuaranteedRef { $0.number }
    if let layout = layouts.layout(number, for: json) { return layout }
    return try findLayout(at: place.takeUnretainedValue())
  }

  @inline(never)
  private mutating func findLayout(at place: Place) throws(ReadFailure) -> Unmanaged<ObjectLayout> {
    let typename = place.staticTypename == nil ? try findTypename(at: place) : nil
    let layout = place.layout(forTypename: typename)
    layouts.remember(layout, at: place)
    return Unmanaged.passUnretained(layout)
  }

  /// Looks ahead for the type of the object that begins before the next byte; consumes nothing.
  private mutating func findTypename(at place: Place) throws(ReadFailure) -> String? {
    guard let key = place.typenameKey, json.next != UInt8(ascii: "}") else { return nil }
    let start = (json.cursor, json.depth)
    defer { (json.cursor, json.depth) = start }
    repeat {
      if try json.readKey() == key {
        return json.next == UInt8(ascii: "\"") ? try json.readString() : nil
      }
      try json.skipValue()
    } while try json.continues(until: UInt8(ascii: "}"))
    return nil
  }
}

extension FieldType {
  /// Whether the reader checks the base itself before a scalar sees it.
  fileprivate var isStrict: Bool {
    if case .leaf = base { false } else { true }
  }
}
