import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax

// Mutations, by the names that schemas give them:
//
// 1. The name says what to do: `createUser` creates, `deleteUser` and `userDelete` delete the users
//    that an argument names, all others change. `removeUserFromTeam` and `addUserToTeam` are about
//    a team, and change it. A list of input objects creates an object for each.
// 2. The object is the one that an argument names by its key, or a new one. A change without a key
//    concerns the object of a field of the query without arguments, such as `viewer`. Its type is
//    that of the mutation's result, or of a field of the result, or part of the mutation's name.
// 3. Arguments and members of input objects are stored in fields of the same name, and those that
//    end with `Id` in the field of that object.
// 4. The result shows the object, and success.

extension Executor {
  private enum Effect {
    case create, change, delete

    /// Creates what a mutation does to an object of a type.
    ///
    /// - Parameters:
    ///   - mutation: The name of the mutation.
    ///   - typeName: The name of the object's type.
    ///   - hasKey: `true` if an argument is the key of an object of the type.
    init(_ mutation: String, _ typeName: String, hasKey: Bool) {
      let name = mutation.lowercased().filter { $0 != "_" }
      let type = typeName.lowercased()
      let verb = LeafGenerator.words(of: mutation).first ?? ""
      let isAboutType =
        name == verb || name.dropFirst(verb.count).hasPrefix(type)
        || name.dropFirst(verb.count).hasPrefix("new" + type)
      if ["delete", "remove", "destroy"].contains(where: { Self.isName(name, $0, type) }) {
        self = .delete
      } else if ["create", "insert", "register", "new"].contains(verb), isAboutType || !hasKey {
        self = .create
      } else if ["add", "submit", "post", "send"].contains(verb), isAboutType {
        self = .create
      } else {
        self = .change
      }
    }

    /// Returns whether a name is a verb and a type: `deleteUser`, `deleteUsers`, `deleteUserById`,
    /// `userDelete`.
    private static func isName(_ name: String, _ verb: String, _ type: String) -> Bool {
      if name == verb || name == type + verb || name == type + "s" + verb { return true }
      guard name.hasPrefix(verb + type) else { return false }
      let rest = name.dropFirst(verb.count + type.count)
      return rest.isEmpty || rest == "s" || rest.hasPrefix("by") || rest.hasPrefix("sby")
    }
  }

  /// Performs a mutation and returns its result.
  mutating func mutate(
    _ name: String, _ definition: Schema.Field, _ arguments: [String: JSONValue]
  ) throws(FieldError) -> ResolvedValue {
    let flat = FlatArguments(arguments)
    let result = concreteResult(definition.type.namedType)
    let targets =
      try target(name, result).map { type throws(FieldError) in
        try apply(name, to: type, arguments)
      } ?? []
    guard let result else {
      return .leaf(leafResult(name, definition.type, targets))
    }
    if !targets.isEmpty, targets.allSatisfy({ $0.type == result }) {
      let objects = targets.map { ResolvedValue.object(FakeObject($0)) }
      return definition.type.isList ? .list(objects) : objects[0]
    }
    let object: FakeObject
    if targets.isEmpty, let only = try only(result) {
      // A result without a key, such as the settings, is what a field of the query leads to.
      assign(flat.values, to: only)
      object = FakeObject(only)
    } else {
      let identity = FakeIdentity(type: result, key: "\(name)(\(JSONValue.object(arguments)))")
      object = FakeObject(identity, .payload(payload(result, targets, flat)))
    }
    return definition.type.isList ? .list([.object(object)]) : .object(object)
  }

  /// Returns the object that a field of the query leads to without arguments, such as `viewer`.
  private mutating func only(
    _ type: Schema.NamedType.ID
  ) throws(FieldError) -> FakeIdentity? {
    guard let query = schema.rootType(.query), context.shapes.connections[type] == nil else {
      return nil
    }
    for field in schema[schema[query].fields]
    where field.type.namedType == type && !field.type.isList {
      let isFree = field.arguments.allSatisfy { !schema[$0].type.isNonNull }
      let name = schema.spelling(field.name)
      guard isFree, context.shapes.keys[type] == nil || Self.onlyNames.contains(name) else {
        continue
      }
      if case .object(let object) = try made(name, field, [:], of: rootIdentity(query)) {
        return object.identity
      }
    }
    return nil
  }

