package import ApolloAPI

// Reading objects directly from rows: values go from the bytes into the slots. Only unusual values
// are read as a `CacheValue` first.

/// The result of reading one record from its row.
package enum RowReadResult {
  /// The object, or `nil` if something in it is missing.
  case object(ResponseObject?)
  /// The record is to be read from its fields.
  case fields
  /// There is no such record, or its row is damaged.
  case absent
}

extension ObjectReader<RowSource> {
  /// Reads the object of a record from its row.
  @inline(__always)
  mutating func readRow(of key: RecordKey, at position: ObjectPosition) throws -> RowReadResult {
    let buffer = spareBuffers.popLast() ?? RowBuffer()
    defer { spareBuffers.append(buffer) }
    switch try records.load(key, into: buffer) {
    case nil: return .absent
    case .fields: return .fields
    case .whole: break
    }
    let counts = (issues.misses.count, issues.served.count)
    do {
      var row = RowReader(buffer.bytes, shapes: records.shapes)
      let object = try object(in: &row, at: position, record: key)
      guard row.isAtEnd else { throw DamagedRow() }
      return .object(object)
    } catch is DamagedRow {
      issues.removeAll(since: counts)
      return .absent
    }
  }

  /// Reads an object: a shape and its values.
  ///
  /// - Parameters:
  ///   - row: The reader, at the start of the object.
  ///   - position: The position of the object.
  ///   - record: The key of the object's record, or `nil` if it is embedded.
  /// - Returns: The object, or `nil` if something in it is missing.
  /// - Throws: ``DamagedRow``, and the errors of the cache.
  private mutating func object(
    in row: inout RowReader, at position: ObjectPosition, record: RecordKey? = nil
  ) throws -> ResponseObject? {
    let start = row
    let columns = try columns(of: &row, at: position)
    if let record { dependencies.insert(columns.layout, of: record) }
    guard columns.isInOrder else {
      row = start
      let fields = try row.object()
      guard record == nil else { return try object(of: fields, columns.layout) }
      return try embeddedObject(of: fields, columns.layout)
    }
    // The other pages of its lists are among its fields.
    if record == nil, !columns.layout.listFields.isEmpty {
      row = start
      return try embeddedObject(of: try row.object(), columns.layout)
    }
    var builder = ResponseObjectBuilder(columns.layout.layout)
    var isComplete = true
    var column: Int32 = 0
    for index in columns.steps.indices {
      let step = columns.steps[index]
      guard step.column >= 0 else {
        if try !set(index, to: nil, columns.layout, in: &builder) { isComplete = false }
        continue
      }
      while column < step.column {
        try row.skipValue()
        column &+= 1
      }
      if try !set(index, step, from: &row, columns, in: &builder) { isComplete = false }
      column &+= 1
    }
    while column < columns.columnCount {
      try row.skipValue()
      column &+= 1
    }
    return isComplete ? finished(builder) : nil
  }

  /// Reads the shape of the next object, and its type if needed, and returns its columns.
  @inline(__always)
  private mutating func columns(of row: inout RowReader, at position: ObjectPosition) throws
    -> RowColumns
  {
    let start = row
    let number = try row.zigzag()
    let index = position.number
    if number != 0, index < lastColumns.count, lastColumns[index].shapeNumber == number,
      let last = lastColumns[index].columns
    {
      let asks = lastColumns[index].asksForTypename
      let typename = asks ? try row.typename(at: last.typenamePosition) : nil
      if last.isForObjects(ofType: typename) { return last }
    }
    row = start
    return try otherColumns(of: &row, at: position, shapeNumber: number)
  }

  @inline(never)
  private mutating func otherColumns(
    of row: inout RowReader, at position: ObjectPosition, shapeNumber: Int64
  ) throws -> RowColumns {
    let shape = try row.shapeOrNumber()
    let asks = position.staticTypename == nil
    let typename = asks ? try row.typename(at: shape.typenamePosition) : nil
    while lastColumns.count <= position.number { lastColumns.append(ColumnCache()) }
    if let last = lastColumns[position.number].columns,
      last.areColumns(of: shape, typename: typename)
    {
      return last
    }
    let columns = plan.columns(at: position, forTypename: typename, shape)
    lastColumns[position.number] = ColumnCache(
      shapeNumber: shapeNumber, asksForTypename: asks, columns: columns)
    return columns
  }

