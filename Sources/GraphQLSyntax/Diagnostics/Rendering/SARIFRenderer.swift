/// Renders a SARIF 2.1.0 log with one run.
///
/// OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
enum SARIFRenderer {
  static func render(
    _ diagnostics: [Diagnostic], _ locations: inout LocationTable,
    _ summaries: [Diagnostic.Rule: String]
  ) -> String {
    var rules: [Diagnostic.Rule] = []
    var indices: [Diagnostic.Rule: Int] = [:]
    var results: [JSONOutput] = []
    for diagnostic in diagnostics {
      let index = indices[diagnostic.rule] ?? rules.count
      if index == rules.count {
        rules.append(diagnostic.rule)
        indices[diagnostic.rule] = index
      }
      results.append(result(diagnostic, ruleIndex: index, &locations))
    }
    return log(rules: rules.map { descriptor(of: $0, summaries[$0]) }, results: results).text + "\n"
  }

  /// Returns a reporting descriptor, in which scanners look for the meaning of a rule.
  ///
  /// SARIF 2.1.0, 3.49, "reportingDescriptor object".
  private static func descriptor(of rule: Diagnostic.Rule, _ summary: String?) -> JSONOutput {
    var members: [(String, JSONOutput)] = [("id", .string(rule.rawValue))]
    if let summary { members.append(("shortDescription", text(summary))) }
    return .object(members)
  }

  private static func log(rules: [JSONOutput], results: [JSONOutput]) -> JSONOutput {
    let driver = JSONOutput.object([
      ("name", .string("apollo-cli")), ("rules", .array(rules)),
    ])
    return .object([
      ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
      ("version", .string("2.1.0")),
      (
        "runs",
        .array([
          .object([
            ("tool", .object([("driver", driver)])),
            ("columnKind", .string("unicodeCodePoints")),
            ("results", .array(results)),
          ])
        ])
      ),
    ])
  }

  private static func result(
    _ diagnostic: Diagnostic, ruleIndex: Int, _ locations: inout LocationTable
  ) -> JSONOutput {
    var members: [(String, JSONOutput)] = [
      ("ruleId", .string(diagnostic.rule.rawValue)),
      ("ruleIndex", .number(ruleIndex)),
      ("level", .string(diagnostic.severity.rawValue)),
      ("message", message(diagnostic.message)),
    ]
    if let range = locations.range(of: diagnostic) {
      members.append(("locations", .array([.object([physicalLocation(range)])])))
    }
    var related: [JSONOutput] = []
    for (index, note) in diagnostic.notes.enumerated() {
      let location = physicalLocation(locations.range(of: note.span))
      related.append(
        .object([("id", .number(index)), location, ("message", message(note.message))]))
    }
    if !related.isEmpty { members.append(("relatedLocations", .array(related))) }
    var fixes: [JSONOutput] = []
    for fixIt in diagnostic.fixIts {
      fixes.append(fix(fixIt, &locations))
    }
    if !fixes.isEmpty { members.append(("fixes", .array(fixes))) }
    return .object(members)
  }

  private static func fix(_ fixIt: Diagnostic.FixIt, _ locations: inout LocationTable) -> JSONOutput
  {
    var changes: [JSONOutput] = []
    for edit in fixIt.edits {
      let range = locations.range(of: edit.span)
      let replacement = JSONOutput.object([
        ("deletedRegion", region(range)), ("insertedContent", text(edit.replacement)),
      ])
      changes.append(
        .object([
          ("artifactLocation", artifact(range)), ("replacements", .array([replacement])),
        ]))
    }
    return .object([("description", message(fixIt.message)), ("artifactChanges", .array(changes))])
  }

  private static func physicalLocation(_ range: FileRange) -> (String, JSONOutput) {
    (
      "physicalLocation",
      .object([("artifactLocation", artifact(range)), ("region", region(range))])
    )
  }

  private static func region(_ range: FileRange) -> JSONOutput {
    .object([
      ("startLine", .number(range.start.line)),
      ("startColumn", .number(range.start.column)),
      ("endLine", .number(range.end.line)),
      ("endColumn", .number(range.end.column)),
    ])
  }

  /// Returns a message object. Braces are doubled because single braces enclose placeholders.
  ///
  /// SARIF 2.1.0, 3.11.5, "Messages with placeholders".
  private static func message(_ message: String) -> JSONOutput {
    guard message.utf8.contains(where: \.isBrace) else { return text(message) }
    var escaped = ""
    for scalar in message.unicodeScalars {
      if scalar == "{" || scalar == "}" { escaped.unicodeScalars.append(scalar) }
      escaped.unicodeScalars.append(scalar)
    }
    return text(escaped)
  }

  private static func text(_ text: String) -> JSONOutput {
    .object([("text", .string(text))])
  }

  private static func artifact(_ range: FileRange) -> JSONOutput {
    .object([("uri", .string(uri(ofPath: range.file)))])
  }

  /// Returns `path`, percent-encoded, with a scheme if it is absolute.
  private static func uri(ofPath path: String) -> String {
    let scheme = path.hasPrefix("/") ? "file://" : ""
    guard !path.utf8.allSatisfy(\.isUnreserved) else { return scheme + path }
    return scheme
      + path.utf8.map { byte in
        if byte.isUnreserved { return String(UnicodeScalar(byte)) }
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.count == 1 ? "0" : "") + digits
      }.joined()
  }
}

extension UInt8 {
  fileprivate var isBrace: Bool { self == UInt8(ascii: "{") || self == UInt8(ascii: "}") }

  /// A Boolean value that indicates whether the byte needs no escape in the path of a URI.
  ///
  /// RFC 3986, 2.3, "Unreserved Characters", and the slash.
  fileprivate var isUnreserved: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
