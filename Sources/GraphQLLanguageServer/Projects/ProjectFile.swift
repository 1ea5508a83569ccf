import GraphQLSyntax
import GraphQLValidation

/// A file with operations.
struct ProjectFile {
  /// The path relative to the root of the project.
  let name: String
  private(set) var source: Source
  private(set) var index: FileIndex
  /// The syntax errors, and suspicious characters.
  private(set) var ownProblems: [Problem] = []
  private(set) var hasSyntaxErrors = false
  /// `true` if `id` is the alias of another field, with which an added `id` could be merged.
  private(set) var hasOtherID = false
  /// The files whose definitions matter for this one, itself included, in ascending order.
  var closure: [Int] = []
  /// `true` until the file is checked against the schema in its present state.
  var isStale = true
  /// The problems that the check of this file found, in this file and in those of its closure.
  var problems: [Problem] = []

  init(_ source: Source, _ options: SchemaOptions) {
    name = source.name
    self.source = source
    index = FileIndex(source)
    findOwnProblems(options)
  }

  /// Replaces the text. Returns whether the names that the file defines and uses have changed.
  mutating func replace(_ source: Source, _ options: SchemaOptions) -> Bool {
    self.source = source
    let former = index
    index = FileIndex(source)
    findOwnProblems(options)
    return index != former
  }

  private mutating func findOwnProblems(_ options: SchemaOptions) {
    var document = Document()
    let isBlank = source.isBlank
    let errors = isBlank ? [] : document.parse(source, options: options.parser)
    hasSyntaxErrors = !errors.isEmpty
    hasOtherID = document.names.symbol(for: "id").map(document.hasAlias) ?? false
    var sources = SourceMap()
    _ = sources.append(source)
    ownProblems = (errors + options.misleadingText(in: sources)).map {
      Problem($0, in: sources, otherwise: name)
    }
  }
}
