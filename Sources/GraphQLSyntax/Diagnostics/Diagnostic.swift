/// A problem found in a document or a schema: what, where, why, and how to mend it.
public struct Diagnostic: Hashable, Sendable {
  /// The rule that was broken.
  public var rule: Rule
  public var severity: Severity
  /// One sentence, worded as the reference implementation words it.
  public var message: String
  /// Where to look first. Nil when no place is to blame, as when a schema has no query type.
  public var span: SourceSpan?
  /// Further places that matter.
  public var notes: [Note]
  /// Changes that surely mend it, best first. Applying one of them is enough.
  public var fixIts: [FixIt]

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

  public enum Severity: String, Hashable, Sendable, CaseIterable {
    case error
    case warning
  }

  /// The name of a rule, as in graphql-js without the suffix `Rule`: `KnownTypeNames`.
  public struct Rule: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
      rawValue = value
    }

    /// The rule that a document follows the grammar.
    public static let syntax: Rule = "Syntax"
  }

  /// A further place, and what about it.
  public struct Note: Hashable, Sendable {
    public var message: String
    public var span: SourceSpan

    public init(_ message: String, at span: SourceSpan) {
      self.message = message
      self.span = span
    }
  }

  /// A change of the text that can be made without asking.
  public struct FixIt: Hashable, Sendable {
    /// What the change does, in the imperative: `replace with 'name'`.
    public var message: String
    /// Replacements of spans that do not overlap, in no particular order.
    public var edits: [Edit]

    public init(_ message: String, edits: [Edit]) {
      self.message = message
      self.edits = edits
    }

    public init(_ message: String, replacing span: SourceSpan, with replacement: String) {
      self.init(message, edits: [Edit(span: span, replacement: replacement)])
    }
  }

  /// `replacement` instead of the text of `span`; an insertion when the span is empty.
  public struct Edit: Hashable, Sendable {
    public var span: SourceSpan
    public var replacement: String

    public init(span: SourceSpan, replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }
}
