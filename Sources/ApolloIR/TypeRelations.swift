package import GraphQLSchema

/// Answers, and remembers, how the composite types of a schema relate.
package struct TypeRelations {
  private let schema: Schema
  private var narrower: [Pair: Bool] = [:]
  private var overlapping: [Pair: Bool] = [:]

  private struct Pair: Hashable {
    var first: Schema.NamedType.ID
    var second: Schema.NamedType.ID
  }

  package init(schema: Schema) { self.schema = schema }

  /// Whether every object of `type` also is one of `other`.
  package mutating func isSame(
    _ type: Schema.NamedType.ID, orNarrowerThan other: Schema.NamedType.ID
  ) -> Bool {
    if type == other { return true }
    let pair = Pair(first: type, second: other)
    if let known = narrower[pair] { return known }
    let objects = schema.possibleTypes(of: type)
    let result = !objects.isEmpty && objects.allSatisfy { schema.isPossibleType($0, of: other) }
    narrower[pair] = result
    return result
  }

  /// Whether some object is of both types.
  package mutating func overlap(
    _ type: Schema.NamedType.ID, _ other: Schema.NamedType.ID
  ) -> Bool {
    if type == other { return true }
    let pair = Pair(first: min(type, other), second: max(type, other))
    if let known = overlapping[pair] { return known }
    let result = schema.possibleTypes(of: type).contains { schema.isPossibleType($0, of: other) }
    overlapping[pair] = result
    return result
  }
}
