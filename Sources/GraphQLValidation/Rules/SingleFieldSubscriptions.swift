import GraphQLSchema
import GraphQLSyntax

/// A subscription has one root field, which is not an introspection field, under all conditions.
///
/// Spec: 5.2.4.1, "Single Root Field".
enum SingleFieldSubscriptions: Rule {
  static let name = ValidationRule.singleFieldSubscriptions.diagnosticRule

  /// The maximum number of selections to visit for all subscriptions. Only documents designed to be
  /// slow have more at their root.
  private static let budget = 3_000_000

  static func check(_ facts: DocumentFacts, in context: inout ValidationContext) {
    guard let type = context.schema.rootType(.subscription) else { return }
    var budget = budget
    for operation in context.document.operations
    where operation.kind == .subscription && !context.isFull {
      var fields = RootFields(document: context.document, schema: context.schema, facts: facts)
      budget -= fields.collect(operation.selectionSet, of: type)
      check(operation, fields, in: &context)
      guard budget > 0 else { return reportExhaustion(at: operation, in: &context) }
    }
  }

  private static func reportExhaustion(
    at operation: OperationDefinition, in context: inout ValidationContext
  ) {
    context.report(
      Self.self,
      "The subscriptions use too many fragments to tell whether each selects one top level field. "
        + "Use fewer fragments at their top level.",
      at: operation.selectionSet.span)
  }

  private static func check(
    _ operation: OperationDefinition, _ fields: RootFields, in context: inout ValidationContext
  ) {
    let subject =
      operation.name.map { "Subscription \"\(context.document.spelling($0))\"" }
      ?? "Anonymous Subscription"
    guard fields.conditions.isEmpty else {
      return report(
        "\(subject) must not use `@skip` or `@include` directives in the top level selection.",
        at: fields.conditions, &context)
    }
    if fields.groups.isEmpty {
      report(
        "\(subject) must select one top level field.", at: [operation.selectionSet.span], &context)
    }
    if fields.groups.count > 1 {
      let extra = fields.groups.dropFirst().flatMap(\.spans)
      report("\(subject) must select only one top level field.", at: extra, &context)
    }
    for group in fields.groups where context.document.names.isReserved(group.name) {
      report(
        "\(subject) must not select an introspection top level field.", at: group.spans, &context)
    }
  }

  private static func report(
    _ message: String, at spans: [SourceSpan], _ context: inout ValidationContext
  ) {
    context.report(
      Self.self, message, at: spans[0],
      notes: Diagnostic.Note.each(spans.dropFirst(), "and here"))
  }
}

/// The fields selected from the root type, grouped by response name.
///
/// Spec: 5.2.4.1, `CollectSubscriptionFields`.
private struct RootFields {
  struct Group {
    /// The name of the first field.
    var name: Symbol
    var spans: [SourceSpan]
  }

  let document: Document
  let schema: Schema
  let facts: DocumentFacts
  private(set) var groups: [Group] = []
  /// The `@skip` and `@include` directives found so far.
  private(set) var conditions: [SourceSpan] = []
  private var positions: [Symbol: Int] = [:]
  private var visited: Set<Symbol> = []

  init(document: Document, schema: Schema, facts: DocumentFacts) {
    self.document = document
    self.schema = schema
    self.facts = facts
  }

  /// Collects the selections from `type`, including those of fragments, in the order of the text.
  ///
  /// - Returns: The number of selections visited.
  mutating func collect(_ selectionSet: SelectionSet, of type: Schema.NamedType.ID) -> Int {
    var pending = selectionSet.selections.reversed().map { document[$0] }
    var count = 0
    while let selection = pending.popLast() {
      count += 1
      if let condition = condition(of: selection) {
        conditions.append(condition)
        continue
      }
      guard let inner = enter(selection, type) else { continue }
      pending.append(contentsOf: inner.selections.reversed().map { document[$0] })
    }
    return count
  }

  /// Collects a field, or returns the selection set of a fragment that applies to `type`.
  private mutating func enter(
    _ selection: Selection, _ type: Schema.NamedType.ID
  ) -> SelectionSet? {
    switch selection {
    case .field(let id):
      add(document[id])
      return nil
    case .inlineFragment(let id):
      let fragment = document[id]
      return applies(fragment.typeCondition, type) ? fragment.selectionSet : nil
    case .fragmentSpread(let id):
      let name = document[id].name.symbol
      guard visited.insert(name).inserted, let fragment = facts.fragment(named: name),
        applies(document[fragment].typeCondition, type)
      else { return nil }
      return document[fragment].selectionSet
    }
  }

  private mutating func add(_ field: Field) {
    if let position = positions[field.responseName] {
      groups[position].spans.append(field.span)
    } else {
      positions[field.responseName] = groups.count
      groups.append(Group(name: field.name.symbol, spans: [field.span]))
    }
  }

  private func applies(_ condition: Name?, _ type: Schema.NamedType.ID) -> Bool {
    guard let condition else { return true }
    guard let other = schema.type(named: condition.symbol) else { return false }
    return other == type || schema.isPossibleType(type, of: other)
  }

  private func condition(of selection: Selection) -> SourceSpan? {
    let directives = document[document.directives(of: selection)]
    let condition =
      directives.first { $0.name.symbol == .skip }
      ?? directives.first { $0.name.symbol == .include }
    return condition?.span
  }
}
