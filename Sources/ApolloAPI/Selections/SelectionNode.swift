/// A selection set of a definition, as written.
///
/// `@unchecked Sendable` because everything is immutable but what `adopt(by:)` sets, once, while `Selections.init` still owns the node
/// alone.
@usableFromInline
final class SelectionNode: @unchecked Sendable {
  /// Its place in the definition's literal.
  let index: Int
  /// The type in the schema that the selections are made on; of an inline fragment, its type condition.
  let parentType: String
  /// What is selected, in order.
  let selections: [Selection]
  /// The response keys that the struct has accessors for, in slot order.
  let keys: [String]
  /// What the fields depend on that object accessors show of other selection sets, by response key.
  let mergedConditions: [String: [InclusionCondition]]
  /// Whose selections these are. Unowned because a definition owns its nodes and lives as long as the program.
  private(set) unowned var definition: Selections! = nil
  /// The selection set that this one is written in. Unowned for the same reason.
  private(set) unowned var parent: SelectionNode? = nil
  /// The response key of the field that this selection set is of; `nil` for an inline fragment and for the definition's own one.
  private(set) var fieldKey: String? = nil
  /// The conditions of the field or inline fragment.
  private(set) var conditions: [InclusionCondition] = []

  init(
    index: Int, parentType: String, selections: [Selection], keys: [String],
    mergedConditions: [String: [InclusionCondition]]
  ) {
    self.index = index
    self.parentType = parentType
    self.selections = selections
    self.keys = keys
    self.mergedConditions = mergedConditions
  }

  /// Called once, by the definition that parsed this node.
  func adopt(by definition: Selections) {
    self.definition = definition
    for selection in selections {
      switch selection {
      case .field(let field):
        field.child?.parent = self
        field.child?.fieldKey = field.responseKey
        field.child?.conditions = field.conditions
      case .inlineFragment(let fragment, let conditions):
        fragment.parent = self
        fragment.conditions = conditions
      case .fragmentSpread: break
      }
    }
  }

  /// The selection set that an inline fragment is written in.
  var enclosing: SelectionNode? { fieldKey == nil ? parent : nil }

  /// This selection set and those written around it that look at the same object, innermost first.
  var path: [SelectionNode] { Array(sequence(first: self, next: \.enclosing)) }
}

/// A field, an inline fragment or a fragment spread.
enum Selection {
  case field(FieldSelection)
  case inlineFragment(SelectionNode, [InclusionCondition])
  /// The fragment is an index into the definition's `fragments`.
  case fragmentSpread(Int, [InclusionCondition])
}

/// A field as written.
struct FieldSelection {
  let responseKey: String
  let name: String
  let arguments: [Argument]
  let type: FieldType
  /// What is selected of the field's objects; `nil` for a leaf.
  let child: SelectionNode?
  let conditions: [InclusionCondition]

  /// A named value, which may contain variables.
  struct Argument: Hashable {
    let name: String
    let value: ArgumentValue
  }
}

/// The value of an argument. Enum values are strings, as they are in variables.
indirect enum ArgumentValue: Hashable, Sendable {
  case constant(JSONValue)
  case variable(String)
  case list([ArgumentValue])
  case object([String: ArgumentValue])
}

/// `@include`, `@skip` or `@defer`.
enum InclusionCondition: Hashable {
  case include(Flag)
  case skip(Flag)
  case `defer`(label: String?, Flag)

  /// A Boolean that is written or comes from a variable.
  enum Flag: Hashable {
    case literal(Bool)
    case variable(String)
  }
}

/// The type of a field: how many lists are around it, what may be null, and what it is in the end.
struct FieldType {
  /// What the innermost values are.
  enum Base {
    case string, int, double, bool, id
    case leaf(any LeafValue.Type)
    case object
  }

  var base: Base
  /// How many lists are around the base.
  var rank = 0
  /// Bit *k* says that the value *k* lists deep may not be null; bit `rank` is the base's.
  var nonNull: UInt32 = 0

  /// The most lists around a type that a layout can describe.
  static let maximumRank = 30

  /// Whether a value `depth` lists deep may not be null.
  func isNonNull(at depth: Int) -> Bool { nonNull >> UInt32(depth) & 1 == 1 }

  /// This type as the elements of a list.
  func asListElement(nonNullList: Bool) -> FieldType {
    FieldType(base: base, rank: rank + 1, nonNull: nonNull << 1 | (nonNullList ? 1 : 0))
  }
}

extension Selection {
  var conditions: [InclusionCondition] {
    switch self {
    case .field(let field): field.conditions
    case .inlineFragment(_, let conditions), .fragmentSpread(_, let conditions): conditions
    }
  }
}

extension InclusionCondition {
  var flag: Flag {
    switch self {
    case .include(let flag), .skip(let flag), .defer(_, let flag): flag
    }
  }
}

extension SelectionNode {
  /// The response key of `__typename`, if it is selected whatever the type and the variables.
  var typenameKey: String? {
    for case .field(let field) in selections
    where field.name == "__typename" && field.conditions.isEmpty {
      return field.responseKey
    }
    return nil
  }
}
