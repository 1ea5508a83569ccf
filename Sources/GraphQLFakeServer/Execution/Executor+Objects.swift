import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax

// Objects with a key are those of a pool for each type, so that lists and single fields lead to the
// same objects. Objects without a key belong to the field that leads to them.

extension Executor {
  var poolSize: Int { context.poolSize }
  /// The numbers of objects that are found by arguments other than a key begin here. There are so
  /// many that two of them have hardly ever the same number.
  static let foundObjects = 1_000_000_000

  // MARK: Single objects

  /// Returns the object of a field that is no list.
  mutating func single(_ field: MadeField) throws(FieldError) -> ResolvedValue {
    let type = field.definition.type.namedType
    // A mutation's payload, or a node, can lead back to the root.
    if type == schema.rootType(.query) { return .object(FakeObject(rootIdentity(type))) }
    if context.shapes.connections[type] == nil,
      let key = field.arguments.key(of: schema.name(of: type), field: field.name)
    {
      guard let object = self.object(key, type) else { return .null }
      return store.deleted.contains(object.identity) ? .null : .object(object)
    }
    let suffix = field.selecting.isEmpty ? "" : "(\(JSONValue.object(field.selecting)))"
    let valueKey = "\(field.parent.key).\(field.name)\(suffix)"
    guard
      var object = found(by: field, type, valueKey)
        ?? context.pooled(type, field.seed.number(below: poolSize), valueKey: valueKey)
    else { return .null }
    if let shape = context.shapes.connections[object.identity.type] {
      object.role = .connection(try page(field, shape.item))
    }
    return store.deleted.contains(object.identity) ? .null : .object(object)
  }

  /// Returns the object that has the values of arguments, such as the `login` of a user; `nil` if
  /// no argument is a value of an object.
  private mutating func found(
    by field: MadeField, _ type: Schema.NamedType.ID, _ valueKey: String
  ) -> FakeObject? {
    // The arguments choose the object type, whose fields decide which of them are values.
    let concrete = schema[type].kind.isAbstract ? Array(schema.possibleTypes(of: type)) : [type]
    let candidates = concrete.map { ($0, facts(field.arguments, $0)) }.filter { !$0.1.isEmpty }
    let seed = Seed(context.options.seed).adding(schema.name(of: type))
    guard let first = candidates.first else { return nil }
    let (object, values) = candidates[
      self.seed(of: first.1, seed).number(below: candidates.count)]
    let number =
      Self.foundObjects
      + self.seed(of: values, seed).adding(event).number(below: Self.foundObjects)
    guard let found = context.pooled(object, number, valueKey: valueKey) else { return nil }
    for (name, value) in values { store.learn(.leaf(value), of: name, in: found.identity) }
    return found
  }

  /// Returns the arguments that are values of an object's fields, such as the `login` of a user.
  private func facts(
    _ arguments: FlatArguments, _ concrete: Schema.NamedType.ID
  ) -> [(String, JSONValue)] {
    guard context.shapes.connections[concrete] == nil else { return [] }
    return arguments.values.sorted { $0.key < $1.key }.filter { name, value in
      guard !value.isNull, let symbol = schema.names.symbol(for: name),
        let field = schema.ownField(symbol, of: concrete)
      else { return false }
      return schema[schema[field].type.namedType].kind.isLeaf
        && schema.accepts(value, as: schema[field].type)
    }
    .map { ($0.key, $0.value) }
  }

  private func seed(of facts: [(String, JSONValue)], _ seed: Seed) -> Seed {
    facts.reduce(seed) { $0.adding($1.0).adding($1.1.seedText) }
  }

  // MARK: Lists

  /// Returns the objects of a list, in lists of lists too.
  mutating func list(_ field: MadeField, _ type: ResolvedType) throws(FieldError) -> ResolvedValue {
    guard let item = type.item, !isFull else { return .list([]) }
    if item.isList {
      var lists: [ResolvedValue] = []
      for index in 0..<context.options.listLength {
        let inner = MadeField(
          name: "\(field.name)[\(index)]", definition: field.definition,
          arguments: field.arguments, selecting: field.selecting, parent: field.parent,
          seed: field.seed.adding(index))
        lists.append(try list(inner, item))
      }
      return .list(lists)
    }
    if let keys = keys(field, type.namedType) {
      return .list(
        keys.map { key in
          guard let object = object(key, type.namedType), !store.deleted.contains(object.identity)
          else { return .null }
          return .object(object)
        }.filter { value in
          if case .null = value { !item.isNonNull } else { true }
        })
    }
    let isPaged = schema[field.definition.arguments].contains {
      PageArguments.names.contains(schema.spelling($0.name).lowercased())
        || schema[$0.type.namedType].kind == .inputObject
          && schema[schema[$0.type.namedType].inputFields].contains {
            PageArguments.names.contains(schema.spelling($0.name).lowercased())
          }
    }
    let page = try page(field, type.namedType, isPaged: isPaged, isConnection: false)
    return .list(page.range.map { .object(page.items[$0]) })
  }

