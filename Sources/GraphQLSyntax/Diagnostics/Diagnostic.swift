/// A problem found in a document or a schema: what, where, why, and how to mend it.
public struct Diagnostic: Hashable, Sendable {
  /// The rule that was broken.
  public var rule: Rule
  /// Whether it is an error or a warning.
  public var severity: Severity
  /// One sentence, worded as the reference implementation words it.
  public var message: String
  /// Where to look first. Nil when no place is to blame, as when a schema has no query type.
  public var span: SourceSpan?
  /// Further places that matter.
  public var notes: [Note]
  /// Changes that surely mend it, best first. Applying one of them is enough.
  public var fixIts: [FixIt]

  /// A diagnostic; an error without notes and fix-its unless they are given.
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

  /// How bad a problem is.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    case error
    case warning
  }

  /// The name of a rule, as in graphql-js without the suffix `Rule`: `KnownTypeNames`.
  public struct Rule: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name, as it is shown and configured.
    public var rawValue: String

    /// The rule named `rawValue`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The rule named `value`.
    public init(stringLiteral value: String) {
      rawValue = value
    }

    /// The rule that a document follows the grammar.
    public static let syntax: Rule = "Syntax"

    /// The rule that introspection JSON says what a schema consists of.
    public static let introspection: Rule = "Introspection"

    /// Not a rule: that so much is wrong that not all of it is reported.
    public static let limit: Rule = "Limit"
  }

  /// A further place, and what about it.
  public struct Note: Hashable, Sendable {
    /// What matters about the place.
    public var message: String
    /// The place.
    public var span: SourceSpan

    /// A note that says `message` about `span`.
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

    /// A change that `message` describes and that makes all of `edits`.
    public init(_ message: String, edits: [Edit]) {
      self.message = message
      self.edits = edits
    }

    /// A change that `message` describes and that puts `replacement` in the place of `span`.
    public init(_ message: String, replacing span: SourceSpan, with replacement: String) {
      self.init(message, edits: [Edit(span: span, replacement: replacement)])
    }
  }

  /// `replacement` instead of the text of `span`; an insertion when the span is empty.
  public struct Edit: Hashable, Sendable {
    /// What is replaced; where to insert, if it is empty.
    public var span: SourceSpan
    /// What stands there afterwards; empty to delete.
    public var replacement: String

    /// The edit that puts `replacement` in the place of `span`.
    public init(span: SourceSpan, replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }
}
