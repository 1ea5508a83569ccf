/// A problem of a configuration, and its place.
///
/// ```swift
/// do {
///   _ = try ApolloCodegenConfiguration(json: text)
/// } catch {
///   for problem in error.problems where problem.code == .unknownKey { print(problem.path) }
/// }
/// ```
public struct ConfigurationProblem: Hashable, Sendable {
  /// The kind of a problem. Later versions can add codes; keep a `default` in a `switch`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The text is not JSON.
    public static let notJSON = Code(description: "notJSON")
    /// A value that is needed is missing or empty.
    public static let missing = Code(description: "missing")
    /// A key is unknown, or belongs elsewhere.
    public static let unknownKey = Code(description: "unknownKey")
    /// A value has another type than expected.
    public static let wrongType = Code(description: "wrongType")
    /// A value is not one of those that are possible.
    public static let invalidValue = Code(description: "invalidValue")
    /// A value does not fit another part of the configuration.
    public static let conflict = Code(description: "conflict")
    /// A key has no effect any more.
    public static let noEffect = Code(description: "noEffect")
  }

  /// The place in the JSON, such as `output.schemaTypes.path`; empty for the whole file.
  public let path: String

  /// The facts of the problem, from which all else follows.
  package let fact: ConfigurationFact

  package init(_ fact: ConfigurationFact, at path: String) {
    self.path = path
    self.fact = fact
  }

  /// The kind of the problem.
  public var code: Code { fact.code }

  /// The problem, and the way to fix it.
  public var message: String { fact.sentence }
}

/// A configuration that cannot be used, with all of its problems.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problems, in the order of the file.
  public let problems: [ConfigurationProblem]

  package init(problems: [ConfigurationProblem]) { self.problems = problems }

  /// One line for each problem.
  public var description: String {
    problems.map { $0.path.isEmpty ? $0.message : "\($0.path): \($0.message)" }
      .joined(separator: "\n")
  }
}
