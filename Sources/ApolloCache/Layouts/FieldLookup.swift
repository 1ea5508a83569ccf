internal import ApolloAPI

/// The records to which the arguments of a field lead (`@fieldPolicy`), for a field without a known
/// value.
package indirect enum FieldLookup: Sendable {
  /// The candidates for an object: one record for each type that it may have.
  case object([RecordKey])
  /// The candidates for each element of a list. No element is without candidates.
  case list([[RecordKey]])
  /// The decision of the program's provider, which depends on the path of the field, and the lookup
  /// of the schema where the provider decides nothing.
  case provided(ProvidedLookup, otherwise: FieldLookup?)

  /// Creates the lookup of a field, or `nil` if no policy applies to it.
  init?(
    _ field: FieldLayout, of layout: ObjectLayout, keys: FieldKeys,
    cacheKeyForObject: CacheKeyForObject?
  ) {
    guard let position = field.position else { return nil }
    let query = FieldPolicyQuery(
      field: field, layout: layout, type: position.sources[0].parentType,
      cacheKeyForObject: cacheKeyForObject)
    guard let lookup = query.lookup({ keys.arguments(of: field) }) else { return nil }
    self = lookup
  }
}

/// The search for the policy of one field of one layout.
private struct FieldPolicyQuery {
  let field: FieldLayout
  let layout: ObjectLayout
  /// The type of the field's objects in the schema.
  let type: String
  let cacheKeyForObject: CacheKeyForObject?

  private var schema: any SchemaMetadata.Type { layout.position.plan.schema }

  /// Returns the lookup of the program's provider, if there is one, and that of the schema.
  func lookup(_ arguments: () -> [String: JSONValue]) -> FieldLookup? {
    guard schema.configuration is any FieldPolicy.Provider.Type, field.listRank < 2 else {
      return lookupOfSchema(arguments)
    }
    let provided = ProvidedLookup(
      schema: schema, field: described, isList: field.listRank == 1,
      inputData: FieldPolicy.InputData(arguments()))
    return .provided(provided, otherwise: lookupOfSchema(arguments))
  }

  /// The field, for a provider.
  private var described: FieldPolicy.Field {
    FieldPolicy.Field(
      name: field.name, alias: field.responseKey == field.name ? nil : field.responseKey,
      parentType: layout.typename ?? layout.position.sources.first?.parentType, type: type)
  }

  private func lookupOfSchema(_ arguments: () -> [String: JSONValue]) -> FieldLookup? {
    let parents = [layout.typename].compactMap { $0 } + layout.position.sources.map(\.parentType)
    guard let names = schema.types.keyArguments(ofField: field.name, on: parents) else {
      return nil
    }
    return lookup(by: KeyArguments(names, in: arguments()))
  }

  // MARK: - By arguments

  private func lookup(by arguments: KeyArguments?) -> FieldLookup? {
    guard let arguments else { return nil }
    switch field.listRank {
    case 0:
      let keys = keys(arguments)
      return keys.isEmpty ? nil : .object(keys)
    case 1:
      let elements = arguments.elements()?.map(keys)
      return elements.flatMap { $0.contains(where: \.isEmpty) ? nil : .list($0) }
    default: return nil
    }
  }

  /// Returns one key for each type that the object may have, each once.
  private func keys(_ arguments: KeyArguments) -> [RecordKey] {
    let types = schema.types
    let interface = types.interface(named: type)
    var keys: [RecordKey] = []
    for name in types.possibleTypes(of: type) {
      let object = types.object(named: name) ?? Object(typename: name)
      let key = key(object, arguments, keyFields: object.keyFields ?? interface?.keyFields)
      if let key, !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  /// Returns the key that ``CacheKeyResolver`` would give an object of a type whose key fields have
  /// the values of the arguments.
  private func key(_ type: Object, _ arguments: KeyArguments, keyFields: [String]?) -> RecordKey? {
    let object = ObjectData(arguments.members(keyFields, typename: type.typename))
    if let key = cacheKeyForObject?(object), !key.isEmpty { return RecordKey(key) }
    if let info = schema.cacheKeyInfo(for: type, object: object) {
      return info.id.isEmpty
        ? nil : RecordKey("\(info.uniqueKeyGroup ?? type.typename):\(info.id)")
    }
    let id = RecordKey.id(keyFields.map { fields in fields.map { object[$0] } } ?? arguments.values)
    return id.map { RecordKey("\(type.typename):\($0)") }
  }
}

/// The question to a provider about one field, with the values of its arguments.
package struct ProvidedLookup: Sendable {
  fileprivate let schema: any SchemaMetadata.Type
  fileprivate let field: FieldPolicy.Field
  fileprivate let isList: Bool
  fileprivate let inputData: FieldPolicy.InputData

  /// Returns the provider's decision for the field at a path of the response.
  func lookup(_ path: ResponsePath) -> FieldLookup? {
    guard let provider = schema.configuration as? any FieldPolicy.Provider.Type else { return nil }
    if isList {
      return provider.cacheKeyList(for: field, inputData: inputData, path: path).map {
        .list($0.map(keys(of:)))
      }
    }
    return provider.cacheKey(for: field, inputData: inputData, path: path).map {
      .object(keys(of: $0))
    }
  }

  private func keys(of info: CacheKeyInfo) -> [RecordKey] {
    if let group = info.uniqueKeyGroup { return [RecordKey("\(group):\(info.id)")] }
    return schema.types.possibleTypes(of: field.type).map { RecordKey("\($0):\(info.id)") }
  }
}

/// The values of the arguments that identify an object, in the order of the policy.
private struct KeyArguments {
  /// The names of the arguments, such as `id` for `input.id`.
  private let names: [String]
  let values: [JSONValue]

  private init(names: [String], values: [JSONValue]) {
    self.names = names
    self.values = values
  }

  /// Creates the values, or `nil` if one of the arguments is missing.
  init?(_ paths: [String], in arguments: [String: JSONValue]) {
    var values: [JSONValue] = []
    for path in paths {
      var value = JSONValue.object(arguments)
      for part in path.split(separator: ".") {
        guard let member = value.objectValue?[String(part)], !member.isNull else { return nil }
        value = member
      }
      values.append(value)
    }
    guard !values.isEmpty else { return nil }
    names = paths.map { path in path.split(separator: ".").last.map(String.init) ?? path }
    self.values = values
  }

  /// Returns the arguments for each element of the arguments that are lists, or `nil` if none is a
  /// list or their lengths differ.
  func elements() -> [KeyArguments]? {
    let counts = Set(values.compactMap(\.arrayValue?.count))
    guard counts.count == 1, let count = counts.first else { return nil }
    return (0..<count).map { index in
      KeyArguments(names: names, values: values.map { $0.arrayValue?[index] ?? $0 })
    }
  }

  /// Returns an object with the values in its key fields: by name if the names are those of the
  /// arguments, otherwise by order.
  func members(_ keyFields: [String]?, typename: String) -> [String: JSONValue] {
    var members = Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })
    if let keyFields, keyFields.count == names.count, Set(keyFields) != Set(names) {
      for (field, value) in zip(keyFields, values) { members[field] = value }
    }
    members["__typename"] = .string(typename)
    return members
  }
}
