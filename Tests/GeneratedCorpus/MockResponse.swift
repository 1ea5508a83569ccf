import ApolloAPI
import enum ApolloAPI.JSONValue  // the schema has one of its own
import GraphQLSchema
import GraphQLSyntax
import SeededRandom

/// Makes up what a server could answer.
struct MockResponse {
  private let oracle: SelectionOracle
  private var random: SeededGenerator
  private var schema: Schema { oracle.schema }
  /// The number of objects that may still be made before lists and nullable objects stay empty.
  private var budget = 200

  init(_ oracle: SelectionOracle, seed: UInt64) {
    self.oracle = oracle
    random = SeededGenerator(seed: seed)
  }

  /// Some data for an operation, with the `__typename` of every object below the root.
  mutating func data(for operation: GraphQLSyntax.OperationDefinition) -> OrderedJSON {
    guard let root = schema.rootType(operation.kind) else { return .leaf(.null) }
    let isTold = oracle.asksForTypename(ofRoot: root, in: operation)
    return .object(
      members(
        [operation.selectionSet], of: root,
        typename: isTold ? schema.spelling(schema[root].name) : nil))
  }

  private mutating func members(
    _ sets: [GraphQLSyntax.SelectionSet], of type: Schema.NamedType.ID, typename: String?
  ) -> [(key: String, value: OrderedJSON)] {
    var members: [(key: String, value: OrderedJSON)] = []
    let fields = oracle.fields(of: sets, for: type)
    if let typename, !fields.contains(where: { $0.key == "__typename" }) {
      members.append(("__typename", .leaf(.string(typename))))
    }
    for field in fields {
      let isTypename = field.name == .typename
      members.append(
        (
          field.key,
          isTypename
            ? .leaf(.string(typename ?? schema.spelling(schema[type].name)))
            : value(of: field.type, field.sets)
        ))
    }
    return members
  }

  private mutating func value(
    of type: ResolvedType, _ sets: [GraphQLSyntax.SelectionSet]
  ) -> OrderedJSON {
    if !type.isNonNull, Int.random(in: 0..<6, using: &random) == 0 || budget < 0 {
      return .leaf(.null)
    }
    if let item = type.item {
      let count = budget < 0 ? 0 : Int.random(in: 0...3, using: &random)
      return .list((0..<count).map { _ in value(of: item, sets) })
    }
    if sets.isEmpty { return .leaf(leaf(type.namedType)) }
    budget -= 1
    let possible = Array(schema.possibleTypes(of: type.namedType))
    let object = possible.randomElement(using: &random) ?? type.namedType
    return .object(members(sets, of: object, typename: schema.spelling(schema[object].name)))
  }

  private mutating func leaf(_ type: Schema.NamedType.ID) -> JSONValue {
    if schema[type].kind == .enum {
      // Now and then one that is newer than the schema.
      if Int.random(in: 0..<10, using: &random) == 0 { return "NEWER_THAN_THE_SCHEMA" }
      let values = schema[schema[type].enumValues].map { schema.spelling($0.name) }
      return .string(values.randomElement(using: &random) ?? "NONE")
    }
    guard schema[type].isBuiltIn else { return anything() }
    switch schema.spelling(schema[type].name) {
    case "Int":
      return .int([0, -1, 7, 2_147_483_647, -2_147_483_648].randomElement(using: &random)!)
    case "Float":
      return [0.5, -2.25, 1e21, 3, .double(.leastNonzeroMagnitude)].randomElement(using: &random)!
    case "Boolean": return .bool(Bool.random(using: &random))
    case "ID": return .string("id-\(Int.random(in: 0..<100, using: &random))")
    default: return text()
    }
  }

  private mutating func text() -> JSONValue {
    ["", "short", "just longer than fifteen bytes", "é🚀\u{2028}", "a \"quote\"\n\\ \u{0}"]
      .randomElement(using: &random)!
  }

  /// A value of a custom scalar.
  private mutating func anything() -> JSONValue {
    [
      text(), 12, 1.5, true, ["a": [1, nil, ["b": "c"]]], [], [[]], .int(9_007_199_254_740_993),
      .decimal("123456789012345678901234567890"),
    ].randomElement(using: &random)!
  }
}
