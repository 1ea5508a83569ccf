/// The types that are declared around a position in a file, which determine the meaning of plain
/// names.
struct Scope {
  /// `true` if the plain names of the schema's types have no meaning here: they are in another
  /// module, or in a namespace that is not around this position. Only their full names are
  /// unambiguous then.
  private(set) var isOutsideOfSchema: Bool
  /// `true` if the same holds for definitions.
  private var isOutsideOfDefinitions = false
  /// The full name of the innermost type, such as `["HeroQuery", "Data", "Hero"]`.
  private(set) var path: [String] = []
  /// The names of the types nested in each component of the path.
  private var nested: [Set<String>] = []
  /// The number of outer components that are not around this position, although they are in the
  /// path: an extension of a nested type sees the members of that type only.
  private var unseenCount = 0

  init(isOutsideOfSchema: Bool = false) { self.isOutsideOfSchema = isOutsideOfSchema }

  func entering(_ name: String, nested names: Set<String>) -> Scope {
    var scope = self
    scope.path.append(name)
    scope.nested.append(names)
    return scope
  }

  /// Returns the scope of an extension at the top of the file.
  ///
  /// - Parameters:
  ///   - type: The full name of the type.
  ///   - names: The names of the types nested in it.
  ///   - namespace: `true` if definitions are nested in a namespace.
  /// - Returns: The scope.
  func extending(_ type: [String], nested names: Set<String>, in namespace: Bool) -> Scope {
    var scope = Scope(isOutsideOfSchema: isOutsideOfSchema || namespace)
    scope.isOutsideOfDefinitions = namespace
    scope.path = type
    scope.unseenCount = type.count - 1
    scope.nested = Array(repeating: [], count: type.count - 1) + [names]
    return scope
  }

  /// Returns `true` if a top-level name is hidden here.
  func hides(_ name: String) -> Bool {
    nested.contains { $0.contains(name) } || path.dropFirst(unseenCount + 1).contains(name)
  }

  /// Returns the shortest reference to the type at `target`, or `nil` if its first component is
  /// hidden.
  func reference(to target: [String]) -> String? {
    let common = zip(path, target).prefix { $0 == $1 }.count
    if common == target.count, let name = target.last, sees(common - 1),
      !nested[(common - 1)...].contains(where: { $0.contains(name) }),
      !path[common...].contains(name)
    {
      return name
    }
    if common > unseenCount, common < target.count {
      let name = target[common]
      let inner = nested[common...]
      if !inner.contains(where: { $0.contains(name) }), !path[common...].contains(name) {
        return target[common...].joined(separator: ".")
      }
    }
    guard !isOutsideOfDefinitions, let first = target.first, !hides(first) else { return nil }
    return target.joined(separator: ".")
  }

  /// Indicates whether the plain name of a component of the path refers to it here.
  private func sees(_ index: Int) -> Bool {
    index > unseenCount || index == 0 && unseenCount == 0
  }
}
