import ApolloIR

extension Renderer {
  /// Returns the imports of the modules that only the fragments of a definition name.
  ///
  /// Most modules are only needed in the list of fragments, which is not part of a declaration, and
  /// Swift warns of public imports that no declaration needs.
  ///
  /// - Parameters:
  ///   - definition: An operation or a fragment.
  ///   - imports: The modules that its file imports anyway.
  /// - Returns: The imports, sorted by module.
  func importsOfFragments(of definition: Definition, besides imports: [String]) -> [String] {
    let modules = definition.modulesOfFragments.filter { !imports.contains($0) }
    guard !modules.isEmpty, layout.operationAccess == .public else {
      return modules.map { "import \($0)" }
    }
    let shown = modulesShown(by: definition)
    return modules.map { shown.contains($0) ? "public import \($0)" : "import \($0)" }
  }

  /// Returns the modules of the fragments that the models of a definition show although only its
  /// fragments spread them.
  ///
  /// From each definition that spreads fragments to these fragments:
  ///
  /// 1. A fragment in the same folder is in the same module, and so is any fragment if the
  ///    definition imports none.
  /// 2. Otherwise it is in a module that the definition imports. If these are several, all of them
  ///    are returned: a missing import is an error, and one too many a warning.
  private func modulesShown(by definition: Definition) -> Set<String> {
    let shown = definitionsShown(by: definition)
    var modules: [Definition.ID: Set<String>] = [:]
    // The modules of the fragments that the definition itself spreads are imported anyway.
    var pending = definition.spreadFragments.map { (fragment: $0, modules: Set<String>()) }
    while let (fragment, found) = pending.popLast() {
      guard shown.contains(fragment) else { continue }
      if let known = modules[fragment], found.isSubset(of: known) { continue }
      modules[fragment, default: []].formUnion(found)
      let imported = Set(program[fragment].importedModules)
      for next in program[fragment].spreadFragments {
        let isInSameModule = imported.isEmpty || folders[next.index] == folders[fragment.index]
        pending.append((next, isInSameModule ? found : imported))
      }
    }
    return modules.values.reduce(into: Set<String>()) { $0.formUnion($1) }
  }

  /// Returns the definitions whose types occur in the models of a definition: fragments that they
  /// can be converted to, and those with the structs of merged fields and type cases.
  private func definitionsShown(by definition: Definition) -> Set<Definition.ID> {
    var shown: Set<Definition.ID> = []
    var pending = [definition.root]
    while let id = pending.popLast() {
      let set = program[id]
      let structs = set.visibleFields.compactMap(\.field.child) + set.cases
      shown.formUnion(set.fragments.map(\.fragment))
      shown.formUnion(set.forwardedFragments)
      shown.formUnion(structs.map { program[$0].definition })
      pending += structures.children(of: id)
    }
    return shown
  }
}
