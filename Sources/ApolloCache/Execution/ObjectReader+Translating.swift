internal import ApolloAPI

// Reading objects that another selection wrote, and that are kept as they were decoded.

extension ObjectReader {
  /// Makes an object of one that is kept in another layout.
  mutating func object(of kept: ResponseObject, _ translation: LayoutTranslation) throws
    -> ResponseObject?
  {
    var builder = ResponseObjectBuilder(translation.wanted.layout)
    builder.copy(translation.leaves, of: kept)
    var isComplete = true
    for field in translation.others {
      if try !set(field, to: kept, translation, in: &builder) { isComplete = false }
    }
    return isComplete ? finished(builder) : nil
  }

  /// Sets a field that cannot simply be copied. Returns `false` if something is missing or does not
  /// fit.
  private mutating func set(
    _ translated: LayoutTranslation.Field, to kept: ResponseObject,
    _ translation: LayoutTranslation, in builder: inout ResponseObjectBuilder
  ) throws -> Bool {
    let wanted = translation.wanted
    guard let sourceIndex = translated.sourceIndex else {
      return try set(translated.index, to: nil, wanted, in: &builder)
    }
    let field = wanted.fields[translated.index]
    let contents = kept.contents(ofField: sourceIndex)
    guard let position = field.position, !Records.canReadPartially else {
      return try setConverted(translated, contents, translation, in: &builder)
    }
    guard !givesUp else { return false }
    let child = Child(translation: translation, position: position, field: field)
    switch (contents, field.rank) {
    case (.object(let object), 0):
      let object = try at(.field(field.responseKey)) { reader in
        try reader.elsewhere { try $0.object(in: object, child, outside: $0.place) }
      }
      guard let object else { return mayBeNil(field) }
      return builder.set(translated.index, object: object)
    case (.objects(let objects), 1) where field.hasNonNullElements:
      let objects = try at(.field(field.responseKey)) { try $0.objects(in: objects, child) }
      guard let objects else { return mayBeNil(field) }
      return builder.set(translated.index, objects: objects)
    case (.nullableObjects(let objects), 1) where !field.hasNonNullElements:
      let objects = try at(.field(field.responseKey)) { try $0.objects(in: objects, child) }
      guard let objects else { return mayBeNil(field) }
      return builder.set(translated.index, nullableObjects: objects)
    default: return try setConverted(translated, contents, translation, in: &builder)
    }
  }

  /// Sets a field to contents that are converted to the value of a record first.
  @inline(never)
  private mutating func setConverted(
    _ translated: LayoutTranslation.Field, _ contents: SlotContents,
    _ translation: LayoutTranslation, in builder: inout ResponseObjectBuilder
  ) throws -> Bool {
    let value = translated.sourceIndex.flatMap { translation.source.value(contents, at: $0) }
    return try set(translated.index, to: value ?? .null, translation.wanted, in: &builder)
  }
}

// MARK: - The objects in an object

/// The field of an object whose objects are read.
private struct Child {
  /// The translation of the object with the field.
  let translation: LayoutTranslation
  /// The position of the field's objects.
  let position: ObjectPosition
  let field: RecordField
}

extension ObjectReader {
  /// Reads the objects of a list. The record and field outside of them are saved once for all.
  private mutating func objects(in kept: [ResponseObject], _ child: Child) throws
    -> [ResponseObject]?
  {
    var objects: [ResponseObject] = []
    objects.reserveCapacity(kept.count)
    try elsewhere { reader in
      let outside = reader.place
      for (index, object) in kept.enumerated() {
        guard !reader.givesUp else { return }
        let object = try reader.at(.index(index)) {
          try $0.object(in: object, child, outside: outside)
        }
        if let object { objects.append(object) }
      }
    }
    return complete(objects, kept.count)
  }

  private mutating func objects(in kept: [ResponseObject?], _ child: Child) throws
    -> [ResponseObject?]?
  {
    var objects: [ResponseObject?] = []
    objects.reserveCapacity(kept.count)
    try elsewhere { reader in
      let outside = reader.place
      for (index, object) in kept.enumerated() {
        guard !reader.givesUp else { return }
        guard let object else {
          objects.append(nil)
          continue
        }
        let read = try reader.at(.index(index)) {
          try $0.object(in: object, child, outside: outside)
        }
        if let read { objects.append(read) } else if reader.keepsPartialData { objects.append(nil) }
      }
    }
    return objects.count == kept.count ? objects : nil
  }

  /// Reads an object of a kept object: that of a record, or an embedded one.
  private mutating func object(
    in kept: ResponseObject, _ child: Child, outside: Place
  ) throws -> ResponseObject? {
    if let key = kept.recordKey { return try object(of: key, at: child.position) }
    // The object before it in a list may have been that of a record.
    if field == nil || !place.isInRecord(of: outside) { place = outside }
    if field == nil { field = child.field.key }
    let embedded = child.translation.embedded(kept, at: child.position, in: plan)
    if let translation = embedded.translation {
      let counts = issueCounts
      let object = try object(of: kept, translation)
      guard mergesPages, let object, !translation.wanted.listFields.isEmpty else {
        return object
      }
      let fields = embedded.layout.fieldMap(of: kept)
      return try merged(object, among: .embedded(fields), since: counts)
    }
    let fields = embedded.layout.fieldMap(of: kept)
    return try embeddedObject(of: fields, plan.layout(at: child.position, for: fields))
  }
}
