/// Conversions of the letter case of names.
enum Casing {
  /// Makes the first letter upper case: `hero` → `Hero`, `_hero` → `_Hero`.
  static func capitalizingFirstLetter(_ name: String) -> String {
    changingFirstLetter(name, in: UInt8(ascii: "a")...UInt8(ascii: "z")) { $0.uppercased() }
  }

  /// Makes the first letter, or a name in upper case, lower case: `Hero` → `hero`, `URL` → `url`,
  /// `FOO_BAR` → `foo_bar`, `URLPath` → `uRLPath`.
  static func idiomatic(_ name: String) -> String {
    isAllUppercase(name) ? name.lowercased() : loweringFirstLetter(name)
  }

  /// Joins the words of a name: `NEW_HOPE` → `newHope`, `snake_case` → `snakeCase`, `Mixed` →
  /// `mixed`.
  ///
  /// As in Apollo iOS, underscores at the ends are kept, words between underscores lose their
  /// capitals (`iPhone_SE` → `iphoneSe`), and of two underscores in a row one remains.
  static func camelCase(_ name: String) -> String {
    guard name.utf8.contains(underscore) else { return idiomatic(name) }
    let leading = name.prefix { $0 == "_" }
    guard leading.count < name.count else { return name }
    let words = name.dropFirst(leading.count)
      .split(separator: "_", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "_" : capitalized($0) }
    return String(leading) + loweringFirstLetter(words[0]) + words.dropFirst().joined()
  }

  /// Makes each letter behind another one lower case, and the others upper case: `iPhone` →
  /// `Iphone`, `2ND` → `2Nd`.
  private static func capitalized(_ word: Substring) -> String {
    var result = ""
    var isInside = false
    for character in word {
      result += isInside ? character.lowercased() : character.uppercased()
      isInside = character.isLetter
    }
    return result
  }

  /// Makes the first letter lower case: `AsDroid` → `asDroid`.
  static func loweringFirstLetter(_ name: String) -> String {
    changingFirstLetter(name, in: UInt8(ascii: "A")...UInt8(ascii: "Z")) { $0.lowercased() }
  }

  static func isAllUppercase(_ name: some StringProtocol) -> Bool {
    var hasLetter = false
    for byte in name.utf8 {
      if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) { return false }
      if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) { hasLetter = true }
    }
    return hasLetter
  }

  private static let underscore = UInt8(ascii: "_")

  /// Changes the first letter behind underscores and digits.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - range: The ASCII letters that change, all of the same letter case.
  ///   - change: Changes any other letter.
  /// - Returns: The name with the letter in the other case.
  private static func changingFirstLetter(
    _ name: String, in range: ClosedRange<UInt8>, _ change: (String) -> String
  ) -> String {
    let start = name.utf8.firstIndex { $0 != underscore && !(0x30...0x39).contains($0) }
    guard let start else { return name }
    let byte = name.utf8[start]
    if range.contains(byte) {
      var bytes = Array(name.utf8)
      bytes[name.utf8.distance(from: name.startIndex, to: start)] ^= 0x20
      return String(decoding: bytes, as: UTF8.self)
    }
    // Names of GraphQL are ASCII. Labels can be any text.
    if byte < 0x80 { return name }
    guard let index = name.firstIndex(where: { $0 != "_" && !$0.isNumber }) else { return name }
    return name[..<index] + change(String(name[index])) + name[name.index(after: index)...]
  }
}
