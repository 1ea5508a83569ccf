/// Gives the words inside a camel-case name the letter case that the configuration's rules ask for: `userId` → `userID`.
///
/// Names of properties stay such: where a rule makes a word upper case, the first word of `urlPath` stays lower case, as Swift's
/// own names do it (`urlPath`, but `baseURL`).
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

  /// A name whose first word has a capital letter: that of a type.
  func type(_ name: String) -> String {
    rules.isEmpty ? name : Self.words(of: name).map { capitalized($0) ?? $0 }.joined()
  }

  /// A name whose first word begins with a small letter: that of a property or a case.
  func member(_ name: String) -> String {
    guard !rules.isEmpty else { return name }
    var isFirst = true
    return Self.words(of: name).map { word in
      guard word != "_" else { return word }
      defer { isFirst = false }
      guard let changed = capitalized(word) else { return word }
      return isFirst ? Casing.idiomatic(changed) : changed
    }.joined()
  }

  /// What the first rule that fits makes of a word; `nil` when none does.
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

  /// The words of a name, each underscore apart: `baseURLOf_x2Id` → `base`, `URL`, `Of`, `_`, `x2`, `Id`.
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
    // The last capital of `URLPath` belongs to the word behind it.
    return index + 1 < letters.count && letters[index + 1].isLowercase
  }
}

/// A regular expression of the configuration that is none.
struct InvalidRegex: Error, Hashable {
  /// Where it is in the configuration.
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
