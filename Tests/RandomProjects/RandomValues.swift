import SeededRandom

/// Values as they are written in GraphQL.
struct RandomValues {
  private let schema: RandomSchema

  init(_ schema: RandomSchema) { self.schema = schema }

  /// A value without variables.
  func literal(
    of type: TypeReference, depth: Int, using random: inout SeededGenerator
  ) -> String {
    if !type.isNonNull, random.chance(depth <= 0 ? 0.8 : 0.15) { return "null" }
    switch type {
    case .nonNull(let inner): return presentLiteral(of: inner, depth: depth, using: &random)
    default: return presentLiteral(of: type, depth: depth, using: &random)
    }
  }

  func presentLiteral(
    of type: TypeReference, depth: Int, using random: inout SeededGenerator
  ) -> String {
    switch type {
    case .nonNull(let inner): return presentLiteral(of: inner, depth: depth, using: &random)
    case .list(let item):
      // One value stands for a list of one.
      if random.chance(0.15), !item.isList {
        return presentLiteral(of: item, depth: depth - 1, using: &random)
      }
      let count = depth <= 0 ? 0 : random.below(3)
      let items = (0..<count).map { _ in literal(of: item, depth: depth - 1, using: &random) }
      return "[\(items.joined(separator: ", "))]"
    case .named(let name): return named(name, depth: depth, using: &random)
    }
  }

  private func named(_ name: String, depth: Int, using random: inout SeededGenerator) -> String {
    switch name {
    case "Int": return random.pick(["0", "-1", "2147483647", "-2147483648", "7"])
    case "Float": return random.pick(["0", "1.5", "-2.5e10", "1e-3", "3", "-0.0"])
    case "Boolean": return random.pick(["true", "false"])
    case "String": return Self.string(using: &random)
    case "ID": return random.pick(["1", "\"id\"", Self.string(using: &random)])
    default: break
    }
    if let type = schema.enums.first(where: { $0.name == name }) { return random.pick(type.values) }
    if let type = schema.input(name) { return object(type, depth: depth, using: &random) }
    return random.pick([
      Self.string(using: &random), "12", "1.5", "true", "{a: [1, {b: \"c\"}], type: null}",
      "[{x: \"\(1)\"}]", "99999999999999999999", "{}",
    ])
  }

  private func object(
    _ type: RandomSchema.InputType, depth: Int, using random: inout SeededGenerator
  ) -> String {
    if type.isOneOf {
      // The first field is no object.
      let field = depth <= 0 ? type.fields[0] : random.pick(type.fields)
      return "{\(field.name): \(presentLiteral(of: field.type, depth: depth - 1, using: &random))}"
    }
    let fields = type.fields.filter { $0.isRequired || depth > 0 && random.chance(0.5) }
    let members = fields.map { field in
      // A field that has a default may be left out, but not be null.
      "\(field.name): \(literal(of: field.type, depth: depth - 1, using: &random))"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  /// Texts that end comments and literals, interpolate, and begin new lines.
  static func string(using random: inout SeededGenerator) -> String {
    random.pick([
      ##""""##, ##""text""##, ##""\"""##, ##""\\(evil())""##, ##""\"#""##,
      ##""*/ let evil = 1 /*""##,
      ##""a\nb""##, ##""\u0000""##, ##""\u2028""##, ##""\\""##, ##""\"\"\"""##, ##""é🚀""##,
      ##""#if DEBUG""##, ###""\"##""###, ##""\t\r""##, ##""$x ${y}""##, ##""@include(if: $a)""##,
      ##""{ } ( ) [ ]""##, ##""// x""##,
      "\"\"\"block \\\"\"\" \"text\" \\(x)\n  two\n\"\"\"",
    ])
  }
}
