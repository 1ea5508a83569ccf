import ApolloCodegenLib
import GraphQLSyntax

/// The command `apollo-cli format`: formats GraphQL files in the standard layout.
enum FormatCommand: Command {
  static let name = "format"
  static let summary = "Formats GraphQL files in the standard layout, with their comments."
  static let operands: OperandDeclaration? = OperandDeclaration(
    "PATH…", "Files, folders or patterns; '-' is standard input, which is printed.")
  static let examples = [
    CommandExample("Format everything in a folder.", "format GraphQL"),
    CommandExample("Check the format in continuous integration.", "format --check GraphQL"),
  ]
  static let options = [
    OptionDeclaration("check", nil, "List the files that are not formatted, and change nothing."),
    OptionDeclaration(
      "canonical", nil, "Print as the reference implementation does, without comments."),
  ]

  /// Rewrites files, and prints standard input (`-`).
  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    guard !arguments.operands.isEmpty else {
      throw CommandFailure("Nothing to format. Name files or folders, or '-' for standard input.")
    }
    let files = InputFiles(extensions: ["graphql", "graphqls", "gql"])
    var code = ExitCode.success
    for source in try files.read(arguments.operands) {
      guard let text = formatted(source, isCanonical: arguments.has("canonical")) else {
        code = .inputErrors
        continue
      }
      if arguments.has("check") {
        guard text != source.text else { continue }
        Terminal.print("\(source.name) is not formatted.")
        code = .inputErrors
      } else if source.name == InputFiles.standardInputName {
        Terminal.write(text)
      } else if text != source.text {
        try source.rewrite(Array(text.utf8))
      }
    }
    return code
  }

  /// Returns the formatted text, or `nil` after showing the syntax errors.
  private static func formatted(_ source: Source, isCanonical: Bool) -> String? {
    if source.isBlank { return source.text }
    let (text, diagnostics) = isCanonical ? canonical(source) : source.formatted(options: .drafts)
    guard text == nil else { return text }
    var sources = SourceMap()
    _ = sources.append(source)
    Terminal.show(diagnostics, in: sources)
    return nil
  }

  private static func canonical(_ source: Source) -> (text: String?, diagnostics: [Diagnostic]) {
    var document = Document()
    let diagnostics = document.parse(source, options: .drafts)
    return (diagnostics.isEmpty ? document.printed() + "\n" : nil, diagnostics)
  }
}
