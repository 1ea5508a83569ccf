package import GraphQLSchema
package import GraphQLSyntax

/// A selection set, and the fields, cases and fragments that its model takes over from other
/// selection sets of the same object.
///
/// In this example the model of `... on Droid` has `name` too: the outer set applies whenever the
/// inner one does.
///
/// ```graphql
/// hero {
///   name
///   ... on Droid { primaryFunction }
/// }
/// ```
package struct SelectionSet: Sendable {
  package struct ID: Hashable, Comparable, Sendable {
    package let index: Int
    package init(_ index: Int) { self.index = index }
    package static func < (left: ID, right: ID) -> Bool { left.index < right.index }
  }

  package enum Role: Hashable, Sendable {
    /// The outermost selection set of a definition.
    case root
    /// The selection set of a field whose value is an object or a list of objects.
    case field(responseKey: String)
    /// An inline fragment. The type condition is `nil` if it does not narrow the type around it.
    case inlineFragment(typeCondition: TypeCondition?, conditions: [Condition])
  }

  package let definition: Definition.ID
  /// The selection set around this one.
  package let parent: ID?
  package let role: Role
  package let parentType: Schema.NamedType.ID
  /// The name of ``parentType``, for code that has no schema at hand.
  package let parentTypeName: String
  /// Further types of every object of this set: those of the sets around it, if it is an inline
  /// fragment.
  package var outerTypes: [Schema.NamedType.ID] = []
  /// The conditions of this set and of all sets around it. They hold wherever the model exists.
  package let fulfilledConditions: Set<Condition>
  /// `true` if the source has no such selection set. Merging adds it where the fields of several
  /// sets apply to the same object.
  package let isSynthesized: Bool
  /// `true` if the document as it is sent has the set, and its source does not: an inline fragment
  /// with key fields. It has no model.
  package var isAdded = false
  /// The beginning of an inline fragment in the source, the first one if several were merged. `nil`
  /// for any other set.
  package var fragmentSpan: SourceSpan?

  /// The selections of the source. Duplicates are merged, and an inline fragment without a narrower
  /// type or a condition is replaced by its selections.
  package var selections: [Selection] = []

  /// The fields of other selection sets that apply whenever this one does.
  package var mergedFields: [MergedField] = []
  /// The inline fragments that the model can be narrowed to, with a type condition or another
  /// condition. Those written in this set come first.
  package var cases: [ID] = []
  /// The sets of the deferred inline fragments written in this set.
  package var deferredFragments: [ID] = []
  /// The named fragments that the model can be converted to.
  package var fragments: [VisibleFragment] = []
  /// The spread fragments that lead to fragments more than three spreads away. Those are not
  /// merged, because the output would grow faster than the input: the model forwards to them.
  package var forwardedFragments: [Definition.ID] = []
}

/// The type condition of a fragment.
package struct TypeCondition: Hashable, Sendable {
  package var type: Schema.NamedType.ID
  package var name: String
}

/// A selection of the source, after merging duplicates.
package enum Selection: Sendable {
  case field(Field)
  case inlineFragment(SelectionSet.ID)
  case fragmentSpread(FragmentSpread)
}

/// A field of a selection set.
package struct Field: Sendable {
  package var responseKey: String
  package var name: String
  /// The definition in the schema, or `nil` for `__typename`.
  package var definition: Schema.Field.ID?
  /// The arguments as they are written in the literal: `episode: $episode first: 3`. Empty if there
  /// are none.
  package var arguments: String
  package var type: ValueType
  /// The selection set of the field, or `nil` if its value is a leaf.
  package var child: SelectionSet.ID?
  /// The maximum age that the document gives the field (`@cacheControl`).
  package var maxAge: MaxAgeRule?
  /// The `@connection` that the document gives the field.
  package var connection: ConnectionDirective?
  /// The directives that change lists.
  package var listEdits: [FieldListEdit] = []
  /// The treatment of nulls and errors, or `nil` if the property is that without directives.
  package var nullability: FieldNullability?
  /// The conditions of the field itself, without those of the selection sets around it.
  package var conditions: [Condition]
  package var span: SourceSpan
}

/// A spread of a named fragment.
package struct FragmentSpread: Hashable, Sendable {
  package var fragment: Definition.ID
  package var conditions: [Condition]
}

/// A field that is selected by another selection set for the same object.
package struct MergedField: Sendable {
  package var field: Field
  /// `true` if the field can be absent although the model exists.
  package var isConditional: Bool
  /// `true` if several selection sets select the field, with selections of their own.
  package var isShared = false

  package init(field: Field, isConditional: Bool, isShared: Bool = false) {
    self.field = field
    self.isConditional = isConditional
    self.isShared = isShared
  }
}

extension SelectionSet {
  /// A named fragment that the model of a selection set can be converted to.
  package struct VisibleFragment: Hashable, Sendable {
    package var fragment: Definition.ID
    /// `true` if the fragment applies to every object of the selection set.
    package var isCertain: Bool
    /// `true` if the fragment's data may arrive later than the rest, wherever it is spread.
    package var isDeferred = false
  }
}

/// `@include(if: $x)`, `@skip(if: $x)` or `@defer`, with literals folded away.
package enum Condition: Hashable, Sendable {
  case include(String)
  case skip(String)
  case `defer`(label: String, variable: String?)

  /// `true` for `@defer`.
  package var isDeferral: Bool { if case .defer = self { true } else { false } }

  /// The condition that holds exactly if this one does not, or `nil` if there is none.
  var opposite: Condition? {
    switch self {
    case .include(let variable): .skip(variable)
    case .skip(let variable): .include(variable)
    case .defer: nil
    }
  }
}

extension Program {
  /// Returns `true` if every object of a selection set has a type: because of the set itself, or of
  /// the sets around it.
  package func isCertain(_ type: Schema.NamedType.ID, in set: SelectionSet) -> Bool {
    schema.isSubtype(set.parentType, of: type)
      || set.outerTypes.contains { schema.isSubtype($0, of: type) }
  }

  /// Returns `true` if all objects of a selection set have the same type.
  package func isConcrete(_ set: SelectionSet) -> Bool {
    schema[set.parentType].kind == .object
  }
}

extension SelectionSet {
  /// Returns the further types of the objects of an inline fragment in this set.
  func typesAround(_ condition: TypeCondition?) -> [Schema.NamedType.ID] {
    condition == nil ? outerTypes : outerTypes + [parentType]
  }

  /// The fulfilled conditions besides `@defer`.
  ///
  /// Each deferred fragment arrives by itself, also beside another one with the same label, or
  /// without one. An object in a deferred fragment can have such a fragment, and so can a named
  /// fragment that is spread beside it.
  var fulfilledInclusions: Set<Condition> { fulfilledConditions.filter { !$0.isDeferral } }

  /// The label of a deferred fragment, or `nil` for any other selection set.
  package var deferredLabel: String? {
    guard case .inlineFragment(_, let conditions) = role,
      case .defer(let label, _)? = conditions.first(where: \.isDeferral)
    else { return nil }
    return label
  }

  /// The fields that the set itself selects, each response key once.
  ///
  /// Occurrences of a field under different conditions are next to each other.
  package var ownFields: [Field] {
    var fields: [Field] = []
    fields.reserveCapacity(selections.count)
    for case .field(let field) in selections where fields.last?.responseKey != field.responseKey {
      fields.append(field)
    }
    return fields
  }

  /// The fields that the model has accessors for, in the order of their slots.
  package var visibleFields: [MergedField] {
    ownFields.map { MergedField(field: $0, isConditional: !$0.conditions.isEmpty) } + mergedFields
  }
}
