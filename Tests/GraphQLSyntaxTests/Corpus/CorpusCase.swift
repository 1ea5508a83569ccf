/// A file of cases.
struct CorpusFile: Decodable {
  var cases: [CorpusCase]
}

/// A case of any file. Most members are optional because the files differ.
struct CorpusCase: Decodable, Sendable {
  struct Location: Decodable, Hashable, Sendable {
    var line: Int
    var column: Int
  }

  struct Failure: Decodable, Sendable {
    var message: String
    var locations: [Location]?

    private enum CodingKeys: CodingKey { case message, locations }

    /// Decodes an object, or a plain message for a coordinate that cannot be resolved.
    init(from decoder: any Decoder) throws {
      if let message = try? decoder.singleValueContainer().decode(String.self) {
        self.message = message
        return
      }
      let container = try decoder.container(keyedBy: CodingKeys.self)
      message = try container.decode(String.self, forKey: .message)
      locations = try container.decodeIfPresent([Location].self, forKey: .locations)
    }
  }

  struct Token: Decodable, Hashable, Sendable {
    var kind: String
    var line: Int
    var column: Int
    var start: Int
    var end: Int
    var value: String?
  }

  /// The arguments of a function for block strings.
  struct Arguments: Decodable, Sendable {
    var lines: [String]?
    var value: String?
    var s: String?
    var minimize: Bool?

    private enum CodingKeys: CodingKey { case lines, value, s, minimize }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      lines = try container.decodeIfPresent([String].self, forKey: .lines)
      // Some cases contain objects of the reference's own tests, which JSON cannot represent.
      value = try? container.decodeIfPresent(String.self, forKey: .value)
      s = try container.decodeIfPresent(String.self, forKey: .s)
      minimize = try container.decodeIfPresent(Bool.self, forKey: .minimize)
    }
  }

  enum Result: Decodable, Sendable {
    case text(String)
    case lines([String])
    case flag(Bool)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else {
        self = .lines(try container.decode([String].self))
      }
    }
  }

  var id: String
  var kind: String?
  var input: String?
  var text: String?
  var ok: Bool?
  var printed: String?
  var printed_v17: String?
  var error: Failure?
  var reference_error: Failure?
  var tokens: [Token]?
  var fn: String?
  var args: Arguments?
  var result: Result?
  var lang: String?
  var parses_as_document: Bool?
  var parse_error: Failure?
  var coordinate: String?
  var lexer_only: Bool?
  var apollo_rs_parses: Bool?
  var apollo_rs_lexes: Bool?

  private enum CodingKeys: String, CodingKey {
    case id, kind, input, text, ok, printed, printed_v17, error, reference_error, tokens, fn, args
    case result, lang, parses_as_document, parse_error, coordinate, lexer_only
    case apollo_rs_parses, apollo_rs_lexes
  }
}
