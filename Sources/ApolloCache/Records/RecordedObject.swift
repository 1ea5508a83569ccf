package import ApolloAPI

/// A decoded object that is kept as the fields of a record or of an embedded object.
///
/// Nothing is copied to keep it, and a reading of the same selection returns the very object. The
/// objects inside of it that have an identity are only what their records were when it was written,
/// so a reading looks up each of them.
package struct RecordedObject: Sendable {
  package let object: ResponseObject
  /// The layout of the record. It is plain: the fields of the shape are those of the object.
  package let layout: RecordLayout

  package init(_ object: ResponseObject, _ layout: RecordLayout) {
    assert(layout.isPlain, "Only plain objects can be kept as they are.")
    self.object = object
    self.layout = layout
  }

  package var shape: RecordShape { layout.shape }

  /// Returns the value of the field at a position of the shape.
  package func value(at index: Int) -> CacheValue {
    layout.value(object.contents(ofField: index), at: index) ?? .null
  }

  /// The values of all fields, in the order of the shape.
  package var values: ContiguousArray<CacheValue> {
    ContiguousArray(layout.fields.indices.lazy.map(value(at:)))
  }
}

extension RecordLayout {
  /// Returns the record fields of an object of this layout. Its children are complete and have
  /// their identities.
  package func fieldMap(of object: ResponseObject) -> FieldMap {
    guard !isPlain else { return FieldMap(RecordedObject(object, self)) }
    // Some fields are aliases of one, or there are more than a shape may have.
    var merger = RecordMerger()
    var map = FieldMap()
    for (index, field) in fields.enumerated() {
      let contents = object.contents(ofField: index)
      guard let value = CacheValue(contents, rank: field.rank, value(ofChild:)) else { continue }
      merger.merge(FieldMap([(field.key, value)]), into: &map)
    }
    return map
  }

  /// Returns the record value of a field of such an object, or `nil` if it is empty.
  func value(_ contents: SlotContents, at index: Int) -> CacheValue? {
    CacheValue(contents, rank: fields[index].rank, value(ofChild:))
  }

  /// Returns the record value of an object inside of another: a reference if it has an identity,
  /// otherwise its fields.
  fileprivate func value(ofChild child: ResponseObject) -> CacheValue {
    if let key = child.recordKey { return .reference(key) }
    return .object(layout(ofEmbedded: child).fieldMap(of: child))
  }
}

extension ResponseObject {
  /// The key of the record that the object is, or `nil` if it is embedded in another object.
  package var recordKey: RecordKey? { identity.map { RecordKey($0) } }
}

extension CacheValue {
  /// Creates the record value of a slot, or `nil` if the slot is empty.
  @inline(__always)
  init?(_ contents: SlotContents, rank: Int, _ child: (ResponseObject) -> CacheValue) {
    switch contents {
    case .missing: return nil
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(Int64(value))
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .strings(let values): self = .list(values.map(CacheValue.string))
    case .leaf(let value): self = CacheValue(leaf: value, rank: rank)
    case .object(let object): self = child(object)
    case .objects(let objects): self = .list(objects.map(child))
    case .nullableObjects(let objects): self = .list(objects.map { $0.map(child) ?? .null })
    case .tree(let tree): self = CacheValue(tree, child)
    }
  }

  private init(_ tree: ObjectTree, _ child: (ResponseObject) -> CacheValue) {
    switch tree {
    case .null: self = .null
    case .object(let object): self = child(object)
    case .list(let elements): self = .list(elements.map { CacheValue($0, child) })
    }
  }
}
