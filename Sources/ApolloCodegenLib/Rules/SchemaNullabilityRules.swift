import ApolloIR
import GraphQLSchema
import GraphQLSyntax

/// Rules for the nullability directives of schemas: they name fields and levels that exist.
struct SchemaNullabilityRules: GenerationRule {
  private let schema: Schema
  private let nullability: Nullability
  private var diagnostics: [Diagnostic] = []

  private var document: Document { schema.document }

  static func diagnostics(_ schema: Schema) -> [Diagnostic] {
    let nullability = Nullability(of: schema)
    var rules = SchemaNullabilityRules(schema, nullability)
    rules.checkImports()
    guard schema.document.directives.contains(where: { nullability[$0] != nil }) else {
      return rules.diagnostics
    }
    for type in schema.definedTypes where schema[type].kind.isComposite { rules.check(type) }
    return rules.diagnostics
  }

  private init(_ schema: Schema, _ nullability: Nullability) {
    self.schema = schema
    self.nullability = nullability
  }

  private mutating func checkImports() {
    for item in nullability.names.unknownImports {
      report(
        "The specification of nullability has no '\(item.name)'. Import '@semanticNonNull', "
          + "'@semanticNonNullField', '@catch', '@catchByDefault' or 'CatchTo'.", item.span)
    }
  }

  private mutating func check(_ type: Schema.NamedType.ID) {
    for directive in schema.directives(of: type)
    where nullability[directive] == .semanticNonNullField {
      check(directive, on: type)
    }
    for field in schema[type].fields {
      for directive in schema.directives(of: field)
      where nullability[directive] == .semanticNonNull {
        diagnostics += LevelRules.problems(
          with: directive, of: schema.coordinate(of: field),
          Int(schema[field].type.wrapping.listDepth), in: document)
      }
    }
  }

  private mutating func check(_ directive: Directive, on type: Schema.NamedType.ID) {
    for argument in document[directive.arguments] where document.spelling(argument.name) == "name" {
      guard case .string(let literal) = argument.value.content else { continue }
      let name = document.string(literal)
      guard let symbol = schema.names.symbol(for: name),
        let field = schema.ownField(symbol, of: type)
      else {
        report(
          "'@\(document.spelling(directive.name))' names the field '\(name)', which "
            + "'\(schema.name(of: type))' does not have. Name a field of the type.",
          argument.value.span, fixIts: fixIts(for: name, of: type, at: argument.value.span))
        continue
      }
      diagnostics += LevelRules.problems(
        with: directive, of: schema.coordinate(of: field),
        Int(schema[field].type.wrapping.listDepth),
        in: document)
    }
  }

  /// Returns a change to the one field whose name differs only in case and underscores.
  private func fixIts(
    for name: String, of type: Schema.NamedType.ID, at span: SourceSpan
  ) -> [Diagnostic.FixIt] {
    func letters(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }
    let similar = schema[type].fields.map { schema.spelling(schema[$0].name) }
      .filter { letters($0) == letters(name) }
    guard similar.count == 1 else { return [] }
    return [.init("replace with '\(similar[0])'", replacing: span, with: "\"\(similar[0])\"")]
  }

  private mutating func report(
    _ message: String, _ span: SourceSpan, fixIts: [Diagnostic.FixIt] = []
  ) {
    diagnostics.append(
      Diagnostic(rule: NullabilityRules.rule, message: message, at: span, fixIts: fixIts))
  }
}
