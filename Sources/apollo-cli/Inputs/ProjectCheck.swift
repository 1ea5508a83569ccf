import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// A schema, operations, and their diagnostics.
struct ProjectCheck {
  private let schemaResult: SchemaResult
  private let schemaOptions: SchemaOptions
  private let configuration: ValidationConfiguration
  private let lintConfiguration: LintConfiguration
  private let project: CheckInputs.Project?
  private let hasSchema: Bool
  private var operations: [Source]
  private var document: Document
  /// The diagnostics of the operations.
  private(set) var operationDiagnostics: [Diagnostic] = []
  /// The operations, or `nil` if they or the schema have errors.
  private(set) var validated: ValidatedDocument?
  /// Diagnostics of suspicious characters in the sources.
  private var textDiagnostics: [Diagnostic] = []
  /// The diagnostics that a project has beyond the rules of GraphQL.
  private var remarks: [Diagnostic] = []

  init(_ inputs: CheckInputs) {
    schemaOptions = inputs.schemaOptions
    configuration = inputs.validation
    lintConfiguration = inputs.lint
    project = inputs.project
    schemaResult = Schema.build(inputs.schema ?? [], options: inputs.schemaOptions)
    hasSchema = inputs.schema != nil
    operations = inputs.operations
    document = Document()
    check()
  }

  /// All sources: those of the schema, then the operations.
  var sources: SourceMap { document.sources }

  var diagnostics: [Diagnostic] {
    let found = (hasSchema ? schemaResult.diagnostics : []) + operationDiagnostics
    let others = textDiagnostics + remarks
    return others.isEmpty ? found : (found + others).sortedByLocation()
  }

  /// A line with the number of checked definitions and of diagnostics.
  var summary: String {
    let errors = diagnostics.count { $0.severity == .error }
    let warnings = diagnostics.count - errors
    let found = "\(counted(errors, "error")), \(counted(warnings, "warning"))"
    let types = counted(
      ClientDirectives.typesOfProgram(in: schemaResult.schema).count, "type")
    let definitions =
      "\(counted(document.operations.count, "operation")) and "
      + counted(document.fragments.count, "fragment")
    guard hasSchema else {
      return "\(found) in the syntax of \(definitions). No schema was named (--schema)."
    }
    return operations.isEmpty
      ? "\(found) in a schema of \(types)." : "\(found) in \(definitions)."
  }

  /// Replaces some sources, given by their index in ``sources``, and checks again.
  mutating func replaceOperations(_ changed: [Int: Source]) {
    for source in changed.values {
      guard let index = operations.firstIndex(where: { $0.name == source.name }) else { continue }
      operations[index] = source
    }
    check()
  }

  private mutating func check() {
    let schema = schemaResult.schema
    document = Document(names: schema.names, sources: schema.document.sources)
    operationDiagnostics = document.parse(
      operations.filter { !$0.isBlank }, options: schemaOptions.parser)
    textDiagnostics = schemaOptions.misleadingText(in: document.sources)
    validated = nil
    remarks = []
    guard hasSchema, !schemaResult.diagnostics.contains(where: \.meansIncompleteSchema) else {
      return
    }
    remarks =
      if let project, schemaResult.isUsable {
        ProjectRemarks.diagnostics(schema, operations: operations, project.unread)
      } else {
        ProjectRemarks.diagnostics(schema, operations: operations)
      }
    // Definitions with syntax errors are missing from the document, and some rules would report the
    // consequences.
    let isComplete = operationDiagnostics.isEmpty
    let result = validate(
      document, against: schema,
      configuration: ProjectRemarks.configuration(
        isComplete ? configuration : configuration.forIncompleteDocument, for: document,
        against: schema))
    operationDiagnostics +=
      project == nil
      ? result.diagnostics
      : ProjectRemarks.diagnostics(around: result, in: document, against: schema)
    if isComplete, let document = result.document {
      operationDiagnostics += lint(document, configuration: lintConfiguration)
      if schemaResult.isUsable { validated = document }
      if let project, schemaResult.isUsable {
        remarks += ProjectRemarks.diagnostics(
          document, project.configuration, root: project.root, Environment.fileSystem)
      }
    }
    operationDiagnostics = operationDiagnostics.sortedByLocation()
  }

  private func counted(_ count: Int, _ noun: String) -> String { Terminal.counted(count, noun) }
}

extension Diagnostic {
  /// `true` if a part of the schema could not be read.
  fileprivate var meansIncompleteSchema: Bool {
    severity == .error && (rule == .syntax || rule == .introspection)
  }
}

extension ProjectCheck {
  /// Returns the operations that the arguments name, or those of the configuration.
  ///
  /// Named operations are checked against the schema of the configuration, unless the arguments
  /// name another one.
  ///
  /// - Returns: The operations, or `nil` after showing their errors or those of the schema.
  static func validated(_ arguments: ParsedArguments) throws(CommandFailure) -> ValidatedDocument? {
    let inputs = try CheckInputs(inspecting: arguments)
    let check = ProjectCheck(inputs)
    Terminal.show(check.diagnostics.filter { $0.severity == .error }, in: check.sources)
    return check.validated
  }
}
