import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax

/// Makes up values of scalars and enums.
struct LeafGenerator: Sendable {
  let schema: Schema
  /// The values of custom scalars that the program has given.
  let scalars: [String: [JSONValue]]

  /// Returns a value of a scalar or an enum.
  ///
  /// - Parameters:
  ///   - type: The scalar or enum.
  ///   - field: The name of the field, which texts are made of.
  ///   - seed: The seed of the object and the field.
  /// - Returns: A value that responses can have.
  func value(of type: Schema.NamedType.ID, field: String, _ seed: Seed) -> JSONValue {
    let name = schema.name(of: type)
    if schema[type].kind == .enum {
      let all = schema[schema[type].enumValues]
      let current = all.filter { !$0.isDeprecated }
      let values = current.isEmpty ? Array(all) : current
      guard !values.isEmpty else { return .null }
      return .string(schema.spelling(values[seed.number(below: values.count)].name))
    }
    if let values = scalars[name], !values.isEmpty {
      return values[seed.number(below: values.count)]
    }
    switch name {
    case "Int": return .int(Int64(integer(field, seed)))
    case "Float": return .double(Double(seed.number(below: 100_000)) / 100)
    case "Boolean": return .bool(seed.number(below: 2) == 1)
    case "ID": return .string("\(field)-\(seed.number(below: 1_000))")
    case "String": return .string(text(field, seed))
    default: return custom(name.lowercased(), name, field, seed)
    }
  }

  private func integer(_ field: String, _ seed: Seed) -> Int {
    let field = field.lowercased()
    if field.hasSuffix("year") { return 1990 + seed.number(below: 36) }
    if field == "age" || field.hasSuffix("percentage") { return seed.number(below: 100) }
    return seed.number(below: 1_000)
  }

  // MARK: Texts

  private static let adjectives = [
    "amber", "bright", "calm", "deep", "early", "fair", "gentle", "hollow", "ivory", "keen",
    "lunar", "mellow", "noble", "olive", "plain", "quiet", "rapid", "silver", "tidy", "vivid",
  ]
  private static let nouns = [
    "anchor", "bridge", "canyon", "delta", "ember", "forest", "garden", "harbor", "island", "jetty",
    "kettle", "lantern", "meadow", "needle", "orchard", "pebble", "quarry", "river", "summit",
    "valley",
  ]

  private func words(_ seed: Seed) -> (String, String) {
    (
      Self.adjectives[seed.number(below: Self.adjectives.count)],
      Self.nouns[seed.adding("noun").number(below: Self.nouns.count)]
    )
  }

  private func text(_ field: String, _ seed: Seed) -> String {
    let (first, second) = words(seed)
    let name = field.lowercased()
    if name.hasSuffix("email") { return "\(first).\(second)@example.com" }
    if name.hasSuffix("url") || name.hasSuffix("uri") || name.hasSuffix("link") {
      return "https://example.com/\(first)/\(second)"
    }
    if name.hasSuffix("at") && field.hasSuffix("At") || name.hasSuffix("datetime") {
      return dateTime(seed)
    }
    if name.hasSuffix("date") { return date(seed) }
    if name.hasSuffix("slug") || name.hasSuffix("login") || name.hasSuffix("username") {
      return "\(first)-\(second)"
    }
    if ["description", "text", "body", "summary", "content", "message", "comment"]
      .contains(where: name.hasSuffix)
    {
      let (third, fourth) = words(seed.adding("more"))
      return "A \(first) \(second) and a \(third) \(fourth)."
    }
    return "\(first.prefix(1).uppercased())\(first.dropFirst()) \(second)"
  }

  // MARK: Custom scalars

