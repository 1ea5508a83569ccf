import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax

extension Executor {
  /// A fragment with `@defer`.
  struct DeferredFragment {
    let label: String?
    let set: SelectionSet
  }

  /// The label of a deferred fragment, which may be none.
  private struct Label {
    let text: String?
  }

  /// The directive `@stream` of a field.
  struct Stream {
    let initialCount: Int
    let label: String?
  }

  /// Returns the fields that objects of a type have in a response, in their order, and the
  /// fragments that are delivered later: none for introspection, which is never deferred.
  ///
  /// Spec: 6.3.2, "Field Collection". A stack of iterators replaces recursion, so that the number
  /// of nested fragments is not limited.
  func collect(
    _ sets: [SelectionSet], of type: Schema.NamedType.ID, defers: Bool = true
  ) -> (fields: [CollectedField], deferred: [DeferredFragment]) {
    var fields: [CollectedField] = []
    var positions: [Symbol: Int] = [:]
    var deferred: [DeferredFragment] = []
    var visited: Set<Symbol> = []
    var stack = sets.reversed().map { document[$0.selections].makeIterator() }
    while var iterator = stack.popLast() {
      guard let selection = iterator.next() else { continue }
      stack.append(iterator)
      let directives = document.directives(of: selection)
      guard isIncluded(directives) else { continue }
      switch selection {
      case .field(let id):
        let field = document[id]
        if let position = positions[field.responseName] {
          fields[position].sets += field.selectionSet.map { [$0] } ?? []
        } else {
          positions[field.responseName] = fields.count
          fields.append(
            CollectedField(
              key: document.spelling(field.responseName), first: field,
              sets: field.selectionSet.map { [$0] } ?? []))
        }
      case .inlineFragment(let id):
        let fragment = document[id]
        guard applies(fragment.typeCondition, to: type) else { continue }
        if defers, let label = deferral(directives) {
          deferred.append(DeferredFragment(label: label.text, set: fragment.selectionSet))
        } else {
          stack.append(document[fragment.selectionSet.selections].makeIterator())
        }
      case .fragmentSpread(let id):
        let name = document[id].name.symbol
        guard let fragment = fragments[name], applies(fragment.typeCondition, to: type) else {
          continue
        }
        if defers, let label = deferral(directives) {
          deferred.append(DeferredFragment(label: label.text, set: fragment.selectionSet))
        } else if visited.insert(name).inserted {
          stack.append(document[fragment.selectionSet.selections].makeIterator())
        }
      }
    }
    return (fields, deferred)
  }

  private func applies(_ condition: GraphQLSyntax.Name?, to type: Schema.NamedType.ID) -> Bool {
    guard let condition else { return true }
    return schema.type(named: condition.symbol).map { schema.isSubtype(type, of: $0) } ?? false
  }

  // MARK: Directives

  /// Returns `true` if no `@skip` is `true` and every `@include` is. The value of a variable with a
  /// default can be `null`, which is neither.
  ///
  /// Spec: 6.3.2, "Field Collection".
  private func isIncluded(_ directives: GraphQLSyntax.Directive.List) -> Bool {
    document[directives].allSatisfy { directive in
      switch directive.name.symbol {
      case .include: argument("if", of: directive)?.boolValue == true
      case .skip: argument("if", of: directive)?.boolValue != true
      default: true
      }
    }
  }

  /// Returns the value of a directive's argument, or `nil` if it has none.
  private func argument(_ name: String, of directive: GraphQLSyntax.Directive) -> JSONValue? {
    guard
      let argument = document[directive.arguments].first(where: {
        document.spelling($0.name) == name
      })
    else { return nil }
    switch argument.value.content {
    case .boolean(let value): return .bool(value)
    case .variable(let name): return variables[document.spelling(name)]
    case .string(let literal): return .string(document.string(literal))
    case .int: return Int64(document.text(of: argument.value.span)).map { .int($0) }
    default: return nil
    }
  }

  private func directive(
    _ name: String, _ directives: GraphQLSyntax.Directive.List
  ) -> GraphQLSyntax.Directive? {
    guard allowsParts else { return nil }
    return document[directives].first {
      document.spelling($0.name) == name && argument("if", of: $0)?.boolValue != false
    }
  }

  /// Returns the label of a fragment that is deferred; `nil` if it is not.
  private func deferral(_ directives: GraphQLSyntax.Directive.List) -> Label? {
    directive("defer", directives).map { Label(text: argument("label", of: $0)?.stringValue) }
  }

  func stream(of field: GraphQLSyntax.Field) -> Stream? {
    directive("stream", field.directives).map {
      Stream(
        initialCount: max(0, argument("initialCount", of: $0)?.intValue ?? 0),
        label: argument("label", of: $0)?.stringValue)
    }
  }
}
