import ApolloCodegenLib
import GraphQLSyntax
import GraphQLValidation

/// The command `apollo-cli operations complexity`: the size of operations and of their responses.
enum OperationsComplexity: Command {
  static let name = "complexity"
  static let summary = "Lists operations with their depth and the size of their responses."
  static let discussion = [
    "The complexity is the number of values in a response whose lists all have --list-length "
      + "elements. Fragments count wherever they are spread. Without arguments, the operations are "
      + "those of the configuration.",
    "Ends with 1 if an operation exceeds --max-complexity or --max-depth.",
  ]
  static let operands: OperandDeclaration? = OperandDeclaration(
    "[OPERATIONS…]", "Files, folders or patterns of operations.")
  static let options = [
    ConfigurationFile.pathOption, SchemaArguments.schema, SchemaArguments.severity,
    OptionDeclaration(
      "list-length", nil, value: "COUNT", default: "10",
      "The number of elements that each list is assumed to have."),
    OptionDeclaration("max-complexity", nil, value: "COUNT", "The greatest complexity allowed."),
    OptionDeclaration(
      "max-depth", nil, value: "COUNT",
      "The greatest number of fields inside of each other that is allowed."),
    OptionDeclaration(
      "format", "f", value: "FORMAT", of: .oneOf(ListFormat.allCases.map(\.rawValue)),
      default: "text", "The format of the list."),
  ]
  static let examples = [
    CommandExample("List the operations, the most complex first.", "operations complexity"),
    CommandExample(
      "Fail in continuous integration above a limit.",
      "operations complexity --max-complexity 5000"),
  ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let format = try arguments.choice("format", ListFormat.self) ?? .text
    let listLength = try arguments.number("list-length") ?? 10
    let limits = (
      complexity: try arguments.number("max-complexity"), depth: try arguments.number("max-depth")
    )
    guard let document = try ProjectCheck.validated(arguments) else { return .inputErrors }
    let names = document.document.operations.map {
      $0.name.map { document.document.spelling($0) } ?? "(without a name)"
    }
    let rows = zip(names, document.metrics(listLength: listLength)).map { Row($0, $1) }
      .sorted { ($1.metrics.complexity, $0.name) < ($0.metrics.complexity, $1.name) }
    Terminal.print(format == .json ? json(rows) : text(rows))
    var code = ExitCode.success
    for row in rows {
      for problem in row.problems(limits.complexity, limits.depth) {
        Terminal.failure(problem)
        code = .inputErrors
      }
    }
    return code
  }

  private struct Row {
    var name: String
    var metrics: OperationMetrics

    init(_ name: String, _ metrics: OperationMetrics) {
      self.name = name
      self.metrics = metrics
    }

    func problems(_ complexity: Int?, _ depth: Int?) -> [String] {
      var problems: [String] = []
      if let complexity, metrics.complexity > complexity {
        problems.append(
          "The complexity of '\(name)' is \(metrics.complexity), and \(complexity) is allowed. "
            + "Select less, or ask for shorter lists.")
      }
      if let depth, metrics.depth > depth {
        problems.append(
          "The depth of '\(name)' is \(metrics.depth), and \(depth) is allowed. "
            + "Split the operation, or select less.")
      }
      return problems
    }
  }

  private static func text(_ rows: [Row]) -> String {
    let table =
      [["COMPLEXITY", "DEPTH", "FIELDS", "LISTS"]]
      + rows.map { row in
        let metrics = row.metrics
        return [metrics.complexity, metrics.depth, metrics.fieldCount, metrics.listDepth]
          .map { String($0) }
      }
    let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    return zip(table, ["OPERATION"] + rows.map(\.name)).map { cells, name in
      zip(cells, widths).map { cell, width in
        String(repeating: " ", count: width - cell.count) + cell
      }.joined(separator: "  ") + "  \(name)"
    }.joined(separator: "\n")
  }

  private static func json(_ rows: [Row]) -> String {
    JSONOutput.array(of: rows) { row in
      .object([
        ("operation", .string(row.name)), ("complexity", .number(row.metrics.complexity)),
        ("depth", .number(row.metrics.depth)), ("fields", .number(row.metrics.fieldCount)),
        ("lists", .number(row.metrics.listDepth)),
      ])
    }
  }
}
