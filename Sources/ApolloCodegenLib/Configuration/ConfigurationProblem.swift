/// What is wrong with a configuration, and where.
public struct ConfigurationProblem: Hashable, Sendable {
  /// Where in the JSON, such as `output.schemaTypes.path`; empty for the whole file.
  public var path: String
  /// What is wrong, and what to do about it.
  public var message: String
}

/// A configuration that cannot be used. Holds everything that was found, in the order of the file.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was found, in the order of the file.
  public var problems: [ConfigurationProblem]

  /// One line for each problem.
  public var description: String {
    problems.map { $0.path.isEmpty ? $0.message : "\($0.path): \($0.message)" }
      .joined(separator: "\n")
  }
}
