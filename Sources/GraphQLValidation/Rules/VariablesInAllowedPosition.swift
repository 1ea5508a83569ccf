import GraphQLSchema
import GraphQLSyntax

/// A variable is used only at positions that accept every value of its type.
///
/// Spec: 5.8.5, "All Variable Usages Are Allowed"; 5.6.5 for the fields of `@oneOf` objects.
enum VariablesInAllowedPosition: Rule {
  static let name = ValidationRule.variablesInAllowedPosition.diagnosticRule

  static func check(
    _ usage: VariableUsage, of variable: VariableDefinition, in context: inout ValidationContext
  ) {
    guard let type = context.resolve(variable.type), let expected = usage.expectedType else {
      return
    }
    let isAllowed = isAllowed(variable, type, usage, expected, context.schema)
    guard !isAllowed || usage.oneOf != nil else { return }
    let schema = context.schema
    let name = context.document.spelling(variable.name)
    if !isAllowed {
      context.report(
        Self.self,
        "Variable \"$\(name)\" of type \"\(schema.spelling(type))\" used in position "
          + "expecting type \"\(schema.spelling(expected))\".",
        at: variable.span, notes: [Diagnostic.Note("used here", at: usage.span)],
        fixIts: nonNullFix(variable, type, expected, schema))
    }
    if let oneOf = usage.oneOf, !type.isNonNull {
      context.report(
        Self.self,
        "Variable \"$\(name)\" is of type \"\(schema.spelling(type))\" but must be non-nullable "
          + "to be used for OneOf Input Object \"\(schema.name(of: oneOf))\".",
        at: variable.span, notes: [Diagnostic.Note("used here", at: usage.span)],
        fixIts: makeNonNull(variable))
    }
  }

  /// Returns whether `check` would report nothing.
  static func allows(
    _ usage: VariableUsage, of variable: VariableDefinition, _ context: ValidationContext
  ) -> Bool {
    guard let type = context.resolve(variable.type), let expected = usage.expectedType else {
      return true
    }
    return isAllowed(variable, type, usage, expected, context.schema)
      && (usage.oneOf == nil || type.isNonNull)
  }

  /// Returns whether the type of the variable is allowed at the position.
  ///
  /// Spec: 5.8.5, `IsVariableUsageAllowed`.
  private static func isAllowed(
    _ variable: VariableDefinition, _ type: ResolvedType,
    _ usage: VariableUsage, _ expected: ResolvedType, _ schema: Schema
  ) -> Bool {
    guard expected.isNonNull, !type.isNonNull else { return schema.isSubtype(type, of: expected) }
    guard hasNonNullDefault(variable) || usage.hasLocationDefault else { return false }
    return schema.isSubtype(type, of: expected.nullable)
  }

  private static func hasNonNullDefault(_ variable: VariableDefinition) -> Bool {
    guard let value = variable.defaultValue else { return false }
    if case .null = value.content { return false }
    return true
  }

  /// Returns a fix-it that appends `!` to the type, if that is enough.
  private static func nonNullFix(
    _ variable: VariableDefinition, _ type: ResolvedType, _ expected: ResolvedType, _ schema: Schema
  ) -> [Diagnostic.FixIt] {
    guard !type.isNonNull, schema.isSubtype(type.nonNull, of: expected) else { return [] }
    return makeNonNull(variable)
  }

  /// Returns a fix-it that appends `!` to the type, or none if the default value is `null`, which a
  /// non-null type does not accept.
  private static func makeNonNull(_ variable: VariableDefinition) -> [Diagnostic.FixIt] {
    if case .null? = variable.defaultValue?.content { return [] }
    return [
      Diagnostic.FixIt(
        "make the variable non-null", replacing: SourceSpan(at: variable.type.span.end), with: "!")
    ]
  }
}
