import ApolloIR
import GraphQLSchema
import GraphQLSyntax

/// The rule that directives such as `@appendEdge` are in mutations or subscriptions, on fields with
/// what they insert or delete, and name lists of such items.
struct ListEditRules {
  private let document: Document
  private let schema: Schema
  private var diagnostics: [Diagnostic] = []

  static func diagnostics(in document: Document, against schema: Schema) -> [Diagnostic] {
    guard document.directives.contains(where: { schema.isListEdit($0, in: document) }) else {
      return []
    }
    var rules = ListEditRules(document: document, schema: schema)
    for definition in document.definitions {
      switch definition {
      case .operation(let id):
        let operation = document[id]
        let place = operation.kind == .query ? "a query" : nil
        rules.check(operation.selectionSet, on: schema.rootType(operation.kind), in: place)
        rules.checkVariables(of: operation)
      case .fragment(let id):
        rules.check(
          document[id].selectionSet, on: schema.type(named: document[id].typeCondition.symbol),
          in: "a fragment")
      case .schema, .type, .directive: continue
      }
    }
    return rules.diagnostics
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
      "'@\(document.spelling(directive.name))' is in \(place), but it belongs to the selections of a "
        + "mutation or a subscription. Move it there.", directive.span)
  }

  private mutating func check(
    _ directive: Directive, on field: GraphQLSyntax.Field, _ type: Schema.NamedType.ID
  ) {
    let name = document.spelling(directive.name)
    let subject = "'@\(name)' of '\(document.spelling(field.name))'"
    var edge: Schema.NamedType.ID?
    switch name {
    case "appendEdge", "prependEdge":
      guard node(of: type) != nil else {
        report(
          "\(subject) needs an edge, but '\(self.name(of: type))' has no field 'node' with an object. "
            + "Use '@\(name.prefix { $0 != "E" })Node' for an item.", directive.span)
        return
      }
      edge = type
    case "appendNode", "prependNode":
      guard let found = checkEdgeType(of: directive, subject, type) else { return }
      edge = found
    default: checkDeletion(directive, subject, type)
    }
    checkLists(of: directive, subject, edge)
  }

  /// Checks `edgeTypeName`, and returns the type if it is one for nodes of a type.
  private mutating func checkEdgeType(
    of directive: Directive, _ subject: String, _ type: Schema.NamedType.ID
  ) -> Schema.NamedType.ID? {
    guard schema[type].kind.isComposite else {
      report(
        "\(subject) needs an object, but '\(name(of: type))' is none. Put it on a field with an object.",
        directive.span)
      return nil
    }
    guard let (text, span) = string("edgeTypeName", of: directive) else { return nil }
    guard let edge = self.type(named: text), let node = node(of: edge) else {
      report(
        "\(subject) names the edge type '\(text)', which is no type with a field 'node'. "
          + "Name the type of the edges.", span)
      return nil
    }
    guard schema.isSubtype(type, of: node) || schema.isSubtype(node, of: type) else {
      report(
        "\(subject) names the edge type '\(text)', whose 'node' is of the type '\(name(of: node))' and "
          + "not '\(name(of: type))'. Name the type of edges with such nodes.", span)
      return nil
    }
    return edge
  }

  private mutating func checkDeletion(
    _ directive: Directive, _ subject: String, _ type: Schema.NamedType.ID
  ) {
    let typeName = string("typeName", of: directive)
    if schema[type].kind.isComposite {
      guard let (_, span) = typeName else { return }
      report(
        "\(subject) has a 'typeName', but the object itself says its type. Remove 'typeName'.", span
      )
    } else if !["ID", "String", "Int"].contains(name(of: type)) {
      report(
        "\(subject) needs an object or an identifier, but '\(name(of: type))' is neither. "
          + "Put it on a field of type 'ID'.", directive.span)
    } else if let (text, span) = typeName {
      guard let named = self.type(named: text), schema[named].kind == .object else {
        report(
          "\(subject) names the type '\(text)', which is no object type. "
            + "Name the type of the deleted objects.", span)
        return
      }
    } else {
      report(
        "\(subject) has an identifier, which says no type. Add 'typeName' with the type of the object.",
        directive.span)
    }
  }

  // MARK: - Lists

  /// Checks lists that the document names: fields at the root of queries.
  private mutating func checkLists(
    of directive: Directive, _ subject: String, _ edge: Schema.NamedType.ID?
  ) {
    for argument in document[directive.arguments]
    where document.spelling(argument.name) == "connections" {
      for value in document.valueOrItems(of: argument.value) {
        guard case .string(let literal) = value.content else { continue }
        check(list: document.string(literal), value.span, subject, edge)
      }
    }
  }

  private mutating func check(
    list text: String, _ span: SourceSpan, _ subject: String, _ edge: Schema.NamedType.ID?
  ) {
    guard !text.hasPrefix("["), !text.hasPrefix("__") else { return }
    guard let root = schema.rootType(.query), let field = field(text, of: root),
      let edges = self.field("edges", of: schema[field].type.namedType)
    else {
      report(
        "\(subject) names the list '\(text)', which is no connection of the type of queries. "
          + "Name a field with 'edges', or use a variable with the value of a 'ListID'.", span)
      return
    }
    let expected = schema[edges].type.namedType
    guard let edge, edge != expected else { return }
    report(
      "\(subject) names the list '\(text)', whose edges are of the type '\(name(of: expected))' and not "
        + "'\(name(of: edge))'. Name a list of such edges.", span)
  }

  /// Checks that variables with lists have no other use: requests do not have them.
  private mutating func checkVariables(of operation: GraphQLSyntax.OperationDefinition) {
    let local = document.variablesOfListEdits(in: operation.selectionSet, schema)
    guard !local.isEmpty else { return }
    var pending = [operation.selectionSet]
    while let set = pending.popLast() {
      for selection in document[set.selections] {
        var directives: [Directive] = []
        switch selection {
        case .fragmentSpread(let id): directives = Array(document[document[id].directives])
        case .inlineFragment(let id):
          directives = Array(document[document[id].directives])
          pending.append(document[id].selectionSet)
        case .field(let id):
          let field = document[id]
          directives = Array(document[field.directives])
          for argument in document[field.arguments] { checkUse(of: argument.value, local) }
          if let inner = field.selectionSet { pending.append(inner) }
        }
        for directive in directives where !schema.isListEdit(directive, in: document) {
          for argument in document[directive.arguments] { checkUse(of: argument.value, local) }
        }
      }
    }
  }

  private mutating func checkUse(of value: Value, _ local: Set<Symbol>) {
    switch value.content {
    case .variable(let name) where local.contains(name):
      report(
        "'$\(document.spelling(name))' names lists of the cache and is not sent, but it is used here as "
          + "well. Use another variable.", value.span)
    case .list(let items): for item in document[items] { checkUse(of: item, local) }
    case .object(let members):
      for member in document[members] { checkUse(of: member.value, local) }
    default: return
    }
  }

  // MARK: - The schema

  private func name(of type: Schema.NamedType.ID) -> String { schema.spelling(schema[type].name) }

  private func type(named name: String) -> Schema.NamedType.ID? {
    schema.names.symbol(for: name).flatMap { schema.type(named: $0) }
  }

  private func field(_ name: String, of type: Schema.NamedType.ID) -> Schema.Field.ID? {
    schema.names.symbol(for: name).flatMap { schema.field($0, of: type) }
  }

  /// Returns the type of the field `node`, if it has objects.
  private func node(of type: Schema.NamedType.ID) -> Schema.NamedType.ID? {
    guard schema[type].kind.isComposite, let field = field("node", of: type) else { return nil }
    let node = schema[field].type
    return !node.isList && schema[node.namedType].kind.isComposite ? node.namedType : nil
  }

  private func string(_ name: String, of directive: Directive) -> (String, SourceSpan)? {
    for argument in document[directive.arguments] where document.spelling(argument.name) == name {
      if case .string(let literal) = argument.value.content {
        return (document.string(literal), argument.value.span)
      }
    }
    return nil
  }

  private mutating func report(_ message: String, _ span: SourceSpan) {
    diagnostics.append(Diagnostic(rule: "CachePolicies", message: message, at: span))
  }
}
