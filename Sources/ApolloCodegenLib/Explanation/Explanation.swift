import ApolloIR
import GraphQLSyntax

/// The models of an operation or a fragment in words: what is added to the source, what is merged
/// from elsewhere, and why a property is optional.
///
/// ```text
/// query Hero (Hero.graphql:1:7)
///   hero: Hero? (Hero.graphql:2:3)
///     optional: 'Query.hero' may be null
///     __typename: String
///       added: every object has the name of its type
///     name: String (Hero.graphql:7:3)
///       merged: from fragment 'Details'
/// ```
package struct Explanation {
  private let named: NamedProgram
  private let sources: SourceMap
  private var lines: [String] = []

  private var program: Program { named.program }

  /// The answer to a question for a name.
  package enum Result: Hashable, Sendable {
    case text(String)
    /// Nothing has the name. The nearest one may be meant.
    case unknown(nearest: String?)
  }

  /// Explains the definitions with a name.
  ///
  /// - Parameters:
  ///   - name: The name of an operation or a fragment, in GraphQL or in Swift.
  ///   - named: The program.
  ///   - sources: The sources that positions refer to.
  /// - Returns: The explanation, if something has the name.
  static func text(of name: String, in named: NamedProgram, _ sources: SourceMap) -> Result {
    var explanation = Explanation(named: named, sources: sources)
    let definitions = named.program.definitions
    let spelled = definitions.filter { $0.name == name }
    let found =
      spelled.isEmpty ? definitions.filter { named.names.definition($0) == name } : spelled
    guard !found.isEmpty else {
      return .unknown(nearest: Spelling.nearest(to: name, in: definitions.map(\.name)))
    }
    for definition in found { explanation.explain(definition) }
    return .text(explanation.lines.joined(separator: "\n"))
  }

  private init(named: NamedProgram, sources: SourceMap) {
    self.named = named
    self.sources = sources
  }

  private mutating func write(_ text: String, _ depth: Int) {
    lines.append(String(repeating: "  ", count: depth) + text)
  }

  // MARK: - Definitions

  private mutating func explain(_ definition: ApolloIR.Definition) {
    write("\(definition.kind) \(definition.name)\(place(definition.span))", 0)
    if definition.isLocalCacheMutation {
      write("sent: never, because it works on the local cache", 1)
    } else {
      write("sent: \(definition.text)", 1)
      for fragment in definition.fragments { write("with: \(program[fragment].text)", 1) }
    }
    for fragment in definition.excludedFragments {
      write(
        "fragment \(program[fragment].name): sent, but shown by no model, because its spread is "
          + "never included", 1)
    }
    explain(definition.root, in: Path(), 1)
  }

  /// The way to a selection set.
  private struct Path {
    /// The nearest property on the way that can be `nil`.
    var nullable: String?
  }

  // MARK: - Selection sets

  private mutating func explain(_ id: ApolloIR.SelectionSet.ID, in path: Path, _ depth: Int) {
    let set = program[id]
    let own = set.ownFields
    for field in own {
      let isConditional = !field.conditions.isEmpty
      explain(MergedField(field: field, isConditional: isConditional), in: id, path, depth)
    }
    for merged in set.mergedFields where merged.field.name != "__typename" {
      explain(merged, in: id, path, depth, isMerged: true)
    }
    for child in set.cases { explain(case: child, in: id, depth) }
    for child in set.deferredFragments { explain(deferred: child, depth) }
    for fragment in set.fragments { explain(fragment, in: id, depth) }
  }

  private mutating func explain(
    _ merged: MergedField, in id: ApolloIR.SelectionSet.ID, _ path: Path, _ depth: Int,
    isMerged: Bool = false
  ) {
    let (field, set) = (merged.field, program[id])
    let isAdded = field.span == SourceSpan(at: 0)
    let name = named.names.unescapedProperty(field.responseKey, in: id)
    let isOptional = merged.isConditional || !field.type.isNonNull
    let type = text(of: field.type.nullable, field.child)
    write(
      "\(name): \(type)\(isOptional ? "?" : "")\(isAdded ? "" : place(field.span))", depth)
    if isAdded, !isMerged { write("added: \(reasonForAdding(field, to: set))", depth + 1) }
    if isMerged { write("merged: \(origin(of: field, in: set))", depth + 1) }
    if !field.type.isNonNull {
      write("optional: '\(set.parentTypeName).\(field.name)' may be null", depth + 1)
    }
    if merged.isConditional {
      let conditions = field.conditions.filter { !set.fulfilledConditions.contains($0) }
      for condition in conditions {
        write("optional: \(text(of: condition))\(place(field.span))", depth + 1)
      }
      if conditions.isEmpty {
        write("optional: not every selection of it applies to the object", depth + 1)
      }
    }
    guard let child = field.child else { return }
    var inner = path
    if isOptional { inner.nullable = name }
    if let outer = path.nullable, !isOptional {
      write("reached through '\(outer)', which is optional", depth + 1)
    }
    guard !isMerged else {
      return write("its properties: \(model(child))", depth + 1)
    }
    explain(child, in: inner, depth + 1)
  }

  private func reasonForAdding(_ field: ApolloIR.Field, to set: ApolloIR.SelectionSet) -> String {
    guard field.name != "__typename" else { return "every object has the name of its type" }
    let alias =
      field.responseKey == field.name ? "" : ", as an alias because another field has its name"
    return "a key field of '\(set.parentTypeName)' ('@typePolicy')\(alias)"
  }

  /// Returns the place from which a field is merged.
  private func origin(of field: ApolloIR.Field, in set: ApolloIR.SelectionSet) -> String {
    guard field.span != SourceSpan(at: 0), let owner = owner(of: field.span) else {
      return "from another selection of the object"
    }
    let own = program[set.definition]
    return owner.span == own.span
      ? "from a selection around this one, or beside it"
      : "from \(owner.kind) '\(owner.name)'"
  }

  /// Returns the definition that a span belongs to.
  private func owner(of span: SourceSpan) -> ApolloIR.Definition? {
    let file = sources.sourceIndex(at: span.start)
    return program.definitions.filter {
      $0.span.start <= span.start && sources.sourceIndex(at: $0.span.start) == file
    }.max { $0.span.start < $1.span.start }
  }

  private mutating func explain(
    case child: ApolloIR.SelectionSet.ID, in id: ApolloIR.SelectionSet.ID, _ depth: Int
  ) {
    guard case .inlineFragment(let type, let conditions) = program[child].role else { return }
    let structure = named.structures.name(of: child)
    let property = named.names.property(forTypeCase: child, structure, in: id)
    let span = program[child].fragmentSpan.map(place) ?? ""
    write("\(property): \(structure)?\(span)", depth)
    if let type { write("optional: only an object of type '\(type.name)' has it", depth + 1) }
    for condition in conditions { write("optional: \(text(of: condition))\(span)", depth + 1) }
    guard program[child].parent == id, program[child].definition == program[id].definition else {
      return write("merged: from \(model(child))", depth + 1)
    }
    if program[child].isSynthesized { write("merged: from several fragments", depth + 1) }
    explain(child, in: Path(nullable: property), depth + 1)
  }

  /// Explains an inline fragment whose data may arrive later.
  private mutating func explain(deferred child: ApolloIR.SelectionSet.ID, _ depth: Int) {
    guard case .inlineFragment(_, let conditions) = program[child].role else { return }
    let structure = named.structures.name(of: child)
    let property = named.names.conversion(
      toType: named.structures.property(forDeferred: child, in: program))
    let span = program[child].fragmentSpan.map(place) ?? ""
    write("fragments.\(property): \(structure)?\(span)", depth)
    for condition in conditions { write("optional: \(text(of: condition))\(span)", depth + 1) }
    explain(child, in: Path(nullable: property), depth + 1)
  }

  private mutating func explain(
    _ visible: ApolloIR.SelectionSet.VisibleFragment, in id: ApolloIR.SelectionSet.ID, _ depth: Int
  ) {
    let fragment = program[visible.fragment]
    let structure = named.names.definition(fragment)
    let property = named.names.conversion(toType: structure)
    let isOptional = !visible.isCertain || visible.isDeferred
    write(
      "fragments.\(property): \(structure)\(isOptional ? "?" : "")\(place(fragment.span))", depth)
    if visible.isDeferred { write("optional: its data may arrive later", depth + 1) }
    guard !visible.isCertain else { return }
    let set = program[id]
    let root = program[fragment.root]
    let hasType = program.isCertain(root.parentType, in: set)
    if !hasType {
      write("optional: only an object of type '\(root.parentTypeName)' has it", depth + 1)
    }
    let spreads = conditions(ofSpreadsOf: visible.fragment, in: set)
    for condition in spreads where !condition.isDeferral {
      write("optional: \(text(of: condition))", depth + 1)
    }
    if spreads.isEmpty, hasType, !visible.isDeferred {
      write("optional: its spread has a condition", depth + 1)
    }
  }

  /// Returns the conditions of the spreads of a fragment in a selection set that do not hold there
  /// anyway, in their order. A spread in another selection set for the same object has none here.
  private func conditions(
    ofSpreadsOf fragment: ApolloIR.Definition.ID, in set: ApolloIR.SelectionSet
  ) -> [Condition] {
    var conditions: [Condition] = []
    for case .fragmentSpread(let spread) in set.selections where spread.fragment == fragment {
      for condition in spread.conditions
      where !set.fulfilledConditions.contains(condition) && !conditions.contains(condition) {
        conditions.append(condition)
      }
    }
    return conditions
  }

  // MARK: - Words

  private func text(of type: ValueType, _ child: ApolloIR.SelectionSet.ID?) -> String {
    switch type {
    case .nonNull(let inner): text(of: inner, child)
    case .list(let element):
      "[\(text(of: element.nullable, child))\(element.isNonNull ? "" : "?")]"
    case .named(let type): child.map { named.structures.name(of: $0) } ?? type.name
    }
  }

  private func text(of condition: Condition) -> String {
    switch condition {
    case .include(let variable): "only with '@include(if: $\(variable))'"
    case .skip(let variable): "not with '@skip(if: $\(variable))'"
    case .defer(let label, _): "its data may arrive later ('@defer(label: \"\(label)\")')"
    }
  }

  private func model(_ id: ApolloIR.SelectionSet.ID) -> String {
    "'\(named.structures.path(of: id).joined(separator: "."))'"
  }

  private func place(_ span: SourceSpan) -> String {
    let location = sources.location(of: span.start)
    let file = sources.sources[location.source].name
    return " (\(file):\(location.line):\(location.column))"
  }
}
