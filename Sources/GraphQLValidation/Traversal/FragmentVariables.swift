import GraphQLSchema
import GraphQLSyntax

/// The rules for the variables that a fragment declares for itself.
///
/// Spec: pull request 1081, "Fragment arguments".
enum FragmentVariables {
  /// Checks the uses of the variables of `fragment` in it, and removes them from `facts`, since the
  /// operations that spread the fragment do not define them.
  static func check(
    _ fragment: FragmentDefinition, _ facts: inout DocumentFacts,
    since mark: (spreads: Int, usages: Int), in context: inout ValidationContext
  ) {
    let variables = context.document[fragment.variables]
    let definitions = Dictionary(variables.map { ($0.name.symbol, $0) }) { $1 }
    var used: Set<Symbol> = []
    facts.removeUsages(since: mark) { usage in
      guard let variable = definitions[usage.name] else { return false }
      used.insert(usage.name)
      VariablesInAllowedPosition.check(usage, of: variable, in: &context)
      return true
    }
    for variable in variables where !used.contains(variable.name.symbol) {
      NoUnusedVariables.report(variable, of: fragment, in: &context)
    }
  }

  /// Returns the expectations at the value of the argument for `variable`.
  ///
  /// As in the reference implementation, the default value of a fragment's variable does not allow
  /// a variable that can be null where the type is non-null.
  static func location(
    of variable: VariableDefinition, in context: ValidationContext
  ) -> ValueLocation {
    let type = context.resolve(variable.type).flatMap { context.schema.isInput($0) ? $0 : nil }
    return ValueLocation(type: type)
  }
}

extension VariableDefinition {
  /// A Boolean value that indicates whether a spread must provide a value: the type is non-null and
  /// there is no default value.
  var isRequired: Bool { type.wrapping.isNonNull && defaultValue == nil }
}
