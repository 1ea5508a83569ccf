import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax

// Values of fields. The first of these that knows the field decides:
//
// 1. the role of the object: an edge has a node, a page has the objects of its part of a list;
// 2. the root of mutations, which changes the state;
// 3. the state: what mutations have set, and arguments have said;
// 4. the key of the object;
// 5. the seed.

extension Executor {
  /// Returns the value of a field.
  mutating func resolve(
    _ name: String, _ definition: Schema.Field, _ arguments: [String: JSONValue],
    of object: FakeObject
  ) throws(FieldError) -> ResolvedValue {
    if let value = valueOfRole(name, definition, object) { return value }
    let identity = object.identity
    if operation.kind == .mutation, identity == operationRoot {
      return try mutate(name, definition, arguments)
    }
    if let value = store.value(of: name, in: identity) { return present(value) }
    if let key = context.shapes.keys[identity.type], key.name == definition.name {
      return .leaf(keyValue(of: identity, definition))
    }
    return try made(name, definition, arguments, of: identity)
  }

  var operationRoot: FakeIdentity? { schema.rootType(operation.kind).map(rootIdentity) }

  /// Returns a value of the state without the objects that have been deleted since.
  private func present(_ value: ResolvedValue) -> ResolvedValue {
    switch value {
    case .null, .leaf: return value
    case .object(let object): return store.deleted.contains(object.identity) ? .null : value
    case .list(let items):
      return .list(
        items.filter {
          if case .object(let object) = $0 {
            !store.deleted.contains(object.identity)
          } else {
            true
          }
        })
    }
  }

  // MARK: Roles

  private func valueOfRole(
    _ name: String, _ definition: Schema.Field, _ object: FakeObject
  ) -> ResolvedValue? {
    switch object.role {
    case .plain: return nil
    case .payload(let values): return values[name]
    case .edge(let node, let position):
      switch name {
      case "node": return .object(node)
      case "cursor": return cursor(position, definition.type)
      default: return nil
      }
    case .connection(let page):
      guard let shape = context.shapes.connections[object.identity.type] else { return nil }
      return value(name, definition, of: page, shape, object.identity)
    case .pageInfo(let page): return pageInfo(name, definition, page)
    }
  }

  private func value(
    _ name: String, _ definition: Schema.Field, of page: Page, _ shape: TypeShapes.Connection,
    _ identity: FakeIdentity
  ) -> ResolvedValue? {
    if shape.totals.contains(name) { return .leaf(.int(Int64(page.items.count))) }
    let type = definition.type.namedType
    if shape.edges.contains(name) {
      return .list(
        page.range.map { index in
          let position = page.items.position(at: index)
          let edge = FakeIdentity(type: type, key: "\(identity.key).\(name)[\(position)]")
          return .object(FakeObject(edge, .edge(node: page.items[index], position: position)))
        })
    }
    if shape.nodes.contains(name) { return .list(page.range.map { .object(page.items[$0]) }) }
    if shape.pageInfos.contains(name) {
      return .object(
        FakeObject(FakeIdentity(type: type, key: "\(identity.key).\(name)"), .pageInfo(page)))
    }
    return pageInfo(name, definition, page)
  }

  private func pageInfo(
    _ name: String, _ definition: Schema.Field, _ page: Page
  ) -> ResolvedValue? {
    switch name {
    case "hasNextPage", "hasNext", "hasMore": return .leaf(.bool(page.hasNext))
    case "hasPreviousPage", "hasPrevious": return .leaf(.bool(page.hasPrevious))
    case "startCursor":
      return cursor(page.range.first.map(page.items.position(at:)), definition.type)
    case "endCursor":
      return cursor(page.range.last.map(page.items.position(at:)), definition.type)
    default: return nil
    }
  }

  /// Returns the cursor of a position, or of none, as the type of its field has it.
  private func cursor(_ position: Int?, _ type: ResolvedType) -> ResolvedValue {
    guard let position else {
      return type.isNonNull && schema.accepts("", as: type) ? .leaf("") : .null
    }
    let text = JSONValue.string(PageArguments.cursor(position))
    return .leaf(schema.accepts(text, as: type) ? text : .int(Int64(position)))
  }

  // MARK: Made-up values

  /// Returns a value that follows from the seed.
  mutating func made(
    _ name: String, _ definition: Schema.Field, _ arguments: [String: JSONValue],
    of parent: FakeIdentity
  ) throws(FieldError) -> ResolvedValue {
    // Pages of one list have the same seed.
    let rest = PageArguments.removing(from: arguments)
    var seed = self.seed(of: name, rest, parent)
    if operation.kind == .subscription, parent == operationRoot { seed = seed.adding(event) }
    let type = definition.type
    if isNull(type, seed) { return .null }
    if schema[type.namedType].kind.isLeaf { return .leaf(leaf(type, name, seed)) }
    let field = MadeField(
      name: name, definition: definition, arguments: FlatArguments(arguments), selecting: rest,
      parent: parent, seed: seed)
    return type.isList ? try list(field, type) : try single(field)
  }

