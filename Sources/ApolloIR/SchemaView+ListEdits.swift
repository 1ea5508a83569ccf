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
  ///
  /// - Parameters:
  ///   - directives: The directives of the field.
  ///   - type: The type of its objects, or `nil` for a leaf.
  ///   - document: The document with the field.
  /// - Returns: The directives, in the order of the document.
  func listEdits(
    _ directives: GraphQLSyntax.Directive.List, on type: Schema.NamedType.ID?,
    in document: Document
  ) -> [FieldListEdit] {
    document[directives].filter { schema.isListEdit($0, in: document) }.map { directive in
      var arguments = document[directive.arguments].map {
        "\(document.spelling($0.name)): \(document.graphQL($0.value))"
      }
      let nodes = type.flatMap { nodeTypes(of: directive, among: $0, in: document) } ?? []
      if !nodes.isEmpty {
        arguments.append("nodeTypes: [\(nodes.map(JSONLiteral.string).joined(separator: " "))]")
      }
      return FieldListEdit(
        directive: document.spelling(directive.name), arguments: arguments)
    }
  }

  /// Returns the types of objects that edges of a directive's `edgeTypeName` can have, or `nil` if
  /// these are all that the field can have.
  private func nodeTypes(
    of directive: GraphQLSyntax.Directive, among type: Schema.NamedType.ID, in document: Document
  ) -> [String]? {
    let name = document[directive.arguments].lazy.compactMap { argument -> String? in
      guard document.spelling(argument.name) == "edgeTypeName",
        case .string(let literal) = argument.value.content
      else { return nil }
      return document.string(literal)
    }.first
    guard schema[type].kind.isAbstract,
      let edge = name.flatMap(schema.names.symbol(for:)).flatMap(schema.type(named:)),
      let node = schema.names.symbol(for: "node").flatMap({ schema.field($0, of: edge) })
    else { return nil }
    let nodeType = schema[node].type.namedType
    let fitting = schema.possibleTypes(of: type).filter { schema.isSubtype($0, of: nodeType) }
    guard fitting.count < schema.possibleTypes(of: type).count else { return nil }
    return fitting.map { schema.spelling(schema[$0].name) }
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
