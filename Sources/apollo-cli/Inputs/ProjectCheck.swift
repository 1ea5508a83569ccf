import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// A schema, operations, and their diagnostics.
struct ProjectCheck {
  private let schemaResult: SchemaResult
  private let schemaOptions: SchemaOptions
  private let configuration: ValidationConfiguration
  private let hasSchema: Bool
  private var operations: [Source]
  private var document: Document
  /// The diagnostics of the operations.
  private(set) var operationDiagnostics: [Diagnostic] = []
  /// Diagnostics of suspicious characters in the sources.
  private var textDiagnostics: [Diagnostic] = []

  init(_ inputs: CheckInputs) {
    schemaOptions = inputs.schemaOptions
    configuration = inputs.validation
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
    return textDiagnostics.isEmpty ? found : (found + textDiagnostics).sortedByLocation()
  }

  /// A line with the number of checked definitions and of diagnostics.
  var summary: String {
    let errors = diagnostics.count { $0.severity == .error }
    let warnings = diagnostics.count - errors
    let found = "\(counted(errors, "error")), \(counted(warnings, "warning"))"
    let types = counted(schemaResult.schema.definedTypes.count, "type")
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
    operationDiagnostics = operations.filter { !$0.isBlank }.flatMap { document.parse($0) }
    textDiagnostics = schemaOptions.misleadingText(in: document.sources)
    // Definitions with syntax errors are missing from the document, so further checks would report
    // their consequences.
    guard hasSchema, operationDiagnostics.isEmpty,
      !schemaResult.diagnostics.contains(where: \.meansIncompleteSchema)
    else { return }
    operationDiagnostics +=
      validate(document, against: schema, configuration: configuration).diagnostics
    operationDiagnostics = operationDiagnostics.sortedByLocation()
  }

  private func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

extension Diagnostic {
  /// `true` if a part of the schema could not be read.
  fileprivate var meansIncompleteSchema: Bool {
    severity == .error && (rule == .syntax || rule == .introspection)
  }
}
