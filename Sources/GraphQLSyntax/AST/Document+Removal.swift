/// Changes of executable definitions. IDs stay valid: a list that gets shorter moves to the end of
/// the array of its kind.
extension Document {
  /// Removes the descriptions of operations, fragments and their variables.
  package mutating func removeExecutableDescriptions() {
    for index in operations.indices { operations[index].description = nil }
    for index in fragments.indices { fragments[index].description = nil }
    for index in variableDefinitions.indices { variableDefinitions[index].description = nil }
  }

  /// Removes variables of an operation.
  package mutating func removeVariables(
    _ names: Set<Symbol>, of operation: OperationDefinition.ID
  ) {
    let list = operations[operation.index].variables
    let kept = self[list].filter { !names.contains($0.name.symbol) }
    guard kept.count < list.count else { return }
    let start = UInt32(variableDefinitions.count)
    variableDefinitions += kept
    operations[operation.index].variables = NodeList(
      start: start, end: UInt32(variableDefinitions.count))
  }

  /// Removes directives of operations and fragments.
  ///
  /// - Parameter isRemoved: Returns whether to remove a directive at a location.
  package mutating func removeExecutableDirectives(
    where isRemoved: (Directive, DirectiveLocation) -> Bool
  ) {
    guard !directives.isEmpty else { return }
    for index in operations.indices {
      operations[index].directives = rest(
        of: operations[index].directives, at: operations[index].kind.directiveLocation, isRemoved)
    }
    for index in fragments.indices {
      fragments[index].directives = rest(
        of: fragments[index].directives, at: .fragmentDefinition, isRemoved)
    }
    for index in variableDefinitions.indices {
      variableDefinitions[index].directives = rest(
        of: variableDefinitions[index].directives, at: .variableDefinition, isRemoved)
    }
    for index in fields.indices {
      fields[index].directives = rest(of: fields[index].directives, at: .field, isRemoved)
    }
    for index in fragmentSpreads.indices {
      fragmentSpreads[index].directives = rest(
        of: fragmentSpreads[index].directives, at: .fragmentSpread, isRemoved)
    }
    for index in inlineFragments.indices {
      inlineFragments[index].directives = rest(
        of: inlineFragments[index].directives, at: .inlineFragment, isRemoved)
    }
  }

  /// Returns a list without the directives to remove.
  private mutating func rest(
    of list: Directive.List, at location: DirectiveLocation,
    _ isRemoved: (Directive, DirectiveLocation) -> Bool
  ) -> Directive.List {
    let kept = self[list].filter { !isRemoved($0, location) }
    guard kept.count < list.count else { return list }
    let start = UInt32(directives.count)
    directives += kept
    return NodeList(start: start, end: UInt32(directives.count))
  }
}
