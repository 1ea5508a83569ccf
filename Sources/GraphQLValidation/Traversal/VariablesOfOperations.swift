import GraphQLSyntax

/// Confronts the variables of each operation with their uses, also those in fragments.
enum VariablesOfOperations {
  static func check(_ facts: DocumentFacts, in context: inout ValidationContext) {
    let document = context.document
    var search = FragmentSearch(fragmentCount: document.fragments.count)
    var scope = VariableScope(document)
    for (index, operation) in document.operations.enumerated() where !context.isFull {
      let id = OperationDefinition.ID(rawValue: UInt32(index))
      scope.open(operation, document)
      check(facts.usages(in: .operation(id)), in: operation, &scope, &context)
      let fragments = search.fragments(
        reachableFrom: CollectionOfOne(.operation(id)), facts: facts, document: document
      ) { facts.usesVariables[$0.index] }
      for fragment in fragments {
        check(facts.usages(in: .fragment(fragment)), in: operation, &scope, &context)
      }
      NoUnusedVariables.report(scope.unused(in: operation, document), of: operation, in: &context)
    }
  }

  private static func check(
    _ usages: ArraySlice<VariableUsage>, in operation: OperationDefinition,
    _ scope: inout VariableScope, _ context: inout ValidationContext
  ) {
    for usage in usages where !context.isFull {
      if let variable = scope.use(usage.name) {
        VariablesInAllowedPosition.check(usage, of: context.document[variable], in: &context)
      } else {
        NoUndefinedVariables.check(usage, in: operation, in: &context)
      }
    }
  }
}

/// The variables of one operation after the other, found by symbol.
private struct VariableScope {
  private struct Entry {
    var scope: UInt32 = 0
    var variable: UInt32 = 0
    var isUsed = false
  }

  private var entries: [Entry]
  private var scope: UInt32 = 0

  init(_ document: Document) {
    entries = Array(repeating: Entry(), count: document.names.count)
  }

  /// Forgets the operation before and knows the variables of this one.
  mutating func open(_ operation: OperationDefinition, _ document: Document) {
    scope += 1
    for id in operation.variables {
      entries[document[id].name.symbol.index] = Entry(scope: scope, variable: id.rawValue)
    }
  }

  /// The definition of `name`, which is now used.
  mutating func use(_ name: Symbol) -> VariableDefinition.ID? {
    guard entries[name.index].scope == scope else { return nil }
    entries[name.index].isUsed = true
    return VariableDefinition.ID(rawValue: entries[name.index].variable)
  }

  /// The variables that `use` was not called for.
  func unused(
    in operation: OperationDefinition, _ document: Document
  ) -> [VariableDefinition.ID] {
    operation.variables.filter { !entries[document[$0].name.symbol.index].isUsed }
  }
}
