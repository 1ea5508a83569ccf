import GraphQLSyntax

/// The directives that are applied to one element of a schema.
struct AppliedDirectives {
  /// An element to which directives are applied.
  enum Owner: Hashable {
    case schema
    /// The type of that name, in its definition or in an extension.
    case type(Symbol)
    case other
  }

  var owner: Owner
  var location: DirectiveLocation
  var list: Directive.List
}

extension DefinitionValidation {
  /// Returns all elements with directives, in the order of the text.
  func appliedDirectives() -> [AppliedDirectives] {
    var found: [AppliedDirectives] = []
    guard !document.directives.isEmpty else { return found }
    for definition in definitions {
      switch definition {
      case .schema(let id): collect(document[id].directives, .schema, of: .schema, into: &found)
      case .type(let id): collect(document[id], into: &found)
      case .directive(let id):
        collect(document[id].arguments, .argumentDefinition, into: &found)
      case .operation, .fragment: break
      }
    }
    return found
  }

  private func collect(_ type: TypeDefinition, into found: inout [AppliedDirectives]) {
    collect(type.directives, type.kind.directiveLocation, of: .type(type.name.symbol), into: &found)
    for id in type.fields {
      collect(document[id].arguments, .argumentDefinition, into: &found)
      collect(document[id].directives, .fieldDefinition, into: &found)
    }
    for id in type.values { collect(document[id].directives, .enumValue, into: &found) }
    collect(type.inputFields, .inputFieldDefinition, into: &found)
  }

  private func collect(
    _ values: InputValueDefinition.List, _ location: DirectiveLocation,
    into found: inout [AppliedDirectives]
  ) {
    for id in values { collect(document[id].directives, location, into: &found) }
  }

  private func collect(
    _ list: Directive.List, _ location: DirectiveLocation,
    of owner: AppliedDirectives.Owner = .other, into found: inout [AppliedDirectives]
  ) {
    guard !list.isEmpty else { return }
    found.append(AppliedDirectives(owner: owner, location: location, list: list))
  }
}
