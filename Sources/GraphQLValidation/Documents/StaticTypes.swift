public import GraphQLSchema
public import GraphQLSyntax

/// The types of a document's selections: the definition of each field, and the type from which each
/// selection set selects.
public struct StaticTypes: Sendable {
  /// The type of each selection set, indexed by its first selection, or `unknown`.
  private var parentTypes: [UInt32]
  /// The definition of each field, or `unknown`.
  private var definitions: [UInt32]

  private static let unknown = UInt32.max

  init(of document: Document) {
    parentTypes = Self.unknownTypes(document.selections.count)
    definitions = Self.unknownTypes(document.fields.count)
  }

  private static func unknownTypes(_ count: Int) -> [UInt32] {
    var types: [UInt32] = []
    types.reserveCapacity(count)
    types.adviseLargePages()
    types.append(contentsOf: repeatElement(unknown, count: count))
    return types
  }

  /// Returns the composite type from which `selectionSet` selects.
  ///
  /// - Returns: The type, which is not `nil` in a ``ValidatedDocument``.
  public func parentType(of selectionSet: SelectionSet) -> Schema.NamedType.ID? {
    guard !selectionSet.selections.isEmpty else { return nil }
    let type = parentTypes[selectionSet.selections.startIndex]
    return type == Self.unknown ? nil : Schema.NamedType.ID(rawValue: type)
  }

  /// Returns the definition of a selected field, which can be a meta-field such as `__typename`.
  ///
  /// - Returns: The definition, which is not `nil` in a ``ValidatedDocument``.
  public func definition(of field: Field.ID) -> Schema.Field.ID? {
    let definition = definitions[field.index]
    return definition == Self.unknown ? nil : Schema.Field.ID(rawValue: definition)
  }

  mutating func setParentType(_ type: Schema.NamedType.ID, of selectionSet: SelectionSet) {
    guard !selectionSet.selections.isEmpty else { return }
    parentTypes[selectionSet.selections.startIndex] = type.rawValue
  }

  mutating func setDefinition(_ definition: Schema.Field.ID, of field: Field.ID) {
    definitions[field.index] = definition.rawValue
  }
}
