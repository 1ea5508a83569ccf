import Foundation
import Testing

@testable import GraphQLSyntax

struct RenderingTests {
  private let sources: SourceMap
  private let diagnostics: [Diagnostic]

  /// Two files, an error with a note in the other file and a fix-it, and a warning without a span.
  init() {
    var map = SourceMap()
    _ = map.append(Source(name: "a b.graphql", text: "query {\n\théllo\u{1B}nmae x\n}"))
    _ = map.append(Source(name: "/schema.graphqls", text: "type Query"))
    sources = map
    let name = SourceSpan(start: 16, end: 20)
    diagnostics = [
      Diagnostic(
        rule: "FieldsOnCorrectType", message: "Cannot query field \"nmae\".", at: name,
        notes: [.init("the type is defined here", at: SourceSpan(start: 30, end: 35))],
        fixIts: [.init("replace with 'name'", replacing: name, with: "name")]),
      Diagnostic(
        rule: "RootTypes", severity: .warning, message: "100%\nNo query type.", at: nil),
    ]
  }

  @Test func rendersTheLineWithAMarkerBelow() {
    #expect(
      DiagnosticFormat.text.render(diagnostics, in: sources) == """
        a b.graphql:2:8: error: Cannot query field "nmae". [FieldsOnCorrectType]
           2 | \théllo\u{FFFD}nmae x
             | \t      ^~~~
        /schema.graphqls:1:6: note: the type is defined here
           1 | type Query
             |      ^~~~~
            fix: replace with 'name'
        warning: 100%
        No query type. [RootTypes]

        """)
  }

  @Test func colorsOutputOnRequest() {
    let plain = DiagnosticFormat.text.render(diagnostics, in: sources)
    let colored = DiagnosticFormat.text.render(diagnostics, in: sources, isColored: true)
    #expect(!plain.contains("\u{1B}"))
    #expect(colored.contains("\u{1B}[1;31merror: \u{1B}[0m"))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
  }

  @Test func truncatesLongLines() {
    var map = SourceMap()
    let line = String(repeating: "x", count: 500) + "!" + String(repeating: "y", count: 500)
    _ = map.append(Source(name: "long", text: line))
    let diagnostic = Diagnostic(
      rule: .syntax, message: "m", at: SourceSpan(start: 500, end: 501))
    let lines = DiagnosticFormat.text.render([diagnostic], in: map)
      .split(separator: "\n").map { Array($0.unicodeScalars) }
    #expect(lines[1].count < 140)
    #expect(lines[1][lines[2].firstIndex(of: "^") ?? 0] == "!")
  }

  /// Compares the excerpts around every column of lines of several lengths with a simple
  /// implementation.
  @Test(arguments: [0, 1, 119, 120, 121, 400])
  func excerptsALineAroundEveryColumn(length: Int) {
    let characters = (0..<length).map { ["a", "é", "漢", "😀"][$0 % 4] }
    let line = characters.joined()
    var map = SourceMap()
    _ = map.append(Source(name: "long", text: "x\r\n\(line)\r\ny"))
    for column in 0...length {
      let offset = 3 + characters[..<column].joined().utf8.count
      let place = Diagnostic(
        rule: .syntax, message: "m", at: SourceSpan(at: UInt32(offset)))
      let lines = DiagnosticFormat.text.render([place], in: map).components(separatedBy: "\n")
      let first = max(0, min(column - 60, length - 120))
      let last = min(length, first + 120)
      let shown =
        (first > 0 ? "…" : "") + characters[first..<last].joined() + (last < length ? "…" : "")
      #expect(lines[1] == "   2 | \(shown)")
      #expect(
        lines[2] == "     | " + String(repeating: " ", count: column - first + (first > 0 ? 1 : 0))
          + "^")
    }
  }

  @Test func rendersOneLinePerDiagnosticForXcode() {
    #expect(
      DiagnosticFormat.xcode.render(diagnostics, in: sources) == """
        a b.graphql:2:8: error: Cannot query field "nmae". [FieldsOnCorrectType]
        /schema.graphqls:1:6: note: the type is defined here
        warning: 100% No query type. [RootTypes]

        """)
  }

  @Test func escapesAnnotationsForGitHub() {
    #expect(
      DiagnosticFormat.github.render(diagnostics, in: sources) == """
        ::error file=a b.graphql,line=2,endLine=2,col=8,endColumn=12,title=FieldsOnCorrectType::\
        Cannot query field "nmae".%0A/schema.graphqls:1:6: the type is defined here
        ::warning title=RootTypes::100%25%0ANo query type.

        """)
  }

  private struct Row: Decodable, Equatable {
    struct Note: Decodable, Equatable {
      var message: String
      var file: String
      var line: Int
      var column: Int
    }
    struct Fix: Decodable, Equatable {
      struct Edit: Decodable, Equatable {
        var line: Int
        var endColumn: Int
        var replacement: String
      }
      var message: String
      var edits: [Edit]
    }
    var rule: String
    var severity: String
    var message: String
    var file: String?
    var line: Int?
    var column: Int?
    var endLine: Int?
    var endColumn: Int?
    var notes: [Note]
    var fixes: [Fix]
  }

  @Test func rendersJSONThatFoundationDecodes() throws {
    let text = DiagnosticFormat.json.render(diagnostics, in: sources)
    let rows = try JSONDecoder().decode([Row].self, from: Data(text.utf8))
    #expect(
      rows == [
        Row(
          rule: "FieldsOnCorrectType", severity: "error",
          message: "Cannot query field \"nmae\".", file: "a b.graphql", line: 2, column: 8,
          endLine: 2, endColumn: 12,
          notes: [
            .init(message: "the type is defined here", file: "/schema.graphqls", line: 1, column: 6)
          ],
          fixes: [
            .init(
              message: "replace with 'name'",
              edits: [.init(line: 2, endColumn: 12, replacement: "name")])
          ]),
        Row(
          rule: "RootTypes", severity: "warning", message: "100%\nNo query type.", notes: [],
          fixes: []),
      ])
  }

  @Test func rendersSARIFWithPercentEncodedURIs() throws {
    let text = DiagnosticFormat.sarif.render(diagnostics, in: sources)
    let log = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: any Sendable])
    #expect(log["version"] as? String == "2.1.0")
    #expect(text.contains(#""uri": "a%20b.graphql""#))
    #expect(text.contains(#""uri": "file:///schema.graphqls""#))
    #expect(text.contains(#""columnKind": "unicodeCodePoints""#))
    #expect(text.contains(#""ruleIndex": 1"#))
  }

  @Test func doublesBracesInSARIFMessages() {
    var map = SourceMap()
    _ = map.append(Source(name: "a", text: "x y"))
    let span = SourceSpan(start: 0, end: 1)
    let text = DiagnosticFormat.sarif.render(
      [
        Diagnostic(
          rule: "R", message: "found {a: 0}", at: span, notes: [.init("no {", at: span)],
          fixIts: [.init("add '{ }'", replacing: span, with: "{0}")])
      ], in: map)
    #expect(text.contains(#""text": "found {{a: 0}}""#))
    #expect(text.contains(#""text": "no {{""#))
    #expect(text.contains(#""text": "add '{{ }}'""#))
    // Inserted text is not a message, so its braces are not doubled.
    #expect(text.contains(#""text": "{0}""#))
  }

  @Test func rendersAllJSONKeysForDiagnosticsWithoutASpan() throws {
    let text = DiagnosticFormat.json.render(diagnostics, in: sources)
    let rows = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    #expect(Set(rows[0].keys) == Set(rows[1].keys))
    for key in ["file", "line", "column", "endLine", "endColumn"] {
      #expect(rows[0][key] is NSNull == false && rows[1][key] is NSNull)
    }
  }

  @Test(arguments: DiagnosticFormat.allCases)
  func rendersAnEmptyListInEveryFormat(_ format: DiagnosticFormat) throws {
    let text = format.render([], in: SourceMap())
    switch format {
    case .text, .xcode, .github: #expect(text.isEmpty)
    case .json: #expect(text == "[]\n")
    case .sarif: #expect(text.contains(#""results": []"#))
    }
  }

  @Test func sortsByLocationAndKeepsTheOrderOfEqualLocations() {
    let places: [UInt32?] = [7, 3, nil, 3]
    let rows = places.enumerated().map { index, offset in
      Diagnostic(rule: "R", message: "\(index)", at: offset.map { SourceSpan(at: $0) })
    }
    #expect(rows.sortedByLocation().map(\.message) == ["2", "1", "3", "0"])
  }

  @Test func skipsFixItsThatOverlapEarlierOnes() {
    var map = SourceMap()
    _ = map.append(Source(name: "a", text: "abcdef"))
    _ = map.append(Source(name: "b", text: "xyz"))
    func fix(_ start: UInt32, _ end: UInt32, _ text: String) -> Diagnostic {
      let span = SourceSpan(start: start, end: end)
      return Diagnostic(
        rule: "R", message: "m", at: span, fixIts: [.init("f", replacing: span, with: text)])
    }
    let (sources, count) = map.applyingFixIts(of: [
      fix(1, 3, "-"), fix(2, 4, "overlaps"), fix(1, 3, "-"), fix(4, 4, "+"), fix(10, 10, "!"),
    ])
    #expect(count == 3)
    #expect(sources.mapValues(\.text) == [0: "a-d+ef", 1: "xyz!"])
  }

  @Test(
    arguments: [
      // An insertion next to a replacement is applied, in either order.
      ([(2, 2, "+"), (2, 4, "-")], "ab+-ef"),
      ([(2, 4, "-"), (2, 2, "+")], "ab+-ef"),
      ([(2, 4, "-"), (4, 4, "+")], "ab-+ef"),
      ([(4, 4, "+"), (2, 4, "-")], "ab-+ef"),
      // An edit inside a replacement, or next to another insertion, is skipped.
      ([(2, 5, "-"), (3, 3, "+")], "ab-f"),
      ([(3, 3, "+"), (2, 5, "-")], "abc+def"),
      ([(3, 3, "+"), (3, 3, "*")], "abc+def"),
      ([(1, 3, "-"), (3, 4, "")], "a-ef"),
      ([(0, 6, ""), (0, 0, "x"), (6, 6, "y")], "xy"),
    ] as [([(UInt32, UInt32, String)], String)])
  func appliesAdjacentFixIts(_ edits: [(UInt32, UInt32, String)], expected: String) {
    var map = SourceMap()
    _ = map.append(Source(name: "a", text: "abcdef"))
    let diagnostics = edits.map { start, end, text in
      let span = SourceSpan(start: start, end: end)
      return Diagnostic(
        rule: "R", message: "m", at: span, fixIts: [.init("f", replacing: span, with: text)])
    }
    #expect(map.applyingFixIts(of: diagnostics).sources[0]?.text == expected)
  }
}
