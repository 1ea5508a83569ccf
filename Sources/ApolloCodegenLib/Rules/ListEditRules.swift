import ApolloIR
import GraphQLSchema
import GraphQLSyntax

/// The rule that directives such as `@appendEdge` are in mutations or subscriptions, on fields with
/// what they insert or delete, and name lists of such items.
struct ListEditRules: GenerationRule {
  let document: Document
  let schema: Schema
  /// `false` if a list can have its key elsewhere in the project.
  let isWholeProject: Bool
  /// The variables of the operation that is checked.
  private(set) var variables: [GraphQLSyntax.VariableDefinition] = []
  private var diagnostics: [Diagnostic] = []

  private init(_ subject: ClientDocument) {
    document = subject.document
    schema = subject.schema
    isWholeProject = subject.isWholeProject
  }

  static func diagnostics(_ subject: ClientDocument) -> [Diagnostic] {
    let (document, schema) = (subject.document, subject.schema)
    guard document.directives.contains(where: { schema.isListEdit($0, in: document) }) else {
      return serverDirectives(in: document, schema)
    }
    var rules = ListEditRules(subject)
    for definition in document.definitions {
      switch definition {
      case .operation(let id):
        let operation = document[id]
        let place = operation.kind == .query ? "a query" : nil
        rules.variables = Array(document[operation.variables])
        rules.check(operation.selectionSet, on: schema.rootType(operation.kind), in: place)
        rules.checkVariables(of: operation)
      case .fragment(let id):
        rules.check(
          document[id].selectionSet, on: schema.type(named: document[id].typeCondition.symbol),
          in: "a fragment")
      case .schema, .type, .directive: continue
      }
    }
    return rules.diagnostics + serverDirectives(in: document, schema)
  }

  /// Returns a warning for each `@deleteRecord` that the schema defines without arguments, as the
  /// files of Relay do: it would be sent, and change nothing.
  private static func serverDirectives(
    in document: Document, _ schema: Schema
  ) -> [Diagnostic] {
    document.directives.compactMap { directive in
      guard document.spelling(directive.name) == "deleteRecord",
        let definition = schema.directive(named: directive.name.symbol),
        schema[definition].arguments.isEmpty
      else { return nil }
      return Diagnostic(
        rule: "CachePolicies", severity: .warning,
        message: "The schema defines '@deleteRecord' without arguments, so it is sent to the "
          + "server and changes no list. Remove the definition from the schema if it is for the "
          + "client.", at: directive.span)
    }
  }

  /// Checks selections. `place`: The definition around them, if no directive may be there.
  private mutating func check(
    _ set: GraphQLSyntax.SelectionSet, on type: Schema.NamedType.ID?, in place: String?
  ) {
    var pending = [(set: set, type: type)]
    while let (set, type) = pending.popLast() {
      for selection in document[set.selections] {
        switch selection {
        case .fragmentSpread: continue
        case .inlineFragment(let id):
          let fragment = document[id]
          let inner = fragment.typeCondition.flatMap { schema.type(named: $0.symbol) } ?? type
          pending.append((fragment.selectionSet, inner))
        case .field(let id):
          let field = document[id]
          let definition = type.flatMap { schema.field(field.name.symbol, of: $0) }
          for directive in document[field.directives]
          where schema.isListEdit(directive, in: document) {
            if let place {
              reportPlace(of: directive, place)
            } else if let definition {
              check(directive, on: field, schema[definition].type.namedType)
            }
          }
          guard let set = field.selectionSet else { continue }
          pending.append((set, definition.map { schema[$0].type.namedType }))
        }
      }
    }
  }

  private mutating func reportPlace(of directive: Directive, _ place: String) {
    report(
      "'@\(document.spelling(directive.name))' is in \(place), but it belongs to the selections "
        + "of a mutation or a subscription. Move it there.", directive.span)
  }

  /// Checks a directive on a field with values of a type.
  private mutating func check(
    _ directive: Directive, on field: GraphQLSyntax.Field, _ type: Schema.NamedType.ID
  ) {
    let name = document.spelling(directive.name)
    let subject = "'@\(name)' of '\(document.spelling(field.name))'"
    var items: EditedItems?
    switch name {
    case "appendEdge", "prependEdge":
      items = checkEdge(directive, on: field, subject, type)
    case "appendNode", "prependNode":
      items = checkEdgeType(of: directive, subject, type)
    default: items = checkDeletion(directive, subject, type)
    }
    checkLists(of: directive, subject, items)
  }

  mutating func report(_ message: String, _ span: SourceSpan) {
    diagnostics.append(Diagnostic(rule: "CachePolicies", message: message, at: span))
  }

  // MARK: - The schema

  func name(of type: Schema.NamedType.ID) -> String { schema.spelling(schema[type].name) }

  func type(named name: String) -> Schema.NamedType.ID? {
    schema.names.symbol(for: name).flatMap { schema.type(named: $0) }
  }

  func field(_ name: String, of type: Schema.NamedType.ID) -> Schema.Field.ID? {
    schema.names.symbol(for: name).flatMap { schema.field($0, of: type) }
  }

  /// Returns the type of the field `node`, if it has objects.
  func node(of type: Schema.NamedType.ID) -> Schema.NamedType.ID? {
    guard schema[type].kind.isComposite, let field = field("node", of: type) else { return nil }
    let node = schema[field].type
    return !node.isList && schema[node.namedType].kind.isComposite ? node.namedType : nil
  }

  /// Returns the sentence ` Did you mean 'x'?` with the nearest name, or an empty text.
  static func hint(at name: String, among known: [String]) -> String {
    Spelling.nearest(to: name, in: known).map { " Did you mean '\($0)'?" } ?? ""
  }
}

/// The items that a directive inserts into lists, or deletes from them.
enum EditedItems {
  case edges(Schema.NamedType.ID)
  case nodes(Schema.NamedType.ID)
}
