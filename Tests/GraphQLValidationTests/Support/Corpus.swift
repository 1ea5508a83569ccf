import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The reference verdicts that lie beside the repository, in `shared/corpus`.
enum Corpus {
  static let directory = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../../shared/corpus", isDirectory: true).standardized

  /// Reads a file, or says that it is not there.
  static func read<File: Decodable>(_ name: String, as type: File.Type) throws -> File? {
    let url = directory.appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: url.path) else {
      print("\(name): not checked, \(url.path) does not exist.")
      return nil
    }
    return try JSONDecoder().decode(type, from: Data(contentsOf: url))
  }
}

/// An error as a corpus states it, or as we found it.
struct CorpusError: Decodable, Hashable {
  struct Location: Decodable, Hashable {
    var line: Int
    var column: Int
  }

  /// Without the suffix `Rule`.
  var rule: String
  var message: String
  var locations: [Location]

  /// What must agree.
  struct Identity: Hashable {
    var rule: String
    var locations: [Location]
  }

  var identity: Identity { Identity(rule: rule, locations: locations) }

  /// The message with one kind of quotes.
  var comparableMessage: String { message.replacingOccurrences(of: "'", with: "\"") }

  enum CodingKeys: CodingKey {
    case rule, message, locations
  }

  init(rule: String, message: String, locations: [Location]) {
    self.rule = rule.hasSuffix("Rule") ? String(rule.dropLast(4)) : rule
    self.message = message
    self.locations = locations
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      rule: try container.decodeIfPresent(String.self, forKey: .rule) ?? "",
      message: try container.decode(String.self, forKey: .message),
      locations: try container.decodeIfPresent([Location].self, forKey: .locations) ?? [])
  }
}

/// Parses and validates a text, and returns all errors as a corpus states them.
func errors(
  in text: String, against schema: Schema, _ configuration: ValidationConfiguration
) -> [CorpusError] {
  var document = Document(names: schema.names)
  var diagnostics = document.parse(Source(name: "document", text: text))
  diagnostics += validate(document, against: schema, configuration: configuration).diagnostics
  var table = LocationTable(document.sources)
  return diagnostics.map { diagnostic in
    let spans = [diagnostic.span].compactMap { $0 } + diagnostic.notes.map(\.span)
    return CorpusError(
      rule: diagnostic.rule.rawValue, message: diagnostic.message,
      locations: spans.map {
        let location = table.location(of: $0.start)
        return CorpusError.Location(line: location.line, column: location.column)
      })
  }
}
