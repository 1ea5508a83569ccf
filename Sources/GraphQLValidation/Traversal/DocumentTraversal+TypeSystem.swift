import GraphQLSchema
import GraphQLSyntax

// MARK: - Definitions

extension DocumentTraversal {
  /// Visits a type system definition or extension in an executable document. The rules for
  /// executable documents also apply to the types, directives and values in it.
  mutating func visit(typeSystem definition: Definition) {
    ExecutableDefinitions.check(definition, in: &context)
    switch definition {
    case .operation, .fragment: break
    case .schema(let id):
      let schema = context.document[id]
      visit(schema.directives, at: .schema, of: .schema)
      for root in schema.rootOperationTypes { visit(typeName: context.document[root].type) }
    case .type(let id): visit(context.document[id])
    case .directive(let id):
      let directive = context.document[id]
      visit(directive.arguments, at: .argumentDefinition)
      visit(
        directive.directives, at: .directiveDefinition, of: .directive(directive.name.symbol))
    }
  }

  private mutating func visit(_ type: TypeDefinition) {
    visit(type.directives, at: type.kind.directiveLocation, of: .type(type.name.symbol))
    for name in type.interfaces { visit(typeName: context.document[name]) }
    for name in type.members { visit(typeName: context.document[name]) }
    for id in type.fields {
      let field = context.document[id]
      visit(field.arguments, at: .argumentDefinition)
      visit(typeName: field.type.name)
      visit(field.directives, at: .fieldDefinition)
    }
    for id in type.values { visit(context.document[id].directives, at: .enumValue) }
    visit(type.inputFields, at: .inputFieldDefinition)
  }

  private mutating func visit(_ values: InputValueDefinition.List, at location: DirectiveLocation) {
    for id in values {
      let value = context.document[id]
      visit(typeName: value.type.name)
      if let value = value.defaultValue { visit(value, in: ValueLocation(type: nil)) }
      visit(value.directives, at: location)
    }
  }

  /// Visits the name of a type. Built-in types are accepted even if the schema does not use them.
  private mutating func visit(typeName name: Name) {
    if let type = context.schema.type(named: name.symbol), context.schema[type].isBuiltIn { return }
    KnownTypeNames.check(name, in: &context)
  }
}

// MARK: - Directives

extension DocumentTraversal {
  /// Visits the directives of a type, a directive or the schema, or of an extension.
  private mutating func visit(
    _ directives: Directive.List, at location: DirectiveLocation, of owner: DirectiveOwner
  ) {
    UniqueDirectivesPerLocation.check(
      directives, after: &firstDirectiveUses[owner, default: [:]], in: &context)
    visitEach(directives, at: location)
  }

  /// Visits a directive that the document itself defines.
  mutating func visit(
    _ directive: Directive, definedBy definition: DirectiveDefinition,
    at location: DirectiveLocation
  ) {
    let locations = context.document[definition.locations].map { DirectiveLocation($0.symbol) }
    if !locations.contains(location) {
      KnownDirectives.reportLocation(location, of: directive, in: &context)
    }
    UniqueArgumentNames.check(directive.arguments, in: &context)
    let arguments = context.document[definition.arguments]
    let known = Set(arguments.map(\.name.symbol))
    let given = Set(context.document[directive.arguments].map(\.name.symbol))
    for id in directive.arguments {
      let argument = context.document[id]
      if !known.contains(argument.name.symbol) {
        KnownArgumentNames.report(
          argument, of: .directive(directive.name.symbol),
          among: arguments.map { context.document.spelling($0.name) }, in: &context)
      }
      visit(argument.value, in: ValueLocation(type: nil))
    }
    for argument in arguments
    where argument.isRequired && !given.contains(argument.name.symbol) && !context.isFull {
      ProvidedRequiredArguments.report(argument, missingIn: directive, in: &context)
    }
  }
}

extension InputValueDefinition {
  /// A Boolean value that indicates whether a value must be provided: the type is non-null and
  /// there is no default value.
  fileprivate var isRequired: Bool { type.wrapping.isNonNull && defaultValue == nil }
}
