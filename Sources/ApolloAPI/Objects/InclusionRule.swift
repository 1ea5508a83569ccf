/// What decides which selections apply to the objects of a plan.
enum InclusionRule: Sendable {
  /// The objects of a response: variables decide the conditions, by their names, and an object's type the type conditions.
  case variables([String: Bool])
  /// The objects that an initializer makes: what its view stands for holds, and nothing else.
  case constructed(ConstructedView)
}

/// What holds of an object because a program makes it, or looks at it, as a view.
///
/// An object made as a `Hero` is not `asDroid`, whatever its `__typename` says: the initializer did not ask for what that would show.
/// One that is made as a `Hero.AsDroid` is, and can be looked at as a `Hero` as well.
struct ConstructedView: Hashable, Sendable {
  /// The types that the view and what is written around it are selected on.
  let types: [String]
  /// The conditions of the view and of everything that is written around it.
  let conditions: Set<InclusionCondition>
  /// Response keys that have values although they depend on conditions.
  let keys: Set<String>
  /// The values of the variables that other conditions read; `nil` when the program makes the object, which has no variables.
  let variables: [String: Bool]?

  /// What holds of an object that a program makes as `view`.
  init(_ view: SelectionNode, keys: Set<String>) {
    types = view.path.map(\.parentType)
    conditions = Set(sequence(first: view, next: \.parent).flatMap(\.conditions))
    self.keys = keys
    variables = nil
  }

  /// What holds of the object around `part`, a selection set of one of its fields, in a response.
  init(around part: SelectionNode, variables: [String: Bool]) {
    types = part.parent?.path.map(\.parentType) ?? []
    conditions = Set(sequence(first: part, next: \.parent).flatMap(\.conditions))
    keys = []
    self.variables = variables
  }
}
