import ApolloCodegenLib
import GraphQLSyntax

/// The command `apollo-cli rules`: lists the rules that schemas and operations are held to.
enum RulesCommand: Command {
  static let name = "rules"
  static let summary = "Lists the rules for schemas and operations, with their severities."
  static let discussion = [
    "A name in brackets after a message is that of a rule. --severity and 'ruleSeverities' of the "
      + "configuration change the severity of those that are not fixed. Letter case and hyphens in "
      + "names do not matter: require-id is RequireID."
  ]
  static let operands: OperandDeclaration? = OperandDeclaration(
    "[RULE…]", of: .oneOf(Set(RuleCatalog.rules.map(\.rule.rawValue)).sorted()),
    "The rules to describe; all without any.")
  static let options = [
    OptionDeclaration(
      "format", "f", value: "FORMAT", of: .oneOf(ListFormat.allCases.map(\.rawValue)),
      default: "text", "The format of the list.")
  ]
  static let examples = [
    CommandExample("List all rules.", "rules"),
    CommandExample("Describe one.", "rules require-id"),
  ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let format = try arguments.choice("format", ListFormat.self) ?? .text
    var rules = RuleCatalog.rules
    if !arguments.operands.isEmpty {
      rules = []
      for name in arguments.operands {
        let found = RuleCatalog.rules(named: name)
        guard !found.isEmpty else {
          throw CommandFailure(
            RuleSeverities.problem(forRuleNamed: name)?.sentence ?? "There is no rule '\(name)'.")
        }
        rules += found
      }
    }
    Terminal.print(format == .json ? json(rules) : text(rules))
    return .success
  }

  /// The list of all rules.
  static var list: String { text(RuleCatalog.rules) }

  private static func text(_ rules: [RuleDescription]) -> String {
    let width = rules.map { $0.rule.rawValue.count }.max() ?? 0
    return RuleDescription.Subject.allCases.compactMap { subject in
      let lines = rules.filter { $0.subject == subject }.map { rule in
        let name = rule.rule.rawValue
        let padding = String(repeating: " ", count: width - name.count)
        return "  \(name)\(padding)  \(severity(of: rule))  \(rule.summary)"
      }
      guard !lines.isEmpty else { return nil }
      let heading = Terminal.painted("\(subject.rawValue.uppercased()):", .heading)
      return ([heading] + lines).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// Returns the severity in a column, with a mark if it is fixed.
  private static func severity(of rule: RuleDescription) -> String {
    let text = rule.standardSeverity.rawValue + (rule.isConfigurable ? "" : " (fixed)")
    return text + String(repeating: " ", count: max(0, 15 - text.count))
  }

  private static func json(_ rules: [RuleDescription]) -> String {
    JSONOutput.array(of: rules) { rule in
      .object([
        ("name", .string(rule.rule.rawValue)), ("subject", .string(rule.subject.rawValue)),
        ("summary", .string(rule.summary)),
        ("severity", .string(rule.standardSeverity.rawValue)),
        ("isConfigurable", .boolean(rule.isConfigurable)),
      ])
    }
  }
}

/// The formats of lists.
enum ListFormat: String, CaseIterable {
  case text
  case json
}
