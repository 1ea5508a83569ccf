import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// A hint at lists of objects that have no cache key.
///
/// The cache stores such objects inside of the list. When a mutation changes one of them, watchers
/// of the list are not notified.
enum CacheKeys {
  /// The greatest number of further lists that the hint names.
  private static let maximumNoteCount = 4

  /// Returns one hint for all lists, as long as the `SchemaConfiguration` is the one that the
  /// generator wrote. Code of the user can determine keys from any fields.
  ///
  /// - Parameters:
  ///   - document: The operations.
  ///   - configuration: The configuration, which can give the rule a severity.
  ///   - found: The `SchemaConfiguration` in the project.
  ///   - first: The text that the generator writes into a new one.
  /// - Returns: The hint, or nothing.
  static func diagnostics(
    _ document: ValidatedDocument, _ configuration: ApolloCodegenConfiguration,
    _ found: UserFiles.Configuration, first: String
  ) -> [Diagnostic] {
    let severity =
      RuleSeverities(configuration.ruleSeverities).severity(of: .cacheKeys) ?? .warning
    guard let severity = severity.diagnosticSeverity,
      isFirst(found, first)
    else { return [] }
    let identification = ObjectIdentification(document.schema)
    let keyless = KeylessObjects(in: document, identification).found
    guard let first = keyless.first else { return [] }
    func span(_ found: KeylessObjects.Found) -> SourceSpan {
      document.document[found.field].name.span
    }
    let notes = keyless.dropFirst().prefix(maximumNoteCount).map {
      Diagnostic.Note("and here", at: span($0))
    }
    func name(_ field: Field.ID) -> String {
      document.document.spelling(document.document[field].name)
    }
    let isListItself = first.field == first.list
    let objects =
      isListItself
      ? "The objects of the list \"\(name(first.list))\""
      : "The objects \"\(name(first.field))\" in the list \"\(name(first.list))\""
    return [
      Diagnostic(
        rule: .cacheKeys, severity: severity,
        message: message(
          objects, isListItself ? "it" : "them", identification.isPossible,
          rest: keyless.count - 1 - notes.count),
        at: span(first), notes: notes)
    ]
  }

  private static func message(
    _ objects: String, _ place: String, _ hasField: Bool, rest: Int
  ) -> String {
    "\(objects) have no cache key, so watchers of the list do not notice "
      + "when a mutation changes one of them. "
      + (hasField
        ? "Select \"\(ObjectIdentification.field)\" in \(place), or return another key in "
          + "'SchemaConfiguration'."
        : "Return a key in 'SchemaConfiguration', or name key fields with '@typePolicy'.")
      + (rest > 0 ? " \(rest) more \(rest == 1 ? "list is" : "lists are") like it." : "")
  }

  private static func isFirst(_ found: UserFiles.Configuration, _ first: String) -> Bool {
    switch found {
    case .absent: true
    case .unreadable: false
    case .text(let text): code(of: text) == code(of: first)
    }
  }

  /// The lines that are not comments. Comments count types, whose number changes.
  private static func code(of text: String) -> [Substring] {
    text.split(whereSeparator: \.isNewline)
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
  }
}
