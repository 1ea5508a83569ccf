/// The rule that decides which selections apply to the objects of a plan.
enum InclusionRule: Sendable {
  /// For the objects of a response: variables decide inclusion conditions, and the object's type
  /// decides type conditions. Variables without a value are absent.
  case variables([String: Bool])
  /// For the objects of an initializer: the conditions of its view hold, and no others.
  case constructed(ConstructedView)
}

/// The view as which a program makes an object, or looks at it.
///
/// An object that is made as a `Hero` is not `asDroid`, whatever its `__typename`: its initializer
/// had no parameters for the fields of a droid. An object that is made as a `Hero.AsDroid` is both.
struct ConstructedView: Hashable, Sendable {
  /// The parent types of the view and of the selection sets around it.
  let types: [String]
  /// The conditions of the view and of the selection sets around it.
  let conditions: Set<InclusionCondition>
  /// Response keys that have values although they depend on conditions.
  let keys: Set<String>
  /// The values of the variables that other conditions read; `nil` for an object that a program
  /// makes.
  let variables: [String: Bool]?

  /// Describes an object that a program makes as `view`.
  init(_ view: SelectionNode, keys: Set<String>) {
    types = view.path.map(\.parentType)
    conditions = Set(sequence(first: view, next: \.parent).flatMap(\.conditions))
    self.keys = keys
    variables = nil
  }

  /// Describes the object of a response around `part`, a selection set of one of its fields.
  init(around part: SelectionNode, variables: [String: Bool]) {
    types = part.parent?.path.map(\.parentType) ?? []
    conditions = Set(sequence(first: part, next: \.parent).flatMap(\.conditions))
    keys = []
    self.variables = variables
  }
}
