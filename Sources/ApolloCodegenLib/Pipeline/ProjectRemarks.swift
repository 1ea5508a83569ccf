import ApolloIR
package import GraphQLSchema
package import GraphQLSyntax
package import GraphQLValidation
import SwiftSource

/// The diagnostics of a project beyond the rules of GraphQL, which checks report as generation
/// does.
package enum ProjectRemarks {
  /// Checks the cache policies of a schema, and looks for operations that are not read.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - operations: The files that are read for operations.
  ///   - unread: The files that no search path matches.
  /// - Returns: Errors and warnings.
  package static func diagnostics(
    _ schema: Schema, operations: [Source], _ unread: UnreadFiles
  ) -> [Diagnostic] {
    GenerationRules.ofSchemas.diagnostics(schema)
      + IgnoredOperations.diagnostics(schema.document, besides: operations)
      + IgnoredOperations.diagnostics(unread)
  }

  /// Looks for operations in the files of a schema that a command line names.
  package static func diagnostics(_ schema: Schema, operations: [Source]) -> [Diagnostic] {
    IgnoredOperations.diagnostics(schema.document, besides: operations, isProject: false)
  }

  /// Returns the diagnostics of validation with those of rules that only generated code needs.
  package static func diagnostics(
    around validation: ValidationResult, in document: Document, against schema: Schema
  ) -> [Diagnostic] {
    let subject = ClientDocument(document: document, schema: schema)
    return GenerationRules.beforeValidation.diagnostics(subject) + validation.diagnostics
      + diagnostics(of: GenerationRules.afterValidation, in: subject, validation)
  }

  /// Returns the diagnostics of validation with those of the rules for directives of the client.
  ///
  /// The document has an operation that is sent without generated code, and its fragments. No Swift
  /// type is named after them, so the rules for such names do not hold.
  package static func diagnostics(
    ofRequest validation: ValidationResult, in document: Document, against schema: Schema
  ) -> [Diagnostic] {
    let subject = ClientDocument(document: document, schema: schema, isWholeProject: false)
    return validation.diagnostics
      + diagnostics(of: GenerationRules.ofClientDirectives, in: subject, validation)
  }

  /// Returns the violations of rules in a document, and in its expansion if fragments have
  /// variables: models have the selections of such fragments in place of the spreads.
  private static func diagnostics(
    of rules: [any GenerationRule<ClientDocument>.Type], in subject: ClientDocument,
    _ validation: ValidationResult
  ) -> [Diagnostic] {
    let written = rules.diagnostics(subject)
    guard subject.document.hasFragmentArguments, let document = validation.document?.document else {
      return written
    }
    let expanded = ClientDocument(
      document: document, schema: subject.schema, isWholeProject: subject.isWholeProject)
    // Copied selections have the spans of the fragment, so each copy would repeat its problems.
    var known = Set(written)
    return written + rules.diagnostics(expanded).filter { known.insert($0).inserted }
  }

  /// Returns the configuration for the validation of a document, which may have `@catch`.
  package static func configuration(
    _ configuration: ValidationConfiguration, for document: Document, against schema: Schema
  ) -> ValidationConfiguration {
    guard !document.directives.isEmpty else { return configuration }
    var configuration = configuration
    configuration.caughtLevels = Nullability(of: schema).caughtLevels(in: document)
    return configuration
  }

  /// Looks for lists of objects that have no cache key, and for pages of merged lists that are
  /// incomplete.
  ///
  /// - Parameters:
  ///   - document: The operations.
  ///   - configuration: The configuration of the project.
  ///   - root: The folder that its relative paths are relative to.
  ///   - fileSystem: Has the `SchemaConfiguration` of the project.
  /// - Returns: The hints.
  package static func diagnostics(
    _ document: ValidatedDocument, _ configuration: ApolloCodegenConfiguration, root: String,
    _ fileSystem: any FileSystem
  ) -> [Diagnostic] {
    diagnostics(document, configuration, UserFiles.read(configuration, root: root, fileSystem))
  }

  static func diagnostics(
    _ document: ValidatedDocument, _ configuration: ApolloCodegenConfiguration, _ files: UserFiles
  ) -> [Diagnostic] {
    let first = FileFrame(configuration).configurationFile(of: document.schema)
    return CacheKeys.diagnostics(document, configuration, files.configuration, first: first.text())
      + PageSelections.diagnostics(document, configuration)
  }
}
