import CorpusSupport
import Foundation
import Testing

@testable import GraphQLSyntax

/// Runs every case of the reference corpora that concerns syntax, and prints the number that agree.
@Suite(.readsCorpus)
struct CorpusTests {
  /// A corpus file with a check that returns a complaint about a case, or `nil`.
  struct CorpusRun: Sendable, CustomTestStringConvertible {
    var file: String
    var check: @Sendable (CorpusCase) -> String?
    var testDescription: String { file }
  }

  static let runs = [
    CorpusRun(file: "lexer.json", check: checkTokens),
    CorpusRun(file: "parser.json", check: checkParsing),
    CorpusRun(file: "parser_experimental.json", check: checkParsing),
    CorpusRun(file: "block_strings.json", check: checkStrings),
    CorpusRun(file: "strip_ignored.json", check: checkStripping),
    CorpusRun(file: "schema_coordinates.json", check: checkCoordinate),
    CorpusRun(file: "spec_examples.json", check: checkExample),
    CorpusRun(file: "apollo_rs_parser.json", check: checkOtherParser),
    CorpusRun(file: "apollo_kotlin_parser.json", check: checkOtherParser),
  ]

  @Test(arguments: runs)
  func agreesWithTheReference(_ run: CorpusRun) throws {
    var tally = CorpusTally(run.file, knownDifferences: CorpusDisagreements.reasons)
    for testCase in try Corpus.load(run.file, as: CorpusFile.self).cases {
      let complaint = run.check(testCase)
      tally.add(testCase.id, complaint == nil, complaint ?? "")
    }
    tally.finish()
  }
}

// MARK: - Checks

/// Checks the tokens before the first error, and the error.
@Sendable private func checkTokens(_ testCase: CorpusCase) -> String? {
  let source = Source(name: "case", text: testCase.input ?? "")
  let (tokens, diagnostics) = source.tokens(keepsComments: true)
  var map = SourceMap()
  _ = map.append(source)
  let expected = testCase.tokens ?? []
  let found = tokens.prefix { $0.kind != .invalid }.map { CorpusCase.Token($0, in: map) }
  if found != expected { return "tokens \(found) instead of \(expected)" }
  return compare(diagnostics, in: map, with: testCase.error)
}

extension CorpusCase.Token {
  /// Creates the description of `token` that the corpus uses.
  fileprivate init(_ token: Token, in map: SourceMap) {
    let location = map.location(of: token.span.start)
    let before = map.text(of: SourceSpan(start: 0, end: token.span.start)).unicodeScalars.count
    let text = map.text(of: token.span)
    let value: String? =
      switch token.kind {
      case .name, .int, .float: text
      case .comment: String(text.dropFirst())
      case .string: QuotedString.value(ofRaw: Array(text.utf8).dropFirst().dropLast())
      case .blockString: BlockString.value(ofRaw: Array(text.utf8).dropFirst(3).dropLast(3))
      default: nil
      }
    self.init(
      kind: token.kind.description.replacingOccurrences(of: "\"", with: ""), line: location.line,
      column: location.column, start: before, end: before + text.unicodeScalars.count, value: value)
  }
}

/// Checks the acceptance, the error, and the printed text in both styles.
@Sendable private func checkParsing(_ testCase: CorpusCase) -> String? {
  let source = Source(name: "case", text: testCase.input ?? "")
  if testCase.kind == "schema_coordinate" { return checkCoordinate(testCase, source) }
  var document = Document()
  let diagnostics: [Diagnostic]
  var print: (PrinterStyle) -> String = { document.printed($0) }
  switch testCase.kind {
  case "value", "const_value":
    let value: Value?
    (value, diagnostics) = document.parseValue(source, allowsVariables: testCase.kind == "value")
    print = { style in value.map { document.printed($0, style) } ?? "" }
  case "type":
    let type: TypeReference?
    (type, diagnostics) = document.parseType(source)
    print = { _ in type.map { document.description(of: $0) } ?? "" }
  default:
    diagnostics = document.parse(source)
  }
  if let complaint = compare(diagnostics, in: document.sources, with: testCase.error) {
    return complaint
  }
  guard testCase.ok ?? true else { return nil }
  for (style, expected) in [
    (PrinterStyle.version16, testCase.printed),
    (.version17, testCase.printed_v17 ?? testCase.printed),
  ] {
    guard let expected, print(style) != expected else { continue }
    return "\(style) printed\n\(print(style))\ninstead of\n\(expected)"
  }
  return nil
}

