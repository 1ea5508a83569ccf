import ApolloIR
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

// Items that directives such as `@appendNode` insert into merged lists. What the list selects and
// the mutation does not, is missing in the list: it ends before the page with the item.
extension PageSelections {
  private typealias Names = Set<String>

  /// An edge type, and what is selected of an edge and of its node.
  private struct Items {
    let edge: Schema.NamedType.ID
    var edgeFields: Names
    var nodeFields: Names
  }

  /// Returns a warning for each directive that inserts items of which a list selects more, or that
  /// names a list which is not merged.
  func insertions(by fields: [GraphQLSyntax.Field.ID]) -> [Diagnostic] {
    let document = valid.document
    let edits = fields.flatMap { id in
      document[document[id].directives].filter { valid.schema.isListEdit($0, in: document) }
        .map { (field: id, directive: $0) }
    }
    guard !edits.isEmpty else { return [] }
    let lists = fields.flatMap(items(ofList:))
    return edits.compactMap { field, directive in
      warning(about: directive, on: field, lists) ?? warning(aboutListsOf: directive, on: field)
    }
  }

  private func warning(
    about directive: Directive, on field: GraphQLSyntax.Field.ID,
    _ lists: [(name: String, items: Items)]
  ) -> Diagnostic? {
    guard let inserted = items(insertedBy: directive, on: field) else { return nil }
    for list in lists where list.items.edge == inserted.edge {
      let missing =
        list.items.edgeFields.subtracting(inserted.edgeFields).sorted()
        + list.items.nodeFields.subtracting(inserted.nodeFields).sorted()
      guard !missing.isEmpty else { continue }
      return diagnostic(
        "\(subject(directive, field)) inserts items without '\(missing.joined(separator: "', '"))', "
          + "which the merged list '\(list.name)' selects. It ends before the page of such an item. "
          + "Select what is missing", directive.span)
    }
    return nil
  }

  private func warning(
    aboutListsOf directive: Directive, on field: GraphQLSyntax.Field.ID
  ) -> Diagnostic? {
    let (document, schema) = (valid.document, valid.schema)
    for argument in document[directive.arguments]
    where document.spelling(argument.name) == "connections" {
      for value in document.valueOrItems(of: argument.value) {
        guard case .string(let literal) = value.content,
          let root = schema.rootType(.query),
          let name = schema.names.symbol(for: document.string(literal)),
          let list = schema.field(name, of: root), !connections.contains(list)
        else { continue }
        return diagnostic(
          "\(subject(directive, field)) names the list '\(document.string(literal))', which no "
            + "policy of the schema merges. "
            + "Name it in '@typePolicy(connectionFields:)' of the type of queries", value.span)
      }
    }
    return nil
  }

  private func subject(_ directive: Directive, _ field: GraphQLSyntax.Field.ID) -> String {
    let document = valid.document
    return "'@\(document.spelling(directive.name))' of '\(document.spelling(document[field].name))'"
  }

  private func diagnostic(_ problem: String, _ span: SourceSpan) -> Diagnostic {
    let rule = Diagnostic.Rule.mergedPages
    return Diagnostic(
      rule: rule, severity: severity,
      message: "\(problem), or set the rule '\(rule.rawValue)' to 'off'.", at: span)
  }

  // MARK: - Selections

  /// Returns what a page of a merged list selects of its edges.
  private func items(
    ofList id: GraphQLSyntax.Field.ID
  ) -> [(name: String, items: Items)] {
    let field = valid.document[id]
    guard let set = field.selectionSet, let definition = valid.types.definition(of: id),
      isConnection(field, definition), let edges = fields(of: set)["edges"],
      let edge = edges.lazy.compactMap({ valid.types.parentType(of: $0) }).first
    else { return [] }
    let items = Items(
      edge: edge, edgeFields: names(in: edges),
      nodeFields: names(in: edges.flatMap { fields(of: $0)["node"] ?? [] }))
    return [(valid.document.spelling(field.name), items)]
  }

  /// Returns what a mutation selects of the edges that a directive inserts.
  private func items(
    insertedBy directive: Directive, on id: GraphQLSyntax.Field.ID
  ) -> Items? {
    let (document, schema) = (valid.document, valid.schema)
    guard let set = document[id].selectionSet, let type = valid.types.parentType(of: set) else {
      return nil
    }
    switch document.spelling(directive.name) {
    case "appendEdge", "prependEdge":
      let nodes = fields(of: set)["node"] ?? []
      return Items(edge: type, edgeFields: names(in: [set]), nodeFields: names(in: nodes))
    case "appendNode", "prependNode":
      for argument in document[directive.arguments]
      where document.spelling(argument.name) == "edgeTypeName" {
        guard case .string(let literal) = argument.value.content,
          let edge = schema.names.symbol(for: document.string(literal))
            .flatMap({ schema.type(named: $0) })
        else { return nil }
        // Objects of other types are left out at run time.
        let nodes = nodeType(of: edge).map { node in
          schema.possibleTypes(of: type).filter { schema.isSubtype($0, of: node) }
        }
        return Items(
          edge: edge, edgeFields: ["cursor", "node"], nodeFields: names(in: [set], on: nodes))
      }
      return nil
    default: return nil
    }
  }

  private func nodeType(of edge: Schema.NamedType.ID) -> Schema.NamedType.ID? {
    let schema = valid.schema
    let field = schema.names.symbol(for: "node").flatMap { schema.field($0, of: edge) }
    return field.map { schema[$0].type.namedType }
  }

  /// Returns the names of the fields in selections, but for those that are always added.
  ///
  /// `types`: The types of the objects, or `nil` for all that the declared type has.
  private func names(
    in sets: [GraphQLSyntax.SelectionSet], on types: [Schema.NamedType.ID]? = nil
  ) -> Names {
    var names: Names = []
    for set in sets {
      names.formUnion(fields(of: set, on: types).keys)
      guard let type = valid.types.parentType(of: set) else { continue }
      names.subtract(valid.schema.declaredKeyFields(of: type))
    }
    return names.subtracting(["__typename"])
  }
}
