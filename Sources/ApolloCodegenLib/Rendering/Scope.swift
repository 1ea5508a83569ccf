/// The types that are declared around a place in a file, innermost first: what a plain name means
/// there.
struct Scope {
  /// Whether the schema's types are somewhere else, so that only their full names are sure to mean them.
  let isOutsideOfSchema: Bool
  /// The full name of the innermost type, such as `["HeroQuery", "Data", "Hero"]`.
  private(set) var path: [String] = []
  /// For each component of the path, the names of the types nested in it.
  private var nested: [Set<String>] = []

  init(isOutsideOfSchema: Bool = false) { self.isOutsideOfSchema = isOutsideOfSchema }

  func entering(_ name: String, nested names: Set<String>) -> Scope {
    var scope = self
    scope.path.append(name)
    scope.nested.append(names)
    return scope
  }

  /// Whether a top-level name means something else here.
  func hides(_ name: String) -> Bool {
    nested.contains { $0.contains(name) } || path.dropFirst().contains(name)
  }

  /// The shortest text that means the type at `target` here, or `nil` when its first component is
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
