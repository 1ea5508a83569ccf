/// Conversions of the letter case of names.
enum Casing {
  /// Makes the first letter upper case: `hero` → `Hero`, `_hero` → `_Hero`.
  static func capitalizingFirstLetter(_ name: String) -> String {
    changingFirstLetter(name) { $0.uppercased() }
  }

  /// Makes the first letter, or a name in upper case, lower case: `Hero` → `hero`, `URL` → `url`,
  /// `FOO_BAR` → `foo_bar`, `URLPath` → `uRLPath`.
  static func idiomatic(_ name: String) -> String {
    isAllUppercase(name) ? name.lowercased() : changingFirstLetter(name) { $0.lowercased() }
  }

  /// Joins the words of a name: `NEW_HOPE` → `newHope`, `snake_case` → `snakeCase`, `Mixed` →
  /// `mixed`. Underscores at the ends are kept.
  static func camelCase(_ name: String) -> String {
    let leading = name.prefix { $0 == "_" }
    guard leading.count < name.count else { return name }
    let trailing = name.reversed().prefix { $0 == "_" }
    let words = name.split(separator: "_").map { word in
      isAllUppercase(word) ? word.lowercased() : String(word)
    }
    let first = changingFirstLetter(words[0]) { $0.lowercased() }
    let rest = words.dropFirst().map { capitalizingFirstLetter($0) }.joined()
    return leading + first + rest + trailing
  }

  /// Makes the first letter lower case: `AsDroid` → `asDroid`.
  static func loweringFirstLetter(_ name: String) -> String {
    changingFirstLetter(name) { $0.lowercased() }
  }

  static func isAllUppercase(_ name: some StringProtocol) -> Bool {
    var hasLetter = false
    for byte in name.utf8 {
      if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) { return false }
      if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) { hasLetter = true }
    }
    return hasLetter
  }

  private static func changingFirstLetter(_ name: String, _ change: (String) -> String) -> String {
    guard let index = name.firstIndex(where: { $0 != "_" && !$0.isNumber }) else { return name }
    return name[..<index] + change(String(name[index])) + name[name.index(after: index)...]
  }
}
