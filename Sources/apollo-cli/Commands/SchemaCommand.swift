import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The command `apollo-cli schema`: prints, describes and compares schemas.
enum SchemaCommand: Command {
  static let name = "schema"
  static let summary = "Prints, describes or compares schemas: print, introspect, stats, diff."
  static let operands: String? = "print|introspect|stats PATHS… | diff OLD NEW"
  static let options = [
    SchemaArguments.schema,
    SchemaArguments.severity,
    OptionDeclaration("sorted", nil, "With print: order everything by name."),
    OptionDeclaration(
      "operations", nil, value: "PATH",
      "With diff: list the operations in this file or folder that each change breaks. May be repeated."
    ),
    OptionDeclaration("format", "f", value: "FORMAT", "With diff: text or json."),
  ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    guard let action = arguments.operands.first else {
      throw CommandFailure("Say what to do: schema print, introspect, stats or diff.")
    }
    let paths = arguments.values("schema") + arguments.operands.dropFirst()
    try SchemaArguments.checkStandardInput(paths + arguments.values("operations"))
    if action == "diff" { return try SchemaDiff.run(paths, arguments) }
    guard ["print", "introspect", "stats"].contains(action) else {
      throw CommandFailure("'\(action)' is none of print, introspect, stats and diff.")
    }
    guard !paths.isEmpty else { throw CommandFailure("Name the files of the schema.") }
    guard let schema = try read(paths, arguments) else { return .inputErrors }
    switch action {
    case "print":
      Terminal.print(schema.printed(order: arguments.has("sorted") ? .name : .definition))
    case "introspect": Terminal.print(schema.introspection(isWrapped: true))
    default: Terminal.print(SchemaStatistics(schema).description)
    }
    return .success
  }

  /// Returns the schema, or `nil` after showing its errors.
  static func read(_ paths: [String], _ arguments: ParsedArguments) throws(CommandFailure)
    -> Schema?
  {
    let options = try SchemaArguments.severities(arguments).applied(to: SchemaOptions())
    let sources = try InputFiles.schemas.read(paths)
    let result = Schema.build(sources.map { SchemaInput(detecting: $0) }, options: options)
    Terminal.write(
      DiagnosticFormat.text.render(
        result.diagnostics, in: result.schema.document.sources, isColored: Terminal.isInteractive),
      to: Terminal.standardError)
    return result.isUsable ? result.schema : nil
  }
}
