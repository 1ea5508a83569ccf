import GraphQLSchema
import GraphQLSyntax

/// Rules for the directives of the cache: they name fields and arguments that the schema has, and
/// `@cacheControl` says for how long.
///
/// A wrong name would lead to a document that the server rejects, or to objects that the cache
/// never finds.
struct PolicyRules: GenerationRule {
  let schema: Schema
  private var diagnostics: [Diagnostic] = []

  /// Returns errors, and warnings about keys that an object may lack.
  static func diagnostics(_ schema: Schema) -> [Diagnostic] {
    var rules = PolicyRules(schema: schema)
    for type in schema.definedTypes where schema[type].kind.isComposite {
      rules.check(type)
      rules.checkAgreement(of: type)
    }
    return rules.diagnostics
  }

  private init(schema: Schema) { self.schema = schema }

  private mutating func check(_ type: Schema.NamedType.ID) {
    for directive in schema.directives(of: type) {
      switch schema.document.spelling(directive.name) {
      case "typePolicy":
        checkKeyFields(of: directive, on: type)
        checkConnectionFields(of: directive, on: type)
      case "fieldPolicy":
        if !checkList(of: directive, on: type) { checkField(of: directive, on: type) }
      case "cacheControl": checkMaxAge(of: directive, on: name(of: type))
      case "cacheControlField": checkMaxAge(ofFieldOf: directive, on: type)
      default: continue
      }
    }
    for field in schema[type].fields {
      for directive in schema.directives(of: field)
      where schema.document.spelling(directive.name) == "cacheControl" {
        checkMaxAge(
          of: directive, on: "\(name(of: type)).\(schema.spelling(schema[field].name))")
      }
    }
  }

  // MARK: - @typePolicy

  private mutating func checkKeyFields(of directive: Directive, on type: Schema.NamedType.ID) {
    guard let (text, span) = string("keyFields", of: directive) else {
      guard string("connectionFields", of: directive) == nil else { return }
      return report(
        "'@typePolicy' of '\(name(of: type))' says nothing. Add 'keyFields:' or "
          + "'connectionFields:'.", directive.span)
    }
    let policy = "'@typePolicy' of '\(name(of: type))'"
    let names = Self.names(in: text)
    if names.isEmpty {
      report("\(policy) names no field. Name those that tell objects apart.", span)
    }
    for name in names {
      guard let field = field(named: name, of: type) else {
        report(
          "\(policy) names the key field '\(name)', which '\(self.name(of: type))' does not have. "
            + "Name fields of the type.", span)
        continue
      }
      let type = schema[field].type
      if schema[type.namedType].kind.isComposite || type.isList {
        report(
          "\(policy) names the key field '\(name)', which is \(type.isList ? "a list" : "an object"). "
            + "Name fields that are scalars or enums.", span)
      } else if !type.isNonNull {
        report(
          "\(policy) names the key field '\(name)', which may be null. An object without it is not found again.",
          span, .warning)
      }
    }
  }

  /// An object has one key, although it can be read as its own type and as each of its interfaces.
  private mutating func checkAgreement(of type: Schema.NamedType.ID) {
    let own = keyFields(of: type)
    var first = own.map { (type: type, fields: $0.fields) }
    for mention in schema[schema[type].interfaces] {
      guard let other = keyFields(of: mention.type) else { continue }
      guard let known = first else {
        first = (mention.type, other.fields)
        continue
      }
      // If the type has a policy of its own, that one is wrong. Otherwise one of the interfaces'
      // is.
      guard Set(known.fields) != Set(other.fields) else { continue }
      let (left, right) = (name(of: known.type), name(of: mention.type))
      report(
        "'@typePolicy' of '\(left)' and of '\(right)' name different key fields, and '\(name(of: type))' is both. "
          + "Name the same fields.", own?.span ?? other.span)
    }
  }

  private func keyFields(
    of type: Schema.NamedType.ID
  ) -> (fields: [String], span: SourceSpan)? {
    for directive in schema.directives(of: type)
    where schema.document.spelling(directive.name) == "typePolicy" {
      return string("keyFields", of: directive).map { (Self.names(in: $0.0), $0.1) }
    }
    return nil
  }

  // MARK: - Looking up

  func name(of type: Schema.NamedType.ID) -> String { schema.spelling(schema[type].name) }

  func field(named name: String, of type: Schema.NamedType.ID) -> Schema.Field.ID? {
    schema.names.symbol(for: name).flatMap { schema.ownField($0, of: type) }
  }

  func string(_ name: String, of directive: Directive) -> (String, SourceSpan)? {
    let document = schema.document
    for argument in document[directive.arguments] where document.spelling(argument.name) == name {
      guard case .string(let literal) = argument.value.content else { return nil }
      return (document.string(literal), argument.value.span)
    }
    return nil
  }

  static func names(in text: String) -> [String] {
    text.split { $0 == " " || $0 == "," }.map(String.init)
  }

  mutating func report(
    _ message: String, _ span: SourceSpan, _ severity: Diagnostic.Severity = .error
  ) {
    diagnostics.append(
      Diagnostic(rule: "CachePolicies", severity: severity, message: message, at: span))
  }
}
