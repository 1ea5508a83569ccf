import Foundation
import Testing

/// A document of our own, and the diagnostics that it is expected to have.
///
/// A file holds any number of cases:
///
/// ```
/// === reports a field that its type does not have
/// query { book(id: 1) { 1️⃣pages2 } }
/// --- FieldsOnCorrectType 1️⃣ Cannot query field "pages2" on type "Book". Did you mean "pages"?
/// ```
///
/// The first line of a case is its name. A document with a result has a line with `+++` between
/// both. A line with `---` has a rule, the markers of its positions
/// and a message. Markers in the document stand for positions and are removed from its text. A case
/// without such lines is valid.
package struct DocumentCase: Sendable, CustomTestStringConvertible {
  /// The first line of the case.
  package let name: String
  /// The document, without markers.
  package let text: String
  /// The text of the expected diagnostics, sorted. See ``line(rule:locations:message:)``.
  package let diagnostics: [String]

  package var testDescription: String { name }
  package var isValid: Bool { diagnostics.isEmpty }
  /// The parts of the document, which lines with `+++` separate.
  package var parts: [String] {
    "\(text)\n".components(separatedBy: "\n+++\n").map {
      $0.hasSuffix("\n") ? String($0.dropLast()) : $0
    }
  }

  /// Reads a file of cases.
  ///
  /// - Parameters:
  ///   - name: The file, in the folder `Documents` of the tests.
  ///   - testFile: A file of the tests, two levels below their folder.
  /// - Returns: The cases in the order of the file.
  package static func cases(in name: String, testFile: String = #filePath) -> [DocumentCase] {
    text(of: name, testFile: testFile).components(separatedBy: "=== ").dropFirst().map(Self.init)
  }

  /// The text of a file in the folder `Documents` of the tests.
  package static func text(of name: String, testFile: String = #filePath) -> String {
    let folder = URL(fileURLWithPath: testFile).deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = folder.appendingPathComponent("Documents").appendingPathComponent(name)
    guard let data = try? Data(contentsOf: file) else {
      preconditionFailure("There is no file '\(file.path)'.")
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// The text of a diagnostic, for comparisons.
  package static func line(
    rule: String, locations: [CorpusError.Location], message: String
  ) -> String {
    "\(rule) \(locations.map { "\($0.line):\($0.column)" }.joined(separator: " ")) \(message)"
  }
}

extension DocumentCase {
  private static let markers: [Character] = [
    "1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣", "9️⃣",
  ]

  private init(_ block: String) {
    var lines = block.components(separatedBy: "\n")
    while lines.last == "" { lines.removeLast() }
    let expectations = lines.filter { $0.hasPrefix("--- ") }
    var places: [Character: CorpusError.Location] = [:]
    var document: [String] = []
    for line in lines.dropFirst() where !line.hasPrefix("--- ") {
      var text = ""
      for character in line {
        guard Self.markers.contains(character) else {
          text.append(character)
          continue
        }
        places[character] = CorpusError.Location(
          line: document.count + 1, column: text.unicodeScalars.count + 1)
      }
      document.append(text)
    }
    name = lines.first ?? ""
    text = document.joined(separator: "\n")
    diagnostics = expectations.map { Self.line($0, places) }.sorted()
  }

  /// Replaces the markers of an expectation by their positions.
  private static func line(_ text: String, _ places: [Character: CorpusError.Location]) -> String {
    let words = text.dropFirst("--- ".count)
    let rule = words.prefix { $0 != " " }
    let rest = words.dropFirst(rule.count).drop { $0 == " " }
    let used = rest.prefix(while: markers.contains)
    return line(
      rule: String(rule), locations: used.compactMap { places[$0] },
      message: String(rest.dropFirst(used.count).drop { $0 == " " }))
  }
}
