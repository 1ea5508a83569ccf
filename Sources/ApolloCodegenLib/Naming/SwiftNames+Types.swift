import ApolloIR
import GraphQLSchema
import GraphQLSyntax

extension SwiftNames {
  /// Names the types of the schema, then operations and fragments, which share a scope with most of
  /// them.
  ///
  /// - Parameters:
  ///   - program: The program with the types.
  ///   - hidden: Names that definitions cannot have, because nested types hide them.
  mutating func resolveTypes(of program: Program, hidden: Set<String> = []) {
    let types = program.types
    let constants = ReservedSwiftNames.typeConstants.union([namespace])
    resolve(types.objects.map { TypeToName($0.name, .object, $0.span) }, constants)
    resolve(types.interfaces.map { TypeToName($0.name, .interface, $0.span) }, constants)
    resolve(types.unions.map { TypeToName($0.name, .union, $0.span) }, constants)
    let leaves =
      types.enums.map { TypeToName($0.name, .enum, $0.span) }
      + types.inputObjects.map { TypeToName($0.name, .inputObject, $0.span) }
      + types.scalars.map { TypeToName($0.name, .scalar, $0.span) }
    resolve(leaves, ReservedSwiftNames.types)
    resolveDefinitions(
      of: program, besides: hidden.union(leaves.map { schemaType($0.name, $0.kind) }))
  }

  private struct TypeToName {
    var name: String
    var kind: SchemaTypeKind
    var span: SourceSpan?

    init(_ name: String, _ kind: SchemaTypeKind, _ span: SourceSpan?) {
      self.name = name
      self.kind = kind
      self.span = span
    }
  }

  private mutating func resolve(_ types: [TypeToName], _ reserved: Set<String>) {
    let wishes = types.map { type in
      if let custom = customNames[type.name]?.name {
        return UniqueNames.Wish(names: [custom], rank: 0)
      }
      let name = Casing.capitalizingFirstLetter(type.name)
      return UniqueNames.Wish(
        names: [name, name + type.kind.rawValue], rank: name == type.name ? 1 : 2)
    }
    let names = UniqueNames.assign(wishes, besides: reserved)
    for (type, (wish, name)) in zip(types, zip(wishes, names)) where name != wish.names[0] {
      setSchemaType(name, type.name, type.kind)
      if wish.rank == 0 {
        reportCustomName(wish.names[0], "the type '\(type.name)'", at: type.span)
      } else if !reserved.contains(wish.names[0]) {
        warn("The type '\(type.name)'", name, insteadOf: wish.names[0], .type, at: type.span)
      }
    }
  }

  private mutating func resolveDefinitions(of program: Program, besides taken: Set<String>) {
    let wishes = program.definitions.map { definition in
      let name = conversions.definition(definition)
      let capitalized = Casing.capitalizingFirstLetter(definition.name)
      let rank = name == definition.name ? 0 : capitalized == definition.name ? 2 : 4
      return UniqueNames.Wish(
        names: [name, capitalized + definition.distinction],
        rank: definition.kind == .fragment ? rank + 1 : rank)
    }
    let names = UniqueNames.assign(wishes, besides: ReservedSwiftNames.types.union(taken))
    for (definition, (wish, name)) in zip(program.definitions, zip(wishes, names))
    where name != wish.names[0] {
      setDefinition(name, definition)
      if !ReservedSwiftNames.types.contains(wish.names[0]) {
        warn(
          "'\(definition.name)'", name, insteadOf: wish.names[0], .definition, at: definition.span)
      }
    }
  }
}

extension SwiftNames.SchemaTypeKind {
  /// The kind of the type that a type condition names.
  init(_ condition: ApolloIR.TypeCondition, in program: Program) {
    switch program.schema[condition.type].kind {
    case .interface: self = .interface
    case .union: self = .union
    default: self = .object
    }
  }
}
