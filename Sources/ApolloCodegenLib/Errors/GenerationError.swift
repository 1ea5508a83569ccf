public import protocol Foundation.LocalizedError
public import GraphQLSyntax

/// The reason why nothing was generated.
///
/// ```swift
/// do {
///   _ = try generator.generate()
/// } catch {
///   if error.code == .locked, let folder = error.path { print("Another generator uses \(folder).") }
/// }
/// ```
public struct GenerationError: Error, Sendable {
  /// The kind of a failure. Later versions can add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The configuration has ``GenerationError/problems``.
    public static let invalidConfiguration = Code(description: "invalidConfiguration")
    /// The schema or the operations have errors, which are in ``GenerationError/diagnostics``.
    public static let invalidInput = Code(description: "invalidInput")
    /// The search paths of the configuration find no files, or not those that are needed.
    public static let noInput = Code(description: "noInput")
    /// A file or folder cannot be read.
    public static let cannotRead = Code(description: "cannotRead")
    /// Another generator writes to the folder at ``GenerationError/path``.
    public static let locked = Code(description: "locked")
    /// A file that was not generated is at ``GenerationError/path``, where a generated one must go.
    public static let foreignFile = Code(description: "foreignFile")
    /// The file at ``GenerationError/path`` would be written outside of its output folder.
    public static let outsideOfOutput = Code(description: "outsideOfOutput")
    /// A file or folder cannot be written.
    public static let cannotWrite = Code(description: "cannotWrite")
  }

  /// The facts of a failure, from which all else follows.
  package enum Reason: Sendable {
    case configuration(ConfigurationError)
    case input([Diagnostic], SourceMap)
    /// No file in `root` matches the patterns of a search path.
    /// `unread` are the displayed paths of files that have another ending.
    case noMatch(InputRole, patterns: [String], root: String, unread: [String] = [])
    /// The operation search paths match schema files only.
    case onlySchemas
    /// The schema search paths match more than one introspection, given by their displayed paths.
    case severalIntrospections([String])
    case searchPath(Glob.InvalidPattern)
    case reading(DiskError)
    case writing(WriteError)
  }

  /// The purpose of input files, called as in messages.
  package enum InputRole: String, Sendable {
    case schema
    case operations

    /// The key of the configuration with the search paths.
    var key: String {
      switch self {
      case .schema: "input.schemaSearchPaths"
      case .operations: "input.operationSearchPaths"
      }
    }
  }

  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }
}

// MARK: - Facts

extension GenerationError {
  /// The kind of the failure.
  public var code: Code {
    switch reason {
    case .configuration, .searchPath: .invalidConfiguration
    case .input: .invalidInput
    case .noMatch, .onlySchemas, .severalIntrospections: .noInput
    case .reading: .cannotRead
    case .writing(.locked): .locked
    case .writing(.foreignFile): .foreignFile
    case .writing(.outside): .outsideOfOutput
    case .writing(.disk), .writing(.notRestored): .cannotWrite
    }
  }

  /// The file or folder that the failure is about, if there is one.
  public var path: String? {
    switch reason {
    case .reading(let error), .writing(.disk(let error)), .writing(.notRestored(let error, _)):
      error.path
    case .writing(.locked(let path)), .writing(.foreignFile(let path, _, _)),
      .writing(.outside(let path, _)):
      path
    default: nil
    }
  }

  /// The problems of the configuration, in the order of the file.
  public var problems: [ConfigurationProblem] {
    if case .configuration(let error) = reason { error.problems } else { [] }
  }

  /// The errors of the schema and the operations, with the warnings that were found beside them.
  public var diagnostics: [Diagnostic] {
    if case .input(let diagnostics, _) = reason { diagnostics } else { [] }
  }

  /// The sources that the spans of ``diagnostics`` refer to.
  public var sources: SourceMap {
    if case .input(_, let sources) = reason { sources } else { SourceMap() }
  }

  /// The folder that another generator holds, if that is the failure.
  var lockedFolder: String? { code == .locked ? path : nil }
}

// MARK: - Sentences

extension GenerationError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The failure, and the way to fix it.
  ///
  /// There is one line for each problem of the inputs, which begins with file, line and column.
  public var description: String {
    switch reason {
    case .configuration(let error): error.description
    case .input(let diagnostics, let sources):
      DiagnosticFormat.xcode.render(diagnostics, in: sources)
    case .noMatch(let role, let patterns, let root, let unread):
      "No \(role.rawValue) found: nothing in '\(root)' matches \(Self.list(patterns)). "
        + "Check '\(role.key)' of the configuration."
        + (unread.isEmpty ? "" : " There is \(Self.list(Array(unread.prefix(3)))).")
    case .onlySchemas:
      "No operations found: there are only schemas and empty files in what "
        + "'input.operationSearchPaths' finds. Add the files with the operations to it."
    case .severalIntrospections(let paths):
      "There are \(paths.count) introspection files, which cannot be combined: \(Self.list(paths)). "
        + "Narrow 'input.schemaSearchPaths'."
    case .searchPath(let pattern): pattern.description
    case .reading(let error): error.description
    case .writing(let error): error.description
    }
  }

  private static func list(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }
}
