import GraphQLSchema
import GraphQLSyntax

/// The directives that are applied to one element of a schema.
struct AppliedDirectives {
  /// The type, directive or schema to whose definitions the directives are applied, or `nil` for
  /// another element, which has one definition.
  var owner: DirectiveOwner?
  var location: DirectiveLocation
  var list: Directive.List
}

/// An element with several definitions that can have directives: a definition and its extensions.
enum DirectiveOwner: Hashable {
  case schema
  /// The type of that name.
  case type(Symbol)
  /// The directive of that name.
  case directive(Symbol)
}

extension AppliedDirectives {
  /// Returns all elements of `definitions` with directives, in the order of the text.
  static func all(
    in definitions: ArraySlice<Definition>, _ document: Document
  ) -> [AppliedDirectives] {
    guard !document.directives.isEmpty else { return [] }
    var search = AppliedDirectivesSearch(document: document)
    for definition in definitions { search.collect(definition) }
    return search.found
  }
}

private struct AppliedDirectivesSearch {
  let document: Document
  var found: [AppliedDirectives] = []

  mutating func collect(_ definition: Definition) {
    switch definition {
    case .schema(let id): collect(document[id].directives, .schema, of: .schema)
    case .type(let id): collect(document[id])
    case .directive(let id):
      let directive = document[id]
      collect(directive.arguments, .argumentDefinition)
      collect(
        directive.directives, .directiveDefinition, of: .directive(directive.name.symbol))
    case .operation, .fragment: break
    }
  }

  private mutating func collect(_ type: TypeDefinition) {
    collect(type.directives, type.kind.directiveLocation, of: .type(type.name.symbol))
    for id in type.fields {
      collect(document[id].arguments, .argumentDefinition)
      collect(document[id].directives, .fieldDefinition)
    }
    for id in type.values { collect(document[id].directives, .enumValue) }
    collect(type.inputFields, .inputFieldDefinition)
  }

  private mutating func collect(_ values: InputValueDefinition.List, _ location: DirectiveLocation)
  {
    for id in values { collect(document[id].directives, location) }
  }

  private mutating func collect(
    _ list: Directive.List, _ location: DirectiveLocation, of owner: DirectiveOwner? = nil
  ) {
    guard !list.isEmpty else { return }
    found.append(AppliedDirectives(owner: owner, location: location, list: list))
  }
}
