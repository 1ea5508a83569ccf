import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The command `apollo-cli schema diff`: the changes between two schemas, and the operations that
/// they affect.
enum SchemaDiff: Command {
  static let name = "diff"
  static let summary = "Lists the changes between two schemas, breaking ones first."
  static let discussion = [
    "OLD and NEW are files, folders, patterns or 'git:REF', the schema as it is in a commit. "
      + "'git:REF:PATH' is one file of it. Without NEW, the schema of the configuration is compared.",
    "Ends with 1 if there is a breaking change or, with --operations, if a change breaks one of the "
      + "operations.",
  ]
  static let operands: OperandDeclaration? = OperandDeclaration(
    "OLD [NEW]", "The schemas to compare: a file, a folder, a pattern or git:REF.")
  static let options = [
    ConfigurationFile.pathOption,
    SchemaArguments.severity,
    OptionDeclaration(
      "operations", nil, value: "PATH", of: .file,
      "List the operations in this file or folder that each change breaks. May be repeated."
    ),
    OptionDeclaration(
      "format", "f", value: "FORMAT", of: .oneOf(ListFormat.allCases.map(\.rawValue)),
      default: "text", "The format of the list."),
  ]
  static let examples = [
    CommandExample("Compare the schema of the project with a branch.", "schema diff git:main"),
    CommandExample(
      "See which operations a new schema breaks.",
      "schema diff --operations GraphQL old.graphqls new.graphqls"),
  ]

  /// Prints the changes.
  ///
  /// - Returns: `.inputErrors` if a change breaks one of the given operations, or if no operations
  ///   are given and there is a breaking change.
  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let operands = arguments.operands
    guard (1...2).contains(operands.count) else {
      throw CommandFailure("schema diff compares two schemas: schema diff OLD [NEW].")
    }
    let format = try arguments.choice("format", ListFormat.self) ?? .text
    try SchemaArguments.checkStandardInput(operands + arguments.values("operations"))
    let before = SchemaReference(operands[0])
    let after = operands.count == 2 ? SchemaReference(operands[1]) : .project
    var files = SchemaFiles(arguments)
    let oldSources = try before.sources(besides: after, &files)
    guard let old = try files.schema(of: oldSources) else { return .inputErrors }
    let newSources = try after.sources(besides: before, &files)
    guard let new = try files.schema(of: newSources) else { return .inputErrors }
    let sources = try InputFiles.operations.read(arguments.values("operations"))
    let rules = try files.validation()
    guard let operations = self.operations(of: sources, files.syntax(), rules, old) else {
      return .inputErrors
    }
    let lines = lines(
      sorted(new.changes(since: old)), operations, invalid: operations.invalid(for: new))
    Terminal.print(format == .json ? json(lines) : text(lines))
    let isBroken = lines.contains { line in
      sources.isEmpty ? line.change.criticality == .breaking : !line.broken.isEmpty
    }
    return isBroken ? .inputErrors : .success
  }

  /// Returns the changes, with the operations that they break. A change that is not breaking lists
  /// the operations that are not valid for the new schema, unless a breaking change accounts for
  /// them.
  private static func lines(
    _ changes: [SchemaChange], _ operations: ComparedOperations, invalid: Set<Int>
  ) -> [Line] {
    var unexplained = invalid
    return changes.map { change in
      let isBreaking = change.criticality == .breaking
      let broken =
        isBreaking
        ? operations.broken(by: change, invalid: invalid)
        : operations.affected(by: change).filter(unexplained.contains)
      if isBreaking { unexplained.subtract(broken) }
      return Line(change: change, broken: broken.map { operations.names[$0] })
    }
  }

  private struct Line {
    var change: SchemaChange
    /// The operations that the change breaks.
    var broken: [String]
  }

  /// Sorts breaking changes first, then dangerous ones, otherwise in the order of the schema.
  private static func sorted(_ changes: [SchemaChange]) -> [SchemaChange] {
    SchemaChange.Criticality.allCases.flatMap { criticality in
      changes.filter { $0.criticality == criticality }
    }
  }

  private static func text(_ lines: [Line]) -> String {
    guard !lines.isEmpty else { return "The schemas are the same." }
    return lines.map { line in
      let criticality = line.change.criticality
      let label = Terminal.painted("\(criticality.rawValue):", paint(of: criticality))
      return "\(label) \(line.change.message) [\(line.change.kind.rawValue)]"
        + line.broken.map { "\n  breaks \($0)" }.joined()
    }.joined(separator: "\n")
  }

  private static func paint(of criticality: SchemaChange.Criticality) -> Terminal.Paint {
    switch criticality {
    case .breaking: .error
    case .dangerous: .warning
    default: .added
    }
  }

  private static func json(_ lines: [Line]) -> String {
    JSONOutput.array(of: lines) { line in
      .object([
        ("criticality", .string(line.change.criticality.rawValue)),
        ("kind", .string(line.change.kind.rawValue)),
        ("coordinate", .string(line.change.coordinate)),
        ("message", .string(line.change.message)),
        ("breaks", .row(line.broken.map { .string($0) })),
      ])
    }
  }
}

// MARK: - Operations

extension SchemaDiff {
  /// Returns the operations in `sources`, or `nil` after showing their errors.
  private static func operations(
    of sources: [Source], _ syntax: ParserOptions, _ rules: ValidationConfiguration,
    _ schema: Schema
  ) -> ComparedOperations? {
    let check = OperationCheck(sources, syntax, rules, against: schema)
    guard let validated = check.validated else {
      Terminal.show(check.diagnostics, in: check.document.sources)
      return nil
    }
    return ComparedOperations(sources: sources, syntax, rules, validated: validated)
  }
}
