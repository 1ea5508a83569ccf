internal import ApolloAPI

// Reading objects that are kept as they were decoded.

extension ObjectReader {
  /// Returns an object as it reads now: the same object if the records of the objects inside of it
  /// are unchanged.
  mutating func current(_ object: ResponseObject, _ layout: RecordLayout) throws
    -> ResponseObject?
  {
    guard !layout.objectFields.isEmpty else { return object }
    var newer: [(index: Int, contents: SlotContents)] = []
    var isComplete = true
    for index in layout.objectFields {
      guard !givesUp else { return nil }
      let field = layout.fields[index]
      let now = try at(.field(field.responseKey)) {
        try $0.current(object.contents(ofField: index), field)
      }
      switch now {
      case .same: break
      case .newer(let contents): newer.append((index, contents))
      case .missing where mayBeNil(field): newer.append((index, .missing))
      case .missing: isComplete = false
      }
    }
    guard isComplete else { return nil }
    return newer.isEmpty ? object : object.replacing(newer)
  }

  /// The current contents of a field.
  private enum Current {
    case same
    case newer(SlotContents)
    case missing
  }

  private mutating func current(_ contents: SlotContents, _ field: RecordField) throws -> Current {
    switch contents {
    case .object(let object):
      guard let now = try current(object, field) else { return .missing }
      return now === object ? .same : .newer(.object(now))
    case .objects(let objects):
      return try current(objects, field, SlotContents.objects)
    case .nullableObjects(let objects):
      return try current(objects, field, SlotContents.nullableObjects)
    case .tree(let tree):
      var isSame = true
      guard let now = try current(tree, field, level: 0, &isSame) else { return .missing }
      return isSame ? .same : .newer(.tree(now))
    default: return .same  // null
    }
  }

  private mutating func current<Element: ListedObject>(
    _ elements: [Element], _ field: RecordField, _ contents: ([Element]) -> SlotContents
  ) throws -> Current {
    var newer: [Element]?
    var isComplete = true
    for index in elements.indices {
      guard let object = elements[index].listed else { continue }
      guard !givesUp else { return .missing }
      let now = try at(.index(index)) { try $0.current(object, field) }
      guard let now else {
        if keepsPartialData, let missing = Element.missing {
          if newer == nil { newer = elements }
          newer?[index] = missing
        } else {
          isComplete = false
        }
        continue
      }
      if now !== object {
        if newer == nil { newer = elements }
        newer?[index] = Element(now)
      }
    }
    guard isComplete else { return .missing }
    return newer.map { .newer(contents($0)) } ?? .same
  }

  private mutating func current(
    _ tree: ObjectTree, _ field: RecordField, level: Int, _ isSame: inout Bool
  ) throws -> ObjectTree? {
    switch tree {
    case .null: return .null
    case .object(let object):
      guard let now = try current(object, field) else { return nil }
      isSame = isSame && now === object
      return .object(now)
    case .list(let elements):
      var now: [ObjectTree] = []
      for (index, element) in elements.enumerated() {
        guard !givesUp else { return nil }
        let element = try at(.index(index)) {
          try $0.current(element, field, level: level + 1, &isSame)
        }
        if let element {
          now.append(element)
        } else if keepsPartialData, field.mayBeNull(at: level + 1) {
          now.append(.null)
          isSame = false
        }
      }
      return now.count == elements.count ? .list(now) : nil
    }
  }

  /// One of the objects in an object.
  private mutating func current(_ object: ResponseObject, _ field: RecordField) throws
    -> ResponseObject?
  {
    try elsewhere {
      let layout = $0.plan.layout(of: object)
      guard let key = object.recordKey else {
        $0.field = $0.field ?? field.key
        let counts = $0.issueCounts
        let now = try $0.current(object, layout)
        guard $0.mergesPages, let now, !layout.listFields.isEmpty else { return now }
        return try $0.merged(now, among: .embedded(layout.fieldMap(of: object)), since: counts)
      }
      guard $0.records.holds(object, layout, under: key) else {
        return try $0.object(of: key, at: object.layout.position)
      }
      guard $0.remembersObjects else {
        $0.noteVisit()
        return try $0.kept(object, layout, key)
      }
      return try $0.remembered(object, layout, key)
    }
  }

  /// Returns the object of a record that is kept as it was decoded.
  private mutating func kept(
    _ object: ResponseObject, _ layout: RecordLayout, _ key: RecordKey
  ) throws -> ResponseObject? {
    record = key
    field = nil
    dependencies.insert(layout, of: key)
    let counts = issueCounts
    let now = try current(object, layout)
    guard mergesPages, let now else { return now }
    return try merged(now, among: .record(key), since: counts)
  }

  /// Returns the object of such a record, which may have been read before at this position.
  @inline(never)
  private mutating func remembered(
    _ object: ResponseObject, _ layout: RecordLayout, _ key: RecordKey
  ) throws -> ResponseObject? {
    let position = object.layout.position.number
    let known = key.identity.withBytes {
      self.known.object(
        ofRecord: $0, hash: key.identity.hash, atPosition: position, page: pageNumber)
    }
    if let known { return known }
    let counts = (issues.count, pathUseCount)
    let now = try kept(object, layout, key)
    // As in `unknownObject`: the path may have decided about an object inside.
    if let now, (issues.count, pathUseCount) == counts {
      self.known.insert(now, ofRecord: key, atPosition: position, page: pageNumber)
    }
    return now
  }
}

/// An element of a list of objects: an object, or an object or null.
private protocol ListedObject {
  /// The object, or `nil` for a null.
  var listed: ResponseObject? { get }
  /// The element in place of an object that is missing, or `nil` if the list cannot have one.
  static var missing: Self? { get }
  init(_ object: ResponseObject)
}

extension ResponseObject: ListedObject {
  fileprivate var listed: ResponseObject? { self }
  fileprivate static var missing: Self? { nil }
  fileprivate init(_ object: ResponseObject) { self = object }
}

extension ResponseObject?: ListedObject {
  fileprivate var listed: ResponseObject? { self }
  fileprivate static var missing: Self? { .some(nil) }
}