  /// Sets a field to the next value. Returns `false` if something is missing.
  @inline(__always)
  private mutating func set(
    _ index: Int, _ step: RowColumns.Step, from row: inout RowReader, _ columns: RowColumns,
    in builder: inout ResponseObjectBuilder
  ) throws -> Bool {
    let start = row
    let isSet: Bool
    switch (step.kind, try row.tag()) {
    case (.leaf, .string): isSet = builder.set(index, text: try row.textBytes())
    case (.leaf, .int): isSet = builder.set(index, SlotContents(try row.zigzag()))
    case (.leaf, .double): isSet = builder.set(index, .double(try row.double()))
    case (.leaf, .true): isSet = builder.set(index, .bool(true))
    case (.leaf, .false): isSet = builder.set(index, .bool(false))
    case (_, .null): isSet = builder.set(index, .null)
    case (.leaves, .list):
      isSet = try strings(in: &row).map { builder.set(index, .strings($0)) } ?? false
    case (.object, .reference), (.object, .object), (.objects, .list), (.nullableObjects, .list):
      row = start
      return try setObjects(index, step, from: &row, in: &builder)
    default: isSet = false
    }
    if isSet { return true }
    row = start
    return try set(index, to: try row.value(), columns.layout, in: &builder)
  }

  /// Reads a list of strings. Returns `nil` for any other list.
  private func strings(in row: inout RowReader) throws -> [String]? {
    let count = try row.count()
    var strings: [String] = []
    strings.reserveCapacity(count)
    for _ in 0..<count {
      guard try row.nextTag() == .string else { return nil }
      _ = try row.tag()
      strings.append(String(paddedBytes: try row.textBytes()))
    }
    return strings
  }

  // MARK: - Objects in objects

  /// Sets a field to the next object or list of objects.
  private mutating func setObjects(
    _ index: Int, _ step: RowColumns.Step, from row: inout RowReader,
    in builder: inout ResponseObjectBuilder
  ) throws -> Bool {
    guard !givesUp else {
      try row.skipValue()
      return false
    }
    guard let position = step.position else {
      preconditionFailure("A field with objects has a position.")
    }
    return try step.field._withUnsafeGuaranteedRef { field in
      try position._withUnsafeGuaranteedRef { position in
        try setObjects(index, step.kind, of: field, at: position, from: &row, in: &builder)
      }
    }
  }

  @inline(__always)
  private mutating func setObjects(
    _ index: Int, _ kind: RowColumns.Kind, of field: RecordField, at position: ObjectPosition,
    from row: inout RowReader, in builder: inout ResponseObjectBuilder
  ) throws -> Bool {
    try at(.field(field.responseKey)) { reader in
      switch kind {
      case .object:
        guard let object = try reader.element(in: &row, at: position, field) else {
          return reader.mayBeNil(field)
        }
        return builder.set(index, object: object)
      case .objects:
        guard let objects = try reader.elements(in: &row, at: position, field) else {
          return reader.mayBeNil(field)
        }
        return builder.set(index, objects: objects)
      default:
        guard let objects = try reader.nullableElements(in: &row, at: position, field) else {
          return reader.mayBeNil(field)
        }
        return builder.set(index, nullableObjects: objects)
      }
    }
  }

  /// Reads the next object: a reference to its record, or the object itself.
  private mutating func element(
    in row: inout RowReader, at position: ObjectPosition, _ field: RecordField
  ) throws -> ResponseObject? {
    if try row.tag() == .reference {
      let bytes = try row.textBytes()
      let hash = KeyHash.hash(bytes)
      let known = known.object(
        ofRecord: bytes, hash: hash, atPosition: position.number, page: pageNumber)
      if let known { return known }
      let key = RecordKey(ObjectIdentity.make(bytes, hash: hash))
      return try elsewhere { try $0.unknownObject(of: key, at: position) }
    }
    return try embedded(in: field) { reader in
      try row.nested { try reader.object(in: &$0, at: position) }
    }
  }

  private mutating func elements(
    in row: inout RowReader, at position: ObjectPosition, _ field: RecordField
  ) throws -> [ResponseObject]? {
    _ = try row.tag()
    let count = try row.count()
    var objects: [ResponseObject] = []
    objects.reserveCapacity(count)
    for index in 0..<count {
      guard !givesUp else {
        try row.skipValue()
        continue
      }
      let object = try at(.index(index)) { reader in
        switch try row.nextTag() {
        case .reference, .object: return try reader.element(in: &row, at: position, field)
        default: return try reader.nonNullObject(of: try row.value(), at: position, field)
        }
      }
      if let object { objects.append(object) }
    }
    return complete(objects, count)
  }

  private mutating func nullableElements(
    in row: inout RowReader, at position: ObjectPosition, _ field: RecordField
  ) throws -> [ResponseObject?]? {
    _ = try row.tag()
    let count = try row.count()
    var objects: [ResponseObject?] = []
    objects.reserveCapacity(count)
    for index in 0..<count {
      guard !givesUp else {
        try row.skipValue()
        continue
      }
      try at(.index(index)) { reader in
        switch try row.nextTag() {
        case .reference, .object:
          if let object = try reader.element(in: &row, at: position, field) {
            objects.append(object)
          } else if reader.keepsPartialData {
            objects.append(nil)
          }
        default: try reader.append(try row.value(), to: &objects, at: position, field)
        }
      }
    }
    return objects.count == count ? objects : nil
  }
}
