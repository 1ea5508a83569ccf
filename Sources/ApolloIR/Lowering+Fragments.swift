/// What definitions are and need because of the fragments that they use, directly or not.
///
/// A chain of fragments is as long as a project is large, and each of them uses all behind it. So what concerns all of a
/// fragment's own fragments is handed on from one to the next; only operations list theirs.
extension Lowering {
  /// The fragments that each operation sends, and the modules that definitions import because of their fragments.
  ///
  /// - Complexity: Linear in the definitions and spreads, and in the lists of the operations together.
  mutating func linkFragments() {
    for index in program.definitions.indices where program.definitions[index].kind != .fragment {
      let found = fragments(from: program.definitions[index].spreadFragments)
      program.definitions[index].fragments = found.sorted { program[$0].name < program[$1].name }
    }
    var needed: [Set<String>] = Array(repeating: [], count: program.definitions.count)
    for id in program.dependencyOrder() {
      let own = Set(program[id].importedModules)
      let others = program[id].spreadFragments.reduce(into: Set<String>()) {
        $0.formUnion(needed[$1.index])
      }
      needed[id.index] = own.union(others)
      program[id].importedModules = own.sorted()
      program[id].modulesOfFragments = others.subtracting(own).sorted()
    }
  }

  /// Says which definitions have models that can be changed or made, and so have the fragments that
  /// they use. A model that does not show every field of its objects cannot make them.
  mutating func markDefinitions(_ initializers: InitializerOptions, _ merging: MergingOptions) {
    let order = program.dependencyOrder()
    for id in order where program[id].spreadFragments.contains(where: { program[$0].isDeferred }) {
      program[id].isDeferred = true
    }
    for id in order.reversed() {
      let isMutable = program[id].isMutable
      if merging == .all, isMutable || initializers.include(program[id]) {
        program[id].hasInitializers = true
      }
      let hasInitializers = program[id].hasInitializers
      for fragment in program[id].spreadFragments {
        if isMutable { program[fragment].isMutable = true }
        if hasInitializers { program[fragment].hasInitializers = true }
      }
    }
  }

  /// Some fragments, and all that they use.
  private func fragments(from spread: [Definition.ID]) -> Set<Definition.ID> {
    var found: Set<Definition.ID> = []
    var pending = spread
    while let next = pending.popLast() {
      guard found.insert(next).inserted else { continue }
      pending += program[next].spreadFragments
    }
    return found
  }
}

extension Program {
  /// Every definition after the fragments that it uses, else in the order of the sources.
  ///
  /// - Complexity: Linear in the definitions and spreads; needs no stack for long chains.
  func dependencyOrder() -> [Definition.ID] {
    var order: [Definition.ID] = []
    order.reserveCapacity(definitions.count)
    var isKnown = Array(repeating: false, count: definitions.count)
    // The definitions on the way down, each with the place of the spread to look at next.
    var path: [(id: Definition.ID, next: Int)] = []
    for index in definitions.indices where !isKnown[index] {
      isKnown[index] = true
      path.append((Definition.ID(index), 0))
      while let (id, next) = path.last {
        let spread = self[id].spreadFragments
        guard next < spread.count else {
          order.append(id)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let fragment = spread[next]
        guard !isKnown[fragment.index] else { continue }
        isKnown[fragment.index] = true
        path.append((fragment, 0))
      }
    }
    return order
  }
}
