import GraphQLSchema
import GraphQLSyntax

/// A document uses no deprecated fields, arguments, input fields, enum values or directives.
///
/// The rule is not a part of the specification. It is off unless configured. The check of inputs
/// and of directives has a rule of its own, ``ValidationRule/noDeprecatedInputs``: Swift warns
/// about deprecated fields where a model property is used, but the inputs of an operation have no
/// property.
enum NoDeprecated: Rule {
  static let name = ValidationRule.noDeprecated.diagnosticRule

  static func check(
    _ field: Field, meaning id: Schema.Field.ID, on parent: Schema.NamedType.ID,
    in context: inout ValidationContext
  ) {
    guard context.schema[id].isDeprecated, context.isChecked(Self.self) else { return }
    let schema = context.schema
    let reason = schema.deprecationReason(in: schema.directives(of: id)) ?? ""
    report(
      "The field \(schema.name(of: parent)).\(schema.spelling(schema[id].name)) "
        + "is deprecated. \(reason)",
      at: field.span, Self.self, &context,
      fixIts: replacement(of: id, in: reason, schema).map {
        [Diagnostic.FixIt("replace with '\($0)'", replacing: field.name.span, with: $0)]
      } ?? [])
  }

  static func check(
    _ argument: Argument, meaning id: Schema.InputValue.ID, of owner: ArgumentOwner,
    in context: inout ValidationContext
  ) {
    guard context.schema[id].isDeprecated, let rule = ruleForInputs(context) else { return }
    let schema = context.schema
    let subject =
      switch owner {
      case .field(let field, let parent):
        "Field \"\(schema.name(of: parent)).\(schema.spelling(schema[field].name))\""
      case .directive(let name): "Directive \"@\(schema.spelling(name))\""
      case .fragment(let name): "Fragment \"\(context.document.spelling(name))\""
      }
    let reason = schema.deprecationReason(in: schema.directives(of: id)) ?? ""
    report(
      "\(subject) argument \"\(schema.spelling(schema[id].name))\" is deprecated. \(reason)",
      at: argument.span, rule, &context)
  }

  static func check(
    _ field: ObjectField, meaning id: Schema.InputValue.ID, in context: inout ValidationContext
  ) {
    guard context.schema[id].isDeprecated, let rule = ruleForInputs(context) else { return }
    let schema = context.schema
    let reason = schema.deprecationReason(in: schema.directives(of: id)) ?? ""
    report(
      "The input field \(schema.coordinate(of: id)) is deprecated. \(reason)",
      at: field.span, rule, &context)
  }

  static func check(
    _ value: Symbol, at span: SourceSpan, in type: Schema.NamedType.ID,
    in context: inout ValidationContext
  ) {
    guard let id = context.schema.enumValue(value, of: type), context.schema[id].isDeprecated,
      let rule = ruleForInputs(context)
    else { return }
    let schema = context.schema
    let reason = schema.deprecationReason(in: schema.directives(of: id)) ?? ""
    report(
      "The enum value \"\(schema.coordinate(of: id))\" is deprecated. \(reason)", at: span, rule,
      &context)
  }

  static func check(
    _ directive: Directive, meaning id: Schema.DirectiveDefinition.ID,
    in context: inout ValidationContext
  ) {
    guard context.schema[id].isDeprecated, let rule = ruleForInputs(context) else { return }
    let schema = context.schema
    let reason = schema.deprecationReason(in: schema.directives(of: id)) ?? ""
    report(
      "The directive \"@\(schema.spelling(schema[id].name))\" is deprecated. \(reason)",
      at: directive.span, rule, &context)
  }

  /// Returns the rule that a deprecated input violates, preferring the rule for all deprecated
  /// elements.
  private static func ruleForInputs(_ context: ValidationContext) -> (any Rule.Type)? {
    [Self.self, NoDeprecatedInputs.self].first(where: context.isChecked)
  }

  private static func report(
    _ message: String, at span: SourceSpan, _ rule: any Rule.Type,
    _ context: inout ValidationContext, fixIts: [Diagnostic.FixIt] = []
  ) {
    context.report(rule, message, at: span, fixIts: fixIts)
  }
}

/// The part of ``NoDeprecated`` that concerns inputs, with a name and a severity of its own.
enum NoDeprecatedInputs: Rule {
  static let name = ValidationRule.noDeprecatedInputs.diagnosticRule
}

// MARK: - Replacements

extension NoDeprecated {
  /// Returns the replacement that a deprecation reason suggests, or `nil` if there is none.
  ///
  /// The replacement is the only word in backquotes, if it names a field of the same owner with the
  /// same type and the same arguments.
  private static func replacement(
    of id: Schema.Field.ID, in reason: String, _ schema: Schema
  ) -> String? {
    let parts = reason.split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count == 3, reason.lowercased().contains("use") else { return nil }
    let owner = schema.name(of: schema[id].owner)
    let name = parts[1].hasPrefix("\(owner).") ? parts[1].dropFirst(owner.count + 1) : parts[1]
    guard let symbol = schema.names.symbol(for: String(name)),
      let other = schema.field(symbol, of: schema[id].owner), other != id,
      schema[other].type == schema[id].type, !schema[other].isDeprecated,
      haveSameArguments(schema[id], schema[other], schema)
    else { return nil }
    return String(name)
  }

  private static func haveSameArguments(
    _ first: Schema.Field, _ second: Schema.Field, _ schema: Schema
  ) -> Bool {
    schema[first.arguments].elementsEqual(schema[second.arguments]) {
      $0.name == $1.name && $0.type == $1.type
    }
  }
}
