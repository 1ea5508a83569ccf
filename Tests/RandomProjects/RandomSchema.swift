import SeededRandom

/// A type as it is written: `[Dog!]`.
indirect enum TypeReference: Hashable {
  case named(String)
  case list(TypeReference)
  case nonNull(TypeReference)

  var name: String {
    switch self {
    case .named(let name): name
    case .list(let inner), .nonNull(let inner): inner.name
    }
  }

  var isNonNull: Bool { if case .nonNull = self { true } else { false } }
  var isList: Bool { if case .list = nullable { true } else { false } }
  var nullable: TypeReference { if case .nonNull(let inner) = self { inner } else { self } }

  var text: String {
    switch self {
    case .named(let name): name
    case .list(let inner): "[\(inner.text)]"
    case .nonNull(let inner): "\(inner.text)!"
    }
  }

  /// The facts that have to be equal where fields are merged; every composite type is `*`.
  func shape(_ isLeaf: Bool) -> String {
    isLeaf ? text : text.replacing(name, with: "*", maxReplacements: 1)
  }
}

/// A schema in which names collide, with every construct of the language.
struct RandomSchema {
  struct InputField {
    var name: String
    var type: TypeReference
    var defaultValue: String?
    var isDeprecated = false
    var isRequired: Bool { type.isNonNull && defaultValue == nil }
  }

  struct Field {
    var name: String
    var arguments: [InputField] = []
    var type: TypeReference
    var isDeprecated = false
  }

  struct Composite {
    enum Kind { case object, interface, union }
    var kind: Kind
    var name: String
    var interfaces: [String] = []
    var fields: [Field] = []
    /// Of a union.
    var members: [String] = []
    var policy = ""
  }

  struct InputType {
    var name: String
    var isOneOf: Bool
    var fields: [InputField] = []
  }

  private(set) var composites: [Composite] = []
  private(set) var enums: [(name: String, values: [String])] = []
  private(set) var scalars: [String] = []
  private(set) var inputs: [InputType] = []
  private(set) var roots: [(kind: String, type: String)] = []
  let names: RandomNames

  private var possible: [String: Set<String>] = [:]
  private var index: [String: Int] = [:]
  private var inputIndex: [String: Int] = [:]
  /// Every interface that has a field of a name has the same one, so that a type can implement any
  /// of them.
  private var interfaceFields: [String: Field] = [:]

  init(namespace: String, using random: inout SeededGenerator) {
    names = RandomNames(namespace: namespace, using: &random)
    var taken: Set<String> = ["String", "Int", "Float", "Boolean", "ID"]
    func name() -> String { names.unique(besides: &taken, capitalized: true, using: &random) }
    for _ in 0..<random.pick([1, 2, 3]) { scalars.append(name()) }
    for _ in 0..<random.pick([1, 2, 3]) {
      let type = name()
      var values: Set<String> = ["true", "false", "null"]
      let count = random.pick([1, 3, 8])
      enums.append(
        (type, (0..<count).map { _ in names.unique(besides: &values, using: &random) }))
    }
    let inputNames = (0..<random.pick([1, 3, 5])).map { _ in name() }
    for name in inputNames { inputs.append(InputType(name: name, isOneOf: random.chance(0.3))) }
    for index in inputs.indices { addFields(toInput: index, &random) }

    for _ in 0..<random.pick([0, 1, 2, 4]) {
      composites.append(Composite(kind: .interface, name: name()))
    }
    let interfaceCount = composites.count
    for _ in 0..<random.pick([2, 3, 5]) {
      composites.append(Composite(kind: .object, name: name()))
    }
    for kind in ["query", "mutation", "subscription"] where kind == "query" || random.chance(0.4) {
      let standard = kind.prefix(1).uppercased() + kind.dropFirst()
      let isStandard = random.chance(0.7) && taken.insert(standard).inserted
      roots.append((kind, isStandard ? standard : name()))
      composites.append(Composite(kind: .object, name: roots.last!.type))
    }
    let objects = composites[interfaceCount...].map(\.name)
    for _ in 0..<random.pick([0, 1, 2]) {
      var members = random.some(objects, 0.5)
      if members.isEmpty { members = [objects[0]] }
      composites.append(Composite(kind: .union, name: name(), members: members))
    }
    for (position, composite) in composites.enumerated() { index[composite.name] = position }
    for position in composites.indices where composites[position].kind != .union {
      addFields(toComposite: position, interfaceCount, &random)
    }
    for composite in composites {
      switch composite.kind {
      case .object:
        possible[composite.name, default: []].insert(composite.name)
        for interface in composite.interfaces {
          possible[interface, default: []].insert(composite.name)
        }
      case .union: possible[composite.name] = Set(composite.members)
      case .interface: break
      }
    }
    addPolicies(&random)
  }

  // MARK: - Asking

  func composite(_ name: String) -> Composite? { index[name].map { composites[$0] } }
  func input(_ name: String) -> InputType? { inputIndex[name].map { inputs[$0] } }
  func isLeaf(_ name: String) -> Bool { index[name] == nil }

  func overlap(_ first: String, _ second: String) -> Bool {
    !(possible[first] ?? []).isDisjoint(with: possible[second] ?? [])
  }

  // MARK: - Inputs

