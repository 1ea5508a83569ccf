// The memory of a map, in its three forms. The example is the record
// `{"__typename": "Human", "name": "Leia Organa", "height": 1.5}`.
//
//     object    ┌────────┬────────┐      one selection has all of the fields: nothing is copied
//               │ object │ layout │
//               └───┼────┴───┼────┘
//                   │        └──▶ RecordLayout ──▶ RecordShape [__typename, name, height]
//                   └──▶ ResponseObject: head, "Human", "Leia Organa", 1.5
//
//     shaped    ┌────────┬────────┐      several selections have written it
//               │ shape  │ values │
//               └───┼────┴───┼────┘
//                   │        └──▶ array ["Human", "Leia Organa", 1.5]
//                   └──▶ RecordShape [__typename, name, height], shared by all such records
//
//     overflow  ┌────────┐               more than 64 fields
//               │  trie  │
//               └───┼────┘
//                   └──▶ nodes of up to 16 branches, by four bits of a key's hash each;
//                        copies share nodes
//
// The value of a field is at the field's position in the shape. So two maps of one shape are merged
// pairwise, without comparing keys.

/// The fields of a record or of an embedded object, and their values.
///
/// It behaves like a dictionary. It is stored in one of three forms:
///
/// - as the object of a response as it was decoded, if one selection had all of the fields;
/// - as a shape, which all objects of a selection share, and an array of values;
/// - as a persistent map, if there are more fields than a shape may have, as in a query root after
///   a million different queries.
public struct FieldMap: Sendable {
  package enum Storage: Sendable {
    case object(RecordedObject)
    case shaped(RecordShape, ContiguousArray<CacheValue>)
    indirect case overflow(HashTrie<FieldKey, CacheValue>)
  }
  package var storage: Storage

  package init(_ object: RecordedObject) {
    storage = .object(object)
  }

  /// Indicates whether there are more fields than a shape may have.
  package var isOverflow: Bool {
    if case .overflow = storage { true } else { false }
  }

  /// The decoded object, if the fields are stored as one.
  package var object: RecordedObject? {
    if case .object(let object) = storage { object } else { nil }
  }

  /// Indicates whether a field may have failed. A decoded object has none that did.
  package var mayHaveFailures: Bool { object == nil }

  /// Creates a map of a shape and a value for each of its fields.
  package init(shape: RecordShape, values: ContiguousArray<CacheValue>) {
    assert(shape.fields.count == values.count, "A value for each field of the shape.")
    storage = .shaped(shape, values)
  }

  /// Creates a map without fields.
  public init() {
    self.init(shape: .empty, values: [])
  }

  /// Creates a map of these fields. If a key occurs twice, its last value counts.
  public init(_ fields: some Sequence<(FieldKey, CacheValue)>) {
    var positions: [FieldKey: Int] = [:]
    var keys: [FieldKey] = []
    var values: ContiguousArray<CacheValue> = []
    for (key, value) in fields {
      if let position = positions[key] {
        values[position] = value
      } else {
        positions[key] = keys.count
        keys.append(key)
        values.append(value)
      }
    }
    self.init(distinct: keys, values: values)
  }

  /// Creates a map of distinct keys and a value for each.
  ///
  /// - Precondition: No key occurs twice.
  package init(distinct keys: [FieldKey], values: ContiguousArray<CacheValue>) {
    guard keys.count > RecordShape.maximumFieldCount else {
      storage = .shaped(.of(keys), values)
      return
    }
    var map = HashTrie<FieldKey, CacheValue>()
    for (key, value) in zip(keys, values) { map.updateValue(value, forKey: key) }
    storage = .overflow(map)
  }
}

// MARK: - As a dictionary

extension FieldMap {
  /// The number of fields.
  public var count: Int {
    switch storage {
    case .object(let object): object.shape.fields.count
    case .shaped(let shape, _): shape.fields.count
    case .overflow(let map): map.count
    }
  }

  /// Indicates whether there are no fields.
  public var isEmpty: Bool { count == 0 }

  /// The value of a field, or `nil` if there is none. Assigning `nil` removes the field.
  ///
  /// - Complexity: O(1) on average to read a field or to replace its value, O(*n*) to add or remove
  ///   one.
  public subscript(key: FieldKey) -> CacheValue? {
    get {
      switch storage {
      case .object(let object): object.shape.position(of: key).map(object.value(at:))
      case .shaped(let shape, let values): shape.position(of: key).map { values[$0] }
      case .overflow(let map): map[key]
      }
    }
    set {
      if let newValue {
        update(key, to: newValue)
      } else if self[key] != nil {
        self = FieldMap(filter { $0.key != key }.map { ($0.key, $0.value) })
      }
    }
  }

