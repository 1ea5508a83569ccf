import GraphQLSchema
import GraphQLSyntax

/// `@typePolicy` and `@fieldPolicy` name fields and arguments that the schema has.
///
/// A name that is wrong would end in a document that the server refuses, or in objects that the
/// cache never finds.
struct PolicyRules {
  private let schema: Schema
  private var diagnostics: [Diagnostic] = []

  static func diagnostics(_ schema: Schema) -> [Diagnostic] {
    var rules = PolicyRules(schema: schema)
    for type in schema.definedTypes where schema[type].kind.isComposite { rules.check(type) }
    return rules.diagnostics
  }

  private init(schema: Schema) { self.schema = schema }

  private mutating func check(_ type: Schema.NamedType.ID) {
    for directive in schema.directives(of: type) {
      switch schema.document.spelling(directive.name) {
      case "typePolicy": checkKeyFields(of: directive, on: type)
      case "fieldPolicy": checkField(of: directive, on: type)
      default: continue
      }
    }
  }

  // MARK: - @typePolicy

  private mutating func checkKeyFields(of directive: Directive, on type: Schema.NamedType.ID) {
    guard let (text, span) = string("keyFields", of: directive) else { return }
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
      guard schema[schema[field].type.namedType].kind.isComposite else { continue }
      report(
        "\(policy) names the key field '\(name)', which is an object. "
          + "Name fields that are scalars or enums.", span)
    }
  }

  // MARK: - @fieldPolicy

  private mutating func checkField(of directive: Directive, on type: Schema.NamedType.ID) {
    guard let (fieldName, span) = string("forField", of: directive),
      let (text, argumentSpan) = string("keyArgs", of: directive)
    else { return }
    let policy = "'@fieldPolicy' of '\(name(of: type))'"
    guard let field = field(named: fieldName, of: type) else {
      return report(
        "\(policy) is for the field '\(fieldName)', which '\(name(of: type))' does not have. "
          + "Name a field of the type.", span)
    }
    guard schema[schema[field].type.namedType].kind.isComposite else {
      return report(
        "\(policy) is for the field '\(fieldName)', which has no objects. "
          + "Name a field that leads to objects.", span)
    }
    let names = Self.names(in: text)
    if names.isEmpty {
      report("\(policy) names no argument. Name those that tell the objects apart.", argumentSpan)
    }
    for path in names where !hasArgument(at: path, field) {
      report(
        "\(policy) names the argument '\(path)', which the field '\(fieldName)' does not have. "
          + "Name arguments of the field.", argumentSpan)
    }
  }

  /// Whether a field has an argument; `input.id` is a field of an input object.
  private func hasArgument(at path: String, _ field: Schema.Field.ID) -> Bool {
    var parts = path.split(separator: ".", omittingEmptySubsequences: false)[...]
    guard let first = parts.popFirst(), let symbol = schema.names.symbol(for: String(first)),
      var value = schema.argument(symbol, in: schema[field].arguments)
    else { return false }
    for part in parts {
      guard let symbol = schema.names.symbol(for: String(part)),
        let next = schema.inputField(symbol, of: schema[value].type.namedType)
      else { return false }
      value = next
    }
    return true
  }

  // MARK: - Looking up

  private func name(of type: Schema.NamedType.ID) -> String { schema.spelling(schema[type].name) }

  private func field(named name: String, of type: Schema.NamedType.ID) -> Schema.Field.ID? {
    schema.names.symbol(for: name).flatMap { schema.ownField($0, of: type) }
  }

  private func string(_ name: String, of directive: Directive) -> (String, SourceSpan)? {
    let document = schema.document
    for argument in document[directive.arguments] where document.spelling(argument.name) == name {
      guard case .string(let literal) = argument.value.content else { return nil }
      return (document.string(literal), argument.value.span)
    }
    return nil
  }

  private static func names(in text: String) -> [String] {
    text.split { $0 == " " || $0 == "," }.map(String.init)
  }

  private mutating func report(_ message: String, _ span: SourceSpan) {
    diagnostics.append(Diagnostic(rule: "CachePolicies", message: message, at: span))
  }
}
