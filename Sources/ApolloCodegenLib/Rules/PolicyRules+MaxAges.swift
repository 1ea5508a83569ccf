import GraphQLSchema
import GraphQLSyntax

/// Rules for `@cacheControl` and `@cacheControlField`, which limit the age of cached data.
extension PolicyRules {
  /// A directive without a maximum age could mean "for ever" as well as "not at all". One that
  /// only says who may see the data (`scope`) means something else.
  mutating func checkMaxAge(of directive: Directive, on coordinate: String) {
    let document = schema.document
    let policy = "'@\(document.spelling(directive.name))' of '\(coordinate)'"
    var hasMaxAge = false
    var inherits = false
    var hasScope = false
    for argument in document[directive.arguments] {
      switch (document.spelling(argument.name), argument.value.content) {
      case ("maxAge", .null): continue
      case ("maxAge", .int):
        hasMaxAge = true
        guard document.text(of: argument.value.span).hasPrefix("-") else { continue }
        report(
          "\(policy) has a negative maximum age. Write a number of seconds, or 0 to fetch always.",
          argument.value.span)
      case ("inheritMaxAge", .boolean(let value)): inherits = value
      case ("scope", _): hasScope = true
      default: continue
      }
    }
    if hasMaxAge, inherits {
      report(
        "\(policy) has a maximum age and inherits one. Remove 'maxAge' or 'inheritMaxAge'.",
        directive.name.span)
    } else if !hasMaxAge, !inherits, !hasScope {
      report(
        "\(policy) has no maximum age. Add 'maxAge:' with a number of seconds, "
          + "or 'inheritMaxAge: true'.", directive.name.span)
    }
  }

  mutating func checkMaxAge(ofFieldOf directive: Directive, on type: Schema.NamedType.ID) {
    guard let (field, span) = string("name", of: directive) else { return }
    guard self.field(named: field, of: type) != nil else {
      return report(
        "'@cacheControlField' of '\(name(of: type))' is for the field '\(field)', "
          + "which '\(name(of: type))' does not have. Name a field of the type.", span)
    }
    checkMaxAge(of: directive, on: "\(name(of: type)).\(field)")
  }
}
