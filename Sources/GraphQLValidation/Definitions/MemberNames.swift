import GraphQLSchema
import GraphQLSyntax

/// The first definition of each member of each type.
struct MemberNames {
  private struct Key: Hashable {
    var owner: Symbol
    var name: Symbol
  }

  private var names: [Key: Name] = [:]

  /// Reports members that their type already has.
  ///
  /// - Parameters:
  ///   - definitions: The definitions with the members.
  ///   - rule: The rule that forbids it.
  ///   - kind: The word for a member, such as `Field`.
  ///   - context: The context that collects the diagnostics.
  ///   - members: Returns the names of the members in one definition.
  static func check(
    _ definitions: SchemaDefinitions, as rule: any Rule.Type, _ kind: String,
    in context: inout ValidationContext, members: (TypeDefinition) -> [Name]
  ) {
    var existing = MemberNames()
    for type in definitions.types(in: definitions.base ?? []) {
      for name in members(type) { _ = existing.insert(name, of: type.name.symbol) }
    }
    var known = MemberNames()
    for type in definitions.types {
      for name in members(type) {
        let coordinate = "\(context.spelling(type.name)).\(context.spelling(name))"
        if existing.first(name, of: type.name.symbol) != nil {
          context.report(
            rule,
            "\(kind) \"\(coordinate)\" already exists in the schema. "
              + "It cannot also be defined in this type extension.",
            at: name.span)
        } else if let first = known.insert(name, of: type.name.symbol) {
          context.report(
            rule, "\(kind) \"\(coordinate)\" can only be defined once.", at: first.span,
            notes: [Diagnostic.Note("defined again here", at: name.span)])
        }
      }
    }
  }

  /// Returns the first member of `owner` with the same name, or `nil` if there is none.
  private func first(_ name: Name, of owner: Symbol) -> Name? {
    names[Key(owner: owner, name: name.symbol)]
  }

  /// Records `name`, or returns the first member with the same name if there is one.
  private mutating func insert(_ name: Name, of owner: Symbol) -> Name? {
    let key = Key(owner: owner, name: name.symbol)
    if let first = names[key] { return first }
    names[key] = name
    return nil
  }
}
