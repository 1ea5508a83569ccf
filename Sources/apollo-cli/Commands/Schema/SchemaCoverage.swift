import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The command `apollo-cli schema coverage`: the fields of a schema that operations use.
enum SchemaCoverage: Command {
  static let name = "coverage"
  static let summary = "Lists the types of a schema with the fields that operations use."
  static let discussion = [
    "A field of an interface counts as used in the types that implement it. Without arguments, the "
      + "operations are those of the configuration."
  ]
  static let operands: OperandDeclaration? = OperandDeclaration(
    "[OPERATIONS…]", "Files, folders or patterns of operations.")
  static let options = [
    ConfigurationFile.pathOption, SchemaArguments.schema, SchemaArguments.severity,
    OptionDeclaration("unused", nil, "List the fields that no operation uses."),
    OptionDeclaration(
      "format", "f", value: "FORMAT", of: .oneOf(ListFormat.allCases.map(\.rawValue)),
      default: "text", "The format of the list."),
  ]
  static let examples = [
    CommandExample("Count the used fields of each type.", "schema coverage"),
    CommandExample("List the fields that nothing uses.", "schema coverage --unused"),
  ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let format = try arguments.choice("format", ListFormat.self) ?? .text
    guard let document = try ProjectCheck.validated(arguments) else { return .inputErrors }
    let rows = FieldUsage(document).rows
    if format == .json {
      Terminal.print(json(rows))
    } else if arguments.has("unused") {
      for field in rows.flatMap(\.unused) { Terminal.print(field) }
    } else {
      Terminal.print(text(rows))
    }
    return .success
  }

  private static func text(_ rows: [FieldUsage.Row]) -> String {
    let used = rows.filter { $0.usedCount > 0 }
    let names = used.map { $0.type.count }.max() ?? 0
    let lines = used.map { row in
      let padding = String(repeating: " ", count: names - row.type.count)
      return "\(row.type)\(padding)  \(share(row.usedCount, row.fieldCount))"
    }
    let (usedCount, count) = rows.reduce(into: (0, 0)) {
      $0.0 += $1.usedCount
      $0.1 += $1.fieldCount
    }
    let total =
      "\(Terminal.counted(used.count, "type")) of \(rows.count) used, with "
      + "\(share(usedCount, count)) of all types."
    return (lines + (lines.isEmpty ? [] : [""]) + [total]).joined(separator: "\n")
  }

  private static func share(_ part: Int, _ whole: Int) -> String {
    let percent = whole == 0 ? 0 : part * 100 / whole
    return "\(part) of \(Terminal.counted(whole, "field")) (\(percent) %)"
  }

  private static func json(_ rows: [FieldUsage.Row]) -> String {
    JSONOutput.array(of: rows) { row in
      .object([
        ("type", .string(row.type)), ("fields", .number(row.fieldCount)),
        ("used", .number(row.usedCount)), ("unused", .row(row.unused.map { .string($0) })),
      ])
    }
  }
}

/// The fields of each type that operations use.
private struct FieldUsage {
  struct Row {
    var type: String
    var fieldCount: Int
    /// The schema coordinates of the fields that nothing uses, in the order of the schema.
    var unused: [String]
    var usedCount: Int { fieldCount - unused.count }
  }

  /// One row for each object and interface of the schema, in its order.
  let rows: [Row]

  init(_ document: ValidatedDocument) {
    let schema = document.schema
    let used = document.document.operations.indices.reduce(into: Set<String>()) {
      $0.formUnion(document.coordinates(usedBy: .init(rawValue: UInt32($1))))
    }
    rows = schema.definedTypes.filter { [.object, .interface].contains(schema[$0].kind) }
      .map { type in
        let owners =
          [schema.name(of: type)]
          + schema[schema[type].interfaces].map { schema.name(of: $0.type) }
        let fields = schema[schema[type].fields].map { schema.spelling($0.name) }
        let unused = fields.filter { field in
          !owners.contains { used.contains("\($0).\(field)") }
        }
        return Row(
          type: owners[0], fieldCount: fields.count, unused: unused.map { "\(owners[0]).\($0)" })
      }
  }
}
