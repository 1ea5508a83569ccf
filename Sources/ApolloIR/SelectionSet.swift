package import GraphQLSchema
package import GraphQLSyntax

/// A selection set, and what its model shows of the selection sets that apply together with it.
package struct SelectionSet: Sendable {
  package struct ID: Hashable, Comparable, Sendable {
    package let index: Int
    package init(_ index: Int) { self.index = index }
    package static func < (left: ID, right: ID) -> Bool { left.index < right.index }
  }

  package enum Role: Hashable, Sendable {
    /// The outermost selection set of a definition.
    case root
    /// What is selected of the objects of a field.
    case field(responseKey: String)
    /// An inline fragment; the type condition is absent when it does not narrow the type around it.
    case inlineFragment(typeCondition: TypeCondition?, conditions: [Condition])
  }

  package let definition: Definition.ID
  /// The selection set around this one.
  package let parent: ID?
  package let role: Role
  package let parentType: Schema.NamedType.ID
  package let parentTypeName: String
  /// Every condition that holds when there is an object to look at: those of this set and of all
  /// around it.
  package let fulfilledConditions: Set<Condition>
  /// Whether it was added because several selection sets meet here and none of them shows what the
  /// others do.
  package let isSynthesized: Bool

  /// As written, duplicates merged, inline fragments that change nothing folded into it.
  package var selections: [Selection] = []

  /// Fields of other selection sets that apply whenever this one does.
  package var mergedFields: [MergedField] = []
  /// The type cases and conditional fragments that the model offers, own ones first.
  package var cases: [ID] = []
  /// The deferred fragments that are written here.
  package var deferredParts: [ID] = []
  /// The named fragments that the model offers.
  package var fragments: [VisibleFragment] = []
  /// Fragments whose own fragments lie too deep to be merged: what they show is forwarded.
  package var forwardedFragments: [Definition.ID] = []
}

/// The type after `on`.
package struct TypeCondition: Hashable, Sendable {
  package var type: Schema.NamedType.ID
  package var name: String
}

package enum Selection: Sendable {
  case field(Field)
  case inlineFragment(SelectionSet.ID)
  case fragmentSpread(FragmentSpread)
}

package struct Field: Sendable {
  package var responseKey: String
  package var name: String
  package var description: String?
  package var deprecationReason: String?
  /// The arguments as they stand in the literal: `episode: $episode first: 3`; empty when there are
  /// none.
  package var arguments: String
  package var type: ValueType
  package var child: SelectionSet.ID?
  package var conditions: [Condition]
  package var span: SourceSpan
}

package struct FragmentSpread: Hashable, Sendable {
  package var fragment: Definition.ID
  package var conditions: [Condition]
}

/// A field that another selection set selects of the same object.
package struct MergedField: Sendable {
  package var field: Field
  /// Whether the field can be absent although the view exists.
  package var isConditional: Bool

  package init(field: Field, isConditional: Bool) {
    self.field = field
    self.isConditional = isConditional
  }
}

/// A named fragment that a model can be converted to.
package struct VisibleFragment: Hashable, Sendable {
  package var fragment: Definition.ID
  /// Whether every object of this place fulfils it.
  package var isCertain: Bool
  /// Whether its data may come later than the rest, wherever it is spread.
  package var isDeferred = false
}

/// `@include(if: $x)`, `@skip(if: $x)` or `@defer`, with literals folded away.
package enum Condition: Hashable, Comparable, Sendable {
  case include(String)
  case skip(String)
  case `defer`(label: String, variable: String?)

  /// Whether this is `@defer`.
  package var isDeferral: Bool { if case .defer = self { true } else { false } }

  /// The condition that holds exactly when this one does not.
  var opposite: Condition? {
    switch self {
    case .include(let variable): .skip(variable)
    case .skip(let variable): .include(variable)
    case .defer: nil
    }
  }

  private var sortKey: (Int, String) {
    switch self {
    case .include(let variable): (0, variable)
    case .skip(let variable): (1, variable)
    case .defer(let label, _): (2, label)
    }
  }

  package static func < (left: Condition, right: Condition) -> Bool {
    left.sortKey < right.sortKey
  }
}

extension Program {
  /// Whether all objects that a selection set looks at are of one type.
  package func isConcrete(_ set: SelectionSet) -> Bool {
    schema[set.parentType].kind == .object
  }
}

extension SelectionSet {
  /// The label of a deferred fragment; `nil` for any other selection set.
  package var deferredLabel: String? {
    guard case .inlineFragment(_, let conditions) = role,
      case .defer(let label, _)? = conditions.first(where: \.isDeferral)
    else { return nil }
    return label
  }

  /// The fields that the set selects itself, each response key once.
  package var ownFields: [Field] {
    var seen: Set<String> = []
    return selections.compactMap { selection in
      guard case .field(let field) = selection, seen.insert(field.responseKey).inserted else {
        return nil
      }
      return field
    }
  }

  /// The fields that the model has accessors for, in the order of their slots.
  package var visibleFields: [MergedField] {
    ownFields.map { MergedField(field: $0, isConditional: !$0.conditions.isEmpty) } + mergedFields
  }
}
