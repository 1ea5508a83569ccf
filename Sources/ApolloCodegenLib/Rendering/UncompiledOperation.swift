import ApolloIR
import struct GraphQLSyntax.Diagnostic
package import GraphQLValidation

/// An operation as generated code describes it to the runtime, for a program without that code.
package struct UncompiledOperation: Sendable {
  package let name: String
  /// The document that is sent: the operation and its fragments, with the fields that the runtime
  /// needs, such as `__typename`.
  package let document: String
  /// The literal of its selections, with those of its fragments in place of their spreads.
  package let selections: String
  /// The number of scalars and enums that the literal refers to.
  package let leafCount: Int
  /// The composite types that it uses.
  package let types: String
  /// The maximum ages of the schema.
  package let maxAges: String
  /// `true` if the operation has maximum ages of its own.
  package let hasMaxAges: Bool
  /// The field that identifies objects whose type has no key fields, as in the
  /// `SchemaConfiguration` that the generator writes, or `nil` if there is none.
  package let identifyingField: String?

  /// The reason that there is no description.
  package enum Failure: Error, Hashable, Sendable {
    case noSuchOperation
    /// The document that would be sent has errors.
    case invalidDocument(String)
    case tooLong
  }

  /// Describes an operation of a document.
  ///
  /// - Parameters:
  ///   - name: The name of the operation.
  ///   - document: The operation and its fragments.
  ///   - configuration: The configuration of the project.
  /// - Throws: ``Failure``
  package init(
    named name: String, in document: ValidatedDocument, _ configuration: ApolloCodegenConfiguration
  ) throws(Failure) {
    let program = lower(document, configuration: configuration.validation)
    if let problem = program.documentProblems.first { throw .invalidDocument(problem.message) }
    guard
      let definition = program.definitions.first(where: {
        $0.kind != .fragment && $0.name == name && !$0.isLocalCacheMutation
      })
    else { throw .noSuchOperation }
    let literal = SelectionLiteral(
      definition, in: program, defaultsOf: definition.variables, inliningFragments: true
    ) { $0.name }
    guard !literal.isIncomplete else { throw .tooLong }
    self.name = name
    self.document = program.documentText(of: definition)
    selections = literal.text
    leafCount = literal.leaves.count
    types = SchemaLines.types(program.types).joined(separator: "\n")
    maxAges = SchemaLines.maxAges(program.types).joined(separator: "\n")
    hasMaxAges = program.hasMaxAges
    identifyingField =
      ObjectIdentification(document.schema).isPossible ? ObjectIdentification.field : nil
  }
}

extension Program {
  /// Returns the document that is sent for an operation.
  func documentText(of definition: Definition) -> String {
    ([definition.text] + definition.fragments.map { self[$0].text }).joined(separator: "\n")
  }
}
