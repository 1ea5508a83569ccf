import GraphQLSchema
import GraphQLSyntax
import Testing

/// Counts how many cases of a corpus pass, and describes those that do not.
struct CorpusScore {
  private var passed = 0
  private var excused = 0
  private var messages = 0
  private var sameMessages = 0
  private var failures: [String] = []

  /// Compares what was found with what was expected, in any order.
  ///
  /// Rules and locations must agree; messages are counted.
  mutating func compare(
    _ id: String, found: [CorpusFinding], expected: [CorpusFinding], context: String = ""
  ) {
    let isSame = Self.key(found) == Self.key(expected)
    messages += expected.count
    var rest = found.map(\.message)
    for error in expected {
      guard let index = rest.firstIndex(of: error.message) else { continue }
      rest.remove(at: index)
      sameMessages += 1
    }
    record(
      id, isSame,
      """
      expected \(expected.map(\.description).sorted())
      found    \(found.map(\.description).sorted())
      \(context)
      """)
  }

  private static func key(_ findings: [CorpusFinding]) -> [String] {
    findings.map { "\($0.rule ?? "") \($0.locations)" }.sorted()
  }

  /// Records whether a case passed.
  mutating func record(_ id: String, _ isPassed: Bool, _ description: @autoclosure () -> String) {
    if isPassed {
      passed += 1
    } else if KnownDifferences.reasons[id] != nil {
      excused += 1
    } else {
      failures.append("\(id)\n\(description())")
    }
  }

  /// Prints the counts, and fails the test unless every case passed or is excused.
  ///
  /// - Parameters:
  ///   - name: What to call the corpus.
  ///   - share: How many of the messages must be equal.
  func finish(_ name: String, equalMessages share: Double = 0.95) {
    let total = passed + excused + failures.count
    var line = "\(name): \(passed) of \(total) pass"
    if excused > 0 { line += ", \(excused) knowingly differ" }
    if messages > 0 { line += "; \(sameMessages) of \(messages) messages are equal" }
    print(line)
    for failure in failures { Issue.record("\(name): \(failure)") }
    #expect(messages == 0 || Double(sameMessages) >= share * Double(messages))
  }
}

/// An error in a form that can be compared: quotes and the order of errors do not matter.
struct CorpusFinding {
  var rule: String?
  var message: String
  var locations: [String]

  var description: String { "\(rule ?? "") \(message) \(locations)" }

  init(_ error: CorpusError) {
    rule = error.rule?.replacing("Rule", with: "")
    message = error.message.replacing("'", with: "\"")
    locations = error.locations.map { "\($0.source ?? "sdl"):\($0.line):\($0.column)" }
  }

  /// What `diagnostic` says, in the terms of the corpus.
  ///
  /// - Parameters:
  ///   - diagnostic: The diagnostic to describe.
  ///   - table: Turns its offsets into lines and columns.
  ///   - hasRule: Whether the corpus names rules.
  init(_ diagnostic: Diagnostic, _ table: inout LocationTable, hasRule: Bool) {
    rule = hasRule ? diagnostic.rule.rawValue : nil
    message = diagnostic.message.replacing("'", with: "\"")
    let spans = (diagnostic.span.map { [$0] } ?? []) + diagnostic.notes.map(\.span)
    locations = spans.map { span in
      let location = table.location(of: span.start)
      return "\(table.map.sources[location.source].name):\(location.line):\(location.column)"
    }
  }
}

extension SchemaResult {
  /// The diagnostics that `isIncluded`, as findings.
  func findings(
    hasRule: Bool, where isIncluded: (Diagnostic) -> Bool = { _ in true }
  ) -> [CorpusFinding] {
    var table = LocationTable(schema.document.sources)
    return diagnostics.filter(isIncluded).map { CorpusFinding($0, &table, hasRule: hasRule) }
  }
}

extension SchemaInput {
  /// SDL in a source of that name.
  static func sdl(_ name: String, _ text: String) -> SchemaInput {
    .sdl(Source(name: name, text: text))
  }
}