  /// The names of fields that lead to the one object of the client.
  private static let onlyNames: Set<String> = [
    "viewer", "me", "currentUser", "self", "myself", "user", "account", "profile", "settings",
    "session", "cart",
  ]

  /// Returns the object type of a mutation's result, or `nil` if it has no fields.
  private func concreteResult(_ type: Schema.NamedType.ID) -> Schema.NamedType.ID? {
    guard schema[type].kind.isComposite else { return nil }
    guard schema[type].kind.isAbstract else { return type }
    let possible = schema.possibleTypes(of: type)
    return possible.first { type in
      let name = schema.name(of: type)
      return !["Error", "Failure", "Problem", "Exception"].contains(where: name.contains)
    } ?? possible.first
  }

  private func leafResult(
    _ name: String, _ type: ResolvedType, _ targets: [FakeIdentity]
  ) -> JSONValue {
    let seed = Seed(context.options.seed).adding(name)
    func value(_ type: ResolvedType, _ target: FakeIdentity?) -> JSONValue {
      let scalar = schema.name(of: type.namedType)
      if scalar == "Boolean" { return true }
      if let target, let key = context.shapes.keys[target.type] {
        if key.type.namedType == type.namedType { return keyValue(of: target, key) }
        if scalar == "ID" { return .string(target.key) }
        if scalar == "Int" { return .int(Int64(targets.count)) }
      }
      return scalar == "ID"
        ? .string("\(name)-1") : context.leaves.value(of: type.namedType, field: name, seed)
    }
    guard let item = type.item, !item.isList else {
      return type.isList ? .array([]) : value(type, targets.first)
    }
    return .array(targets.isEmpty ? [value(item, nil)] : targets.map { value(item, $0) })
  }

  // MARK: The object

  /// Returns the type of the object that a mutation is about.
  private func target(
    _ mutation: String, _ result: Schema.NamedType.ID?
  ) -> Schema.NamedType.ID? {
    if let result {
      if context.shapes.keys[result] != nil { return result }
      let fields = objectFields(of: result)
      let name = mutation.lowercased()
      let named = fields.first {
        name.contains(schema.name(of: $0.type.namedType).lowercased())
      }
      if let found = named ?? fields.first { return concreteResult(found.type.namedType) }
    }
    // deleteUser(id:): Boolean is about a User, and so is userDelete(id:).
    let name = mutation.lowercased()
    return schema.types.indices.lazy.map { Schema.NamedType.ID(rawValue: UInt32($0)) }
      .filter {
        let type = schema.name(of: $0).lowercased()
        return context.shapes.keys[$0] != nil
          && (name.hasSuffix(type) || name.hasSuffix(type + "s") || name.hasPrefix(type))
      }
      .max { schema.name(of: $0).count < schema.name(of: $1).count }
  }

  /// The fields of a payload with one object that has a key.
  private func objectFields(of type: Schema.NamedType.ID) -> [Schema.Field] {
    schema[schema[type].fields].filter { field in
      !field.type.isList && field.type.namedType != schema.rootType(.query)
        && concreteResult(field.type.namedType).map { context.shapes.keys[$0] != nil } == true
    }
  }

  /// Creates, changes or deletes objects. Returns them.
  private mutating func apply(
    _ mutation: String, to type: Schema.NamedType.ID, _ given: [String: JSONValue]
  ) throws(FieldError) -> [FakeIdentity] {
    var objects: [FakeIdentity] = []
    for arguments in Self.batch(given) ?? [given] {
      objects += try apply(once: mutation, to: type, arguments)
    }
    return objects
  }