  /// Returns the keys of the objects that the arguments of a list name, or `nil` if they name none.
  private func keys(_ field: MadeField, _ type: Schema.NamedType.ID) -> [String]? {
    if let keys = field.arguments.keys {
      // Those of `authorIds` are keys of other objects.
      let conditions = self.conditions.conditions(field.arguments, on: type)
      let areOthers = conditions.contains {
        if case .keys(let others, _) = $0.content { others == keys } else { false }
      }
      if !areOthers { return keys }
    }
    guard let name = context.shapes.keys[type].map({ schema.spelling($0.name) }),
      let key = field.arguments.values[name]?.keyText
    else { return nil }
    return [key]
  }

  private var conditions: ListConditions {
    ListConditions(schema: schema, shapes: context.shapes)
  }

  /// Returns the requested part of a list.
  private mutating func page(
    _ field: MadeField, _ type: Schema.NamedType.ID, isPaged: Bool = true, isConnection: Bool = true
  ) throws(FieldError) -> Page {
    // An empty page without a next one: a client that asked for it would never end.
    if isFull { return Page(items: ObjectList([]), range: 0..<0) }
    let objects = objects(field, type, isPaged: isPaged)
    let standardCount = isPaged ? context.options.listLength : nil
    let range = try PageArguments(field.arguments.values)
      .range(of: objects, standardCount: standardCount, isConnection: isConnection)
    return Page(items: objects, range: range)
  }

  /// Returns all objects of a list: those that mutations have created for it come last.
  private mutating func objects(
    _ field: MadeField, _ type: Schema.NamedType.ID, isPaged: Bool
  ) -> ObjectList {
    let isPossible =
      !schema[type].kind.isAbstract || !schema.possibleTypes(of: type).isEmpty
    guard isPossible else { return ObjectList([]) }
    let count = isPaged ? context.options.totalCount : context.options.listLength
    let first = field.seed.number(below: poolSize)
    let valueKey = "\(field.parent.key).\(field.name)"
    let conditions = self.conditions.conditions(field.arguments, on: type)
    let made: ObjectList
    if conditions.isEmpty {
      made = ObjectList(count: count) { [context] index in
        let key = "\(valueKey)[\(index)]"
        // The type has objects, as was checked above.
        return context.pooled(type, (first + index) % context.poolSize, valueKey: key)
          ?? FakeObject(FakeIdentity(type: type, key: key))
      }
    } else {
      made = objects(
        meeting: conditions, of: type, count: count, first: first, valueKey: valueKey)
    }
    let root = schema.rootType(.query).map(rootIdentity)
    let added = (field.parent == root ? store.created : store.children[field.parent] ?? [])
      .enumerated()
      .filter { schema.isSubtype($0.element.type, of: type) && meets(conditions, $0.element) }
      // Made-up objects have the positions below the size of the pool.
      .map { ObjectList.Entry(position: poolSize + $0.offset, object: FakeObject($0.element)) }
    guard !added.isEmpty || !store.deleted.isEmpty else { return made }
    let identities = Set(added.map(\.object.identity))
    let all = made.entries.filter { !identities.contains($0.object.identity) } + added
    return ObjectList(all.filter { !store.deleted.contains($0.object.identity) })
  }

  // MARK: Identities

  /// Returns the value of the field with the key of an object.
  func keyValue(of object: FakeIdentity, _ field: Schema.Field) -> JSONValue {
    let type = ResolvedType(field.type.namedType)
    let text = JSONValue.string(object.key)
    let number = Int64(object.key).map { JSONValue.int($0) }
    switch schema.name(of: type.namedType) {
    case "ID", "String": return text
    case "Int", "Float":
      if let number, schema.accepts(number, as: type) { return number }
    default:
      let sample = context.leaves.value(
        of: type.namedType, field: schema.spelling(field.name), Seed(context.options.seed))
      if case .string = sample { return text }
      if let number, case .int = sample { return number }
    }
    return context.leaves.value(
      of: type.namedType, field: schema.spelling(field.name),
      Seed(context.options.seed).adding(object.key))
  }

  /// Returns the object with a key, or `nil` if the type has no objects.
  ///
  /// The key shows the object type: `User-7` is a `User`. Otherwise the type is that with which a
  /// mutation has created the object, or it follows from the key.
  func object(_ key: String, _ type: Schema.NamedType.ID) -> FakeObject? {
    guard schema[type].kind.isAbstract else {
      return FakeObject(FakeIdentity(type: type, key: key))
    }
    func isPossible(_ object: Schema.NamedType.ID) -> Bool {
      schema[object].kind == .object && schema.isSubtype(object, of: type)
    }
    if let dash = key.lastIndex(of: "-"),
      let shown = schema.type(named: String(key[..<dash])), isPossible(shown)
    {
      return FakeObject(FakeIdentity(type: shown, key: key))
    }
    if let known = store.types[key], isPossible(known) {
      return FakeObject(FakeIdentity(type: known, key: key))
    }
    // The greatest number decides among the possible types: fields of other abstract types choose
    // the same one wherever they can, in any order of requests.
    let seed = Seed(context.options.seed).adding(key)
    let concrete = schema.possibleTypes(of: type).max {
      seed.adding(schema.name(of: $0)).value < seed.adding(schema.name(of: $1)).value
    }
    return concrete.map { FakeObject(FakeIdentity(type: $0, key: key)) }
  }
}
