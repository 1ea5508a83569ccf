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
    let lists = document.lists(withoutField: ObjectIdentification.field).filter { id in
      isWithoutKey(id, in: document, identification)
    }
    guard let first = lists.first else { return [] }
    let names = lists.dropFirst().prefix(maximumNoteCount).map { id in
      Diagnostic.Note("and here", at: document.document[id].name.span)
    }
    let rest = lists.count - 1 - names.count
    return [
      Diagnostic(
        rule: .cacheKeys, severity: severity,
        message: message(
          document.document.spelling(document.document[first].name), identification.isPossible,
          rest: rest),
        at: document.document[first].name.span, notes: names)
    ]
  }

  private static func message(_ field: String, _ hasField: Bool, rest: Int) -> String {
    "The objects of the list \"\(field)\" have no cache key, so watchers of the list do not notice "
      + "when a mutation changes one of them. "
      + (hasField
        ? "Select \"\(ObjectIdentification.field)\" in it, or return another key in "
          + "'SchemaConfiguration'."
        : "Return a key in 'SchemaConfiguration', or name key fields with '@typePolicy'.")
      + (rest > 0 ? " \(rest) more \(rest == 1 ? "list is" : "lists are") like it." : "")
  }

  /// Returns `true` if the objects of a list could have a key and have none.
  ///
  /// In a schema with identified types, objects of other types are meant to be a part of their
  /// parent, as the edges of a connection are.
  private static func isWithoutKey(
    _ id: GraphQLSyntax.Field.ID, in document: ValidatedDocument,
    _ identification: ObjectIdentification
  ) -> Bool {
    let schema = document.schema
    guard let definition = document.types.definition(of: id) else { return false }
    let type = schema[definition].type.namedType
    // Introspection is not cached.
    guard !schema.name(of: type).hasPrefix("__"), !hasPolicy(type, schema) else { return false }
    guard identification.isPossible else { return true }
    return schema.names.symbol(for: ObjectIdentification.field)
      .map { schema.canIdentify(type, by: $0) } ?? false
  }

  /// Returns `true` if a type, or one of those that its objects can have, names key fields.
  private static func hasPolicy(_ type: Schema.NamedType.ID, _ schema: Schema) -> Bool {
    let types =
      [type] + schema[schema[type].interfaces].map(\.type) + Array(schema.possibleTypes(of: type))
    return types.contains { type in
      schema.directives(of: type).contains {
        schema.document.spelling($0.name) == "typePolicy"
      }
    }
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
