import CorpusSupport
import Testing

@testable import GraphQLSyntax

/// Parses our own documents, which cover the grammar and its errors.
@Suite struct SyntaxCaseTests {
  private static let cases = DocumentCase.cases(in: "syntax.cases")

  @Test(arguments: cases)
  func findsTheExpectedErrors(_ item: DocumentCase) {
    let (document, diagnostics) = Document.parsing(item.text)
    var table = LocationTable(document.sources)
    let found = diagnostics.map { diagnostic in
      let spans = [diagnostic.span].compactMap { $0 } + diagnostic.notes.map(\.span)
      return DocumentCase.line(
        rule: diagnostic.rule.rawValue,
        locations: spans.map {
          let location = table.location(of: $0.start)
          return CorpusError.Location(line: location.line, column: location.column)
        }, message: diagnostic.message)
    }
    #expect(found.sorted() == item.diagnostics)
  }

  @Test(arguments: DocumentCase.cases(in: "printing.cases"))
  func printsADocument(_ item: DocumentCase) {
    let (document, diagnostics) = Document.parsing(item.parts[0])
    #expect(diagnostics.isEmpty)
    #expect(document.printed() == item.parts[1])
  }

  @Test(arguments: DocumentCase.cases(in: "stripping.cases"))
  func removesIgnoredCharacters(_ item: DocumentCase) {
    let source = Source(name: "case", text: item.parts[0])
    #expect(source.strippingIgnoredCharacters().text == item.parts[1])
  }

  @Test(arguments: cases.filter(\.isValid))
  func aDocumentIsTheSameAfterPrinting(_ item: DocumentCase) {
    let printed = Document.parsing(item.text).document.printed()
    let (again, diagnostics) = Document.parsing(printed)
    #expect(diagnostics.isEmpty)
    #expect(again.printed() == printed)
  }

  @Test(arguments: cases.filter(\.isValid))
  func aDocumentIsTheSameWithoutIgnoredCharacters(_ item: DocumentCase) {
    let source = Source(name: "case", text: item.text)
    let stripped = source.strippingIgnoredCharacters().text ?? ""
    #expect(
      Document.parsing(stripped).document.printed()
        == Document.parsing(item.text).document.printed())
  }
}
