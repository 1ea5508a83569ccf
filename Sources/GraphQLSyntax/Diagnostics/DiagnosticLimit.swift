extension Diagnostic {
  /// How many problems are reported at most of one kind of input: of a schema, or of operations.
  ///
  /// Nobody reads so many; but a few kilobytes can be wrong in billions of ways, as when a thousand
  /// types lack a thousand fields each.
  package static let greatestCount = 100_000

  /// What is reported in place of all further problems.
  package static let tooMany = Diagnostic(
    rule: .limit,
    message: "More than \(greatestCount) problems were found; the rest is not reported.", at: nil)
}
