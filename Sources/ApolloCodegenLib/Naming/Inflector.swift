/// A converter from the plural name of a list field to the singular name of its elements.
struct Inflector {
  /// The regular expressions of the configuration, the last one first.
  private var additional: [Rule] = []
  private var uncountable: Set<String> = [
    "equipment", "fish", "information", "jeans", "money", "news", "police", "rice", "series",
    "sheep", "species",
  ]
  /// Plural endings of words and their replacements. An ending comes before those that it ends in.
  private var irregular: [(plural: String, singular: String)] = [
    ("people", "person"), ("children", "child"), ("women", "woman"), ("men", "man"),
    ("mice", "mouse"), ("moves", "move"), ("sexes", "sex"), ("zombies", "zombie"),
    ("axes", "axis"), ("axis", "axis"), ("lives", "life"),
  ]

  /// A regular expression of the configuration, compiled once.
  private struct Rule: @unchecked Sendable {
    // Because `Regex` is immutable here and only lacks the annotation.
    let pattern: Regex<AnyRegexOutput>
    let replacement: String
  }

  init(
    _ rules: [ApolloCodegenConfiguration.InflectionRule] = []
  ) throws(InvalidRegex) {
    for (index, rule) in rules.enumerated() {
      let path = "options.additionalInflectionRules[\(index)]"
      switch rule {
      case .singularization(let pattern, let replacement):
        let compiled = try InvalidRegex.compile(
          pattern, at: "\(path).singularization.pluralRegex")
        additional.insert(Rule(pattern: compiled.ignoresCase(), replacement: replacement), at: 0)
      case .pluralization(let pattern, _):
        // Only the singular is ever needed, but the expression is still checked.
        _ = try InvalidRegex.compile(pattern, at: "\(path).pluralization.singularRegex")
      case .irregular(let singular, let plural):
        irregular.insert((plural.lowercased(), singular.lowercased()), at: 0)
      case .uncountable(let word): uncountable.insert(word.lowercased())
      }
    }
  }

  /// Returns the singular of a name: `friends` → `friend`, `relatedPeople` → `relatedPerson`,
  /// `series` → `series`.
  ///
  /// 1. A name that is an irregular word, or one without a plural, is converted.
  /// 2. The regular expressions of the configuration are tried, the last one first, as in Apollo
  ///    iOS: exceptions are written after the general rule.
  /// 3. A name that ends in one of the words of step 1 is converted.
  /// 4. The first regular ending that matches is replaced.
  ///
  /// The name stays as it is if its singular is no name in Swift: nothing is left of `s` without
  /// its ending, and a rule of the configuration can insert anything.
  func singular(of name: String) -> String {
    NameConversions.swiftName(converted(name), or: name)
  }

  /// Applies the rules to a name, whatever the result is.
  private func converted(_ name: String) -> String {
    let lowercased = name.lowercased()
    if let found = singular(of: name, where: { $0 == lowercased }) { return found }
    for rule in additional {
      if let match = name.firstMatch(of: rule.pattern) {
        return name.replacingCharacters(in: match.range, with: rule.replacement, match: match)
      }
    }
    if let found = singular(of: name, where: { Self.endsInWord($0, lowercased, name) }) {
      return found
    }
    for (ending, replacement) in Self.endings where lowercased.hasSuffix(ending) {
      return Self.replacing(ending, with: replacement, in: name)
    }
    return name
  }

  /// Returns the singular of a name by the first word that fits it, or `nil` if none does. Words
  /// without a plural come first, then the irregular ones, of which the configuration's come first.
  private func singular(of name: String, where fits: (String) -> Bool) -> String? {
    if uncountable.contains(where: fits) { return name }
    return irregular.first { fits($0.plural) }
      .map { Self.replacing($0.plural, with: $0.singular, in: name) }
  }

  /// Regular endings. The first match applies; an ending that is replaced by itself ends the
  /// search.
  private static let endings: [(String, String)] = [
    ("ss", "ss"), ("statuses", "status"), ("status", "status"), ("aliases", "alias"),
    ("alias", "alias"), ("buses", "bus"), ("bus", "bus"), ("viruses", "virus"),
    ("analyses", "analysis"), ("bases", "base"), ("crises", "crisis"),
    ("diagnoses", "diagnosis"), ("theses", "thesis"), ("sis", "sis"),
    ("quizzes", "quiz"), ("matrices", "matrix"), ("vertices", "vertex"), ("indices", "index"),
    ("movies", "movie"), ("cookies", "cookie"), ("shoes", "shoe"), ("oes", "o"),
    // Not all words in "series" are like "timeseries".
    ("nurseries", "nursery"), ("miseries", "misery"), ("sseries", "sserie"),
    ("series", "series"), ("species", "species"),
    ("quies", "quy"), ("aies", "aie"), ("eies", "eie"), ("oies", "oie"), ("ies", "y"),
    ("lves", "lf"), ("arves", "arf"), ("knives", "knife"), ("wives", "wife"),
    ("leaves", "leaf"), ("thieves", "thief"),
    ("xes", "x"), ("ches", "ch"), ("sshes", "ssh"), ("shes", "sh"), ("sses", "ss"),
    ("data", "datum"), ("media", "medium"), ("criteria", "criterion"),
    // Most words in "us" are singular, such as "campus". These are not.
    ("menus", "menu"), ("skus", "sku"), ("cpus", "cpu"), ("gpus", "gpu"), ("gurus", "guru"),
    ("eaus", "eau"), ("us", "us"), ("s", ""),
  ]

  /// Returns `true` if `name` is `word`, or ends in it at the start of a camel-case or snake-case
  /// word.
  private static func endsInWord(_ word: String, _ lowercased: String, _ name: String) -> Bool {
    guard !word.isEmpty, lowercased.hasSuffix(word) else { return false }
    let start = name.index(name.endIndex, offsetBy: -word.count)
    return start == name.startIndex || name[start].isUppercase
      || name[name.index(before: start)] == "_"
  }

  private static func replacing(
    _ ending: String, with replacement: String, in name: String
  ) -> String {
    let start = name.index(name.endIndex, offsetBy: -ending.count)
    let common = zip(ending, replacement).prefix { $0 == $1 }.count
    let kept = name.index(start, offsetBy: common)
    return String(name[..<kept] + replacement.dropFirst(common))
  }
}

extension String {
  /// Returns the text with `range` replaced. `$0` in the replacement is the match, and `$1` … `$9`
  /// are its captures.
  fileprivate func replacingCharacters(
    in range: Range<Index>, with replacement: String, match: Regex<AnyRegexOutput>.Match
  ) -> String {
    var inserted = replacement
    for index in 0...9 where index < match.output.count {
      inserted = inserted.replacing("$\(index)", with: match.output[index].substring ?? "")
    }
    return String(self[..<range.lowerBound] + inserted + self[range.upperBound...])
  }
}