  /// Returns the seed of the value of a field.
  private func seed(
    of name: String, _ arguments: [String: JSONValue], _ parent: FakeIdentity
  ) -> Seed {
    let seed = Seed(context.options.seed).adding(schema.name(of: parent.type)).adding(parent.key)
      .adding(name)
    return arguments.sorted { $0.key < $1.key }
      .reduce(seed) { $0.adding($1.key).adding($1.value.seedText) }
  }

  private func isNull(_ type: ResolvedType, _ seed: Seed) -> Bool {
    !type.isNonNull && context.options.nullShare > 0
      && seed.adding("null").fraction < context.options.nullShare
  }

  /// Returns the made-up value of a field without arguments and selections.
  func madeLeaf(
    _ name: String, _ definition: Schema.Field, of parent: FakeIdentity
  ) -> JSONValue {
    let seed = seed(of: name, [:], parent)
    return isNull(definition.type, seed) ? .null : leaf(definition.type, name, seed)
  }

  private func leaf(_ type: ResolvedType, _ name: String, _ seed: Seed) -> JSONValue {
    guard let item = type.item else {
      return context.leaves.value(of: type.namedType, field: name, seed)
    }
    return .array(
      (0..<context.options.listLength).map { leaf(item, name, seed.adding($0)) })
  }

  /// A field whose objects are made up.
  struct MadeField {
    let name: String
    let definition: Schema.Field
    let arguments: FlatArguments
    /// The arguments without those that choose a part of a list.
    let selecting: [String: JSONValue]
    let parent: FakeIdentity
    let seed: Seed
  }

  // MARK: Fixed values

  /// Returns the value that the program has given for a field, or for an element of its list.
  ///
  /// - Parameters:
  ///   - rule: The value. The members of an object are the fields that are fixed.
  ///   - type: The type of the field or element.
  ///   - standard: The value without the program's.
  /// - Returns: The value.
  /// - Throws: ``FieldError`` if the value does not have the type.
  func fix(
    _ rule: FixedValue, _ type: ResolvedType, standard: ResolvedValue
  ) throws(FieldError) -> ResolvedValue {
    let value = rule.value
    if value.isNull { return .null }
    let isLeaf = schema[type.namedType].kind.isLeaf
    if isLeaf {
      guard schema.accepts(value, as: type) else { throw misfit(value, type) }
      return .leaf(value)
    }
    if let item = type.item {
      guard case .array(let values) = value else { throw misfit(value, type) }
      var standards: [ResolvedValue] = []
      if case .list(let items) = standard { standards = items }
      var items: [ResolvedValue] = []
      for (index, value) in values.enumerated() {
        let standard = standards.indices.contains(index) ? standards[index] : nil
        items.append(
          try fix(
            FixedValue(value: value, order: rule.order), item,
            standard: standard ?? spare(item.namedType, index, value)))
      }
      return .list(items)
    }
    guard case .object(let members) = value else { throw misfit(value, type) }
    var object: FakeObject
    if case .object(let found) = standard {
      object = found
    } else if case .object(let made) = spare(type.namedType, 0, value) {
      object = made
    } else {
      throw misfit(value, type)
    }
    if let name = members["__typename"]?.stringValue {
      guard let concrete = schema.type(named: name), schema[concrete].kind == .object,
        schema.isSubtype(concrete, of: type.namedType)
      else { throw misfit(value, type) }
      object = FakeObject(FakeIdentity(type: concrete, key: object.identity.key), object.role)
    }
    // A fixed key names the object, whose other fields are those of every query.
    if let field = context.shapes.keys[object.identity.type],
      let key = members[schema.spelling(field.name)]?.keyText
    {
      object = FakeObject(FakeIdentity(type: object.identity.type, key: key), object.role)
    }
    object.fixed = members.filter { $0.key != "__typename" }
      .mapValues { FixedValue(value: $0, order: rule.order) }
    return .object(object)
  }

  /// An object for a fixed value where there is no other.
  private func spare(
    _ type: Schema.NamedType.ID, _ index: Int, _ value: JSONValue
  ) -> ResolvedValue {
    let seed = Seed(context.options.seed).adding("fixed").adding(value.seedText).adding(index)
    return context.pooled(type, seed.number(below: poolSize), valueKey: "fixed[\(index)]")
      .map { .object($0) } ?? .null
  }

  private func misfit(_ value: JSONValue, _ type: ResolvedType) -> FieldError {
    FieldError(
      "The value \(value) is set for this field, whose type is '\(schema.spelling(type))'. Set one "
        + "of the type.")
  }

  /// Returns the value that a rule has fixed for a field of an object: by its response key, unless
  /// that is the name of another field, or by its name.
  func fixedValue(
    of field: CollectedField, named name: String, in object: FakeObject
  ) -> FixedValue? {
    guard !object.fixed.isEmpty else { return nil }
    if field.key == name { return object.fixed[name] }
    let isName = schema.ownField(field.first.responseName, of: object.identity.type) != nil
    return (isName ? nil : object.fixed[field.key]) ?? object.fixed[name]
  }
}
