import GraphQLSchema
import GraphQLSyntax

// What a directive inserts or deletes.
extension ListEditRules {
  /// Checks an edge that is inserted as it is. Returns its type, unless it is no edge.
  mutating func checkEdge(
    _ directive: Directive, on field: GraphQLSyntax.Field, _ subject: String,
    _ type: Schema.NamedType.ID
  ) -> EditedItems? {
    guard node(of: type) != nil else {
      let verb = document.spelling(directive.name).prefix { $0 != "E" }
      report(
        "\(subject) needs an edge, but '\(name(of: type))' has no field 'node' with an object. "
          + "Use '@\(verb)Node' for an item.", directive.span)
      return nil
    }
    if let set = field.selectionSet, !selectsNode(set) {
      report(
        "\(subject) needs an edge with its item, but 'node' is not selected. Select 'node'.",
        directive.span)
    }
    return .edges(type)
  }

  /// Returns whether selections have a field `node`, also in a fragment.
  private func selectsNode(_ set: GraphQLSyntax.SelectionSet) -> Bool {
    var pending = [set]
    var visited: Set<Symbol> = []
    while let set = pending.popLast() {
      for selection in document[set.selections] {
        switch selection {
        case .field(let id):
          if document.spelling(document[id].name) == "node", document[id].selectionSet != nil {
            return true
          }
        case .inlineFragment(let id): pending.append(document[id].selectionSet)
        case .fragmentSpread(let id):
          let name = document[id].name.symbol
          guard visited.insert(name).inserted else { continue }
          pending += document.selections(ofFragment: name).map { [$0] } ?? []
        }
      }
    }
    return false
  }

  /// Checks `edgeTypeName`, and returns the type if it is one for nodes of a type.
  mutating func checkEdgeType(
    of directive: Directive, _ subject: String, _ type: Schema.NamedType.ID
  ) -> EditedItems? {
    guard schema[type].kind.isComposite else {
      report(
        "\(subject) needs an object, but '\(name(of: type))' is none. "
          + "Put it on a field with an object.", directive.span)
      return nil
    }
    guard let (text, span) = typeArgument("edgeTypeName", of: directive, subject) else {
      return nil
    }
    guard let edge = self.type(named: text), schema[edge].kind == .object,
      let node = node(of: edge)
    else {
      let edges = schema.definedTypes.filter { schema[$0].kind == .object && node(of: $0) != nil }
      report(
        "\(subject) names the edge type '\(text)', which is no object type with a field 'node'. "
          + "Name the type of the edges.\(Self.hint(at: text, among: edges.map(name)))", span)
      return nil
    }
    guard schema.doTypesOverlap(type, node) else {
      report(
        "\(subject) names the edge type '\(text)', whose 'node' is of the type "
          + "'\(name(of: node))' and not '\(name(of: type))'. "
          + "Name the type of edges with such nodes.", span)
      return nil
    }
    checkCursor(of: edge, subject, span)
    return .edges(edge)
  }

  /// Checks that edges can have an empty cursor.
  private mutating func checkCursor(
    of edge: Schema.NamedType.ID, _ subject: String, _ span: SourceSpan
  ) {
    guard let cursor = field("cursor", of: edge) else { return }
    let type = schema[cursor].type
    let isText = !["Int", "Float", "Boolean"].contains(name(of: type.namedType))
    guard type.isList || !isText || schema[type.namedType].kind != .scalar else { return }
    report(
      "\(subject) names the edge type '\(name(of: edge))', whose 'cursor' is no text, so that it "
        + "cannot be empty. Use '@appendEdge' or '@prependEdge' with an edge of the server.", span)
  }

  /// Checks that a field has objects, or identifiers of a type. Returns the type.
  mutating func checkDeletion(
    _ directive: Directive, _ subject: String, _ type: Schema.NamedType.ID
  ) -> EditedItems? {
    let isIdentifier = ["ID", "String", "Int"].contains(name(of: type))
    guard schema[type].kind.isComposite || isIdentifier else {
      report(
        "\(subject) needs an object or an identifier, but '\(name(of: type))' is neither. "
          + "Put it on a field of type 'ID'.", directive.span)
      return nil
    }
    guard hasArgument("typeName", directive) else {
      guard isIdentifier else { return .nodes(type) }
      report(
        "\(subject) is on an identifier without a type. "
          + "Add 'typeName' with the type of the object.", directive.span)
      return nil
    }
    guard let (text, span) = typeArgument("typeName", of: directive, subject) else { return nil }
    guard isIdentifier else {
      report(
        "\(subject) has a 'typeName', but an object has a type. Remove 'typeName'.", span)
      return .nodes(type)
    }
    guard let named = self.type(named: text), schema[named].kind == .object else {
      let objects = schema.definedTypes.filter { schema[$0].kind == .object }
      report(
        "\(subject) names the type '\(text)', which is no object type. "
          + "Name the type of the deleted objects.\(Self.hint(at: text, among: objects.map(name)))",
        span)
      return nil
    }
    checkKey(of: named, subject, span)
    return .nodes(named)
  }

  /// Checks that an identifier alone is the key of the objects of a type.
  private mutating func checkKey(
    of type: Schema.NamedType.ID, _ subject: String, _ span: SourceSpan
  ) {
    let keys = schema.declaredKeyFields(of: type)
    if keys.count > 1 {
      let list = keys.map { "'\($0)'" }.joined(separator: " and ")
      report(
        "\(subject) names the type '\(name(of: type))', which has the keys \(list). "
          + "Put it on a field with the object.", span)
    } else if keys.isEmpty, field(ObjectIdentification.field, of: type) == nil {
      report(
        "\(subject) names the type '\(name(of: type))', whose objects have no key. "
          + "Name a key field with '@typePolicy'.", span)
    }
  }

  // MARK: - Arguments

  private func hasArgument(_ name: String, _ directive: Directive) -> Bool {
    document[directive.arguments].contains {
      document.spelling($0.name) == name && $0.value.content != .null
    }
  }

  /// Returns the value of an argument that names a type.
  private mutating func typeArgument(
    _ name: String, of directive: Directive, _ subject: String
  ) -> (String, SourceSpan)? {
    for argument in document[directive.arguments] where document.spelling(argument.name) == name {
      switch argument.value.content {
      case .string(let literal): return (document.string(literal), argument.value.span)
      case .variable:
        report(
          "\(subject) has a variable as '\(name)', but the type is part of the operation. "
            + "Write a string.", argument.value.span)
      default: continue
      }
    }
    return nil
  }
}

extension Document {
  /// Returns the selections of a fragment, or `nil` if there is no such fragment.
  func selections(ofFragment name: Symbol) -> GraphQLSyntax.SelectionSet? {
    for case .fragment(let id) in definitions where self[id].name.symbol == name {
      return self[id].selectionSet
    }
    return nil
  }
}

extension Schema {
  /// Returns the key fields of an object type, or of the first of its interfaces that has some.
  func declaredKeyFields(of type: NamedType.ID) -> [String] {
    for type in [type] + self[self[type].interfaces].map(\.type) {
      for directive in directives(of: type)
      where document.spelling(directive.name) == "typePolicy" {
        for argument in document[directive.arguments]
        where document.spelling(argument.name) == "keyFields" {
          guard case .string(let literal) = argument.value.content else { continue }
          return PolicyRules.names(in: document.string(literal))
        }
      }
    }
    return []
  }
}