  /// Returns the arguments for each object, if the only argument is a list of input objects.
  private static func batch(_ arguments: [String: JSONValue]) -> [[String: JSONValue]]? {
    guard arguments.count == 1, let only = arguments.first?.value else { return nil }
    if let members = only.objectValue { return batch(members) }
    let items = only.arrayValue?.map(\.objectValue)
    guard let items, !items.isEmpty, !items.contains(nil) else { return nil }
    return items.compactMap { $0 }
  }

  private mutating func apply(
    once mutation: String, to type: Schema.NamedType.ID, _ given: [String: JSONValue]
  ) throws(FieldError) -> [FakeIdentity] {
    guard let keyField = context.shapes.keys[type] else { return [] }
    let typeName = schema.name(of: type)
    let composites = schema[schema[type].fields].filter {
      schema[$0.type.namedType].kind.isComposite
    }
    let arguments = FlatArguments(given, whole: Set(composites.map { schema.spelling($0.name) }))
    let givenKey = arguments.key(of: typeName, field: typeName)
    let effect = Effect(mutation, typeName, hasKey: givenKey != nil)
    guard effect != .delete else { return delete(type, arguments) }
    let key: String
    let isNew: Bool
    if let givenKey {
      (key, isNew) = (givenKey, effect == .create)
    } else if effect == .create {
      let number = context.firstCreated + store.created.count
      (key, isNew) = (context.keyText(type, keyField, number), true)
    } else if let only = try only(type) {
      (key, isNew) = (only.key, false)
    } else {
      let seed = Seed(context.options.seed).adding(mutation)
        .adding(JSONValue.object(arguments.values).seedText)
      (key, isNew) = (context.keyText(type, keyField, seed.number(below: poolSize)), false)
    }
    let object = FakeIdentity(type: type, key: key)
    if isNew {
      store.create(object)
      store.learn(type: type, ofID: key)
    }
    for (name, value) in arguments.values.sorted(by: { $0.key < $1.key }) {
      assign(value, to: name, of: object, isNew: isNew)
    }
    return [object]
  }

  /// Deletes the objects that arguments name, and none if they name none. Returns them.
  private mutating func delete(
    _ type: Schema.NamedType.ID, _ arguments: FlatArguments
  ) -> [FakeIdentity] {
    let name = schema.name(of: type)
    let keys = arguments.key(of: name, field: name).map { [$0] } ?? arguments.keys ?? []
    let objects = keys.map { FakeIdentity(type: type, key: $0) }
    for object in objects { store.delete(object) }
    return objects
  }

  /// Stores the value of an argument in the field that it is about, if there is one.
  private mutating func assign(
    _ value: JSONValue, to name: String, of object: FakeIdentity, isNew: Bool
  ) {
    if let field = field(name, of: object.type) {
      guard context.shapes.keys[object.type]?.name != field.name else { return }
      store(value, in: field, of: object)
    } else if name.count > 2, name.lowercased().hasSuffix("id"), let key = value.keyText {
      assign(key: key, to: String(name.dropLast(2)), of: object, isNew: isNew)
    }
  }

  private func field(_ name: String, of type: Schema.NamedType.ID) -> Schema.Field? {
    schema.names.symbol(for: name).flatMap { schema.ownField($0, of: type) }.map { schema[$0] }
  }

  private mutating func store(
    _ value: JSONValue, in field: Schema.Field, of object: FakeIdentity
  ) {
    let name = schema.spelling(field.name)
    let type = field.type
    if value.isNull {
      if !type.isNonNull { store.set(.null, of: name, in: object) }
    } else if schema[type.namedType].kind.isLeaf {
      if schema.accepts(value, as: type) { store.set(.leaf(value), of: name, in: object) }
    } else if let members = value.objectValue, !type.isList {
      guard let inner = embedded(type.namedType, "\(object.key).\(name)") else { return }
      store.set(.object(FakeObject(inner)), of: name, in: object)
      assign(members, to: inner)
    } else if let item = type.item, !item.isList, let items = value.arrayValue {
      var objects: [ResolvedValue] = []
      for (index, element) in items.enumerated() {
        guard let members = element.objectValue,
          let inner = embedded(type.namedType, "\(object.key).\(name)[\(index)]")
        else { return }
        objects.append(.object(FakeObject(inner)))
        assign(members, to: inner)
      }
      store.set(.list(objects), of: name, in: object)
    }
  }