  private mutating func addFields(toInput position: Int, _ random: inout SeededGenerator) {
    inputIndex[inputs[position].name] = position
    var taken: Set<String> = []
    let isOneOf = inputs[position].isOneOf
    for number in 0..<random.pick([1, 3, 6]) {
      let name = names.unique(besides: &taken, using: &random)
      var field: InputField
      if isOneOf {
        // One that is no object, so that there are values at all.
        let type =
          number == 0
          ? TypeReference.named(leafInput(&random)) : inputType(upTo: position, &random).nullable
        field = InputField(name: name, type: type)
      } else {
        field = inputField(name, upTo: position, &random)
      }
      field.isDeprecated = !field.isRequired && random.chance(0.15)
      inputs[position].fields.append(field)
    }
  }

  private func inputField(
    _ name: String, upTo position: Int, _ random: inout SeededGenerator
  ) -> InputField {
    let type = inputType(upTo: position, &random)
    // The defaults of an object are in the defaults of who mentions it: they may not go round in
    // circles.
    let isSafe = inputIndex[type.name].map { $0 < position } ?? true
    let hasDefault = isSafe && random.chance(0.3)
    return InputField(
      name: name, type: type,
      defaultValue: hasDefault
        ? RandomValues(self).literal(of: type, depth: 2, using: &random) : nil)
  }

  private func leafInput(_ random: inout SeededGenerator) -> String {
    random.pick(
      ["String", "Int", "Float", "Boolean", "ID", scalars[0], scalars.last!]
        + enums.map(\.name) + enums.map(\.name))
  }

  /// A type of an argument, or of a field of the input object at `position`.
  private func inputType(upTo position: Int, _ random: inout SeededGenerator) -> TypeReference {
    if random.chance(0.6) { return wrapped(leafInput(&random), &random) }
    let other = random.below(inputs.count)
    let type = wrapped(inputs[other].name, &random)
    // Objects that need each other, directly or not, could not be written.
    return other < position ? type : type.nullable
  }

  private func wrapped(_ name: String, _ random: inout SeededGenerator) -> TypeReference {
    var type = TypeReference.named(name)
    if random.chance(0.4) { type = .nonNull(type) }
    while random.chance(0.25) {
      type = .list(type)
      if random.chance(0.5) { type = .nonNull(type) }
    }
    return type
  }

  // MARK: - Fields

  private mutating func addFields(
    toComposite position: Int, _ interfaceCount: Int, _ random: inout SeededGenerator
  ) {
    let composite = composites[position]
    let isInterface = composite.kind == .interface
    var interfaces: [String] = []
    for candidate in composites[..<(isInterface ? position : interfaceCount)]
    where random.chance(0.5) {
      // Whoever implements an interface implements what that implements.
      for name in candidate.interfaces + [candidate.name] where !interfaces.contains(name) {
        interfaces.append(name)
      }
    }
    var fields: [Field] = []
    var taken: Set<String> = []
    for interface in interfaces {
      for field in self.composite(interface)!.fields where taken.insert(field.name).inserted {
        fields.append(field)
      }
    }
    if isInterface {
      let count = random.pick([1, 2, 4])
      for _ in 0..<count {
        let name = names.any(using: &random)
        guard taken.insert(name).inserted else { continue }
        let field = interfaceFields[name] ?? self.field(name, &random)
        interfaceFields[name] = field
        fields.append(field)
      }
    } else {
      for index in fields.indices where !fields[index].type.isNonNull && random.chance(0.3) {
        fields[index].type = .nonNull(fields[index].type)
      }
      for _ in 0..<random.pick([1, 3, 6]) {
        fields.append(field(names.unique(besides: &taken, using: &random), &random))
      }
      if random.chance(0.3), taken.insert("id").inserted {
        fields.append(Field(name: "id", type: .nonNull(.named("ID"))))
      }
    }
    composites[position].interfaces = interfaces
    composites[position].fields = fields
  }

  private func field(_ name: String, _ random: inout SeededGenerator) -> Field {
    let type =
      random.chance(0.5)
      ? random.pick(
        ["String", "Int", "Float", "Boolean", "ID", scalars[0]] + enums.map(\.name))
      : random.pick(composites).name
    var arguments: [InputField] = []
    if random.chance(0.3) {
      var taken: Set<String> = []
      for _ in 0..<random.pick([1, 2, 3]) {
        var argument = inputField(
          names.unique(besides: &taken, using: &random), upTo: inputs.count, &random)
        argument.isDeprecated = !argument.isRequired && random.chance(0.1)
        arguments.append(argument)
      }
    }
    return Field(
      name: name, arguments: arguments, type: wrapped(type, &random),
      isDeprecated: random.chance(0.1))
  }

  // MARK: - Policies

  private mutating func addPolicies(_ random: inout SeededGenerator) {
    guard random.chance(0.3) else { return }
    for position in composites.indices
    where composites[position].kind == .object && composites[position].interfaces.isEmpty {
      let keys = composites[position].fields.filter { field in
        field.type.isNonNull && !field.type.isList && field.arguments.isEmpty
          && ["String", "Int", "ID"].contains(field.type.name)
      }.map(\.name)
      guard !keys.isEmpty, random.chance(0.5) else { continue }
      composites[position].policy =
        " @typePolicy(keyFields: \"\(keys.prefix(2).joined(separator: " "))\")"
    }
  }
}
