/// An error as a corpus states it, or as a test found it.
package struct CorpusError: Decodable, Hashable, Sendable {
  package struct Location: Decodable, Hashable, Sendable {
    package var line: Int
    package var column: Int
    /// The name of the source, if the case has several and this is not the main one.
    package var source: String?

    package init(line: Int, column: Int, source: String? = nil) {
      self.line = line
      self.column = column
      self.source = source
    }
  }

  /// The properties that must be equal for two errors to agree.
  package struct Identity: Hashable {
    var rule: String
    var locations: [Location]
  }

  /// The rule without the suffix `Rule`, or an empty string if the corpus does not name it.
  package var rule: String
  package var message: String
  package var locations: [Location]

  package var identity: Identity { Identity(rule: rule, locations: locations) }

  /// The error without locations, for comparisons in which they do not matter.
  package var withoutLocations: CorpusError {
    CorpusError(rule: rule, message: message, locations: [])
  }

  /// The message with all quotes replaced by double quotes.
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
