import GraphQLSyntax

/// A name in a document, with its meaning.
struct Occurrence: Hashable {
  var meaning: Meaning
  /// The name. That of a variable includes the `$`.
  var span: SourceSpan
  /// `true` if the name is defined here.
  var isDefinition = false
}
