/// A problem in a document or a schema.
///
/// A diagnostic names the broken rule, states the problem in one sentence, and points at the text.
/// It can carry notes about related text and fix-its that correct the problem:
///
/// ```swift
/// let diagnostic = Diagnostic(
///   rule: .syntax, message: "Syntax Error: Expected Name, found \"}\".", at: span,
///   notes: [Diagnostic.Note("the selection set starts here", at: braceSpan)],
///   fixIts: [Diagnostic.FixIt("insert '__typename'", replacing: gap, with: "__typename")])
/// ```
///
/// To show diagnostics, use a ``DiagnosticFormat``.
public struct Diagnostic: Hashable, Sendable {
  /// The rule that was broken.
  public var rule: Rule
  /// The severity: an error or a warning.
  public var severity: Severity
  /// The problem in one sentence, in the words of the reference implementation.
  public var message: String
  /// The text to blame, or `nil` if the problem has no position, such as a schema without a query
  /// type.
  public var span: SourceSpan?
  /// Related text, each with a remark.
  public var notes: [Note]
  /// Changes that are certain to correct the problem, best first. Applying one of them is enough.
  public var fixIts: [FixIt]

  /// Creates a diagnostic, by default an error without notes and fix-its.
  public init(
    rule: Rule,
    severity: Severity = .error,
    message: String,
    at span: SourceSpan?,
    notes: [Note] = [],
    fixIts: [FixIt] = []
  ) {
    self.rule = rule
    self.severity = severity
    self.message = message
    self.span = span
    self.notes = notes
    self.fixIts = fixIts
  }

  /// The severity of a problem.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    case error
    case warning
  }

  /// The name of a rule, such as `KnownTypeNames`: its name in graphql-js, without the suffix
  /// `Rule`.
  public struct Rule: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name that is displayed and configured.
    public var rawValue: String

    /// Creates the rule named `rawValue`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates the rule named `value`.
    public init(stringLiteral value: String) {
      rawValue = value
    }

    /// The rule that a text follows the grammar.
    public static let syntax: Rule = "Syntax"

    /// The rule that introspection JSON describes a schema.
    public static let introspection: Rule = "Introspection"

    /// The marker of a list that was cut off because it is too long. It names no rule.
    public static let limit: Rule = "Limit"
  }

  /// A remark about related text.
  public struct Note: Hashable, Sendable {
    /// The remark, such as `first defined here`.
    public var message: String
    /// The related text.
    public var span: SourceSpan

    /// Creates a note that remarks `message` about `span`.
    public init(_ message: String, at span: SourceSpan) {
      self.message = message
      self.span = span
    }
  }

  /// A change to the text that corrects a problem and can be applied without asking.
  public struct FixIt: Hashable, Sendable {
    /// The description of the change, in the imperative: `replace with 'name'`.
    public var message: String
    /// The replacements, in any order. Their spans do not overlap.
    public var edits: [Edit]

    /// Creates a change that consists of `edits`.
    public init(_ message: String, edits: [Edit]) {
      self.message = message
      self.edits = edits
    }

    /// Creates a change that replaces `span` with `replacement`.
    public init(_ message: String, replacing span: SourceSpan, with replacement: String) {
      self.init(message, edits: [Edit(span: span, replacement: replacement)])
    }
  }

  /// A replacement of one span of text, or an insertion if the span is empty.
  public struct Edit: Hashable, Sendable {
    /// The text to replace. If it is empty, its position is where the text is inserted.
    public var span: SourceSpan
    /// The new text, empty for a deletion.
    public var replacement: String

    /// Creates an edit that replaces `span` with `replacement`.
    public init(span: SourceSpan, replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }
}
