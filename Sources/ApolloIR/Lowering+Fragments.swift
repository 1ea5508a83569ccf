/// Properties of definitions that depend on the fragments they use, directly or not.
///
/// A project can have chains of fragments in which each fragment uses all that follow. Therefore
/// facts about a fragment's own fragments are passed on from one to the next. Only operations list
/// theirs.
extension Lowering {
  /// Finds the fragments that each operation sends, and the modules that definitions import because
  /// of their fragments.
  ///
  /// - Complexity: Linear in the definitions and spreads, and in the total length of the
  ///   operations' lists.
  mutating func linkFragments() {
    for index in program.definitions.indices where program.definitions[index].kind != .fragment {
      let found = fragments(from: program.definitions[index].namedFragments)
      program.definitions[index].fragments = found.sorted { program[$0].name < program[$1].name }
    }
    var needed: [Set<String>] = Array(repeating: [], count: program.definitions.count)
    for id in program.dependencyOrder() {
      let own = Set(program[id].importedModules)
      let others = program[id].namedFragments.reduce(into: Set<String>()) {
        $0.formUnion(needed[$1.index])
      }
      needed[id.index] = own.union(others)
      program[id].importedModules = own.sorted()
      program[id].modulesOfFragments = others.subtracting(own).sorted()
    }
  }

  /// Marks the definitions whose models can be changed or have initializers, and the fragments that
  /// they use.
  ///
  /// A model that lacks accessors for some fields of its objects cannot have an initializer.
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
    // Properties that can be set have none of the treatments of nulls and errors. Neither have
    // those of other models that show such fields: all of them read the same values.
    for set in program.selectionSets.indices
    where program[program.selectionSets[set].definition].isMutable {
      for index in program.selectionSets[set].selections.indices {
        guard case .field(var field) = program.selectionSets[set].selections[index],
          field.nullability != nil
        else { continue }
        field.nullability = nil
        program.selectionSets[set].selections[index] = .field(field)
      }
    }
  }

  /// Returns some fragments, and all fragments that they use.
  private func fragments(from spread: [Definition.ID]) -> Set<Definition.ID> {
    var found: Set<Definition.ID> = []
    var pending = spread
    while let next = pending.popLast() {
      guard found.insert(next).inserted else { continue }
      pending += program[next].namedFragments
    }
    return found
  }
}

extension Program {
  /// Returns all definitions in an order in which each follows the fragments that it uses.
  /// Otherwise the order is that of the sources.
  ///
  /// - Complexity: Linear in the definitions and spreads. It does not recurse, so chains can be
  ///   long.
  func dependencyOrder() -> [Definition.ID] {
    var order: [Definition.ID] = []
    order.reserveCapacity(definitions.count)
    var isKnown = Array(repeating: false, count: definitions.count)
    // The definitions on the way down, each with the index of its next spread.
    var path: [(id: Definition.ID, next: Int)] = []
    for index in definitions.indices where !isKnown[index] {
      isKnown[index] = true
      path.append((Definition.ID(index), 0))
      while let (id, next) = path.last {
        let spread = self[id].namedFragments
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
