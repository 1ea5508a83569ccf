import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// `apollo-cli schema diff`: what changed between two schemas, and whom it concerns.
enum SchemaDiff {
  /// - Returns: `.inputErrors` when a change breaks one of the given operations; when none are
  ///   given, when there is a breaking change.
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
    let operationPaths = arguments.values("operations")
    guard let usages = try usages(of: operationPaths, old) else { return .inputErrors }
    let lines = sorted(new.changes(since: old)).map { change in
      Line(
        change: change, broken: change.criticality == .breaking ? usages.concerned(by: change) : [])
    }
    Terminal.print(format == "json" ? json(lines) : text(lines))
    let isBroken = lines.contains {
      $0.change.criticality == .breaking && (operationPaths.isEmpty || !$0.broken.isEmpty)
    }
    return isBroken ? .inputErrors : .success
  }

  private struct Line {
    var change: SchemaChange
    /// The operations that the change breaks.
    var broken: [String]
  }

  /// Breaking changes first, then dangerous ones; those alike in the order of the schema.
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
        ("criticality", quoted(line.change.criticality.rawValue)),
        ("kind", quoted(line.change.kind.rawValue)),
        ("coordinate", quoted(line.change.coordinate)), ("message", quoted(line.change.message)),
        ("breaks", "[\(line.broken.map(quoted).joined(separator: ", "))]"),
      ]
      return "  {\n" + members.map { "    \"\($0)\": \($1)" }.joined(separator: ",\n") + "\n  }"
    }
    return objects.isEmpty ? "[]" : "[\n" + objects.joined(separator: ",\n") + "\n]"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

// MARK: - Operations

extension SchemaDiff {
  /// What operations use of the old schema.
  private struct Usages {
    var operations: [(name: String, coordinates: Set<String>)] = []

    func concerned(by change: SchemaChange) -> [String] {
      operations.filter { change.concerns($0.coordinates) }.map(\.name)
    }
  }

  /// What the operations in `paths` use, or nil after their errors have been shown.
  private static func usages(of paths: [String], _ schema: Schema) throws(CommandFailure) -> Usages?
  {
    var document = Document(names: schema.names, sources: schema.document.sources)
    var diagnostics: [Diagnostic] = []
    for source in try InputFiles.operations.read(paths) { diagnostics += document.parse(source) }
    let result = validate(
      document, against: schema,
      configuration: ValidationConfiguration(severities: [.noUnusedFragments: .off]))
    guard diagnostics.isEmpty, let valid = result.document else {
      Terminal.write(
        DiagnosticFormat.text.render(
          diagnostics.isEmpty ? result.diagnostics : diagnostics, in: document.sources,
          isColored: Terminal.isInteractive), to: Terminal.standardError)
      return nil
    }
    var usages = Usages()
    for (index, operation) in document.operations.enumerated() {
      let name = operation.name.map { document.spelling($0) } ?? "the anonymous operation"
      let id = OperationDefinition.ID(rawValue: UInt32(index))
      usages.operations.append((name, valid.coordinates(usedBy: id)))
    }
    return usages
  }
}
