/// An error as a corpus states it, or as we found it.
package struct CorpusError: Decodable, Hashable, Sendable {
  package struct Location: Decodable, Hashable, Sendable {
    package var line: Int
    package var column: Int
    /// The name of the source where a case has several and this is not the main one.
    package var source: String?

    package init(line: Int, column: Int, source: String? = nil) {
      self.line = line
      self.column = column
      self.source = source
    }
  }

  /// The part of an error that must agree.
  package struct Identity: Hashable {
    var rule: String
    var locations: [Location]
  }

  /// Without the suffix `Rule`; empty where the corpus names none.
  package var rule: String
  package var message: String
  package var locations: [Location]

  package var identity: Identity { Identity(rule: rule, locations: locations) }

  /// The error where the places do not matter.
  package var withoutLocations: CorpusError {
    CorpusError(rule: rule, message: message, locations: [])
  }

  /// The message with one kind of quotes.
  package var comparableMessage: String { message.replacing("'", with: "\"") }

  package init(rule: String, message: String, locations: [Location]) {
    self.rule = rule.hasSuffix("Rule") ? String(rule.dropLast(4)) : rule
    self.message = message
    self.locations = locations
  }

  private enum CodingKeys: CodingKey { case rule, message, locations }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      rule: try container.decodeIfPresent(String.self, forKey: .rule) ?? "",
      message: try container.decode(String.self, forKey: .message),
      locations: try container.decodeIfPresent([Location].self, forKey: .locations) ?? [])
  }
}
