package import ApolloAPI

/// Makes response objects from records, with the layouts that the decoder would have given them.
///
/// It goes as deep as the selections do, never as deep as the data: cycles and chains of references do it no harm. What does not fit the
/// selections is a miss. It notes every field it looked for, and whose error it met.
package struct ObjectReader {
  private let records: any RecordSnapshot
  private let keys: FieldKeys
  private let servesFailures: Bool

  private var layouts: [ObjectIdentifier: RecordLayout] = [:]
  private var lastLayout: RecordLayout?
  private var position = ReadingPosition()

  package private(set) var dependencies = Dependencies()
  package private(set) var misses: [CacheMiss] = []
  package private(set) var errors: [GraphQLError] = []

  /// - Parameters:
  ///   - servesFailures: whether a field that the server could not answer is served as null, with its error; otherwise it is a miss.
  package init(_ records: any RecordSnapshot, keys: FieldKeys, servesFailures: Bool) {
    self.records = records
    self.keys = keys
    self.servesFailures = servesFailures
  }

  /// Enough is missing to say so.
  private var givesUp: Bool { misses.count >= mostMissesTold }

  /// The object of a record, or nil if something is missing.
  ///
  /// - Throws: what the cache throws.
  package mutating func object(of key: RecordKey, at place: Place) throws -> ResponseObject? {
    position.record = key
    position.field = nil
    guard let fields = try fields(of: key, at: place) else {
      dependencies.insert(recordLayout(place.layout(forTypename: nil)).shape, of: key)
      miss(.noRecord, .typename)
      return nil
    }
    let layout = recordLayout(place.layout(forTypename: fields.typename(at: place)))
    dependencies.insert(layout.shape, of: key)
    return try object(of: fields, layout)
  }

  /// Where the type is known without the record, only the fields of that type are asked for: a root may have a million.
  private mutating func fields(of key: RecordKey, at place: Place) throws -> FieldMap? {
    guard place.staticTypename != nil else { return try records.fields(of: key) }
    let wanted = recordLayout(place.layout(forTypename: nil)).shape.fields
    return try records.fields(of: key, among: wanted)
  }

  private mutating func recordLayout(_ layout: ObjectLayout) -> RecordLayout {
    if let lastLayout, lastLayout.layout === layout { return lastLayout }
    let record = layouts[ObjectIdentifier(layout)] ?? RecordLayout(layout, keys: keys)
    layouts[ObjectIdentifier(layout)] = record
    lastLayout = record
    return record
  }

  private mutating func miss(_ reason: CacheMiss.Reason, _ field: FieldKey) {
    let address = FieldAddress(record: position.record, field: position.field ?? field)
    misses.append(CacheMiss(path: position.path, address: address, reason: reason))
  }
}

/// Where a reader is: in the response, and in the cache.
private struct ReadingPosition {
  var path: [PathEntry] = []
  var record = RecordKey.queryRoot
  /// The field of the record that embeds the object that is being read, if one does.
  var field: FieldKey?
}

extension FieldMap {
  /// The name of the object's type, where the place leaves it open.
  fileprivate func typename(at place: Place) -> String? {
    guard place.staticTypename == nil, case .string(let name)? = self[.typename] else { return nil }
    return name
  }
}

// MARK: - Objects

extension ObjectReader {
  private mutating func object(of fields: FieldMap, _ layout: RecordLayout) throws -> ResponseObject? {
    var builder = ResponseObjectBuilder(layout.layout)
    var isComplete = true
    for (index, field) in layout.layout.fields.enumerated() {
      guard !givesUp else { return nil }
      position.path.append(.field(field.responseKey))
      let isSet = try set(index, field, from: fields, layout.shape.fields[layout.positions[index]], in: &builder)
      position.path.removeLast()
      if !isSet { isComplete = false }
    }
    return isComplete ? try? builder.finish() : nil  // every field is set
  }

  /// What a field is to be set to.
  private enum Content {
    case null
    case leaf(JSONValue)
    case objects(ObjectTree)
  }

  /// Sets a field; says whether that was possible.
  private mutating func set(
    _ index: Int, _ field: FieldLayout, from fields: FieldMap, _ key: FieldKey,
    in builder: inout ResponseObjectBuilder
  ) throws -> Bool {
    guard let value = fields[key] else {
      miss(.noField, key)
      return false
    }
    guard let content = try content(of: value, field, key) else { return false }
    do throws(ResponseError) {
      switch content {
      case .null: try builder.setNull(index)
      case .leaf(let leaf): try builder.set(index, leaf: leaf)
      case .objects(let objects): try builder.set(index, objects: objects)
      }
      return true
    } catch {
      miss(error.problem == .nullValue ? .unexpectedNull : .mismatch, key)
      return false
    }
  }

  private mutating func content(of value: CacheValue, _ field: FieldLayout, _ key: FieldKey) throws -> Content? {
    if case .null = value { return .null }
    if case .failure(let failure) = value { return serve(failure, key) ? .null : nil }
    if let place = field.place {
      return try objects(of: value, at: place, key, rank: field.listRank).map(Content.objects)
    }
    guard let leaf = value.leaf else {
      miss(.mismatch, key)
      return nil
    }
    return .leaf(leaf)
  }

  /// Notes a failure as an error, or as a miss; says whether null is to be served for it.
  private mutating func serve(_ failure: FieldFailure, _ key: FieldKey) -> Bool {
    guard servesFailures else {
      miss(.failed(message: failure.message), key)
      return false
    }
    errors.append(
      GraphQLError(message: failure.message, path: position.path, extensions: failure.extensions.objectValue))
    return true
  }

  /// The objects of a field in the lists they are in, or nil if something is missing.
  private mutating func objects(
    of value: CacheValue, at place: Place, _ key: FieldKey, rank: Int
  ) throws -> ObjectTree? {
    switch value {
    case .null: return .null
    case .failure(let failure): return serve(failure, key) ? .null : nil
    case .list(let elements) where rank > 0:
      return try list(of: elements, at: place, key, rank: rank - 1)
    case .reference(let record) where rank == 0:
      let outer = (position.record, position.field)
      defer { (position.record, position.field) = outer }
      return try object(of: record, at: place).map(ObjectTree.object)
    case .object(let fields) where rank == 0:
      let outer = position.field
      position.field = outer ?? key
      defer { position.field = outer }
      let layout = recordLayout(place.layout(forTypename: fields.typename(at: place)))
      return try object(of: fields, layout).map(ObjectTree.object)
    default:
      miss(.mismatch, key)
      return nil
    }
  }

  private mutating func list(
    of elements: [CacheValue], at place: Place, _ key: FieldKey, rank: Int
  ) throws -> ObjectTree? {
    try records.prepare(elements.compactMap(\.referencedKey))
    var objects: [ObjectTree] = []
    objects.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      guard !givesUp else { return nil }
      position.path.append(.index(index))
      let object = try self.objects(of: element, at: place, key, rank: rank)
      position.path.removeLast()
      if let object { objects.append(object) }
    }
    return objects.count == elements.count ? .list(objects) : nil
  }
}

extension CacheValue {
  fileprivate var referencedKey: RecordKey? {
    if case .reference(let key) = self { key } else { nil }
  }
}
