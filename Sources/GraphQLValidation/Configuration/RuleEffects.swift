import GraphQLSyntax

/// The effects of breaking rules, in one place for schemas, operations and their style.
struct RuleEffects {
  /// The severities that differ from the standard one.
  let severities: [Diagnostic.Rule: RuleSeverity]
  var standard: RuleSeverity = .error
  /// The rules that a document must keep, whatever their severities.
  var indispensable: Set<Diagnostic.Rule> = []
  /// `true` if violations without effect count towards the limit of a list of diagnostics, which
  /// ends searches that can find very many.
  var countsSilentViolations = false
  /// `true` if diagnostics can offer to correct the text.
  var offersFixIts = true

  /// The severity of `rule`.
  subscript(rule: Diagnostic.Rule) -> RuleSeverity { severities[rule] ?? standard }

  /// Returns `true` if a document that breaks `rule` cannot be used.
  func isFatal(_ rule: Diagnostic.Rule) -> Bool {
    self[rule] == .error || indispensable.contains(rule)
  }

  /// Returns `true` if breaking `rule` has any effect.
  func areAny(for rule: Diagnostic.Rule) -> Bool {
    self[rule] != .off || indispensable.contains(rule)
  }
}

extension SchemaOptions {
  /// The effects of the rules for schemas. A schema is seldom a file of the project, so that
  /// nothing offers to correct it.
  var effects: RuleEffects {
    RuleEffects(severities: severities, countsSilentViolations: true, offersFixIts: false)
  }
}

extension ValidationConfiguration {
  /// The effects of the rules for operations.
  var effects: RuleEffects {
    let rules = ValidationRule.allCases
    return RuleEffects(
      severities: Dictionary(
        uniqueKeysWithValues: rules.map { ($0.diagnosticRule, severity(of: $0)) }),
      indispensable: Set(rules.lazy.filter { !$0.isRelaxable }.map(\.diagnosticRule)))
  }
}

extension LintConfiguration {
  /// The effects of the rules about style.
  var effects: RuleEffects {
    RuleEffects(
      severities: Dictionary(
        uniqueKeysWithValues: severities.map { ($0.key.diagnosticRule, $0.value) }),
      standard: .off)
  }
}
