import GraphQLSyntax

/// No directive is applied within its own definition, neither directly nor by way of the types and
/// directives that the definition uses.
///
/// Spec: 3.13, "Directives", "Type Validation".
enum DirectiveCycles: SchemaRule {
  static let name: Diagnostic.Rule = "DirectiveCycles"

  static func check(_ context: inout SchemaValidation) {
    var graph = DirectiveGraph(context.schema)
    for id in context.schema.definedDirectives {
      guard let path = graph.path(from: id) else { continue }
      let names = path.map { "@\(context.schema.spelling(context.schema[$0].name))" }
      context.report(
        Self.self,
        "Directive \"\(names[0])\" cannot reference itself\(via(names.dropFirst())).",
        at: path.map { Place(context.schema.span(of: $0), "defined here") })
    }
  }

  private static func via(_ names: ArraySlice<String>) -> String {
    names.isEmpty ? "" : " via \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
  }
}

/// Which directives each directive definition uses, on its arguments and on their types.
private struct DirectiveGraph {
  private var uses: [Schema.DirectiveDefinition.ID: [Schema.DirectiveDefinition.ID]] = [:]
  /// How many uses may still be followed; more only occur in schemas made to be slow.
  private var budget = 200_000

  init(_ schema: Schema) {
    var types = TypeDirectives(schema)
    for id in schema.definedDirectives where !schema[id].arguments.isEmpty {
      var used: Set<Symbol> = []
      for argument in schema[id].arguments {
        used.formUnion(schema.directives(of: argument).map(\.name.symbol))
        used.formUnion(types.directives(reachableFrom: schema[argument].type.namedType))
      }
      uses[id] = used.compactMap { schema.directive(named: $0) }
        .sorted { $0.rawValue < $1.rawValue }
    }
  }

  /// The directives on a shortest way from `start` back to it, `start` first.
  mutating func path(from start: Schema.DirectiveDefinition.ID) -> [Schema.DirectiveDefinition.ID]?
  {
    var origins: [Schema.DirectiveDefinition.ID: Schema.DirectiveDefinition.ID] = [:]
    var queue = [start]
    var position = 0
    while position < queue.count {
      let directive = queue[position]
      position += 1
      for next in uses[directive] ?? [] {
        budget -= 1
        guard budget > 0 else { return nil }
        if next == start { return way(to: directive, from: start, origins) }
        guard origins[next] == nil else { continue }
        origins[next] = directive
        queue.append(next)
      }
    }
    return nil
  }

  private func way(
    to end: Schema.DirectiveDefinition.ID, from start: Schema.DirectiveDefinition.ID,
    _ origins: [Schema.DirectiveDefinition.ID: Schema.DirectiveDefinition.ID]
  ) -> [Schema.DirectiveDefinition.ID] {
    var path = [end]
    while let last = path.last, last != start, let origin = origins[last] { path.append(origin) }
    return path.reversed()
  }
}

/// The directives applied in the definitions of input types and of what they use.
private struct TypeDirectives {
  private let schema: Schema
  private var known: [Schema.NamedType.ID: Set<Symbol>] = [:]

  init(_ schema: Schema) {
    self.schema = schema
  }

  mutating func directives(reachableFrom type: Schema.NamedType.ID) -> Set<Symbol> {
    if let known = known[type] { return known }
    var directives: Set<Symbol> = []
    var seen: Set<Schema.NamedType.ID> = [type]
    var queue = [type]
    while let next = queue.popLast() {
      directives.formUnion(schema.directives(of: next).map(\.name.symbol))
      for value in schema[next].enumValues {
        directives.formUnion(schema.directives(of: value).map(\.name.symbol))
      }
      for field in schema[next].inputFields {
        directives.formUnion(schema.directives(of: field).map(\.name.symbol))
        let inner = schema[field].type.namedType
        if seen.insert(inner).inserted { queue.append(inner) }
      }
    }
    known[type] = directives
    return directives
  }
}
