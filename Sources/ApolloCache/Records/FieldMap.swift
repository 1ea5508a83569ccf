/// The fields of a record or of an embedded object, and their values.
///
/// It behaves like a dictionary. Inside it is the object of a response as it was decoded; or, where
/// several responses told parts of it, a shape that is shared with all objects of the same selection
/// and an array of values; or, with more fields than a shape can have (a query root that was asked a
/// million things), a persistent map.
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

  /// Whether there are more fields than a shape can have.
  package var isOverflow: Bool {
    if case .overflow = storage { true } else { false }
  }

  /// The object that the fields are kept as, if they are.
  package var object: RecordedObject? {
    if case .object(let object) = storage { object } else { nil }
  }

  /// - Precondition: there is a value for each field of the shape.
  package init(shape: RecordShape, values: ContiguousArray<CacheValue>) {
    assert(shape.fields.count == values.count, "A value for each field of the shape.")
    storage = .shaped(shape, values)
  }

  /// Makes a map without fields.
  public init() {
    self.init(shape: .empty, values: [])
  }

  /// Makes a map of these fields. Where a key is given twice, the last value counts.
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

  /// - Precondition: the keys are distinct, and there is a value for each.
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
  /// How many fields there are.
  public var count: Int {
    switch storage {
    case .object(let object): object.shape.fields.count
    case .shaped(let shape, _): shape.fields.count
    case .overflow(let map): map.count
    }
  }

  /// Whether there is no field.
  public var isEmpty: Bool { count == 0 }

  /// The value of a field, or nil where the map has none. Assigning nil removes the field.
  ///
  /// - Complexity: O(1) on average to read, and to write a field that is there; O(*n*) to add or to
  ///   remove one.
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

  /// What `__typename` says, if it is there.
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
      storage = .shaped(.empty, [])  // so that `values` is the only owner
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

  /// The fields that have a value, in no particular order.
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
  /// Where a key is given twice, the last value counts.
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

  /// Hashes the fields whatever their order, as `==` ignores it.
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
  /// The fields sorted by key, for people.
  public var description: String {
    let fields = sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "{\(fields.joined(separator: ", "))}"
  }
}
