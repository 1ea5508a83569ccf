import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// A check of the documents as they are sent: with the fields that are added and without what is
/// for the client.
///
/// The source is valid, and what is added to it can still conflict with it. Servers would refuse
/// the document, so the check comes before anything is written.
///
/// 1. The texts of all definitions are parsed as one document. A fragment occurs in it once,
///    however many operations send it.
/// 2. It is validated by the rules of the specification.
/// 3. The fragments that each operation sends are compared with those that its text names.
/// 4. Positions are led back to the source: ``DocumentText`` is written once more for each
///    definition with an error.
struct SentDocuments {
  private let lowering: Lowering
  private let program: Program
  /// The definitions, in the order of their texts.
  private var definitions: [Definition.ID] = []
  /// The offsets of the texts.
  private var starts: [Int] = []
  private var sent: Document

  /// The result of the check.
  struct Result {
    /// The errors, at the selections of the source that cause them.
    var diagnostics: [Diagnostic] = []
    /// A type whose key fields conflict with other fields unless they have aliases.
    var typeToAlias: Schema.NamedType.ID?
  }

  /// Checks the documents that the definitions of a program send.
  ///
  /// - Parameters:
  ///   - lowering: The lowered definitions.
  ///   - configuration: The rules that the source was held to.
  /// - Returns: The errors.
  /// - Complexity: That of parsing and validating the source again.
  static func check(_ lowering: Lowering, _ configuration: ValidationConfiguration) -> Result {
    var check = SentDocuments(lowering)
    return check.run(configuration.forSentDocuments)
  }

  private init(_ lowering: Lowering) {
    self.lowering = lowering
    program = lowering.program
    sent = Document(names: lowering.document.names)
  }

  private mutating func run(_ configuration: ValidationConfiguration) -> Result {
    var bytes: [UInt8] = []
    for (index, definition) in program.definitions.enumerated() where !definition.text.isEmpty {
      definitions.append(Definition.ID(index))
      starts.append(bytes.count)
      bytes += definition.text.utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    guard !definitions.isEmpty else { return Result() }
    let syntaxErrors = sent.parse(Source(name: "sent documents", bytes: bytes))
    guard syntaxErrors.isEmpty else {
      return Result(diagnostics: syntaxErrors.map(translated))
    }
    let result = validate(sent, against: program.schema, configuration: configuration)
    let errors = result.diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty, let valid = result.document else {
      return Result(
        diagnostics: errors.map(translated),
        typeToAlias: errors.lazy.compactMap(typeToAlias).first)
    }
    return Result(diagnostics: missingFragments(valid))
  }

  /// Returns the type whose key fields should have aliases, of those that a conflict is about.
  ///
  /// The last one by name is chosen, so that the choice does not depend on the order of files.
  private func typeToAlias(_ conflict: Diagnostic) -> Schema.NamedType.ID? {
    guard conflict.rule == ValidationRule.overlappingFieldsCanBeMerged.diagnosticRule else {
      return nil
    }
    let spans = [conflict.span].compactMap { $0 } + conflict.notes.map(\.span)
    return spans.compactMap { mark(at: $0)?.mark }
      .filter { $0.addedField != nil && $0.addedField != "__typename" }
      .compactMap(\.type).filter { lowering.schema.aliasEndings[$0] == nil }
      .max { lowering.schema.name(of: $0) < lowering.schema.name(of: $1) }
  }

  // MARK: - Fragments

  /// Returns an error for each operation that does not send exactly the fragments that it names.
  private func missingFragments(_ valid: ValidatedDocument) -> [Diagnostic] {
    let operations = definitions.filter { program[$0].kind != .fragment }
    return zip(operations, sent.operations.indices).compactMap { id, index in
      let operation = OperationDefinition.ID(rawValue: UInt32(index))
      let named = valid.fragments(usedBy: operation).map { sent.spelling(sent[$0].name) }
      let definition = program[id]
      guard Set(named) != Set(definition.fragments.map { program[$0].name }) else { return nil }
      return Diagnostic(
        rule: Self.rule,
        message: "'\(definition.name)' would be sent without all of its fragments. "
          + "This is a defect of the generator; please report it.", at: definition.span)
    }
  }

  // MARK: - Positions

  private static let rule: Diagnostic.Rule = "SentDocuments"

  /// Returns an error with its place in the source.
  private func translated(_ diagnostic: Diagnostic) -> Diagnostic {
    guard let span = diagnostic.span, let (definition, mark) = mark(at: span) else {
      return diagnostic
    }
    let notes = diagnostic.notes.map { note in
      (note: note, mark: self.mark(at: note.span)?.mark)
    }
    let added = ([mark] + notes.compactMap(\.mark)).compactMap(\.addedField)
    let cause =
      added.first.map { " The field '\($0)' is added there." } ?? ""
    return Diagnostic(
      rule: diagnostic.rule,
      message: "The document of '\(definition.name)' would not be valid as it is sent: "
        + diagnostic.message + cause,
      at: mark.span,
      notes: notes.compactMap { note, mark in
        mark.map { Diagnostic.Note(note.message, at: $0.span) }
      })
  }

  /// Returns the definition whose text contains a span, and the part of it that the span is in.
  private func mark(at span: SourceSpan) -> (definition: Definition, mark: DocumentText.Mark)? {
    let offset = Int(span.start)
    guard let index = starts.lastIndex(where: { $0 <= offset }) else { return nil }
    let id = definitions[index]
    let marks = lowering.documentText(of: id)?.marks ?? []
    let place = offset - starts[index]
    return marks.last { $0.offset <= place }.map { (program[id], $0) }
  }
}

extension ValidationConfiguration {
  /// The rules for documents as they are sent: those of the specification that the source was held
  /// to. Directives for the client are not sent.
  fileprivate var forSentDocuments: ValidationConfiguration {
    var result = self
    result.clientDirectives = [:]
    for rule in ValidationRule.allCases where !rule.isSpecified { result.severities[rule] = .off }
    result.severities[.noUnusedFragments] = .off
    return result
  }
}
