package import ApolloAPI

/// An object of a response that is kept as it was decoded, as the fields of a record or of an
/// embedded object.
///
/// Nothing is copied to keep it, and whoever reads the same selection is given the very object. It
/// holds other objects too: those that have names (their keys) are only what their records were
/// when it was written, so who reads looks up each of these.
package struct RecordedObject: Sendable {
  package let object: ResponseObject
  /// It is plain: the fields of the shape are those of the object, one by one.
  package let layout: RecordLayout

  package init(_ object: ResponseObject, _ layout: RecordLayout) {
    assert(layout.isPlain, "Only plain objects can be kept as they are.")
    self.object = object
    self.layout = layout
  }

  package var shape: RecordShape { layout.shape }

  /// What the field at a position of the shape holds.
  package func value(at index: Int) -> CacheValue {
    let contents = object.contents(ofField: index)
    return CacheValue(contents, rank: layout.fields[index].rank, layout.value(ofChild:)) ?? .null
  }

  /// What all fields hold, in the order of the shape.
  package var values: ContiguousArray<CacheValue> {
    ContiguousArray(layout.fields.indices.lazy.map(value(at:)))
  }
}

extension RecordLayout {
  /// What a record keeps of an object of this layout, whose children are complete and have their
  /// names.
  package func fieldMap(of object: ResponseObject) -> FieldMap {
    guard !isPlain else { return FieldMap(RecordedObject(object, self)) }
    // Some fields are aliases of one, or there are more than a shape can have.
    var merger = RecordMerger()
    var map = FieldMap()
    for (index, field) in fields.enumerated() {
      let contents = object.contents(ofField: index)
      guard let value = CacheValue(contents, rank: field.rank, value(ofChild:)) else { continue }
      merger.merge(FieldMap([(field.key, value)]), into: &map)
    }
    return map
  }

  /// What a record keeps of an object in it: a reference if it has a name, or its fields.
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
  /// What a record keeps of a slot; nil where nothing is in it.
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
