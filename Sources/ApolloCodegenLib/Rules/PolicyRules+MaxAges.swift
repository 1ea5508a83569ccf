import GraphQLSchema
import GraphQLSyntax

/// Rules for `@cacheControl` and `@cacheControlField` in a schema, which limit the age of cached
/// data.
extension PolicyRules {
  /// A directive that only says who may see the data (`scope`) means something else.
  mutating func checkMaxAge(of directive: Directive, on coordinate: String) {
    let document = schema.document
    let maxAge = WrittenMaxAge(directive, in: document)
    guard let problem = maxAge.problem, maxAge.isEmpty ? !maxAge.hasScope : true else { return }
    report("'@\(document.spelling(directive.name))' of '\(coordinate)' \(problem)", maxAge.span)
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
