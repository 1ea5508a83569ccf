import GraphQLSyntax

extension SchemaComparison {
  mutating func compareDirectives() {
    let pairs = pair(
      old.effectiveDirectives, of: old.directives, new.effectiveDirectives, of: new.directives)
    for name in pairs.removed.map({ old.spelling(old[$0].name) }) {
      report(.directiveRemoved, "@\(name)", "Directive @\(name) was removed.")
    }
    for name in pairs.added.map({ new.spelling(new[$0].name) }) {
      report(.directiveAdded, "@\(name)", "Directive @\(name) was added.")
    }
    for (oldDirective, newDirective) in pairs.kept {
      guard !old[oldDirective].isBuiltIn || !new[newDirective].isBuiltIn else { continue }
      let name = new.spelling(new[newDirective].name)
      compareDescriptions(
        old.literal(describing: oldDirective), new.literal(describing: newDirective),
        of: "@\(name)", called: "@\(name)")
      if old[oldDirective].isDeprecated || new[newDirective].isDeprecated {
        compareDeprecations(
          old.deprecationReason(in: old.directives(of: oldDirective)),
          new.deprecationReason(in: new.directives(of: newDirective)), of: "@\(name)")
      }
      compareArguments(oldDirective, newDirective)
      compareUses("@\(name)", oldDirective, newDirective)
    }
  }

  private mutating func compareArguments(
    _ oldDirective: Schema.DirectiveDefinition.ID, _ newDirective: Schema.DirectiveDefinition.ID
  ) {
    let pairs = pair(old[oldDirective].arguments, new[newDirective].arguments)
    for coordinate in pairs.removed.map({ old.coordinate(of: $0) }) {
      report(.directiveArgumentRemoved, coordinate, "Argument \(coordinate) was removed.")
    }
    for id in pairs.added {
      let coordinate = new.coordinate(of: id)
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
    for (oldArgument, newArgument) in pairs.kept {
      compareArguments(oldArgument, newArgument)
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
