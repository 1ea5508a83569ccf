import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The command `apollo-cli schema diff`: the changes between two schemas, and the operations that
/// they affect.
enum SchemaDiff {
  /// Prints the changes.
  ///
  /// - Returns: `.inputErrors` if a change breaks one of the given operations, or if no operations
  ///   are given and there is a breaking change.
  static func run(_ paths: [String], _ arguments: ParsedArguments) throws -> ExitCode {
    guard paths.count == 2 else {
      throw CommandFailure("schema diff compares two schemas: schema diff OLD NEW.")
    }
    let format = arguments.value("format") ?? "text"
    guard format == "text" || format == "json" else {
      throw CommandFailure("schema diff has no format '\(format)'. Use text or json.")
    }
    guard let old = try SchemaCommand.read([paths[0]], arguments),
      let new = try SchemaCommand.read([paths[1]], arguments)
    else { return .inputErrors }
    let sources = try InputFiles.operations.read(arguments.values("operations"))
    guard let operations = operations(of: sources, old) else { return .inputErrors }
    let lines = lines(
      sorted(new.changes(since: old)), operations, invalid: operations.invalid(for: new))
    Terminal.print(format == "json" ? json(lines) : text(lines))
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
      "\(line.change.criticality.rawValue): \(line.change.message) [\(line.change.kind.rawValue)]"
        + line.broken.map { "\n  breaks \($0)" }.joined()
    }.joined(separator: "\n")
  }

  private static func json(_ lines: [Line]) -> String {
    let objects = lines.map { line in
      let members = [
        ("criticality", JSONLiteral.string(line.change.criticality.rawValue)),
        ("kind", JSONLiteral.string(line.change.kind.rawValue)),
        ("coordinate", JSONLiteral.string(line.change.coordinate)),
        ("message", JSONLiteral.string(line.change.message)),
        ("breaks", "[\(line.broken.map(JSONLiteral.string).joined(separator: ", "))]"),
      ]
      return "  {\n" + members.map { "    \"\($0)\": \($1)" }.joined(separator: ",\n") + "\n  }"
    }
    return objects.isEmpty ? "[]" : "[\n" + objects.joined(separator: ",\n") + "\n]"
  }
}

// MARK: - Operations

extension SchemaDiff {
  /// Returns the operations in `sources`, or `nil` after showing their errors.
  private static func operations(of sources: [Source], _ schema: Schema) -> ComparedOperations? {
    let check = OperationCheck(sources, against: schema)
    guard let validated = check.validated else {
      Terminal.write(
        DiagnosticFormat.text.render(
          check.diagnostics, in: check.document.sources, isColored: Terminal.isInteractive),
        to: Terminal.standardError)
      return nil
    }
    return ComparedOperations(sources: sources, validated: validated)
  }
}
