import SeededRandom

/// A schema, operations on it and options, made up so that their names collide with each other and
/// with everything that generated code says.
///
/// The schema and the operations are valid: the same seed makes the same ones.
package struct RandomProject {
  /// The seed that the project was made from.
  package let seed: UInt64
  /// The namespace of the generated types, whose name some of them may have.
  package let namespace: String
  /// The schema, in the schema definition language.
  package let schema: String
  /// The operations and fragments.
  package let operations: String
  /// The members of `options` in the configuration, and `experimentalFeatures`, as JSON.
  package let options: String

  package init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.seed = seed
    namespace = "P\(seed)"
    let schema = RandomSchema(namespace: namespace, using: &random)
    let operations = RandomOperations(on: schema, using: &random)
    self.schema = schema.text(using: &random)
    self.operations = operations.text
    options = RandomOptions(for: schema, operations).json(using: &random)
  }
}
