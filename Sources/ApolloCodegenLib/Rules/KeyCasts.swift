import GraphQLSyntax

/// Warns of casts of an object's values in the user's `SchemaConfiguration`.
///
/// In Apollo iOS such a value can be of any type, and programs read `object["id"] as? String`. Here
/// it is a `JSONValue`: the cast compiles and is always `nil`, so that no object has a key.
enum KeyCasts {
  static let rule: Diagnostic.Rule = "KeyCasts"

  /// Looks for casts of what a subscript with a literal returns.
  ///
  /// - Parameters:
  ///   - found: The `SchemaConfiguration` in the project.
  ///   - path: Its path, as it is displayed.
  /// - Returns: One warning, at the first cast, or nothing.
  static func diagnostics(_ found: UserFiles.Configuration, at path: String) -> [Diagnostic] {
    guard case .text(let text) = found else { return [] }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard let index = lines.firstIndex(where: hasCast) else { return [] }
    return [
      Diagnostic(
        rule: rule, severity: .warning,
        message:
          "'\(path):\(index + 1)' casts a value of an object, which is a 'JSONValue', so that "
          + "'as?' is always nil and objects have no cache key. Write "
          + "'object[\"id\"]?.stringValue', or 'try? CacheKeyInfo(jsonValue: object[\"id\"])'.",
        at: nil)
    ]
  }

  /// Returns whether a line has `"] as?` or `"] as!`, and is no comment.
  private static func hasCast(_ line: Substring) -> Bool {
    !line.drop { $0 == " " || $0 == "\t" }.hasPrefix("//")
      && ["\"] as? ", "\"] as! "].contains { line.firstRange(of: $0) != nil }
  }
}
