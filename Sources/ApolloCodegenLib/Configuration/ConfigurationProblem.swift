public import protocol Foundation.LocalizedError

/// A problem in a configuration file.
///
/// ```swift
/// do {
///   _ = try ApolloCodegenConfiguration(json: text)
/// } catch {
///   for problem in error.problems where problem.code == .unknownKey { print(problem.path) }
/// }
/// ```
public struct ConfigurationProblem: Hashable, Sendable {
  /// The kind of a problem. Later versions can add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    /// The text is not JSON.
    public static let notJSON = Code(name: "notJSON")
    /// A required value is missing or empty.
    public static let missing = Code(name: "missing")
    /// A key is unknown, or belongs elsewhere.
    public static let unknownKey = Code(name: "unknownKey")
    /// A value has another type than expected.
    public static let wrongType = Code(name: "wrongType")
    /// A value is not among the allowed ones.
    public static let invalidValue = Code(name: "invalidValue")
    /// A value does not fit another part of the configuration.
    public static let conflict = Code(name: "conflict")
    /// A key of Apollo iOS that has no effect any more.
    public static let obsoleteKey = Code(name: "obsoleteKey")

    /// The name of the code, such as `unknownKey`.
    public var description: String { name }
  }

  /// The place in the JSON, such as `output.schemaTypes.path`; empty for the whole file.
  public let path: String

  /// The problem itself, from which the code and the message are made.
  package let fact: ConfigurationFact

  package init(_ fact: ConfigurationFact, at path: String) {
    self.path = path
    self.fact = fact
  }

  /// The code of the problem, to compare with.
  public var code: Code { fact.code }

  /// A sentence that says what is wrong and how to fix it.
  public var message: String { fact.sentence }
}

extension ConfigurationProblem: CustomStringConvertible {
  /// The path, if there is one, and the message.
  public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

/// A configuration that cannot be used, with all of its problems.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible,
  LocalizedError
{
  /// The problems, in the order of the file.
  public let problems: [ConfigurationProblem]

  package init(problems: [ConfigurationProblem]) { self.problems = problems }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// One line for each problem.
  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}
