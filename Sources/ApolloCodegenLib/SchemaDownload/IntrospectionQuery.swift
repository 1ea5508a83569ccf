/// The introspection query of the specification's section 4, "Introspection".
enum IntrospectionQuery {
  /// Returns the text of the query.
  ///
  /// - Parameters:
  ///   - isComplete: `true` to request fields that servers before the 2021 specification do not
  ///     have.
  ///   - deprecatedInputValues: `true` to request deprecated arguments and input fields.
  /// - Returns: The text of the query.
  static func text(isComplete: Bool, deprecatedInputValues: Bool) -> String {
    let deprecated = deprecatedInputValues ? "(includeDeprecated: true)" : ""
    let inputDeprecation = deprecatedInputValues ? " isDeprecated deprecationReason" : ""
    let type = isComplete ? " specifiedByURL isOneOf" : ""
    let directive = isComplete ? " isRepeatable" : ""
    let schema = isComplete ? " description" : ""
    let wrapped = (0..<9).reduce("kind name") { inner, _ in "kind name ofType { \(inner) }" }
    return """
      query IntrospectionQuery { __schema {\(schema) queryType { name } mutationType { name } \
      subscriptionType { name } types { ...FullType } directives { name description\(directive) \
      locations args\(deprecated) { ...InputValue } } } } \
      fragment FullType on __Type { kind name description\(type) fields(includeDeprecated: true) { \
      name description args\(deprecated) { ...InputValue } type { ...TypeRef } isDeprecated \
      deprecationReason } inputFields\(deprecated) { ...InputValue } interfaces { ...TypeRef } \
      enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } \
      possibleTypes { ...TypeRef } } \
      fragment InputValue on __InputValue { name description type { ...TypeRef } \
      defaultValue\(inputDeprecation) } \
      fragment TypeRef on __Type { \(wrapped) }
      """
  }
}
