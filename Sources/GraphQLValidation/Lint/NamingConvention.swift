import GraphQLSyntax

/// Operations and fragments are named in `UpperCamelCase`, variables and aliases in
/// `lowerCamelCase`.
///
/// Generated types and properties have these names.
enum NamingConvention: WholeRule {
  static let name = LintRule.namingConvention.diagnosticRule

  static func check(_ document: StyledDocument, in context: inout ValidationContext) {
    let document = document.valid.document
    for operation in document.operations {
      if let name = operation.name {
        check(name, as: "operation", isUpper: true, document, &context)
      }
      for variable in document[operation.variables] {
        check(variable.name, as: "variable", isUpper: false, document, &context)
      }
    }
    for fragment in document.fragments {
      check(fragment.name, as: "fragment", isUpper: true, document, &context)
    }
    for field in document.fields {
      if let alias = field.alias { check(alias, as: "alias", isUpper: false, document, &context) }
    }
  }

  private static func check(
    _ name: Name, as kind: String, isUpper: Bool, _ document: Document,
    _ context: inout ValidationContext
  ) {
    let text = document.spelling(name)
    // A leading underscore marks a name as private by convention.
    let letters = text.drop { $0 == "_" }
    guard let first = letters.first else { return }
    let isCamelCase = (isUpper ? first.isUppercase : first.isLowercase) && !letters.contains("_")
    guard !isCamelCase else { return }
    context.report(
      Self.self,
      "The \(kind) \"\(text)\" is not in \(isUpper ? "UpperCamelCase" : "lowerCamelCase"). "
        + "Name it \"\(camelCase(text, isUpper: isUpper))\".",
      at: name.span)
  }

  /// Returns `text` with its parts between underscores joined: `GET_hero` is `GetHero`.
  static func camelCase(_ text: String, isUpper: Bool) -> String {
    let parts = text.split(separator: "_")
    let isShouting = !text.contains(where: \.isLowercase)
    let words = parts.map { part in
      let rest = part.dropFirst()
      return part.prefix(1).uppercased() + (isShouting ? rest.lowercased() : String(rest))
    }
    let joined = words.joined()
    return isUpper ? joined : joined.prefix(1).lowercased() + joined.dropFirst()
  }
}
