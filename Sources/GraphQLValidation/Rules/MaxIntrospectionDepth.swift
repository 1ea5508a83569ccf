import GraphQLSyntax

/// Introspection does not go back and forth between types and fields more than twice.
///
/// Not of the specification; off unless configured. It protects servers from huge answers.
enum MaxIntrospectionDepth {
  static func check(_ facts: DocumentFacts, in context: inout ValidationContext) {
    let document = context.document
    guard context.isChecked(.maxIntrospectionDepth),
      document.fields.contains(where: { $0.name.symbol.startsIntrospection })
    else { return }
    let depths = IntrospectionDepths(document: document, facts: facts)
    for (index, field) in document.fields.enumerated() where field.name.symbol.startsIntrospection {
      guard depths.isTooDeep(Field.ID(rawValue: UInt32(index))), !context.isFull else { continue }
      context.report(
        .maxIntrospectionDepth, "Maximum introspection depth exceeded", at: field.span)
    }
  }
}

/// How many lists of schema elements are nested in each other below a selection, up to a limit.
///
/// What a fragment adds is found once for all fields. As the depth of a fragment can grow only up to
/// the limit, the time is linear in the size of the document.
private struct IntrospectionDepths {
  /// What a part of a definition contains itself.
  private struct Part {
    /// How many lists are nested in each other.
    var depth = 0
    /// The fragments it spreads, and how many lists are around each.
    var spreads: [(fragment: Int, depth: Int)] = []
  }

  private let document: Document
  private let facts: DocumentFacts
  /// By fragment: how many lists are nested in it and in the fragments it spreads.
  private var depths: [Int]

  private static let limit = 3

  init(document: Document, facts: DocumentFacts) {
    self.document = document
    self.facts = facts
    depths = Array(repeating: 0, count: document.fragments.count)
    var users: [[(fragment: Int, depth: Int)]] = Array(repeating: [], count: depths.count)
    // What is known of fragments and not yet handed to those that spread them.
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

  /// Whether the lists below `field` are nested deeper than is allowed.
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
