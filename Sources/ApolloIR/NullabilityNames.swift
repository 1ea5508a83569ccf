package import GraphQLSyntax

/// A directive about nulls and errors of fields.
package enum NullabilityDirective: String, CaseIterable, Sendable {
  case semanticNonNull, semanticNonNullField
  case catching = "catch"
  case catchByDefault
  /// Relay's, as is ``required``.
  case throwOnFieldError, required

  /// `true` for those of the specification, which a `@link` names.
  package var isSpecified: Bool { self != .throwOnFieldError && self != .required }

  /// `true` for those that documents have, which are never sent.
  package var isOfDocuments: Bool { self != .semanticNonNull && self != .semanticNonNullField }
}

/// The names of the nullability directives in a schema, which can import them under other names.
///
/// ```graphql
/// extend schema @link(url: "https://specs.apollo.dev/nullability/v0.4", as: "errors",
///   import: ["@semanticNonNull", { name: "@catch", as: "@handle" }])
/// ```
///
/// There, `@semanticNonNull` and `@handle` have the meanings of the specification, and so do
/// `@errors__catchByDefault` and the others that are not imported.
package struct NullabilityNames: Hashable, Sendable {
  private var names: [NullabilityDirective: String] = [:]
  /// The name of the type of `to:`.
  package private(set) var catchTo = "CatchTo"
  /// `true` if the schema has a `@link` to the specification.
  package private(set) var isLinked = false
  /// The entries of `import:` that the specification does not have, with their spans.
  package private(set) var unknownImports: [Import] = []

  /// An entry of `import:`.
  package struct Import: Hashable, Sendable {
    package let name: String
    package let span: SourceSpan
  }

  /// The beginning of the URL of every version.
  package static let specification = "specs.apollo.dev/nullability/v"

  /// Reads the `@link` to the specification in the definitions and extensions of a schema. Without
  /// one, the directives have the names of the specification.
  package init(in document: Document) {
    for definition in document.definitions {
      guard case .schema(let id) = definition else { continue }
      for directive in document[document[id].directives]
      where document.spelling(directive.name) == "link" {
        read(directive, in: document)
      }
    }
  }

  /// Returns the name of a directive in the schema and its documents.
  package subscript(directive: NullabilityDirective) -> String {
    names[directive] ?? directive.rawValue
  }

  private mutating func read(_ link: GraphQLSyntax.Directive, in document: Document) {
    var url: String?
    var prefix = "nullability"
    var imports: [GraphQLSyntax.Value] = []
    for argument in document[link.arguments] {
      switch (document.spelling(argument.name), argument.value.content) {
      case ("url", .string(let literal)): url = document.string(literal)
      case ("as", .string(let literal)): prefix = document.string(literal)
      case ("import", .list(let items)): imports = Array(document[items])
      case ("import", .string): imports = [argument.value]
      default: continue
      }
    }
    guard let url, url.contains("://\(Self.specification)") else { return }
    isLinked = true
    catchTo = "\(prefix)__CatchTo"
    for directive in NullabilityDirective.allCases where directive.isSpecified {
      names[directive] = "\(prefix)__\(directive.rawValue)"
    }
    for item in imports { read(import: item, in: document) }
  }

  private mutating func read(import item: GraphQLSyntax.Value, in document: Document) {
    var name: String?
    var alias: String?
    switch item.content {
    case .string(let literal): name = document.string(literal)
    case .object(let members):
      for member in document[members] {
        guard case .string(let literal) = member.value.content else { continue }
        switch document.spelling(member.name) {
        case "name": name = document.string(literal)
        case "as": alias = document.string(literal)
        default: continue
        }
      }
    default: return
    }
    guard let name else { return }
    let local = alias ?? name
    if name == "CatchTo" {
      catchTo = local
    } else if name.hasPrefix("@"), local.hasPrefix("@"),
      let directive = NullabilityDirective(rawValue: String(name.dropFirst())),
      directive.isSpecified
    {
      names[directive] = String(local.dropFirst())
    } else {
      unknownImports.append(Import(name: name, span: item.span))
    }
  }
}

// MARK: - Definitions

extension NullabilityNames {
  /// The definitions of the directives and of the types of their arguments, for schemas that lack
  /// them.
  ///
  /// - Parameter isTaken: Returns whether the schema has a type of that name.
  /// - Returns: The text of each definition by the name of the directive.
  package func definitions(
    besides isTaken: (String) -> Bool
  ) -> (directives: [(name: String, text: String)], types: String) {
    var types = ""
    func enumeration(_ name: String, _ values: String) -> String {
      let name = isTaken(name) && !isLinked ? "apollo__\(name)" : name
      if !isTaken(name) { types += "enum \(name) { \(values) }\n" }
      return name
    }
    let catchTo = enumeration(catchTo, "RESULT NULL THROW")
    let action = enumeration("RequiredFieldAction", "NONE LOG THROW")
    let executable = "QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION"
    let texts: [(NullabilityDirective, String)] = [
      (.semanticNonNull, "(levels: [Int!]! = [0]) on FIELD_DEFINITION"),
      (
        .semanticNonNullField,
        "(name: String!, levels: [Int!]! = [0]) repeatable on OBJECT | INTERFACE"
      ),
      (.catching, "(to: \(catchTo)! = RESULT, levels: [Int!]! = [0]) on FIELD"),
      (.catchByDefault, "(to: \(catchTo)!) on SCHEMA | \(executable)"),
      (.throwOnFieldError, " on \(executable)"),
      (.required, "(action: \(action)!) on FIELD"),
    ]
    return (texts.map { (self[$0], "directive @\(self[$0])\($1)") }, types)
  }
}
