// The order of fields, and fields that are missing.

extension ResponseReader {
  /// Consumes a key and the colon. Returns the field's index, or `nil` for a field that was not
  /// selected, whose value is consumed too.
  ///
  /// Servers send fields in the order of the selections, so the expected field is nearly always the
  /// next one.
  @inline(__always)
  mutating func nextField(expected: Int) throws(ReadFailure) -> Int? {
    let object = containers.top
    if expected < object.pointee.fieldCount {
      if json.consumeKey(of: object.pointee.fields + expected) {
        json.skipWhitespace()
        return expected
      }
    }
    return try findField()
  }

  /// The same for keys in another order, and for fields that were not selected.
  @inline(never)
  private mutating func findField() throws(ReadFailure) -> Int? {
    guard json.next == UInt8(ascii: "\"") else { throw json.malformed("expected a key") }
    let layout = openLayout
    let first = json.cursor + 1
    let last = JSONReader.scanString(from: first).last
    let index: Int?
    if last.pointee == UInt8(ascii: "\"") {
      index = layout.keys.index(of: UnsafeBufferPointer(start: first, count: last - first))
      // A selected key is valid UTF-8; others are checked.
      if index == nil { try json.skipString() } else { json.cursor = last + 1 }
    } else {
      index = layout.keys.index(of: try json.readString())
    }
    try json.expectColon()
    if let index {
      let object = containers.top
      object.pointee.order = layouts.note(index, after: object.pointee.index, in: layout)
    } else {
      try json.skipValue()
    }
    return index
  }

  /// The layout of the object on top.
  private var openLayout: ObjectLayout {
    // Called for objects only.
    containers.top.pointee.object!._withUnsafeGuaranteedRef { storage in
      storage.head.pointee.layout._withUnsafeGuaranteedRef { $0 }
    }
  }

  @inline(never)
  mutating func duplicateKey() -> ReadFailure {
    let key = containers.top.pointee.field.pointee.responseKey
    return json.failure(.malformedJSON("the key '\(key)' comes twice in one object"))
  }

  // MARK: - Which fields of the object on top have values

  // `mutating`, although it changes nothing: otherwise the compiler copies the whole reader.
  @inline(__always)
  mutating func isFilled(_ index: Int) -> Bool {
    index < 64 ? containers.top.pointee.isFilled(index) : isOverflowFilled(index)
  }

  @inline(__always)
  mutating func fill(_ index: Int) {
    if index < 64 { containers.top.pointee.fill(index) } else { fillOverflow(index) }
  }

  @inline(never)
  mutating func addOverflowWords() {
    let count = containers.top.pointee.overflowWordCount
    overflowFilled.append(contentsOf: repeatElement(0, count: count))
  }

  @inline(never)
  private mutating func isOverflowFilled(_ index: Int) -> Bool {
    overflowFilled[containers.top.pointee.base + index / 64 - 1] >> UInt64(index % 64) & 1 == 1
  }

  @inline(never)
  private mutating func fillOverflow(_ index: Int) {
    overflowFilled[containers.top.pointee.base + index / 64 - 1] |= 1 << UInt64(index % 64)
    containers.top.pointee.fillOverflow()
  }

  // MARK: - Fields that are not there

  /// Initializes the fields that the object on top may lack, or throws if it lacks another one.
  ///
  /// Some servers leave a field that failed out of a response (graph-gophers). It becomes null, and
  /// a violation that an error has to explain.
  @inline(never)
  mutating func handleMissing() throws(ReadFailure) {
    let object = containers.top.pointee
    for index in 0..<object.fieldCount where !isFilled(index) {
      let field = object.fields + index
      if allowsMissing(field) { continue }
      let key = PathEntry.field(field.pointee.responseKey)
      guard missing == .none, violations.count < Self.mostViolationsWithMissingFields else {
        throw json.failure(.missingValue).adding(key)
      }
      addViolation(field.pointee.isNonNull ? .missing : .missingNullable, at: json.offset, [key])
      nullify(field, object.slot(of: field))
      fill(index)
    }
    fillMissing()
  }

  /// The number of violations from which a missing field fails the response at once. An object
  /// without any field takes two bytes of a response, but each violation takes a path.
  private static var mostViolationsWithMissingFields: Int { 10_000 }

  private func allowsMissing(_ field: UnsafePointer<FieldLayout>) -> Bool {
    switch missing {
    case .none: field.pointee.isDeferred
    case .nullable: field.pointee.isDeferred || !field.pointee.isNonNull
    }
  }

  /// Initializes every slot of the object on top that has no value, a release requires initialized
  /// slots.
  mutating func fillMissing() {
    let object = containers.top.pointee
    for index in 0..<object.fieldCount where !isFilled(index) {
      let field = object.fields + index
      field.pointee.slotType.initializeEmpty(object.slot(of: field), isNull: false)
    }
  }

  /// Initializes the slot of a field that a null propagates to. If the field is non-null, the null
  /// propagates to the object on top, but no further than to the edge of a deferred fragment: the
  /// field is missing then, which leaves the fragment pending, and the object keeps the rest.
  @inline(never)
  mutating func nullify(_ field: UnsafePointer<FieldLayout>, _ slot: UnsafeMutableRawPointer) {
    let isMissing = field.pointee.isNonNull && field.pointee.isDeferred
    field.pointee.slotType.initializeEmpty(slot, isNull: !isMissing)
    if field.pointee.isNonNull, !isMissing { containers.top.pointee.isWhole = false }
  }

  // MARK: - Layouts

  /// Returns the layout of the object whose opening brace has been consumed.
  @inline(__always)
  mutating func layout(at position: Unmanaged<ObjectPosition>) throws(ReadFailure) -> Unmanaged<
    ObjectLayout
  > {
    let number = position._withUnsafeGuaranteedRef { $0.number }
    if let layout = layouts.layout(number, for: json) { return layout }
    return try findLayout(at: position.takeUnretainedValue())
  }

  @inline(never)
  private mutating func findLayout(at position: ObjectPosition) throws(ReadFailure) -> Unmanaged<
    ObjectLayout
  > {
    var typename: String?
    if position.staticTypename == nil, let start = findTypename(at: position) {
      var reader = json
      reader.cursor = start
      if let layout = layouts.layout(position.number, withTypenameNextIn: reader) { return layout }
      typename = try reader.readString()
    }
    let layout = position.layout(forTypename: typename)
    layouts.remember(layout, at: position)
    return Unmanaged.passUnretained(layout)
  }

  /// Looks ahead for the type of the object whose opening brace has been consumed. Returns the
  /// opening quote of its name, or `nil` when there is no such string.
  private mutating func findTypename(at position: ObjectPosition) -> UnsafePointer<UInt8>? {
    guard let key = position.quotedTypenameKey else { return nil }
    return typenames.find(key, ofObjectNextIn: json)
  }
}
