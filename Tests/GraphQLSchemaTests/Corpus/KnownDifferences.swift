/// The cases with known differences from the reference implementation.
enum KnownDifferences {
  /// The reasons by the ID of the case.
  static let reasons: [String: String] = [
    "apollors-diagnostics-ff664aa853/schema":
      """
    The specification (3.13) forbids directives that refer to themselves; graphql-js does not \
    check it, apollo-rs and we do.
    """,
    "chg-7627d28484":
      "The new schema lacks a directive of the specification, which SDL cannot express.",
    "chg-3c112aab47":
      "The reference says \"@Foo(Foo)\" for the argument \"@Foo(arg1:)\".",
  ]
}
