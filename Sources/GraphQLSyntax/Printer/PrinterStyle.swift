/// The version of graphql-js whose printer to follow. The versions print values differently.
public enum PrinterStyle: Hashable, Sendable, CaseIterable {
  /// graphql-js 16: values on one line, as in `{a: 1}`.
  case version16
  /// graphql-js 17: spaces inside braces, as in `{ a: 1 }`, and line breaks in lists and objects of
  /// more than 80 characters.
  case version17
}
