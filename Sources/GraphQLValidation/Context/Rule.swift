import GraphQLSyntax

/// A rule, with the sentences about its violations.
///
/// Every rule is an enumeration without cases, in a file of its own. It has a name, and static
/// functions that check something and report to the context, which comes last:
///
/// ```swift
/// /// An anonymous operation is the only operation of its document.
/// enum LoneAnonymousOperation: Rule {
///   static let name = ValidationRule.loneAnonymousOperation.diagnosticRule
///
///   static func check(in context: inout ValidationContext) {
///     guard context.document.operations.count > 1 else { return }
///     for operation in context.document.operations where operation.name == nil {
///       context.report(Self.self, "Only one operation may be anonymous.", at: operation.span)
///     }
///   }
/// }
/// ```
///
/// ``DocumentTraversal`` calls the rules for the parts of a document while it visits them. The
/// rules that are checked once for a whole are ``WholeRule``s, and ``Rules`` lists them.
protocol Rule: SendableMetatype {
  /// The name of the rule in diagnostics and configurations.
  static var name: Diagnostic.Rule { get }
}

/// A rule that is checked once for a whole: a schema, its definitions, or a valid document.
protocol WholeRule<Subject>: Rule {
  associatedtype Subject

  /// Reports every violation in `subject`.
  static func check(_ subject: Subject, in context: inout ValidationContext)
}