  private mutating func assign(_ members: [String: JSONValue], to object: FakeIdentity) {
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      assign(value, to: name, of: object, isNew: false)
    }
  }

  /// Returns the identity of an object that an input object describes.
  private func embedded(_ type: Schema.NamedType.ID, _ key: String) -> FakeIdentity? {
    context.pooled(type, 0, valueKey: key).map { FakeIdentity(type: $0.identity.type, key: key) }
  }

  /// Stores a reference, as `postId` is one to the post of a comment. The post has the comment
  /// then.
  private mutating func assign(
    key: String, to name: String, of object: FakeIdentity, isNew: Bool
  ) {
    var parentType = field(name, of: object.type)?.type.namedType
    if parentType == nil {
      let capitalized = name.prefix(1).uppercased() + name.dropFirst()
      parentType = schema.type(named: capitalized)
    }
    guard let parentType, schema[parentType].kind.isComposite,
      let parent = self.object(key, parentType)
    else { return }
    if let field = field(name, of: object.type), !field.type.isList {
      store.set(.object(parent), of: name, in: object)
    }
    if isNew { store.add(object, to: parent.identity) }
  }

  // MARK: The payload

  /// Returns the fields of a result that is not the object itself.
  private func payload(
    _ type: Schema.NamedType.ID, _ targets: [FakeIdentity], _ arguments: FlatArguments
  ) -> [String: ResolvedValue] {
    var values: [String: ResolvedValue] = [:]
    for field in schema[schema[type].fields] {
      let name = schema.spelling(field.name)
      values[name] = payloadValue(name, field.type, targets, arguments)
    }
    return values
  }

  /// Returns the value of a payload's field, or `nil` if it is made up.
  private func payloadValue(
    _ name: String, _ type: ResolvedType, _ targets: [FakeIdentity], _ arguments: FlatArguments
  ) -> ResolvedValue? {
    let lowercase = name.lowercased()
    if lowercase.contains("error") || lowercase.contains("problem") {
      if !type.isNonNull { return .null }
      return type.isList ? .list([]) : nil
    }
    if name == "clientMutationId" {
      guard let value = arguments.values[name], schema.accepts(value, as: type) else {
        return type.isNonNull ? nil : .null
      }
      return .leaf(value)
    }
    let named = type.namedType
    if schema[named].kind.isLeaf, let value = arguments.values[name], !value.isNull,
      schema.accepts(value, as: type)
    {
      return .leaf(value)
    }
    if schema.name(of: named) == "Boolean", !type.isList { return .leaf(true) }
    guard let target = targets.first else { return nil }
    if schema[named].kind.isLeaf {
      let isKey = lowercase == "id" || ["Id", "ID", "_id"].contains(where: name.hasSuffix)
      guard isKey, !type.isList else { return nil }
      let forms = [.string(target.key), Int64(target.key).map { JSONValue.int($0) }]
      return forms.compactMap { $0 }.first { schema.accepts($0, as: type) }.map { .leaf($0) }
    }
    if schema.isSubtype(target.type, of: named) {
      let objects = targets.map { ResolvedValue.object(FakeObject($0)) }
      return type.isList ? type.item?.isList == true ? nil : .list(objects) : objects[0]
    }
    // An edge around the object.
    if schema[named].kind == .object, !type.isList, schema.name(of: named).hasSuffix("Edge"),
      let node = field("node", of: named), schema.isSubtype(target.type, of: node.type.namedType)
    {
      let edge = FakeIdentity(type: named, key: "\(target.key).edge")
      return .object(FakeObject(edge, .edge(node: FakeObject(target), position: 0)))
    }
    return nil
  }
}
