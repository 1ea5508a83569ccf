import GraphQLSchema
import GraphQLSyntax

/// A rule that only generated code needs, with the sentences about its violations.
///
/// ``GenerationRules`` lists the rules for schemas and for documents. The others need what only one
/// stage of the pipeline has, such as names or the user's files: that stage calls them.
protocol GenerationRule<Subject>: SendableMetatype {
  associatedtype Subject

  /// Returns every violation in `subject`.
  static func diagnostics(_ subject: Subject) -> [Diagnostic]
}

/// The operations and fragments of a project, valid or not, and the schema of their types.
struct ClientDocument {
  let document: Document
  let schema: Schema
  /// `false` if the project can have further operations and fragments.
  var isWholeProject = true
}

/// The rules that every check of a project runs, in the order of their diagnostics.
enum GenerationRules {
  /// The rules for schemas that are valid.
  static let ofSchemas: [any GenerationRule<Schema>.Type] = [
    PolicyRules.self, SchemaNullabilityRules.self,
  ]

  /// The rules for documents whose diagnostics are before those of validation.
  static let beforeValidation: [any GenerationRule<ClientDocument>.Type] = [NamedOperations.self]

  /// The rules for documents whose diagnostics are behind those of validation.
  static let afterValidation: [any GenerationRule<ClientDocument>.Type] =
    [DeferRules.self] + ofClientDirectives

  /// The rules for directives of the client, which also hold for an operation that is sent without
  /// generated code. The others are about the names of Swift types.
  static let ofClientDirectives: [any GenerationRule<ClientDocument>.Type] = [
    ImportRules.self, MaxAgeRules.self, NullabilityRules.self, ConnectionRules.self,
    ListEditRules.self,
  ]
}

extension Array {
  /// Returns the violations of all rules in one subject.
  func diagnostics<Subject>(_ subject: Subject) -> [Diagnostic]
  where Element == any GenerationRule<Subject>.Type {
    flatMap { $0.diagnostics(subject) }
  }
}
