/// Changes the letter case of words inside of a camel-case name by the rules of the configuration:
/// `userId` → `userID`.
///
/// The first word of a property stays lower case even if a rule makes it upper case, as in Swift's
/// own names: `urlPath`, but `baseURL`.
struct Capitalizer: Sendable {
  private let rules: [Rule]

  private struct Rule: @unchecked Sendable {
    // Because `Regex` is immutable here and only lacks the annotation.
    let pattern: Regex<AnyRegexOutput>
    let strategy: ApolloCodegenConfiguration.CapitalizationRule.Strategy
  }

  init(
    _ rules: [ApolloCodegenConfiguration.CapitalizationRule] = []
  ) throws(InvalidRegex) {
    var compiled: [Rule] = []
    for (index, rule) in rules.enumerated() {
      let pattern: Regex<AnyRegexOutput>
      switch rule.term {
      case .string(let word): pattern = Regex(verbatim: word)
      case .regex(let text):
        pattern = try InvalidRegex.compile(
          text, at: "options.additionalCapitalizationRules[\(index)].term.regex")
      }
      compiled.append(Rule(pattern: pattern.ignoresCase(), strategy: rule.strategy))
    }
    self.rules = compiled
  }

  /// Capitalizes the words of a type's name, which starts with an upper-case letter.
  func type(_ name: String) -> String {
    guard !rules.isEmpty else { return name }
    return NameConversions.swiftName(
      Self.words(of: name).map { capitalized($0) ?? $0 }.joined(), or: name)
  }

  /// Capitalizes the words of a property's or case's name, which starts with a lower-case letter.
  func member(_ name: String) -> String {
    guard !rules.isEmpty else { return name }
    var isFirst = true
    let words = Self.words(of: name).map { word in
      guard word != "_" else { return word }
      defer { isFirst = false }
      guard let changed = capitalized(word) else { return word }
      return isFirst ? Casing.idiomatic(changed) : changed
    }
    return NameConversions.swiftName(words.joined(), or: name)
  }

  /// Applies the first rule that matches a word. Returns `nil` if no rule matches.
  private func capitalized(_ word: String) -> String? {
    for rule in rules where word.wholeMatch(of: rule.pattern) != nil {
      return switch rule.strategy {
      case .upper: word.uppercased()
      case .lower: word.lowercased()
      case .replace(let text): text
      }
    }
    return nil
  }

  /// Returns the words of a name, and each underscore as a word: `baseURLOf_x2Id` → `base`, `URL`,
  /// `Of`, `_`, `x2`, `Id`.
  static func words(of name: String) -> [String] {
    let letters = Array(name)
    var words: [String] = []
    var start = 0
    for index in letters.indices.dropFirst() where isBoundary(index, letters) {
      words.append(String(letters[start..<index]))
      start = index
    }
    if start < letters.count { words.append(String(letters[start...])) }
    return words
  }

  private static func isBoundary(_ index: Int, _ letters: [Character]) -> Bool {
    let (previous, letter) = (letters[index - 1], letters[index])
    if previous == "_" || letter == "_" { return true }
    guard letter.isUppercase else { return false }
    if !previous.isUppercase { return true }
    // The last capital of `URLPath` belongs to the next word.
    return index + 1 < letters.count && letters[index + 1].isLowercase
  }
}

/// A regular expression of the configuration that cannot be compiled.
struct InvalidRegex: Error, Hashable {
  /// The path of the expression in the configuration.
  var path: String
  var pattern: String

  static func compile(
    _ pattern: String, at path: String
  ) throws(InvalidRegex) -> Regex<AnyRegexOutput> {
    do {
      return try Regex(pattern)
    } catch {
      throw InvalidRegex(path: path, pattern: pattern)
    }
  }
}
