import SeededRandom

/// Operations and fragments that are valid on a schema.
struct RandomOperations {
  private(set) var text = ""
  /// The names of the operations and fragments.
  private(set) var names: [String] = []

  private let schema: RandomSchema
  private var fragments: [Definition] = []
  /// The variables of the project: whoever uses one declares it with the same type.
  private var variables: [(name: String, type: TypeReference)] = []
  private var variableNames: Set<String> = []
  private let isDeferring: Bool
  private let conditionProbability: Double
  private var labels = 0

  /// The facts about a definition while it is made, and about a fragment for those that spread it.
  private struct Definition {
    var name: String
    var type: String
    /// The meaning of each response key: where two fields may merge, they have to be the same.
    var keys: [String: Set<Meaning>] = [:]
    var usedVariables: [Int] = []
    var isDeferring = false
  }

  private struct Meaning: Hashable {
    var parent: String
    var isObject: Bool
    var field: String
    var shape: String

    func agrees(with other: Meaning) -> Bool {
      guard shape == other.shape else { return false }
      return field == other.field || isObject && other.isObject && parent != other.parent
    }
  }

  init(on schema: RandomSchema, using random: inout SeededGenerator) {
    self.schema = schema
    isDeferring = random.chance(0.15)
    conditionProbability = random.pick([0, 0.1, 0.3])
    for _ in 0..<random.pick([1, 2, 3]) { addVariable(.nonNull(.named("Boolean")), &random) }
    var fragmentNames: Set<String> = ["on"]
    for _ in 0..<random.pick([0, 2, 4, 7]) {
      let name = schema.names.unique(besides: &fragmentNames, capitalized: true, using: &random)
      addFragment(name, &random)
    }
    var operationNames: Set<String> = []
    for _ in 0..<random.pick([1, 2, 4]) {
      let root = random.pick(schema.roots)
      let name = schema.names.unique(besides: &operationNames, capitalized: true, using: &random)
      addOperation(name, root.kind, root.type, &random)
    }
  }

  // MARK: - Definitions

  private mutating func addFragment(_ name: String, _ random: inout SeededGenerator) {
    let type = random.pick(schema.composites)
    var definition = Definition(name: name, type: type.name)
    let body = selectionSet(on: type.name, depth: 2, in: &definition, &random)
    let local = random.chance(0.05) ? " @apollo_client_ios_localCacheMutation" : ""
    text += "fragment \(name) on \(type.name)\(local) \(body)\n\n"
    names.append(name)
    fragments.append(definition)
  }

  private mutating func addOperation(
    _ name: String, _ kind: String, _ type: String, _ random: inout SeededGenerator
  ) {
    var definition = Definition(name: name, type: type)
    let body =
      kind == "subscription"
      ? subscriptionBody(on: type, in: &definition, &random)
      : selectionSet(on: type, depth: random.pick([1, 3, 4]), in: &definition, &random)
    let declarations = definition.usedVariables.map { index in
      let variable = variables[index]
      // A value that is not there is no value for what must not be null.
      let value =
        random.chance(0.25)
        ? " = \(RandomValues(schema).literal(of: variable.type, depth: 2, using: &random))" : ""
      return "$\(variable.name): \(variable.type.text)\(value)"
    }
    let list = declarations.isEmpty ? "" : "(\(declarations.joined(separator: ", ")))"
    let isLocal = kind == "query" && !definition.isDeferring && random.chance(0.1)
    let local = isLocal ? " @apollo_client_ios_localCacheMutation" : ""
    text += "\(kind) \(name)\(list)\(local) \(body)\n\n"
    names.append(name)
  }

  /// One field, without a condition.
  private mutating func subscriptionBody(
    on type: String, in definition: inout Definition, _ random: inout SeededGenerator
  ) -> String {
    let fields = schema.composite(type)!.fields
    let field = random.pick(fields)
    let wasDeferring = definition.isDeferring
    let text = self.field(field, on: type, depth: 2, in: &definition, &random)
    definition.isDeferring = wasDeferring
    return "{ \(text ?? "__typename") }"
  }

  // MARK: - Selections

  private mutating func selectionSet(
    on type: String, depth: Int, in definition: inout Definition,
    _ random: inout SeededGenerator
  ) -> String {
    let composite = schema.composite(type)!
    var parts: [String] = []
    for _ in 0..<random.pick([1, 3, 5]) {
      let variables = definition.usedVariables
      let conditions = conditions(in: &definition, &random)
      if !composite.fields.isEmpty, random.chance(0.6) {
        let field = random.pick(composite.fields)
        guard
          let text = self.field(
            field, on: type, depth: depth, conditions, in: &definition, &random)
        else {
          definition.usedVariables = variables
          continue
        }
        parts.append(text)
      } else if random.chance(0.1) {
        parts.append(typename(on: type, conditions, in: &definition, &random))
      } else if random.chance(0.5) {
        guard let text = spread(on: type, conditions, in: &definition, &random) else {
          definition.usedVariables = variables
          continue
        }
        parts.append(text)
      } else if depth > 0 {
        parts.append(inlineFragment(on: type, depth: depth, conditions, in: &definition, &random))
      } else {
        definition.usedVariables = variables
      }
    }
    if parts.isEmpty { parts.append("__typename") }
    return "{\n\(parts.joined(separator: "\n"))\n}"
  }

