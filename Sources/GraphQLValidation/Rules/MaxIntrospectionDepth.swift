import GraphQLSyntax

/// Introspection does not go back and forth between types and fields more than twice.
///
/// Not of the specification; off unless configured. It protects servers from huge answers.
enum MaxIntrospectionDepth {
  static func check(_ facts: DocumentFacts, in context: inout ValidationContext) {
    guard context.isChecked(.maxIntrospectionDepth) else { return }
    let document = context.document
    for (index, field) in document.fields.enumerated() where field.name.symbol.startsIntrospection {
      var search = IntrospectionDepthSearch(document: document, facts: facts)
      guard search.isTooDeep(.field(Field.ID(rawValue: UInt32(index))), depth: 0) else { continue }
      context.report(
        .maxIntrospectionDepth, "Maximum introspection depth exceeded", at: field.span)
    }
  }
}

/// Counts the lists of schema elements that are nested below a selection.
private struct IntrospectionDepthSearch {
  private struct Visit: Hashable {
    var fragment: FragmentDefinition.ID
    var depth: Int
  }

  let document: Document
  let facts: DocumentFacts
  private var visits: Set<Visit> = []
  private var pending: [(selection: Selection, depth: Int)] = []

  private static let limit = 3

  init(document: Document, facts: DocumentFacts) {
    self.document = document
    self.facts = facts
  }

  mutating func isTooDeep(_ selection: Selection, depth: Int) -> Bool {
    pending = [(selection, depth)]
    while let (selection, depth) = pending.popLast() {
      switch selection {
      case .field(let id):
        let field = document[id]
        let inner = depth + (isList(field.name.symbol) ? 1 : 0)
        if inner >= Self.limit { return true }
        if let selectionSet = field.selectionSet { push(selectionSet, inner) }
      case .inlineFragment(let id): push(document[id].selectionSet, depth)
      case .fragmentSpread(let id):
        guard let fragment = facts.fragment(named: document[id].name.symbol),
          visits.insert(Visit(fragment: fragment, depth: depth)).inserted
        else { continue }
        push(document[fragment].selectionSet, depth)
      }
    }
    return false
  }

  private mutating func push(_ selectionSet: SelectionSet, _ depth: Int) {
    for selection in selectionSet.selections { pending.append((document[selection], depth)) }
  }

  /// Whether the field lists elements that have lists of such elements themselves.
  private func isList(_ name: Symbol) -> Bool {
    switch document.spelling(name) {
    case "fields", "interfaces", "possibleTypes", "inputFields": true
    default: false
    }
  }
}

extension Symbol {
  fileprivate var startsIntrospection: Bool {
    self == .introspectionSchemaField || self == .introspectionTypeField
  }
}