private func checkCoordinate(_ testCase: CorpusCase, _ source: Source) -> String? {
  let (coordinate, diagnostics) = SchemaCoordinate.parsing(source)
  var map = SourceMap()
  _ = map.append(source)
  if let complaint = compare(diagnostics, in: map, with: testCase.error) { return complaint }
  guard let expected = testCase.printed, coordinate?.description != expected else { return nil }
  return "\(coordinate as Any) instead of \(expected)"
}

@Sendable private func checkCoordinate(_ testCase: CorpusCase) -> String? {
  // The cases concern the resolution of coordinates. All of them are well-formed.
  let text = testCase.coordinate ?? ""
  let coordinate = SchemaCoordinate.parsing(Source(name: "case", text: text)).coordinate
  return coordinate?.description == text ? nil : "\(coordinate as Any) instead of \(text)"
}

@Sendable private func checkStrings(_ testCase: CorpusCase) -> String? {
  switch (testCase.fn, testCase.result) {
  case ("dedentBlockStringLines", .lines(let expected)):
    // The reference implementation calls it with lines; here it is one step of reading a string.
    let raw = (testCase.args?.lines ?? []).joined(separator: "\n")
    let value = BlockString.value(ofRaw: Array(raw.utf8)[...])
    let found =
      value.isEmpty
      ? [] : value.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return found == expected ? nil : "\(found) instead of \(expected)"
  case ("printBlockString", .text(let expected)):
    guard let value = testCase.args?.value else { return nil }
    let bytes = BlockString.printed(
      Array(value.utf8), minimizes: testCase.args?.minimize ?? false)
    let found = String(decoding: bytes, as: UTF8.self)
    return found == expected ? nil : "\(found) instead of \(expected)"
  case ("isPrintableAsBlockString", .flag(let expected)):
    let found = Array((testCase.args?.value ?? "").utf8).withUnsafeBufferPointer {
      BlockString.canRepresent($0)
    }
    return found == expected ? nil : "\(found) instead of \(expected)"
  case ("printString", .text(let expected)):
    var found: [UInt8] = []
    QuotedString.append(testCase.args?.s ?? "", to: &found)
    return found.elementsEqual(expected.utf8)
      ? nil : "\(String(decoding: found, as: UTF8.self)) instead of \(expected)"
  default:
    return "unknown function \(testCase.fn ?? "")"
  }
}

@Sendable private func checkStripping(_ testCase: CorpusCase) -> String? {
  let source = Source(name: "case", text: testCase.input ?? "")
  let (text, diagnostics) = source.strippingIgnoredCharacters()
  var map = SourceMap()
  _ = map.append(source)
  if let complaint = compare(diagnostics, in: map, with: testCase.error) { return complaint }
  guard case .text(let expected) = testCase.result, text != expected else { return nil }
  return "\(text ?? "") instead of \(expected)"
}

@Sendable private func checkExample(_ testCase: CorpusCase) -> String? {
  guard testCase.lang == "graphql", let expected = testCase.parses_as_document else { return nil }
  let (document, diagnostics) = Document.parsing(testCase.text ?? "")
  if !expected { return compare(diagnostics, in: document.sources, with: testCase.parse_error) }
  return diagnostics.isEmpty ? nil : "\(diagnostics)"
}

@Sendable private func checkOtherParser(_ testCase: CorpusCase) -> String? {
  let source = Source(name: "case", text: testCase.input ?? "")
  if testCase.lexer_only ?? false {
    let accepts = source.tokens().diagnostics.isEmpty
    return accepts == testCase.apollo_rs_lexes ? nil : "accepts: \(accepts)"
  }
  var document = Document()
  let diagnostics = document.parse(source)
  let complaint = compare(diagnostics, in: document.sources, with: testCase.reference_error)
  if let complaint { return complaint }
  guard let expected = testCase.printed, document.printed() != expected else { return nil }
  return "printed \(document.printed()) instead of \(expected)"
}

/// Returns a complaint unless the first of `diagnostics` is the error that the reference reports.
private func compare(
  _ diagnostics: [Diagnostic], in map: SourceMap, with expected: CorpusCase.Failure?
) -> String? {
  guard let found = diagnostics.first else {
    return expected.map { "accepted instead of: \($0.message)" }
  }
  guard let expected else { return "refused: \(found.message)" }
  // One reference implementation uses single quotes where the other uses double quotes.
  let messages = [found.message, expected.message].map { $0.replacing("'", with: "\"") }
  if messages[0] != messages[1] { return "\(messages[0]) instead of \(messages[1])" }
  let location = map.location(of: found.span?.start ?? 0)
  let place = CorpusCase.Location(line: location.line, column: location.column)
  guard let expected = expected.locations, [place] != expected else { return nil }
  return "at \(place) instead of \(expected): \(found.message)"
}
