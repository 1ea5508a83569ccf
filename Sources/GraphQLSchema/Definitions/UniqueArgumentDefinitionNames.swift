import GraphQLSyntax

/// The arguments of a field or a directive have different names.
///
/// Spec: 3.6.1, "Field Arguments".
enum UniqueArgumentDefinitionNames: DefinitionRule {
  static let name: Diagnostic.Rule = "UniqueArgumentDefinitionNames"

  static func check(_ context: inout DefinitionValidation) {
    for type in context.types {
      for field in context.document[type.fields] where field.arguments.count > 1 {
        check(
          field.arguments, of: "\(context.spelling(type.name)).\(context.spelling(field.name))",
          &context)
      }
    }
    for directive in context.directives {
      check(directive.arguments, of: "@\(context.spelling(directive.name))", &context)
    }
  }

  private static func check(
    _ arguments: InputValueDefinition.List, of owner: String, _ context: inout DefinitionValidation
  ) {
    for names in repetitions(of: context.document[arguments].lazy.map(\.name)) {
      context.report(
        Self.self,
        "Argument \"\(owner)(\(context.spelling(names[0])):)\" can only be defined once.",
        at: names.map { LabeledSpan($0.span, "defined here") })
    }
  }
}

/// Returns the names that occur more than once, grouped, in the order of their first occurrences.
func repetitions(of names: some Collection<Name>) -> [[Name]] {
  var groups: [[Name]] = []
  var groupOfSymbol: [Symbol: Int] = [:]
  for name in names {
    if let group = groupOfSymbol[name.symbol] {
      groups[group].append(name)
    } else {
      groupOfSymbol[name.symbol] = groups.count
      groups.append([name])
    }
  }
  return groups.filter { $0.count > 1 }
}
