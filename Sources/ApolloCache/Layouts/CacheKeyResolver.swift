public import ApolloAPI

/// A closure that gives objects their keys before the schema's configuration does, as in Apollo iOS
/// before 1.0.
///
/// ```swift
/// store.cacheKeyForObject = { object in (object["id"]?.stringValue).map { "Object:\($0)" } }
/// ```
///
/// It returns the whole key, or `nil` to leave the decision to the schema.
public typealias CacheKeyForObject = @Sendable (ObjectData) -> String?

/// The keys of the objects of one layout.
///
/// The first of these that returns a key decides:
///
/// 1. ``CacheKeyForObject``
/// 2. the schema's `cacheKeyInfo(for:object:)`
/// 3. the key fields of the object's type
/// 4. the key fields of an interface on which the selection was made
///
/// An object without a key is embedded in its parent.
///
/// - Note: It is a class so that copying it counts one reference instead of one for each property.
package final class CacheKeyResolver: Sendable {
  private let schema: any SchemaMetadata.Type
  private let cacheKeyForObject: CacheKeyForObject?
  private let type: Object?
  private let keyFields: KeyFields?
  private let interfaceKeyFields: [String]?

  package init(_ layout: ObjectLayout, cacheKeyForObject: CacheKeyForObject?) {
    self.cacheKeyForObject = cacheKeyForObject
    schema = layout.position.plan.schema
    let types = schema.types
    type = layout.typename.map { types.object(named: $0) ?? Object(typename: $0) }
    interfaceKeyFields =
      layout.position.sources.lazy
      .compactMap { types.interface(named: $0.parentType)?.keyFields }.first
    keyFields = (type?.keyFields ?? interfaceKeyFields).flatMap { KeyFields($0, in: layout) }
  }

  /// Returns the key of `object`, or `nil` if it has none.
  package func key(of object: ResponseObject) -> RecordKey? {
    let text = KeyText()
    guard write(keyOf: object, to: text) else { return nil }
    return RecordKey(ObjectIdentity.make(text.bytes, hash: KeyHash.hash(text.bytes)))
  }

  /// Returns the response keys of the fields on which the key of `object` depends, or `nil` if it
  /// has no key.
  func identifyingKeys(of object: ResponseObject) -> Set<String>? {
    let reads = NotedReads(object)
    let data = ObjectData(reads)
    if let key = cacheKeyForObject?(data), !key.isEmpty { return reads.keys }
    guard let type = type ?? object.typename.map({ Object(typename: $0) }) else { return nil }
    if let info = schema.cacheKeyInfo(for: type, object: data) {
      return info.id.isEmpty ? nil : reads.keys
    }
    guard let keyFields, keyFields.id(of: object) != nil else { return nil }
    return reads.keys.union(keyFields.responseKeys(of: object))
  }

  /// Writes the key of `object` without making a string. Returns `false` if it has none.
  package func write(keyOf object: ResponseObject, to text: KeyText) -> Bool {
    if let key = cacheKeyForObject?(ObjectData(object)), !key.isEmpty {
      text.write(key)
      return true
    }
    if let type { return write(keyOf: object, type, to: text) }
    // A type that the generated code does not know is treated as an object without interfaces.
    return object.typename.map { write(keyOf: object, Object(typename: $0), to: text) } ?? false
  }

  private func write(keyOf object: ResponseObject, _ type: Object, to text: KeyText) -> Bool {
    if let info = schema.cacheKeyInfo(for: type, object: ObjectData(object)) {
      guard !info.id.isEmpty else { return false }
      text.write(info.uniqueKeyGroup ?? type.typename, id: info.id)
      return true
    }
    guard let id = keyFields?.id(of: object) else { return false }
    text.write(type.typename, id: id)
    return true
  }
}

/// Notes the response keys that a program's code reads to find a key.
private final class NotedReads: LeafSource {
  private let object: ResponseObject
  private let noted = Lock<Set<String>>([])

  init(_ object: ResponseObject) { self.object = object }

  var keys: Set<String> { noted.get() }

  func leafValue(forResponseKey key: String) -> JSONValue? {
    noted.withLock { _ = $0.insert(key) }
    return object.leafValue(forResponseKey: key)
  }
}

/// The fields of a layout that form the keys of its objects.
private struct KeyFields: Sendable {
  /// The indices of the fields in the layout.
  private let fields: [Int]

  /// Creates the key fields, or `nil` if the layout does not select all of them: its objects have
  /// no key.
  ///
  /// A field with arguments is no key field: its value depends on them, so it does not identify the
  /// object. The generator adds the key field without arguments, under an alias if need be.
  init?(_ names: [String], in layout: ObjectLayout) {
    var fields: [Int] = []
    for name in names {
      let index = layout.fields.firstIndex {
        $0.name == name && $0.position == nil && !$0.hasArguments
      }
      guard let index else { return nil }
      fields.append(index)
    }
    guard !fields.isEmpty else { return nil }
    self.fields = fields
  }

  /// Returns the response keys of the fields.
  func responseKeys(of object: ResponseObject) -> [String] {
    fields.map { object.layout.fields[$0].responseKey }
  }

  /// Returns the text of the values, or `nil` if they form no key.
  func id(of object: ResponseObject) -> String? {
    RecordKey.id(fields.map { object.writtenLeaf(ofField: $0) })
  }
}

extension RecordKey {
  /// Creates the key of an object of a type from the value of its only key field, or returns `nil`
  /// if the object has none.
  init?(
    of typename: String, id: JSONValue, _ schema: any SchemaMetadata.Type,
    _ cacheKeyForObject: CacheKeyForObject?
  ) {
    let type = schema.types.object(named: typename) ?? Object(typename: typename)
    let field = type.keyFields?.first ?? "id"
    let object = ObjectData(["__typename": .string(typename), field: id])
    if let key = cacheKeyForObject?(object), !key.isEmpty {
      self.init(key)
    } else if let info = schema.cacheKeyInfo(for: type, object: object) {
      guard !info.id.isEmpty else { return nil }
      self.init("\(info.uniqueKeyGroup ?? typename):\(info.id)")
    } else {
      guard let id = Self.id([id]) else { return nil }
      self.init("\(typename):\(id)")
    }
  }

  /// Returns the part of a key that identifies an object of its type, from the values of its key
  /// fields.
  ///
  /// Several values are joined by `+`, so that different values have different texts.
  ///
  /// - Returns: The text, or `nil` if a value is `null` or not a scalar, or the only value is
  ///   empty.
  static func id(_ values: [JSONValue?]) -> String? {
    if values.count == 1 { return text(of: values[0]).flatMap { $0.isEmpty ? nil : $0 } }
    var parts: [String] = []
    for value in values {
      guard let part = text(of: value) else { return nil }
      parts.append(part.escapingPlus)
    }
    return parts.joined(separator: "+")
  }

  private static func text(of value: JSONValue?) -> String? {
    switch value {
    case .string(let text): text
    case .int, .double, .decimal, .bool: value?.description
    case nil, .null, .array, .object: nil
    }
  }
}

extension String {
  /// The text with a backslash before each `+` and `\`, so that different lists of values have
  /// different texts.
  fileprivate var escapingPlus: String {
    guard utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "\\") }) else {
      return self
    }
    return flatMap { $0 == "+" || $0 == "\\" ? ["\\", $0] : [$0] }.map(String.init).joined()
  }
}
