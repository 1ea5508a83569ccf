import ApolloIR
import GraphQLSchema
import GraphQLSyntax

/// Rules for lists whose pages the cache merges: `@typePolicy(connectionFields:)` and
/// `@fieldPolicy(paginationArgs:)`.
extension PolicyRules {
  mutating func checkConnectionFields(of directive: Directive, on type: Schema.NamedType.ID) {
    guard let (text, span) = string("connectionFields", of: directive) else { return }
    let policy = "'@typePolicy' of '\(name(of: type))'"
    let names = Self.names(in: text)
    if names.isEmpty {
      report("\(policy) names no connection. Name the fields that have pages.", span)
    }
    for name in names {
      guard let field = field(named: name, of: type) else {
        report(
          "\(policy) names the connection '\(name)', which '\(self.name(of: type))' does not have. "
            + "Name fields of the type.", span)
        continue
      }
      if !schema.isConnection(schema[field].type) {
        report(
          "\(policy) names the connection '\(name)', whose type has no 'pageInfo'. "
            + "Name fields that are connections, or use '@fieldPolicy' with 'paginationArgs:'.",
          span)
      }
    }
  }

  /// Checks a `@fieldPolicy` of a list with pages. Returns `false` if it is none.
  mutating func checkList(of directive: Directive, on type: Schema.NamedType.ID) -> Bool {
    guard let (fieldName, _) = string("forField", of: directive),
      let field = field(named: fieldName, of: type)
    else { return false }
    let pages = string("paginationArgs", of: directive)
    guard pages != nil || isConnectionField(fieldName, of: type) else { return false }
    let policy = "'@fieldPolicy' of '\(name(of: type))'"
    checkArguments(string("keyArgs", of: directive), of: field, fieldName, policy)
    guard let pages else { return true }
    let fieldType = schema[field].type
    if fieldType.wrapping.listDepth != 1 || !schema[fieldType.namedType].kind.isComposite {
      report(
        "\(policy) is for the field '\(fieldName)', which is no list of objects. "
          + "Name a field whose pages are lists.", pages.1)
    }
    if !(1...2).contains(Self.names(in: pages.0).count) {
      report(
        "\(policy) has to name the argument that selects a page of '\(fieldName)', and the one with "
          + "its size: 'offset limit' or 'page size'.", pages.1)
    }
    let pageNames = Self.names(in: pages.0)
    if pageNames.count == 1, pageNames[0].lowercased().hasPrefix("page") {
      report(
        "\(policy) names the number of a page of '\(fieldName)' without the argument with its size. "
          + "Name that one, too: 'paginationArgs: \"\(pageNames[0]) size\"'.", pages.1)
    }
    checkArguments(pages, of: field, fieldName, policy)
    return true
  }

  private func isConnectionField(_ name: String, of type: Schema.NamedType.ID) -> Bool {
    schema.directives(of: type).contains { directive in
      schema.document.spelling(directive.name) == "typePolicy"
        && string("connectionFields", of: directive).map {
          Self.names(in: $0.0).contains(name)
        } ?? false
    }
  }

  private mutating func checkArguments(
    _ text: (String, SourceSpan)?, of field: Schema.Field.ID, _ fieldName: String, _ policy: String
  ) {
    guard let (text, span) = text else { return }
    for name in Self.names(in: text) where !schema.hasArgument(name, field) {
      report(
        "\(policy) names the argument '\(name)', which the field '\(fieldName)' does not have. "
          + "Name arguments of the field.", span)
    }
  }
}

/// The rule that `@connection` is on a connection, and names arguments of it.
struct ConnectionRules: GenerationRule {
  private let document: Document
  private let schema: Schema
  private var diagnostics: [Diagnostic] = []

  static func diagnostics(_ subject: ClientDocument) -> [Diagnostic] {
    let (document, schema) = (subject.document, subject.schema)
    guard document.directives.contains(where: { schema.isConnection($0, in: document) }) else {
      return []
    }
    var rules = ConnectionRules(document: document, schema: schema)
    for definition in document.definitions {
      switch definition {
      case .operation(let id):
        rules.check(document[id].selectionSet, on: schema.rootType(document[id].kind))
      case .fragment(let id):
        rules.check(
          document[id].selectionSet, on: schema.type(named: document[id].typeCondition.symbol))
      case .schema, .type, .directive: continue
      }
    }
    return rules.diagnostics
  }

  private mutating func check(
    _ set: GraphQLSyntax.SelectionSet, on type: Schema.NamedType.ID?
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
          if let definition { check(field, definition) }
          guard let set = field.selectionSet else { continue }
          pending.append((set, definition.map { schema[$0].type.namedType }))
        }
      }
    }
  }

  private mutating func check(_ field: GraphQLSyntax.Field, _ definition: Schema.Field.ID) {
    for directive in document[field.directives] where schema.isConnection(directive, in: document) {
      let name = document.spelling(field.name)
      guard schema.isConnection(schema[definition].type) else {
        let removal = Diagnostic.FixIt(
          "remove '@connection'", replacing: directive.span, with: "")
        report(
          "'\(name)' is no connection: its type has no 'pageInfo'. Remove '@connection'.",
          directive.span, [removal])
        continue
      }
      for argument in document[directive.arguments] { check(argument, of: name, definition) }
    }
  }

  private mutating func check(
    _ argument: GraphQLSyntax.Argument, of name: String, _ definition: Schema.Field.ID
  ) {
    for value in document.valueOrItems(of: argument.value) {
      switch value.content {
      case .variable:
        report(
          "'@connection' of '\(name)' has a variable, but names of lists are fixed. Write a string.",
          value.span)
      case .string(let literal) where document.spelling(argument.name) == "filters":
        let filter = document.string(literal)
        guard !schema.hasArgument(filter, definition) else { continue }
        report(
          "'@connection' names the filter '\(filter)', which is no argument of '\(name)'. "
            + "Name arguments of the field.", value.span)
      default: continue
      }
    }
  }

  private mutating func report(
    _ message: String, _ span: SourceSpan, _ fixIts: [Diagnostic.FixIt] = []
  ) {
    diagnostics.append(
      Diagnostic(rule: "CachePolicies", message: message, at: span, fixIts: fixIts))
  }
}

extension Schema {
  /// Returns whether values of a type are connections: objects with a field `pageInfo`.
  fileprivate func isConnection(_ type: ResolvedType) -> Bool {
    guard !type.isList, self[type.namedType].kind.isComposite,
      let symbol = names.symbol(for: "pageInfo")
    else { return false }
    return field(symbol, of: type.namedType) != nil
  }

  fileprivate func hasArgument(_ name: String, _ field: Field.ID) -> Bool {
    names.symbol(for: name).flatMap { argument($0, in: self[field].arguments) } != nil
  }
}
