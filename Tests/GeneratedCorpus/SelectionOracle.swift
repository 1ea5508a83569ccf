import ApolloAPI
import enum ApolloAPI.JSONValue  // the schema has one of its own
import GraphQLSchema
import GraphQLSyntax

/// The fields that a document requests of each object, straight from the syntax tree:
/// `CollectFields` of the specification (6.3.2), without code of the generator or the runtime.
final class SelectionOracle {
  let schema: Schema
  let document: Document
  private let fragments: [Symbol: GraphQLSyntax.FragmentDefinition]
  /// The values of Boolean variables, defaults included.
  private let flags: [String: Bool]
  private var remembered: [Key: [CollectedField]] = [:]

  private struct Key: Hashable {
    let sets: [GraphQLSyntax.SelectionSet]
    let type: Schema.NamedType.ID
  }

  /// The selections of one response key.
  struct CollectedField {
    let key: String
    let name: Symbol
    let type: ResolvedType
    var sets: [GraphQLSyntax.SelectionSet] = []
  }

  init(
    schema: Schema, document: Document, operation: GraphQLSyntax.OperationDefinition,
    variables: [String: JSONValue]
  ) {
    self.schema = schema
    self.document = document
    fragments = Dictionary(
      document.fragments.map { ($0.name.symbol, $0) }, uniquingKeysWith: { first, _ in first })
    var flags: [String: Bool] = [:]
    for variable in document[operation.variables] {
      if case .boolean(let value) = variable.defaultValue?.content {
        flags[document.spelling(variable.name)] = value
      }
    }
    for (name, value) in variables { flags[name] = value.boolValue ?? flags[name] }
    self.flags = flags
  }

  /// The fields that objects of a type answer, in order.
  ///
  /// - Parameters:
  ///   - sets: the selection sets of the objects.
  ///   - type: an object type; or an abstract one, for objects of a type that the schema does not
  ///   have.
  /// - Returns: one field for each response key.
  func fields(
    of sets: [GraphQLSyntax.SelectionSet], for type: Schema.NamedType.ID
  ) -> [CollectedField] {
    let key = Key(sets: sets, type: type)
    if let fields = remembered[key] { return fields }
    var collector = Collector(oracle: self, type: type)
    for set in sets { collector.collect(set) }
    remembered[key] = collector.fields
    return collector.fields
  }

  private struct Collector {
    let oracle: SelectionOracle
    let type: Schema.NamedType.ID
    var fields: [CollectedField] = []
    private var positions: [Symbol: Int] = [:]
    private var visited: Set<Symbol> = []

    init(oracle: SelectionOracle, type: Schema.NamedType.ID) {
      self.oracle = oracle
      self.type = type
    }

    mutating func collect(_ set: GraphQLSyntax.SelectionSet) {
      let document = oracle.document
      for selection in document[set.selections] {
        guard oracle.isIncluded(document.directives(of: selection)) else { continue }
        switch selection {
        case .field(let id): add(document[id])
        case .inlineFragment(let id):
          let fragment = document[id]
          if oracle.applies(fragment.typeCondition, to: type) { collect(fragment.selectionSet) }
        case .fragmentSpread(let id):
          let name = document[id].name.symbol
          guard visited.insert(name).inserted, let fragment = oracle.fragments[name],
            oracle.applies(fragment.typeCondition, to: type)
          else { continue }
          collect(fragment.selectionSet)
        }
      }
    }

    private mutating func add(_ field: GraphQLSyntax.Field) {
      if let position = positions[field.responseName] {
        fields[position].sets += field.selectionSet.map { [$0] } ?? []
        return
      }
      guard let definition = oracle.schema.field(field.name.symbol, of: type) else { return }
      positions[field.responseName] = fields.count
      fields.append(
        CollectedField(
          key: oracle.document.spelling(field.responseName), name: field.name.symbol,
          type: oracle.schema[definition].type, sets: field.selectionSet.map { [$0] } ?? []))
    }
  }

  /// Returns `true` if a generated operation asks for the `__typename` of its root: generated
  /// fragments do, but for those of a subscription, which has one root field.
  func asksForTypename(
    ofRoot root: Schema.NamedType.ID, in operation: GraphQLSyntax.OperationDefinition
  ) -> Bool {
    operation.kind != .subscription && spreadsFragments(operation.selectionSet, for: root)
  }

  /// Returns `true` if an object's selections spread a named fragment.
  private func spreadsFragments(_ set: GraphQLSyntax.SelectionSet, for type: Schema.NamedType.ID)
    -> Bool
  {
    document[set.selections].contains { selection in
      guard isIncluded(document.directives(of: selection)) else { return false }
      switch selection {
      case .field: return false
      case .fragmentSpread(let id):
        let fragment = fragments[document[id].name.symbol]
        return fragment.map { applies($0.typeCondition, to: type) } ?? false
      case .inlineFragment(let id):
        let fragment = document[id]
        return applies(fragment.typeCondition, to: type)
          && spreadsFragments(fragment.selectionSet, for: type)
      }
    }
  }

  private func applies(_ condition: GraphQLSyntax.Name?, to type: Schema.NamedType.ID) -> Bool {
    guard let condition else { return true }
    return schema.type(named: condition.symbol).map { schema.isSubtype(type, of: $0) } ?? false
  }

  private func isIncluded(_ directives: GraphQLSyntax.Directive.List) -> Bool {
    document[directives].allSatisfy { directive in
      switch document.spelling(directive.name) {
      case "include": flag(of: directive)
      case "skip": !flag(of: directive)
      default: true
      }
    }
  }

  private func flag(of directive: GraphQLSyntax.Directive) -> Bool {
    switch document[directive.arguments].first?.value.content {
    case .boolean(let value): value
    case .variable(let name): flags[document.spelling(name)] ?? false
    default: false
    }
  }
}
