// modules: GraphQLSyntax
import GraphQLSyntax

/// A document that parses keeps its meaning when it is printed, formatted or stripped. Errors are
/// reported at positions inside of the document.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzParser(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = Source(name: "input", bytes: UnsafeBufferPointer(start: bytes, count: count))
  var document = Document()
  // The input starts at an offset other than zero, so that offsets and indices differ.
  precondition(document.parse(Source(name: "first", text: "scalar First")).isEmpty)
  let diagnostics = document.parse(source)
  guard diagnostics.isEmpty else {
    for format in DiagnosticFormat.allCases {
      precondition(!format.render(diagnostics, in: document.sources).isEmpty)
    }
    return 0
  }
  let definitions = document.definitions.dropFirst()
  for style in PrinterStyle.allCases {
    let printed = document.printed(definitions, style)
    precondition(meaning(of: printed, style) == printed, "Printing is a fixpoint.")
  }
  let printed = document.printed(definitions)
  guard let formatted = source.formatted().text else {
    preconditionFailure("A parsed document can be formatted.")
  }
  precondition(meaning(of: formatted) == printed, "Formatting keeps the meaning.")
  precondition(
    Source(name: "formatted", text: formatted).formatted().text == formatted,
    "Formatting is idempotent.")
  let stripped = source.strippingIgnoredCharacters().text
  precondition(stripped.map { meaning(of: $0) } == printed, "Stripping keeps the meaning.")
  return 0
}

/// Returns the printed form of `text`, or `nil` if it has syntax errors.
private func meaning(of text: String, _ style: PrinterStyle = .version16) -> String? {
  let (document, diagnostics) = Document.parsing(text)
  return diagnostics.isEmpty ? document.printed(style) : nil
}