  private mutating func field(
    _ field: RandomSchema.Field, on type: String, depth: Int, _ conditions: String = "",
    in definition: inout Definition, _ random: inout SeededGenerator
  ) -> String? {
    let isLeaf = schema.isLeaf(field.type.name)
    guard isLeaf || depth > 0 else { return nil }
    let arguments = self.arguments(of: field, in: &definition, &random)
    let meaning = Meaning(
      parent: type, isObject: schema.composite(type)!.kind == .object,
      field: field.name + arguments, shape: field.type.shape(isLeaf))
    var key = field.name
    if random.chance(0.2) { key = alias(&random) }
    var attempts = 0
    while !(definition.keys[key] ?? []).allSatisfy(meaning.agrees) {
      attempts += 1
      key = attempts < 5 ? alias(&random) : "alias\(definition.keys.count)_\(attempts)"
    }
    definition.keys[key, default: []].insert(meaning)
    let selections =
      isLeaf
      ? "" : " " + selectionSet(on: field.type.name, depth: depth - 1, in: &definition, &random)
    let name = key == field.name ? key : "\(key): \(field.name)"
    return name + arguments + conditions + selections
  }

  private func alias(_ random: inout SeededGenerator) -> String {
    if random.chance(0.05) { return random.pick(Self.membersOfModels) }
    let name = schema.names.any(using: &random)
    return name == "fragments" && random.chance(0.9) ? "other" : name
  }

  /// Names that models have, and that fields of a schema cannot have, or rarely do.
  private static let membersOfModels = [
    "__layout", "__object", "__selections", "__value", "__values", "__view", "__views", "__walk",
    "_asInlineFragment",
    "_set", "_toFragment", "asType", "debugDescription", "description", "hash", "hashValue", "init",
    "jsonObject", "self", "subscript",
  ]

  private mutating func typename(
    on type: String, _ conditions: String, in definition: inout Definition,
    _ random: inout SeededGenerator
  ) -> String {
    guard random.chance(0.3) else { return "__typename\(conditions)" }
    let key = "\(schema.names.any(using: &random))_typename"
    let meaning = Meaning(parent: "", isObject: false, field: "__typename", shape: "String!")
    guard (definition.keys[key] ?? []).allSatisfy(meaning.agrees) else { return "__typename" }
    definition.keys[key, default: []].insert(meaning)
    return "\(key): __typename\(conditions)"
  }

  private mutating func inlineFragment(
    on type: String, depth: Int, _ conditions: String, in definition: inout Definition,
    _ random: inout SeededGenerator
  ) -> String {
    let candidates = schema.composites.map(\.name).filter { schema.overlap($0, type) }
    let condition = random.chance(0.8) ? candidates.isEmpty ? type : random.pick(candidates) : nil
    var directives = conditions
    if isDeferring, condition != nil, random.chance(0.3) {
      labels += 1
      definition.isDeferring = true
      let label = random.chance(0.7) ? "\(schema.names.any(using: &random))\(labels)" : "l\(labels)"
      directives += " @defer(label: \"d\(label)\")"
    }
    let body = selectionSet(on: condition ?? type, depth: depth - 1, in: &definition, &random)
    return "... \(condition.map { "on \($0)" } ?? "")\(directives) \(body)"
  }

  private mutating func spread(
    on type: String, _ conditions: String, in definition: inout Definition,
    _ random: inout SeededGenerator
  ) -> String? {
    let candidates = fragments.filter { fragment in
      schema.overlap(fragment.type, type) && fragment.name != definition.name
        && fragment.keys.allSatisfy { key, meanings in
          (definition.keys[key] ?? []).allSatisfy { known in
            meanings.allSatisfy { $0.agrees(with: known) }
          }
        }
    }
    guard !candidates.isEmpty else { return nil }
    let fragment = random.pick(candidates)
    for (key, meanings) in fragment.keys { definition.keys[key, default: []].formUnion(meanings) }
    for variable in fragment.usedVariables where !definition.usedVariables.contains(variable) {
      definition.usedVariables.append(variable)
    }
    definition.isDeferring = definition.isDeferring || fragment.isDeferring
    var directives = conditions
    if isDeferring, random.chance(0.3) {
      labels += 1
      definition.isDeferring = true
      directives += random.chance(0.5) ? " @defer" : " @defer(label: \"spread\(labels)\")"
    }
    return "...\(fragment.name)\(directives)"
  }

  // MARK: - Arguments and conditions

  private mutating func addVariable(_ type: TypeReference, _ random: inout SeededGenerator) {
    let name = schema.names.unique(besides: &variableNames, using: &random)
    variables.append((name, type))
  }

  private mutating func variable(
    of type: TypeReference, in definition: inout Definition, _ random: inout SeededGenerator
  ) -> String {
    if !variables.contains(where: { $0.type == type }) { addVariable(type, &random) }
    let index = random.pick(variables.indices.filter { variables[$0].type == type })
    if !definition.usedVariables.contains(index) { definition.usedVariables.append(index) }
    return "$\(variables[index].name)"
  }

  private mutating func arguments(
    of field: RandomSchema.Field, in definition: inout Definition, _ random: inout SeededGenerator
  ) -> String {
    var parts: [String] = []
    for argument in field.arguments where argument.isRequired || random.chance(0.5) {
      let value =
        random.chance(0.5)
        ? variable(of: argument.type, in: &definition, &random)
        : RandomValues(schema).literal(of: argument.type, depth: 2, using: &random)
      parts.append("\(argument.name): \(value)")
    }
    return parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))"
  }

  private mutating func conditions(
    in definition: inout Definition, _ random: inout SeededGenerator
  ) -> String {
    guard random.chance(conditionProbability) else { return "" }
    let directives = random.pick([
      ["include"], ["skip"], ["skip", "include"], ["include", "skip"],
    ])
    return directives.map { directive in
      let value =
        random.chance(0.85)
        ? variable(of: .nonNull(.named("Boolean")), in: &definition, &random)
        : random.pick(["true", "false"])
      return " @\(directive)(if: \(value))"
    }.joined()
  }
}
