/// The rules that the definitions of a schema may violate, as far as the builder detects it.
///
/// Detecting them costs nothing for a valid document, and the rules need no check otherwise.
package struct SchemaDoubts: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let uniqueTypeNames = SchemaDoubts(rawValue: 1 << 0)
  package static let uniqueDirectiveNames = SchemaDoubts(rawValue: 1 << 1)
  package static let uniqueMemberNames = SchemaDoubts(rawValue: 1 << 2)
  package static let uniqueArgumentDefinitionNames = SchemaDoubts(rawValue: 1 << 3)
  package static let knownTypeNames = SchemaDoubts(rawValue: 1 << 4)
  package static let possibleTypeExtensions = SchemaDoubts(rawValue: 1 << 5)

  /// The rules that can be violated inside a definition that does not become a part of the
  /// schema.
  static let inOmittedDefinitions: SchemaDoubts = [
    .uniqueMemberNames, .uniqueArgumentDefinitionNames, .knownTypeNames,
  ]
}
