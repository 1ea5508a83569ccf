package import GraphQLSchema
package import GraphQLSyntax

/// A search for a field in selection sets and the fragments that they use.
///
/// A field for only some types of objects counts, because others may have no such field.
struct KeySearch {
  private let symbol: Symbol
  private let valid: ValidatedDocument
  private var fragments: [Bool]

  init(_ symbol: Symbol, _ valid: ValidatedDocument) {
    self.symbol = symbol
    self.valid = valid
    fragments = Array(repeating: false, count: valid.document.fragments.count)
    for id in valid.fragmentsAfterTheirSpreads {
      fragments[id.index] = isSelected(in: valid.document[id].selectionSet)
    }
  }

  /// Returns `true` if the field is selected, under any response key.
  func isSelected(in selectionSet: SelectionSet) -> Bool {
    selectionSet.selections.contains { selection in
      switch valid.document[selection] {
      case .field(let id): valid.document[id].name.symbol == symbol
      case .inlineFragment(let id): isSelected(in: valid.document[id].selectionSet)
      case .fragmentSpread(let id):
        valid.fragment(named: valid.document[id].name.symbol).map { fragments[$0.index] } ?? false
      }
    }
  }
}

extension Document {
  /// Returns `true` if a field of another name has the alias `symbol`.
  package func hasAlias(_ symbol: Symbol) -> Bool {
    fields.contains { $0.responseName == symbol && $0.name.symbol != symbol }
  }
}

extension Schema {
  /// Returns `true` if a type has a field that can identify its objects: a scalar without
  /// arguments.
  package func canIdentify(_ type: NamedType.ID, by symbol: Symbol) -> Bool {
    guard let id = ownField(symbol, of: type) else { return false }
    let field = self[id]
    return field.arguments.isEmpty && !field.type.isList
      && self[field.type.namedType].kind == .scalar
  }
}
