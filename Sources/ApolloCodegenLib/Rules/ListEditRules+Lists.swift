import ApolloIR
import GraphQLSchema
import GraphQLSyntax

// The lists that a directive names: fields at the root of queries, or variables.
extension ListEditRules {
  /// Checks the lists that the document names. `items`: What is inserted or deleted, if that is
  /// known.
  mutating func checkLists(of directive: Directive, _ subject: String, _ items: EditedItems?) {
    for argument in document[directive.arguments]
    where document.spelling(argument.name) == "connections" {
      for value in document.valueOrItems(of: argument.value) {
        switch value.content {
        case .variable(let name): checkDefault(of: name, subject, items)
        case .null: continue
        default: checkList(value, subject, items)
        }
      }
    }
  }

  /// Checks the lists that a variable names by default.
  private mutating func checkDefault(of name: Symbol, _ subject: String, _ items: EditedItems?) {
    for variable in variables where variable.name.symbol == name {
      guard let value = variable.defaultValue else { continue }
      for value in document.valueOrItems(of: value) { checkList(value, subject, items) }
    }
  }

  private mutating func checkList(_ value: Value, _ subject: String, _ items: EditedItems?) {
    guard case .string(let literal) = value.content else {
      return report(
        "\(subject) names the list \(document.text(of: value.span)), which is no name. "
          + "Write the name of a field, or use a variable with the value of a 'ListID'.",
        value.span)
    }
    let text = document.string(literal)
    guard !text.hasPrefix("[") else {
      return report(
        "\(subject) contains the text of a 'ListID', which may have another form in a later "
          + "version. Use a variable with the value of a 'ListID'.", value.span)
    }
    guard !text.hasPrefix("__") else { return checkKeyedList(text, value.span, subject) }
    guard let root = schema.rootType(.query), let field = field(text, of: root),
      let edges = self.field("edges", of: schema[field].type.namedType)
    else { return reportList(text, value.span, subject) }
    let expected = schema[edges].type.namedType
    switch items {
    case .edges(let edge) where edge != expected:
      report(
        "\(subject) names the list '\(text)', whose edges are of the type '\(name(of: expected))' "
          + "and not '\(name(of: edge))'. Name a list of such edges.", value.span)
    case .nodes(let type):
      guard let node = node(of: expected), !schema.doTypesOverlap(node, type) else { return }
      report(
        "\(subject) names the list '\(text)', whose items are of the type '\(name(of: node))' "
          + "and not '\(name(of: type))'. Name a list of such items.", value.span)
    default: return
    }
  }

  private mutating func reportList(_ text: String, _ span: SourceSpan, _ subject: String) {
    let root = schema.rootType(.query)
    let connections = root.map { root in
      schema[root].fields.filter { field("edges", of: schema[$0].type.namedType) != nil }
        .map { schema.spelling(schema[$0].name) }
    }
    report(
      "\(subject) names the list '\(text)', which is no connection of the type of queries. "
        + "Name a field with 'edges', or use a variable with the value of a 'ListID'."
        + Self.hint(at: text, among: connections ?? []), span)
  }

  /// Checks the name of a list with a key: `__Featured_connection`.
  private mutating func checkKeyedList(_ text: String, _ span: SourceSpan, _ subject: String) {
    guard isWholeProject else { return }
    let known = document.directives.filter { schema.isConnection($0, in: document) }
      .flatMap { document[$0.arguments] }.filter { document.spelling($0.name) == "key" }
      .compactMap { argument -> String? in
        guard case .string(let literal) = argument.value.content else { return nil }
        return "__\(document.string(literal))_connection"
      }
    guard !known.contains(text) else { return }
    report(
      "\(subject) names the list '\(text)', but no field has a '@connection' with this key. "
        + "Name the key of a '@connection'.\(Self.hint(at: text, among: known))", span)
  }

  // MARK: - Variables

  /// Checks that variables with lists have no other use, also in the fragments that are spread:
  /// requests do not have them.
  mutating func checkVariables(of operation: GraphQLSyntax.OperationDefinition) {
    let local = document.variablesOfListEdits(in: operation.selectionSet, schema)
    guard !local.isEmpty else { return }
    checkUses(in: Array(document[operation.directives]), of: local)
    for variable in document[operation.variables] {
      checkUses(in: Array(document[variable.directives]), of: local)
    }
    var visited: Set<Symbol> = []
    var pending = [operation.selectionSet]
    while let set = pending.popLast() {
      for selection in document[set.selections] {
        switch selection {
        case .fragmentSpread(let id):
          let spread = document[id]
          checkUses(in: Array(document[spread.directives]), of: local)
          // Its variables hide those of the operation, and its selections are checked in place of
          // the spread, in the expansion.
          let hasVariables = document.fragments.contains {
            $0.name.symbol == spread.name.symbol && !$0.variables.isEmpty
          }
          guard !hasVariables, visited.insert(spread.name.symbol).inserted else { continue }
          pending += document.selections(ofFragment: spread.name.symbol).map { [$0] } ?? []
        case .inlineFragment(let id):
          checkUses(in: Array(document[document[id].directives]), of: local)
          pending.append(document[id].selectionSet)
        case .field(let id):
          let field = document[id]
          checkUses(in: Array(document[field.directives]), of: local)
          for argument in document[field.arguments] { checkUse(of: argument.value, local) }
          if let inner = field.selectionSet { pending.append(inner) }
        }
      }
    }
  }

  private mutating func checkUses(in directives: [Directive], of local: Set<Symbol>) {
    for directive in directives where !schema.isListEdit(directive, in: document) {
      for argument in document[directive.arguments] { checkUse(of: argument.value, local) }
    }
  }

  private mutating func checkUse(of value: Value, _ local: Set<Symbol>) {
    switch value.content {
    case .variable(let name) where local.contains(name):
      report(
        "'$\(document.spelling(name))' names lists of the cache and is not sent, but it is used "
          + "here as well. Use another variable.", value.span)
    case .list(let items): for item in document[items] { checkUse(of: item, local) }
    case .object(let members):
      for member in document[members] { checkUse(of: member.value, local) }
    default: return
    }
  }
}
