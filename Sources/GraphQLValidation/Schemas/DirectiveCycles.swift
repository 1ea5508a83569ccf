import GraphQLSchema
import GraphQLSyntax

/// The definition of a directive does not use the directive itself, directly or through the types
/// and directives that it uses.
///
/// Spec: 3.13, "Directives", "Type Validation".
enum DirectiveCycles: WholeRule {
  static let name: Diagnostic.Rule = "DirectiveCycles"

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    let cyclic = cyclicDirectives(context.schema)
    guard let first = cyclic.first else { return }
    var graph = DirectiveGraph(context.schema, cyclic)
    var paths = cyclic.compactMap { graph.path(from: $0) }
    if paths.isEmpty { paths = [[first]] }  // All cycles are too long to search.
    for path in paths {
      let names = path.map { "@\(context.schema.spelling(context.schema[$0].name))" }
      context.report(
        Self.self,
        "Directive \"\(names[0])\" cannot reference itself\(via(names.dropFirst())).",
        at: path.map { Diagnostic.Note("defined here", at: context.schema.span(of: $0)) })
    }
  }

  private static func via(_ names: ArraySlice<String>) -> String {
    names.isEmpty ? "" : " via \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
  }

  /// Returns the directives that are on a cycle of directives and types.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the schema.
  private static func cyclicDirectives(_ schema: Schema) -> [Schema.DirectiveDefinition.ID] {
    let directives = schema.definedDirectives
    guard directives.contains(where: { schema.canUseOthers($0) }) else { return [] }
    // The vertices are the directives, followed by the types.
    let count = schema.directives.count
    let components = CyclicComponents(
      vertexCount: count + schema.types.count, starts: directives.map(\.index)
    ) { vertex in
      let used =
        vertex < count
        ? schema.uses(of: Schema.DirectiveDefinition.ID(rawValue: UInt32(vertex)))
        : schema.uses(of: Schema.NamedType.ID(rawValue: UInt32(vertex - count)))
      return used.directives.map(\.index) + used.types.map { count + $0.index }
    }
    return directives.filter { components.isOnCycle[$0.index] }
  }
}

extension Schema {
  /// The elements that a definition uses directly. They can be repeated.
  fileprivate typealias Uses = (directives: [DirectiveDefinition.ID], types: [NamedType.ID])

  fileprivate func uses(of id: DirectiveDefinition.ID) -> Uses {
    uses(of: directives(of: id), self[id].arguments)
  }

  fileprivate func canUseOthers(_ id: DirectiveDefinition.ID) -> Bool {
    !self[id].arguments.isEmpty || !self[id].extensions.isEmpty
      || !document[self[id].definition].directives.isEmpty
  }

  fileprivate func uses(of id: NamedType.ID) -> Uses {
    let values = self[id].enumValues.flatMap { directives(of: $0) }
    return uses(of: directives(of: id) + values, self[id].inputFields)
  }

  private func uses(of applied: [Directive], _ values: NodeList<InputValue>) -> Uses {
    let all = applied + values.flatMap { directives(of: $0) }
    return (
      all.compactMap { directive(named: $0.name.symbol) }, values.map { self[$0].type.namedType }
    )
  }
}

/// The graph of the directives that use each other: directly, or through their arguments and the
/// types of those.
private struct DirectiveGraph {
  private let schema: Schema
  private let cyclic: Set<Schema.DirectiveDefinition.ID>
  private var known: [Schema.DirectiveDefinition.ID: [Schema.DirectiveDefinition.ID]] = [:]
  /// The remaining number of uses to follow. Only schemas designed to be slow have more.
  private var budget = 200_000

  init(_ schema: Schema, _ cyclic: [Schema.DirectiveDefinition.ID]) {
    self.schema = schema
    self.cyclic = Set(cyclic)
  }

  /// Returns a shortest cycle through `start`, which comes first, or `nil` if the budget is
  /// exhausted.
  mutating func path(from start: Schema.DirectiveDefinition.ID) -> [Schema.DirectiveDefinition.ID]?
  {
    var origins: [Schema.DirectiveDefinition.ID: Schema.DirectiveDefinition.ID] = [:]
    var queue = [start]
    var position = 0
    while position < queue.count {
      let directive = queue[position]
      position += 1
      for next in uses(of: directive) {
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

  /// Returns the directives in `cyclic` that a definition uses, directly or through types.
  private mutating func uses(
    of directive: Schema.DirectiveDefinition.ID
  ) -> [Schema.DirectiveDefinition.ID] {
    if let known = known[directive] { return known }
    var (found, pending) = schema.uses(of: directive)
    var seen: Set<Schema.NamedType.ID> = []
    while let type = pending.popLast(), budget > 0 {
      guard seen.insert(type).inserted else { continue }
      let used = schema.uses(of: type)
      found += used.directives
      pending += used.types
      budget -= 1 + used.directives.count + used.types.count
    }
    let uses = Set(found).intersection(cyclic).sorted { $0.rawValue < $1.rawValue }
    known[directive] = uses
    return uses
  }
}
