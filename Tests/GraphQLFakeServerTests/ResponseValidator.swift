import GraphQLSchema
import GraphQLSyntax

/// Checks responses by the specification, with nothing of the server: keys and their order, types,
/// null, values of enums, shapes of lists.
///
/// Spec: 6.3.2, "Field Collection"; 6.4.3, "Value Completion"; 7, "Response".
struct ResponseValidator {
  let schema: Schema
  let document: Document
  let variables: [String: Bool]
  private let fragments: [Symbol: FragmentDefinition]
  private(set) var problems: [String] = []

  init(_ schema: Schema, _ document: Document, flags variables: [String: Bool] = [:]) {
    self.schema = schema
    self.document = document
    self.variables = variables
    fragments = Dictionary(
      document.fragments.map { ($0.name.symbol, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the problems of a response to an operation.
  mutating func problems(of response: [UInt8], to operation: OperationDefinition) -> [String] {
    problems = []
    guard let root = try? IndexedJSON(response).root, let members = root.members else {
      return ["is no JSON object"]
    }
    for (key, _) in members where !["data", "errors", "extensions"].contains(key.string) {
      problems.append("has the key \(key.string ?? "")")
    }
    if let errors = root["errors"] {
      if errors.items?.isEmpty != false { problems.append("has no errors in 'errors'") }
      for error in errors.items ?? [] where error["message"]?.string == nil {
        problems.append("has an error without a message")
      }
    }
    guard let data = root["data"] else {
      return problems + ["has no data: \(String(decoding: response.prefix(300), as: UTF8.self))"]
    }
    if data.kind == .null {
      if root["errors"] == nil { problems.append("has null data without an error") }
    } else if let type = schema.rootType(operation.kind) {
      object(data, type, [operation.selectionSet], at: "data")
    }
    return problems
  }

  /// Checks the data of a part of a response.
  mutating func problems(
    of data: IndexedJSON.Value, as type: ResolvedType, _ sets: [SelectionSet]
  ) -> [String] {
    problems = []
    value(data, type, sets, at: "data")
    return problems
  }

  private mutating func report(_ problem: String, _ path: String) {
    if problems.count < 5 { problems.append("\(path) \(problem)") }
  }

  private mutating func value(
    _ value: IndexedJSON.Value, _ type: ResolvedType, _ sets: [SelectionSet], at path: String
  ) {
    if value.kind == .null {
      if type.isNonNull { report("is null", path) }
      return
    }
    if let item = type.item {
      guard let items = value.items else { return report("is no list", path) }
      for (index, element) in items.enumerated() {
        self.value(element, item, sets, at: "\(path)[\(index)]")
      }
      return
    }
    let named = type.namedType
    switch schema[named].kind {
    case .object, .interface, .union: composite(value, named, sets, at: path)
    case .enum:
      let values = schema[schema[named].enumValues].map { schema.spelling($0.name) }
      if !values.contains(value.string ?? "") { report("is no value of the enum", path) }
    case .scalar:
      if !isScalar(value, schema.name(of: named)) {
        report("is \(value.kindName) for \(schema.name(of: named))", path)
      }
    case .inputObject: report("has an input type", path)
    }
  }

  private func isScalar(_ value: IndexedJSON.Value, _ name: String) -> Bool {
    switch name {
    case "Int": value.number.map { Int32(exactly: $0) != nil } ?? false
    case "Float": value.kind == .number
    case "Boolean": value.bool != nil
    case "String", "ID": value.kind == .string
    default: true
    }
  }

  /// Checks an object of an abstract type as one of those possible types whose fields it has.
  private mutating func composite(
    _ value: IndexedJSON.Value, _ type: Schema.NamedType.ID, _ sets: [SelectionSet],
    at path: String
  ) {
    guard schema[type].kind.isAbstract else { return object(value, type, sets, at: path) }
    let before = problems
    var first: [String]?
    for candidate in schema.possibleTypes(of: type) {
      problems = []
      object(value, candidate, sets, at: path)
      if problems.isEmpty {
        problems = before
        return
      }
      if first == nil || problems.count < (first?.count ?? 0) { first = problems }
    }
    problems = before + (first ?? ["\(path) has an abstract type without objects"])
  }

  private mutating func object(
    _ value: IndexedJSON.Value, _ type: Schema.NamedType.ID, _ sets: [SelectionSet],
    at path: String
  ) {
    guard let members = value.members else { return report("is no object", path) }
    var fields: [(key: String, field: Field, sets: [SelectionSet])] = []
    var visited: Set<Symbol> = []
    for set in sets { collect(set, type, &fields, &visited) }
    let keys = members.map { $0.key.string ?? "" }
    guard keys == fields.map(\.key) else {
      return report("has the keys \(keys) in place of \(fields.map(\.key))", path)
    }
    for (member, field) in zip(members, fields) {
      let path = "\(path).\(field.key)"
      if field.field.name.symbol == .typename {
        if member.value.string != schema.name(of: type) { report("is another type", path) }
      } else if let id = schema.field(field.field.name.symbol, of: type) {
        self.value(member.value, schema[id].type, field.sets, at: path)
      } else {
        report("is no field of the type", path)
      }
    }
  }

  private func collect(
    _ set: SelectionSet, _ type: Schema.NamedType.ID,
    _ fields: inout [(key: String, field: Field, sets: [SelectionSet])],
    _ visited: inout Set<Symbol>
  ) {
    for selection in document[set.selections] {
      guard isIncluded(document.directives(of: selection)) else { continue }
      switch selection {
      case .field(let id):
        let key = document.spelling(document[id].responseName)
        let sets = document[id].selectionSet.map { [$0] } ?? []
        if let index = fields.firstIndex(where: { $0.key == key }) {
          fields[index].sets += sets
        } else {
          fields.append((key, document[id], sets))
        }
      case .inlineFragment(let id):
        if applies(document[id].typeCondition, type) {
          collect(document[id].selectionSet, type, &fields, &visited)
        }
      case .fragmentSpread(let id):
        guard visited.insert(document[id].name.symbol).inserted,
          let fragment = fragments[document[id].name.symbol],
          applies(fragment.typeCondition, type)
        else { continue }
        collect(fragment.selectionSet, type, &fields, &visited)
      }
    }
  }

  private func applies(_ condition: Name?, _ type: Schema.NamedType.ID) -> Bool {
    guard let condition else { return true }
    guard let wanted = schema.type(named: condition.symbol) else { return false }
    return wanted == type || schema.possibleTypes(of: wanted).contains(type)
  }

  private func isIncluded(_ directives: Directive.List) -> Bool {
    document[directives].allSatisfy { directive in
      let wanted: Bool
      switch document.spelling(directive.name) {
      case "include": wanted = true
      case "skip": wanted = false
      default: return true
      }
      switch document[directive.arguments].first?.value.content {
      case .boolean(let value): return value == wanted
      case .variable(let name): return (variables[document.spelling(name)] ?? false) == wanted
      default: return true
      }
    }
  }
}