  /// Returns a value of a custom scalar, by its name. Most are texts, since generated code has a
  /// text for a custom scalar unless the project says otherwise.
  private func custom(
    _ lowercase: String, _ name: String, _ field: String, _ seed: Seed
  ) -> JSONValue {
    func has(_ parts: String...) -> Bool { parts.contains { lowercase.contains($0) } }
    let words = Self.words(of: name)
    func hasWord(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
    if hasWord("json", "jsonb", "map", "dictionary") || lowercase == "object" {
      return .object([field: .string(text(field, seed))])
    }
    if let last = words.last, ["id", "objectid", "globalid"].contains(last) {
      return .string("\(field)-\(seed.number(below: 1_000))")
    }
    if has("datetime", "timestamp", "iso8601", "date_time") || hasWord("instant") {
      return .string(dateTime(seed))
    }
    if has("date") && !has("update") || hasWord("day") { return .string(date(seed)) }
    if hasWord("duration") { return .string("PT\(seed.number(below: 59) + 1)M") }
    if has("timezone") || lowercase.hasSuffix("time_zone") { return "Europe/Berlin" }
    if hasWord("time", "timetz", "localtime") { return .string(time(seed)) }
    if hasWord("uuid", "guid") { return .string(uuid(seed)) }
    if hasWord("email") { return .string(text("email", seed)) }
    if hasWord("uri", "link") || lowercase.hasSuffix("url") { return .string(text("url", seed)) }
    if hasWord("long", "int64", "positive", "unsigned") || has("positiveint", "nonnegativeint") {
      return .int(Int64(seed.number(below: 1_000_000)))
    }
    if has("bigint") { return .string("\(seed.number(below: 1_000_000_000))") }
    if hasWord("decimal", "money", "price", "numeric") || lowercase == "bigdecimal" {
      let cents = seed.number(below: 100_000)
      return .string("\(cents / 100).\(cents % 100 / 10)\(cents % 10)")
    }
    if hasWord("color", "colour") { return .string("#\(hexadecimal(seed, 6))") }
    if hasWord("cursor") { return .string("\(field)-\(seed.number(below: 1_000))") }
    if hasWord("html") { return .string("<p>\(text("name", seed))</p>") }
    return .string("\(name) \(seed.number(below: 1_000))")
  }

  /// Returns `true` for a custom scalar about whose texts its name says nothing but that it may be
  /// a key.
  func isPlainText(_ type: Schema.NamedType.ID) -> Bool {
    let name = schema.name(of: type)
    guard schema[type].kind == .scalar, scalars[name]?.isEmpty ?? true else { return false }
    let (field, seed) = ("key", Seed(0))
    let value = custom(name.lowercased(), name, field, seed)
    let number = seed.number(below: 1_000)
    return value == .string("\(name) \(number)") || value == .string("\(field)-\(number)")
  }

  /// Returns the words of a name in lower case: "json" and "object" of `JSONObject`.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    let letters = Array(name)
    for (index, letter) in letters.enumerated() {
      guard letter.isLetter || letter.isNumber else {
        words.append(word)
        word = ""
        continue
      }
      let follows = index > 0 && !letters[index - 1].isUppercase
      let precedes = index + 1 < letters.count && letters[index + 1].isLowercase
      if letter.isUppercase, follows || precedes {
        words.append(word)
        word = ""
      }
      word += letter.lowercased()
    }
    return (words + [word]).filter { !$0.isEmpty }
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func date(_ seed: Seed) -> String {
    let seed = seed.adding("date")
    let day = seed.number(below: 6 * 12 * 28)
    return "\(2020 + day / 336)-\(two(day / 28 % 12 + 1))-\(two(day % 28 + 1))"
  }

  private func time(_ seed: Seed) -> String {
    let second = seed.adding("time").number(below: 86_400)
    return "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
  }

  private func dateTime(_ seed: Seed) -> String { "\(date(seed))T\(time(seed))Z" }

  private func hexadecimal(_ seed: Seed, _ count: Int) -> String {
    var digits = ""
    for index in 0..<count {
      digits += String(seed.adding(index).number(below: 16), radix: 16)
    }
    return digits
  }

  /// A UUID of version 4.
  private func uuid(_ seed: Seed) -> String {
    let digits = Array(hexadecimal(seed.adding("uuid"), 31))
    func part(_ range: Range<Int>) -> String { String(digits[range]) }
    return "\(part(0..<8))-\(part(8..<12))-4\(part(12..<15))-a\(part(16..<19))-\(part(19..<31))"
  }
}