  /// The value of `__typename`, if it is a string.
  package var typename: String? {
    let value: CacheValue?
    switch storage {
    case .object(let object): value = object.shape.typenamePosition.map(object.value(at:))
    case .shaped(let shape, let values): value = shape.typenamePosition.map { values[$0] }
    case .overflow(let map): value = map[.typename]
    }
    return if case .string(let typename)? = value { typename } else { nil }
  }

  private mutating func update(_ key: FieldKey, to value: CacheValue) {
    switch storage {
    case .object(let object):
      storage = .shaped(object.shape, object.values)
      update(key, to: value)
    case .shaped(let shape, var values):
      storage = .shaped(.empty, [])  // makes `values` the only owner
      if let position = shape.position(of: key) {
        values[position] = value
        storage = .shaped(shape, values)
      } else {
        values.append(value)
        self = FieldMap(distinct: shape.fields + [key], values: values)
      }
    case .overflow(var map):
      storage = .shaped(.empty, [])
      map.updateValue(value, forKey: key)
      storage = .overflow(map)
    }
  }

  /// Sets fields to one value.
  ///
  /// If some of them are new, all fields are sorted, as after a merge. Otherwise each order in
  /// which fields are added would make shapes of its own, which a file and a server keep.
  ///
  /// - Complexity: O(*n* log *n*) in the number of all fields, or O(*n*) in the number of `keys` if
  ///   none is new or there are more than 64 fields.
  package mutating func set(_ keys: [FieldKey], to value: CacheValue) {
    var new: Set<FieldKey> = []
    for key in keys {
      if isOverflow || self[key] != nil { self[key] = value } else { new.insert(key) }
    }
    guard !new.isEmpty else { return }
    var all = map { ($0.key, $0.value) }
    for key in new { all.append((key, value)) }
    self = FieldMap(all.sorted { $0.0 < $1.0 })
  }

  /// Removes fields.
  ///
  /// - Complexity: O(*n*) in the number of all fields, or of the removed ones if there are more
  ///   than 64 others.
  package mutating func removeAll(_ removed: Set<FieldKey>) {
    guard case .overflow(var map) = storage else {
      self = FieldMap(filter { !removed.contains($0.key) }.map { ($0.key, $0.value) })
      return
    }
    storage = .shaped(.empty, [])  // makes `map` the only owner
    for field in removed { map.removeValue(forKey: field) }
    storage = .overflow(map)
    guard map.count <= RecordShape.maximumFieldCount else { return }
    // Sorted as after a merge, so that maps of the same fields have one shape.
    self = FieldMap(sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// The keys of the fields, in no particular order.
  public var keys: [FieldKey] {
    switch storage {
    case .object(let object): object.shape.fields
    case .shaped(let shape, _): shape.fields
    case .overflow: map(\.key)
    }
  }
}

extension FieldMap: Sequence {
  /// A field and its value.
  public typealias Element = (key: FieldKey, value: CacheValue)

  /// Visits each field once, in no particular order.
  public func makeIterator() -> some IteratorProtocol<Element> {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    switch storage {
    case .object(let object):
      for (key, value) in zip(object.shape.fields, object.values) { elements.append((key, value)) }
    case .shaped(let shape, let values):
      for (key, value) in zip(shape.fields, values) { elements.append((key, value)) }
    case .overflow(let map):
      map.forEach { elements.append(($0, $1)) }
    }
    return elements.makeIterator()
  }
}

extension FieldMap: ExpressibleByDictionaryLiteral {
  /// Creates a map. If a key occurs twice, its last value counts.
  public init(dictionaryLiteral elements: (FieldKey, CacheValue)...) {
    self.init(elements)
  }
}

extension FieldMap: Hashable {
  /// Equal fields, whatever their order.
  public static func == (left: FieldMap, right: FieldMap) -> Bool {
    if case .object(let left) = left.storage, case .object(let right) = right.storage,
      left.layout.isSame(as: right.layout)
    {
      return left.isEqual(to: right)
    }
    if case .shaped(let leftShape, let leftValues) = left.storage,
      case .shaped(let rightShape, let rightValues) = right.storage, leftShape === rightShape
    {
      return leftValues == rightValues
    }
    return left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
  }

  /// Hashes the fields without regard to their order, as `==` compares them.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in self {
      var field = Hasher()
      field.combine(key)
      field.combine(value)
      sum &+= field.finalize()
    }
    hasher.combine(sum)
  }
}

extension FieldMap: CustomStringConvertible {
  /// The fields sorted by key, for logs.
  public var description: String {
    let fields = sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "{\(fields.joined(separator: ", "))}"
  }
}
