import GraphQLSyntax

extension SchemaComparison {
  mutating func compareDirectives() {
    let pairs = Pairing(
      old.effectiveDirectives, by: { [old] in old.spelling(old[$0].name) },
      new.effectiveDirectives, by: { [new] in new.spelling(new[$0].name) })
    for (name, _) in pairs.removed {
      report(.directiveRemoved, "@\(name)", "Directive @\(name) was removed.")
    }
    for (name, _) in pairs.added {
      report(.directiveAdded, "@\(name)", "Directive @\(name) was added.")
    }
    for (name, oldDirective, newDirective) in pairs.kept {
      guard !old[oldDirective].isBuiltIn || !new[newDirective].isBuiltIn else { continue }
      compareDescriptions(
        old.description(of: oldDirective), new.description(of: newDirective), of: "@\(name)",
        called: "@\(name)")
      compareArguments("@\(name)", oldDirective, newDirective)
      compareUses("@\(name)", oldDirective, newDirective)
    }
  }

  private mutating func compareArguments(
    _ directive: String, _ oldDirective: Schema.DirectiveDefinition.ID,
    _ newDirective: Schema.DirectiveDefinition.ID
  ) {
    let pairs = pair(old[oldDirective].arguments, new[newDirective].arguments)
    for (name, _) in pairs.removed {
      let coordinate = "\(directive)(\(name):)"
      report(.directiveArgumentRemoved, coordinate, "Argument \(coordinate) was removed.")
    }
    for (name, id) in pairs.added {
      let coordinate = "\(directive)(\(name):)"
      if new[id].isRequired {
        report(
          .requiredDirectiveArgumentAdded, coordinate,
          "A required argument \(coordinate) was added.")
      } else {
        report(
          .optionalDirectiveArgumentAdded, coordinate,
          "An optional argument \(coordinate) was added.")
      }
    }
    for (name, oldArgument, newArgument) in pairs.kept {
      compareArguments("\(directive)(\(name):)", oldArgument, newArgument)
    }
  }

  /// Compares the repeatability and the locations of two directives.
  private mutating func compareUses(
    _ directive: String, _ oldDirective: Schema.DirectiveDefinition.ID,
    _ newDirective: Schema.DirectiveDefinition.ID
  ) {
    switch (old[oldDirective].isRepeatable, new[newDirective].isRepeatable) {
    case (true, false):
      report(
        .directiveRepeatableRemoved, directive,
        "Repeatable flag was removed from \(directive).")
    case (false, true):
      report(.directiveRepeatableAdded, directive, "Repeatable flag was added to \(directive).")
    default: break
    }
    let (before, after) = (old[oldDirective].locations, new[newDirective].locations)
    for location in DirectiveLocation.allCases {
      let name = new.spelling(location.symbol)
      switch (before.contains(location), after.contains(location)) {
      case (true, false):
        report(.directiveLocationRemoved, directive, "\(name) was removed from \(directive).")
      case (false, true):
        report(.directiveLocationAdded, directive, "\(name) was added to \(directive).")
      default: break
      }
    }
  }
}
