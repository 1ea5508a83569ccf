/// Whose layout a printer follows: the two reference printers differ in values only.
public enum PrinterStyle: Hashable, Sendable, CaseIterable {
  /// graphql-js 16: values on one line, `{a: 1}`.
  case version16
  /// graphql-js 17: `{ a: 1 }`, and lists and objects longer than 80 characters on several lines.
  case version17
}
