public import GraphQLSchema
public import GraphQLSyntax

/// The schema's types, seen from a document: what each field is and what each selection set selects
/// from.
public struct StaticTypes: Sendable {
  /// By the first selection of a set; `unknown` where the type is not known or not composite.
  private var parentTypes: [UInt32]
  /// By field.
  private var definitions: [UInt32]

  private static let unknown = UInt32.max

  init(of document: Document) {
    parentTypes = Array(repeating: Self.unknown, count: document.selections.count)
    definitions = Array(repeating: Self.unknown, count: document.fields.count)
  }

  /// The composite type whose fields `selectionSet` selects.
  ///
  /// - Returns: In a ``ValidatedDocument``, never nil.
  public func parentType(of selectionSet: SelectionSet) -> Schema.NamedType.ID? {
    guard !selectionSet.selections.isEmpty else { return nil }
    let type = parentTypes[selectionSet.selections.startIndex]
    return type == Self.unknown ? nil : Schema.NamedType.ID(rawValue: type)
  }

  /// The definition of a selected field, which may be a meta-field such as `__typename`.
  ///
  /// - Returns: In a ``ValidatedDocument``, never nil.
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
