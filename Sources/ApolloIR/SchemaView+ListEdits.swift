package import GraphQLSchema
package import GraphQLSyntax

/// The directives that change lists and records of the cache.
package enum ListEditDirective {
  package static let definitions: [(name: String, text: String)] = [
    ("appendNode", "connections: [ID!]!, edgeTypeName: String!"),
    ("prependNode", "connections: [ID!]!, edgeTypeName: String!"),
    ("appendEdge", "connections: [ID!]!"),
    ("prependEdge", "connections: [ID!]!"),
    ("deleteEdge", "connections: [ID!]!, typeName: String"),
    ("deleteRecord", "connections: [ID!], typeName: String"),
  ].map { (name: $0.0, text: "directive @\($0.0)(\($0.1)) on FIELD") }

  static let names = Set(definitions.map(\.name))
}

extension Schema {
  /// Returns whether a directive changes lists of the cache. One that a schema defines with other
  /// arguments is the server's.
  package func isListEdit(_ directive: GraphQLSyntax.Directive, in document: Document) -> Bool {
    guard ListEditDirective.names.contains(document.spelling(directive.name)),
      let definition = self.directive(named: directive.name.symbol)
    else { return false }
    return inputValues[self[definition].arguments.indices].contains {
      spelling($0.name) == "connections"
    }
  }
}

/// A directive that changes lists, on one occurrence of a field.
package struct FieldListEdit: Sendable {
  package var directive: String
  /// The arguments in GraphQL syntax.
  package var arguments: [String]
  /// The conditions of the occurrence that the field itself does not have.
  package var conditions: [Condition] = []
}

extension SchemaView {
  /// Returns the directives that change lists among those of a field.
  func listEdits(
    _ directives: GraphQLSyntax.Directive.List, in document: Document
  ) -> [FieldListEdit] {
    document[directives].filter { schema.isListEdit($0, in: document) }.map { directive in
      FieldListEdit(
        directive: document.spelling(directive.name),
        arguments: document[directive.arguments].map {
          "\(document.spelling($0.name)): \(document.graphQL($0.value))"
        })
    }
  }
}

extension Document {
  /// Returns the names of the variables in directives that change lists, in the selections of an
  /// operation. Requests do not have them.
  package func variablesOfListEdits(
    in set: GraphQLSyntax.SelectionSet, _ schema: Schema
  ) -> Set<Symbol> {
    guard directives.contains(where: { schema.isListEdit($0, in: self) }) else { return [] }
    var names: Set<Symbol> = []
    var pending = [set]
    while let set = pending.popLast() {
      for selection in self[set.selections] {
        switch selection {
        case .fragmentSpread: continue
        case .inlineFragment(let id): pending.append(self[id].selectionSet)
        case .field(let id):
          for directive in self[self[id].directives] where schema.isListEdit(directive, in: self) {
            for argument in self[directive.arguments] {
              names.formUnion(variables(in: argument.value))
            }
          }
          if let inner = self[id].selectionSet { pending.append(inner) }
        }
      }
    }
    return names
  }

  private func variables(in value: Value) -> [Symbol] {
    switch value.content {
    case .variable(let name): [name]
    case .list(let items): self[items].flatMap(variables)
    default: []
    }
  }
}
