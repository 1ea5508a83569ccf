// modules: GraphQLSyntax
import GraphQLSyntax

/// A document that parses keeps its meaning when it is printed, formatted or stripped. Errors are
/// reported at positions inside of the document. Both hold with and without the syntax of drafts.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzParser(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = Source(name: "input", bytes: UnsafeBufferPointer(start: bytes, count: count))
  let drafts = ParserOptions(allowsDirectivesOnDirectives: true, allowsFragmentArguments: true)
  let printed = check(source, ParserOptions())
  let printedWithDrafts = check(source, drafts)
  if let printed { precondition(printed == printedWithDrafts, "Drafts add syntax.") }
  return 0
}

/// Returns the printed form of `source`, or `nil` if it has syntax errors.
private func check(_ source: Source, _ options: ParserOptions) -> String? {
  var document = Document()
  // The input starts at an offset other than zero, so that offsets and indices differ.
  precondition(document.parse(Source(name: "first", text: "scalar First")).isEmpty)
  let diagnostics = document.parse(source, options: options)
  guard diagnostics.isEmpty else {
    for format in DiagnosticFormat.allCases {
      precondition(!format.render(diagnostics, in: document.sources).isEmpty)
    }
    return nil
  }
  let definitions = document.definitions.dropFirst()
  for style in PrinterStyle.allCases {
    let printed = document.printed(definitions, style)
    precondition(meaning(of: printed, options, style) == printed, "Printing is a fixpoint.")
  }
  let printed = document.printed(definitions)
  guard let formatted = source.formatted(options: options).text else {
    preconditionFailure("A parsed document can be formatted.")
  }
  precondition(meaning(of: formatted, options) == printed, "Formatting keeps the meaning.")
  precondition(
    Source(name: "formatted", text: formatted).formatted(options: options).text == formatted,
    "Formatting is idempotent.")
  let stripped = source.strippingIgnoredCharacters().text
  precondition(
    stripped.map { meaning(of: $0, options) } == printed, "Stripping keeps the meaning.")
  return printed
}

/// Returns the printed form of `text`, or `nil` if it has syntax errors.
private func meaning(
  of text: String, _ options: ParserOptions, _ style: PrinterStyle = .version16
) -> String? {
  let (document, diagnostics) = Document.parsing(text, options: options)
  return diagnostics.isEmpty ? document.printed(style) : nil
}
