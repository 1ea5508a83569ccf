import GraphQLSyntax

/// Introspection fields are nested to a limited depth, which protects servers from huge responses.
///
/// The rule is not a part of the specification. It is off unless configured.
enum MaxIntrospectionDepth: Rule {
  static let name = ValidationRule.maxIntrospectionDepth.diagnosticRule

  static func check(_ facts: DocumentFacts, in context: inout ValidationContext) {
    let document = context.document
    guard context.isChecked(Self.self),
      document.fields.contains(where: { $0.name.symbol.startsIntrospection })
    else { return }
    let depths = IntrospectionDepths(document: document, facts: facts)
    for (index, field) in document.fields.enumerated() where field.name.symbol.startsIntrospection {
      guard depths.isTooDeep(Field.ID(rawValue: UInt32(index))), !context.isFull else { continue }
      context.report(
        Self.self, "Maximum introspection depth exceeded", at: field.span)
    }
  }
}

/// The number of nested lists of schema elements below each selection, up to a limit.
///
/// The depth of each fragment is computed once for all fields. It can only grow up to the limit, so
/// the computation is linear in the size of the document.
private struct IntrospectionDepths {
  /// The contents of a selection set, without those of its fragments.
  private struct Part {
    /// The number of nested lists.
    var depth = 0
    /// The fragments that are spread, and the number of lists around each spread.
    var spreads: [(fragment: Int, depth: Int)] = []
  }

  private let document: Document
  private let facts: DocumentFacts
  /// The number of nested lists in each fragment, including those of the fragments that it spreads.
  private var depths: [Int]

  private static let limit = 3

  init(document: Document, facts: DocumentFacts) {
    self.document = document
    self.facts = facts
    depths = Array(repeating: 0, count: document.fragments.count)
    var users: [[(fragment: Int, depth: Int)]] = Array(repeating: [], count: depths.count)
    // The depths that have not been propagated to the fragments' users.
    var pending: [(fragment: Int, depth: Int)] = []
    for (index, fragment) in document.fragments.enumerated() {
      let part = part(below: fragment.selectionSet)
      for spread in part.spreads { users[spread.fragment].append((index, spread.depth)) }
      pending.append((index, part.depth))
    }
    while let (fragment, depth) = pending.popLast() {
      guard depth > depths[fragment] else { continue }
      depths[fragment] = depth
      for user in users[fragment] {
        pending.append((user.fragment, min(Self.limit, user.depth + depth)))
      }
    }
  }

  /// Returns whether the lists below `field` exceed the limit.
  func isTooDeep(_ field: Field.ID) -> Bool {
    guard let selectionSet = document[field].selectionSet else { return false }
    let part = part(below: selectionSet)
    return part.depth >= Self.limit
      || part.spreads.contains { $0.depth + depths[$0.fragment] >= Self.limit }
  }

  private func part(below selectionSet: SelectionSet) -> Part {
    var part = Part()
    var pending = [(selectionSet: selectionSet, depth: 0)]
    while let (selectionSet, depth) = pending.popLast() {
      for id in selectionSet.selections {
        switch document[id] {
        case .field(let id):
          let field = document[id]
          let inner = min(Self.limit, depth + (isList(field.name.symbol) ? 1 : 0))
          part.depth = max(part.depth, inner)
          if let selectionSet = field.selectionSet { pending.append((selectionSet, inner)) }
        case .inlineFragment(let id): pending.append((document[id].selectionSet, depth))
        case .fragmentSpread(let id):
          guard let fragment = facts.fragment(named: document[id].name.symbol) else { continue }
          part.spreads.append((fragment.index, depth))
        }
      }
    }
    return part
  }

  /// Returns whether the field lists elements that contain lists of the same kind.
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
