/// One selection set of a definition, as it was written.
///
/// `@unchecked Sendable` because everything is immutable but the properties that `adopt(by:)` sets,
/// once, before `Selections.init` shares the node.
@usableFromInline
final class SelectionNode: @unchecked Sendable {
  /// Its number in the definition's literal.
  let index: Int
  /// The type in the schema that the selections are made on; of an inline fragment, its type
  /// condition.
  let parentType: String
  /// The selections in order.
  let selections: [Selection]
  /// The response keys that the struct has accessors for, in slot order.
  let keys: [String]
  /// The conditions of merged object fields, by response key.
  let mergedConditions: [String: [InclusionCondition]]
  /// The definition that contains this node. Unowned because a definition owns its nodes and lives
  /// as long as the program.
  private(set) unowned var definition: Selections! = nil
  /// The selection set around this one. Unowned for the same reason.
  private(set) unowned var parent: SelectionNode? = nil
  /// The response key of the field with this selection set; `nil` for an inline fragment and for
  /// the definition's own one.
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

  /// Links this node to its definition and its children to this node. Called once, by the
  /// definition.
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

  /// The selection set around an inline fragment.
  var enclosing: SelectionNode? { fieldKey == nil ? parent : nil }

  /// This selection set and those around it for the same object, innermost first.
  var path: [SelectionNode] { Array(sequence(first: self, next: \.enclosing)) }
}

/// A field, an inline fragment or a fragment spread.
enum Selection {
  case field(FieldSelection)
  case inlineFragment(SelectionNode, [InclusionCondition])
  /// A fragment, as an index into the definition's `fragments`.
  case fragmentSpread(Int, [InclusionCondition])
}

/// A field as it was written.
struct FieldSelection {
  let responseKey: String
  let name: String
  let arguments: [Argument]
  var type: FieldType
  /// The selection set of the field's objects; `nil` for a leaf.
  let child: SelectionNode?
  /// The maximum age that the operation gives the field (`@cacheControl`).
  let maxAge: MaxAge?
  let conditions: [InclusionCondition]
  /// Bit *k* means that `@catch` handles the errors of values *k* lists deep. Only in operations
  /// with `@throwOnFieldError`.
  var caughtLevels: UInt32 = 0
  /// Bit *k* means that a value *k* lists deep is null only because of an error
  /// (`@semanticNonNull`). Only in operations with `@throwOnFieldError`.
  var certainLevels: UInt32 = 0
  /// The action of its `@required`, if that makes the object around the field null.
  var requiredAction: RequiredAction?
  /// The list that the field has a page of (`@connection`).
  var connection: Connection?
  /// The changes of lists and records that the field asks for.
  var listEdits: [ConditionalEdit] = []

  /// The effect of a null besides making the object around it null.
  enum RequiredAction {
    case silent
    /// The errors of the response have one that says so.
    case logged
  }

  /// A connection with a key of its own.
  struct Connection: Hashable {
    let key: String?
    /// The arguments whose values select another list, or `nil` for all but those of pages.
    let filters: [String]?
  }

  /// A named value, which may contain variables.
  struct Argument: Hashable {
    let name: String
    let value: ArgumentValue
  }
}

/// The value of an argument. Enum values are strings, as in variables.
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

  /// A Boolean literal or a variable.
  enum Flag: Hashable {
    case literal(Bool)
    case variable(String)
  }
}

/// The type of a field: its innermost type, the lists around it, and their nullability.
package struct FieldType {
  /// The type of the innermost values.
  package enum Base {
    case string, int, double, bool, id
    case leaf(any LeafValue.Type)
    case object
  }

  package var base: Base
  /// The number of lists around the base.
  package var rank = 0
  /// Bit *k* means that a value *k* lists deep is never null; bit `rank` belongs to the base.
  var nonNull: UInt32 = 0
  /// The name of a custom scalar in generated code, and of the file that names its Swift type.
  var scalarName: String?

  /// The greatest rank that a layout supports.
  static let maximumRank = 30

  /// Returns whether a value `depth` lists deep is never null.
  package func isNonNull(at depth: Int) -> Bool { nonNull >> UInt32(depth) & 1 == 1 }

  /// Returns the type of a list with elements of this type.
  func asListElement(nonNullList: Bool) -> FieldType {
    FieldType(
      base: base, rank: rank + 1, nonNull: nonNull << 1 | (nonNullList ? 1 : 0),
      scalarName: scalarName)
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

extension Selection {
  /// The conditions of the selection, and of its changes of lists.
  var allConditions: [InclusionCondition] {
    guard case .field(let field) = self, !field.listEdits.isEmpty else { return conditions }
    return conditions + field.listEdits.flatMap(\.conditions)
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
  /// The response key of `__typename`, if it is selected for every type and without conditions.
  var typenameKey: String? {
    for case .field(let field) in selections
    where field.name == "__typename" && field.conditions.isEmpty {
      return field.responseKey
    }
    return nil
  }
}
