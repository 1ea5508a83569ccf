/// The types that are declared around a position in a file, which determine the meaning of plain
/// names.
struct Scope {
  /// `true` if the schema's types are in another module. Only their full names are unambiguous
  /// then.
  let isOutsideOfSchema: Bool
  /// The full name of the innermost type, such as `["HeroQuery", "Data", "Hero"]`.
  private(set) var path: [String] = []
  /// The names of the types nested in each component of the path.
  private var nested: [Set<String>] = []

  init(isOutsideOfSchema: Bool = false) { self.isOutsideOfSchema = isOutsideOfSchema }

  func entering(_ name: String, nested names: Set<String>) -> Scope {
    var scope = self
    scope.path.append(name)
    scope.nested.append(names)
    return scope
  }

  /// Returns `true` if a top-level name is hidden here.
  func hides(_ name: String) -> Bool {
    nested.contains { $0.contains(name) } || path.dropFirst().contains(name)
  }

  /// Returns the shortest reference to the type at `target`, or `nil` if its first component is
  /// hidden.
  func reference(to target: [String]) -> String? {
    let common = zip(path, target).prefix { $0 == $1 }.count
    if common > 0, common == target.count, let name = target.last,
      !nested[(common - 1)...].contains(where: { $0.contains(name) }),
      !path[common...].contains(name)
    {
      return name
    }
    if common > 0, common < target.count {
      let name = target[common]
      let inner = nested[common...]
      if !inner.contains(where: { $0.contains(name) }), !path[common...].contains(name) {
        return target[common...].joined(separator: ".")
      }
    }
    return target.first.map(hides) == false ? target.joined(separator: ".") : nil
  }
}
