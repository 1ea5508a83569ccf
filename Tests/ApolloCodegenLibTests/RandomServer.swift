import ApolloAPI
import GraphQLSchema
import GraphQLSyntax
import SeededRandom

/// A server with random responses: the executor of the specification (section 6), with random
/// resolvers.
///
/// It does not use generated code. Therefore its responses define what models must show.
struct RandomServer {
  private let schema: Schema
  private let document: Document
  /// Fields that objects have although the document does not select them.
  private let extraFields: [String]
  private var variables: [String: JSONValue] = [:]
  private var random: SeededGenerator
  /// The number of objects around the next one.
  private var depth = 0

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - schema: The schema of the server.
  ///   - document: An operation, and the fragments that it needs.
  ///   - extraFields: Fields that objects have although the document does not select them.
  ///   - seed: The seed. The same seed gives the same responses.
  init(_ schema: Schema, _ document: Document, adding extraFields: [String], seed: UInt64) {
    self.schema = schema
    self.document = document
    self.extraFields = extraFields
    random = SeededGenerator(seed: seed)
  }

  /// Returns the data of a response to an operation.
  mutating func answer(_ name: String, _ variables: ApolloAPI.Variables?) -> JSONValue? {
    for case .operation(let id) in document.definitions {
      let operation = document[id]
      guard operation.name.map({ document.spelling($0) }) == name,
        let root = schema.rootType(operation.kind)
      else { continue }
      self.variables = defaults(of: operation)
      self.variables.merge(variables?.jsonValue.objectValue ?? [:]) { $1 }
      return object(root, [operation.selectionSet])
    }
    return nil
  }

  /// Returns the same data with members that the document does not select.
  mutating func addExtraMembers(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map { addExtraMembers($0) })
    case .object(let members):
      var members = members.mapValues { addExtraMembers($0) }
      if chance(of: 3) { members["a \"key\""] = [1.5, ["id": nil], "\u{1F600}"] }
      if chance(of: 3) { members["zz"] = ["zz": ["__typename": "Nobody"]] }
      return .object(members)
    default: return value
    }
  }

  private func defaults(of operation: GraphQLSyntax.OperationDefinition) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for variable in document[operation.variables] {
      guard case .boolean(let flag)? = variable.defaultValue?.content else { continue }
      values[document.spelling(variable.name)] = .bool(flag)
    }
    return values
  }

  private mutating func chance(of count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }
}

// MARK: - Values

extension RandomServer {
  private mutating func object(
    _ type: Schema.NamedType.ID, _ sets: [GraphQLSyntax.SelectionSet]
  ) -> JSONValue {
    depth += 1
    defer { depth -= 1 }
    var fields: [(key: String, fields: [GraphQLSyntax.Field])] = []
    for set in sets { collect(set, of: type, &fields) }
    var members: [String: JSONValue] = [:]
    for name in extraFields where depth > 1 {
      if name == "__typename" { members[name] = .string(schema.name(of: type)) }
      guard let symbol = schema.names.symbol(for: name), let field = schema.field(symbol, of: type)
      else { continue }
      members[name] = members[name] ?? complete(schema[field].type, [])
    }
    for (key, fields) in fields { members[key] = value(of: fields, of: type) }
    return .object(members)
  }

  private mutating func value(
    of fields: [GraphQLSyntax.Field], of type: Schema.NamedType.ID
  ) -> JSONValue {
    guard document.spelling(fields[0].name) != "__typename",
      let id = schema.field(fields[0].name.symbol, of: type)
    else { return .string(schema.name(of: type)) }
    return complete(schema[id].type, fields.compactMap(\.selectionSet))
  }

  private mutating func complete(
    _ type: ResolvedType, _ sets: [GraphQLSyntax.SelectionSet]
  ) -> JSONValue {
    if !type.isNonNull, chance(of: 5) { return .null }
    if let item = type.nullable.item {
      let count = Int.random(in: 0...(depth > 4 ? 1 : 3), using: &random)
      return .array((0..<count).map { _ in complete(item, sets) })
    }
    let named = schema[type.namedType]
    switch named.kind {
    case .object, .interface, .union:
      let types = Array(schema.possibleTypes(of: type.namedType))
      return object(types.randomElement(using: &random) ?? type.namedType, sets)
    case .enum:
      let names = schema[named.enumValues].map { schema.spelling($0.name) } + ["__NEW"]
      return .string(names.randomElement(using: &random) ?? "")
    case .scalar, .inputObject: return scalar(schema.spelling(named.name))
    }
  }

  private mutating func scalar(_ name: String) -> JSONValue {
    let number = Int.random(in: -1000...1000, using: &random)
    return switch name {
    case "Int": .int(Int64(number))
    case "Float": .double(Double(number) + 0.5)
    case "Boolean": .bool(number > 0)
    case "DateTime": .string("2026-11-20T12:30:\(10 + abs(number) % 50)Z")
    default:
      .string(
        ["", "\(number)", "\u{0}\"\\\n", "Łódź \u{1F600}"].randomElement(using: &random) ?? "")
    }
  }
}

// MARK: - Field collection (specification 6.3.2)

extension RandomServer {
  private func collect(
    _ set: GraphQLSyntax.SelectionSet, of type: Schema.NamedType.ID,
    _ fields: inout [(key: String, fields: [GraphQLSyntax.Field])]
  ) {
    for selection in document[set.selections] where isIncluded(selection) {
      switch selection {
      case .field(let id):
        let key = document.spelling(document[id].responseName)
        if let index = fields.firstIndex(where: { $0.key == key }) {
          fields[index].fields.append(document[id])
        } else {
          fields.append((key, [document[id]]))
        }
      case .inlineFragment(let id):
        let fragment = document[id]
        if applies(fragment.typeCondition, to: type) {
          collect(fragment.selectionSet, of: type, &fields)
        }
      case .fragmentSpread(let id):
        for case .fragment(let definition) in document.definitions {
          let fragment = document[definition]
          if fragment.name.symbol == document[id].name.symbol,
            applies(fragment.typeCondition, to: type)
          {
            collect(fragment.selectionSet, of: type, &fields)
          }
        }
      }
    }
  }

  private func applies(
    _ condition: GraphQLSyntax.Name?, to type: Schema.NamedType.ID
  ) -> Bool {
    guard let condition else { return true }
    return schema.type(named: condition.symbol).map { schema.isSubtype(type, of: $0) } ?? false
  }

  private func isIncluded(_ selection: GraphQLSyntax.Selection) -> Bool {
    document[document.directives(of: selection)].allSatisfy { directive in
      guard let argument = document[directive.arguments].first else { return true }
      let flag: Bool? =
        switch argument.value.content {
        case .boolean(let flag): flag
        case .variable(let name): variables[document.spelling(name)]?.boolValue
        default: nil
        }
      switch document.spelling(directive.name) {
      case "include": return flag == true
      case "skip": return flag != true
      default: return true
      }
    }
  }
}
