import ApolloAPI
import SeededRandom

/// A schema, operations and responses that are generated from a seed.
///
/// Every type has every field, and a field's type follows from its name, so that any selections
/// merge. The value of a field follows from its object and its arguments, so that all responses
/// agree.
struct RandomWorld {
  let seed: UInt64
  let schema: RandomSchema
  var random: SeededGenerator

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    schema = RandomSchema(&random)
  }

  // MARK: - An operation

  indirect enum Selection {
    case field(key: String, name: String, arguments: [String: Argument], [Selection], String)
    case inline(String, [Selection], String)
    /// A named fragment, by its number.
    case spread(Int, String)
  }

  struct Fragment {
    var type: String
    var selections: [Selection]
  }

  enum Argument {
    case constant(JSONValue)
    case variable(String)
  }

  struct Operation {
    var literal: String
    /// The literals of the fragments that it spreads.
    var fragmentLiterals: [String]
    var selections: [Selection]
    fileprivate var fragments: [Fragment]
    fileprivate var values: [String: JSONValue]

    var variables: Variables {
      [
        "yes": values["yes"]!.boolValue!, "no": values["no"]!.boolValue!,
        "number": Int(values["number"]!.description)!, "text": values["text"]!.stringValue!,
      ]
    }
  }

  private static let texts = [
    "a.b", "\"", ",", ")", "(x:1)", "", "é", "e\u{301}", "🚀", "\\", "a\",b:\"c", "null",
  ]

  mutating func operation() -> Operation {
    let values = values()
    // Each fragment may spread those before it.
    var fragments: [Fragment] = []
    for count in 0..<DynamicDefinition.fragmentTypes.count {
      let type = schema.compositeTypes.randomElement(using: &random)!
      let selections = selections(depth: 2, fragmentCount: count)
      fragments.append(Fragment(type: type, selections: selections))
    }
    let selections = selections(depth: 0, fragmentCount: fragments.count)
    return Operation(
      literal: "Query {\(text(selections))}",
      fragmentLiterals: fragments.map { "\($0.type) {\(text($0.selections))}" },
      selections: selections, fragments: fragments, values: values)
  }

  /// The selections of an operation, for ``DynamicQuery``.
  func definition(of operation: Operation) -> DynamicDefinition {
    func selections(_ literal: String) -> Selections {
      Selections(
        literal, fragments: DynamicDefinition.fragmentTypes,
        leaves: [JSONValue.self, GraphQLEnum<LibraryAPI.Genre>.self])
    }
    return DynamicDefinition(
      selections(operation.literal), fragments: operation.fragmentLiterals.map(selections),
      types: schema.types)
  }

  /// The same operation with other values of its variables.
  mutating func again(_ operation: Operation) -> Operation {
    var operation = operation
    operation.values = values()
    return operation
  }

  /// Varies an operation: its order, its aliases and what it selects.
  ///
  /// - Parameters:
  ///   - operation: The other operation. This one has its variables and fragments.
  ///   - adding: Whether it may also select what the other one does not.
  /// - Returns: An operation that selects some of what the other one selects.
  mutating func related(to operation: Operation, adding: Bool) -> Operation {
    var related = operation
    related.selections = variation(of: operation.selections, depth: 0, adding: adding)
    related.literal = "Query {\(text(related.selections))}"
    return related
  }

  private mutating func variation(of selections: [Selection], depth: Int, adding: Bool)
    -> [Selection]
  {
    var varied: [Selection] = []
    for selection in selections where depth == 0 || Int.random(in: 0..<4, using: &random) > 0 {
      switch selection {
      case .spread: varied.append(selection)
      case .inline(let type, let children, let condition):
        let children = variation(of: children, depth: depth + 1, adding: adding)
        if !children.isEmpty { varied.append(.inline(type, children, condition)) }
      case .field(let key, let name, let arguments, let children, let condition):
        // A field of a fragment may have the first key, so that both are merged.
        let key = Int.random(in: 0..<6, using: &random) == 0 ? "\(key)_again" : key
        let children = variation(of: children, depth: depth + 1, adding: adding)
        varied.append(
          .field(key: key, name: name, arguments: arguments, children, condition))
      }
    }
    if adding && depth > 0 && Int.random(in: 0..<6, using: &random) == 0 {
      varied.append(selection(depth: depth, fragmentCount: 0))
    }
    return varied.shuffled(using: &random)
  }

  private mutating func values() -> [String: JSONValue] {
    [
      "yes": .bool(.random(using: &random)), "no": .bool(.random(using: &random)),
      "number": .int(.random(in: 0..<3, using: &random)),
      "text": .string(Self.texts.randomElement(using: &random)!),
    ]
  }

  private mutating func selections(depth: Int, fragmentCount: Int) -> [Selection] {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      selection(depth: depth, fragmentCount: fragmentCount)
    }
  }

  private mutating func condition() -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: " @include(if:$yes)"
    case 1: " @skip(if:$no)"
    default: ""
    }
  }

  private mutating func selection(depth: Int, fragmentCount: Int) -> Selection {
    switch depth > 0 ? Int.random(in: 0..<10, using: &random) : 9 {
    case 0, 1:
      let type = schema.compositeTypes.randomElement(using: &random)!
      return .inline(
        type, selections(depth: depth + 1, fragmentCount: fragmentCount), condition())
    case 2...3 where fragmentCount > 0:
      return .spread(.random(in: 0..<fragmentCount, using: &random), condition())
    default: break
    }
    let isObject = depth == 0 || (depth < 4 && Int.random(in: 0..<3, using: &random) == 0)
    let names = isObject ? RandomSchema.objectFields : RandomSchema.leafFields
    let name = names.randomElement(using: &random)!
    let arguments = arguments()
    var key = name
    if !arguments.isEmpty { key += "_\(Self.hash(Self.text(arguments)) % 100_000)" }
    let children =
      isObject ? selections(depth: depth + 1, fragmentCount: fragmentCount) : []
    return .field(key: key, name: name, arguments: arguments, children, condition())
  }

  private mutating func arguments() -> [String: Argument] {
    var arguments: [String: Argument] = [:]
    if Int.random(in: 0..<3, using: &random) == 0 {
      arguments["text"] =
        Bool.random(using: &random)
        ? .variable("text") : .constant(.string(Self.texts.randomElement(using: &random)!))
    }
    if Int.random(in: 0..<5, using: &random) == 0 { arguments["number"] = .variable("number") }
    if Int.random(in: 0..<6, using: &random) == 0 { arguments["none"] = .variable("absent") }
    if Int.random(in: 0..<6, using: &random) == 0 {
      arguments["list"] = .constant([.int(.random(in: 0..<3, using: &random)), nil, "x,y"])
    }
    return arguments
  }

  // MARK: - Its text

  private static func text(_ arguments: [String: Argument]) -> String {
    guard !arguments.isEmpty else { return "" }
    let list = arguments.sorted { $0.key < $1.key }.map { name, value in
      switch value {
      case .constant(let value): "\(name):\(value)"
      case .variable(let variable): "\(name):$\(variable)"
      }
    }
    return "(\(list.joined(separator: " ")))"
  }

  private func text(_ selections: [Selection]) -> String {
    selections.map { selection in
      switch selection {
      case .spread(let number, let condition): "...#\(number)\(condition)"
      case .inline(let type, let children, let condition):
        "...\(type) {\(text(children))}\(condition)"
      case .field(let key, let name, let arguments, let children, let condition):
        "\(key):\(name)\(Self.text(arguments)) \(typeText(name, children))\(condition)"
      }
    }.joined(separator: " ")
  }

  private func typeText(_ field: String, _ children: [Selection]) -> String {
    let (base, rank, nonNull) = schema.type(of: field)
    var text =
      switch base {
      case .string: "String"
      case .int: "Int"
      case .float: "Float"
      case .boolean: "Boolean"
      case .json: "#0"
      case .genre: "#1"
      case .object(let type):
        "\(type) {__typename String! id ID! code Int! \(text(children))}"
      }
    if nonNull[rank] { text += "!" }
    for depth in (0..<rank).reversed() { text = "[\(text)]" + (nonNull[depth] ? "!" : "") }
    return text
  }

  // MARK: - A response

  /// Returns the response of the server: `{"data": …}`.
  func answer(to operation: Operation) -> JSONValue {
    ["data": object(operation.selections, operation, typename: "Query", identity: "Query")]
  }

  private struct CollectedField {
    var name: String
    var arguments: [String: Argument]
    var children: [Selection]
  }

  private func collect(
    _ selections: [Selection], _ operation: Operation, _ typename: String,
    into fields: inout [(key: String, field: CollectedField)]
  ) {
    for selection in selections {
      switch selection {
      case .inline(let type, let children, let condition):
        if schema.holds(type, for: typename) && includes(condition, operation) {
          collect(children, operation, typename, into: &fields)
        }
      case .spread(let number, let condition):
        let fragment = operation.fragments[number]
        if schema.holds(fragment.type, for: typename) && includes(condition, operation) {
          collect(fragment.selections, operation, typename, into: &fields)
        }
      case .field(let key, let name, let arguments, let children, let condition):
        guard includes(condition, operation) else { continue }
        if let index = fields.firstIndex(where: { $0.key == key }) {
          fields[index].field.children += children
        } else {
          fields.append(
            (key, CollectedField(name: name, arguments: arguments, children: children)))
        }
      }
    }
  }

  private func includes(_ condition: String, _ operation: Operation) -> Bool {
    if condition.contains("@include") { return operation.values["yes"] == .bool(true) }
    if condition.contains("@skip") { return operation.values["no"] == .bool(false) }
    return true
  }

  private func object(
    _ selections: [Selection], _ operation: Operation, typename: String, identity: String
  ) -> JSONValue {
    var fields: [(key: String, field: CollectedField)] = []
    collect(selections, operation, typename, into: &fields)
    var members: [String: JSONValue] = [:]
    for (key, field) in fields {
      let values = field.arguments.sorted { $0.key < $1.key }.compactMap { name, argument in
        switch argument {
        case .constant(let value): "\(name):\(value)"
        case .variable(let variable): operation.values[variable].map { "\(name):\($0)" }
        }
      }
      let place = "\(identity).\(field.name)(\(values.joined(separator: ",")))"
      members[key] = value(schema.type(of: field.name), depth: 0, field, operation, place)
    }
    return .object(members)
  }

  private func value(
    _ type: RandomSchema.FieldType, depth: Int, _ field: CollectedField,
    _ operation: Operation, _ place: String
  ) -> JSONValue {
    let number = hash(place)
    if !type.nonNull[depth] && number % 7 == 0 { return .null }
    if depth < type.rank {
      return .array(
        (0..<Int(number % 4)).map {
          value(type, depth: depth + 1, field, operation, "\(place)[\($0)]")
        })
    }
    switch type.base {
    case .string: return .string(Self.texts[Int(number / 7 % UInt64(Self.texts.count))])
    case .int: return .int(Int64(number % 1_000))
    case .float: return .double(Double(number % 1_000) / 8)
    case .boolean: return .bool(number % 2 == 0)
    case .genre: return .string(["NOVEL", "POETRY", "ESSAY"][Int(number / 7 % 3)])
    case .json: return ["x": [.int(Int64(number % 5)), nil, ["y": "z"]]]
    case .object(let name):
      let possible = schema.possibleTypes(name)
      let typename = possible[Int(number / 7 % UInt64(possible.count))]
      let key = schema.keyFields[typename] ?? []
      // Of one key, one thing: what is not part of it follows from it. Things without key fields
      // are who they are by where they are.
      var values = ["id": number / 100 % 4, "code": number / 1_000 % 2]
      let identity =
        key.isEmpty ? place : "\(typename):" + key.map { "\(values[$0]!)" }.joined(separator: "+")
      for field in ["id", "code"] where !key.contains(field) {
        values[field] = hash(identity + field) % 9
      }
      guard
        case .object(var members) = object(
          field.children, operation, typename: typename, identity: identity)
      else { return .null }
      members["__typename"] = .string(typename)
      members["id"] = .string("\(values["id"]!)")
      members["code"] = .int(Int64(values["code"]!))
      return .object(members)
    }
  }

  private func hash(_ text: String) -> UInt64 { Self.hash("\(seed)\(text)") }

  /// FNV-1a, and a mixing step.
  private static func hash(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 29)) &* 0xBF58_476D_1CE4_E5B9
    return hash ^ (hash >> 32)
  }
}
