/// The facts of a problem of a configuration.
package enum ConfigurationFact: Hashable, Sendable {
  case notJSON(line: Int, column: Int, message: String)
  case missing(MissingValue)
  /// An object needs these keys.
  case incomplete([String])
  /// The address or folder of the runtime is an empty text.
  case emptyRuntimeLocation
  case unknownKey(Hint)
  case unknownValue(String, known: [String])
  case unknownRule(String, nearest: String?)
  case wrongType(expected: [String], found: String)
  /// An object must have exactly one of these keys.
  case notExactlyOne(of: [String])
  case notPositive
  case unknownStrategy
  case notRegularExpression(String)
  case obsoleteKey(KeyWithoutEffect)
  /// The package of the runtime is expected at its default location.
  case assumedRuntime(isOfApolloIOS: Bool)

  // MARK: Names

  case notSwiftName(String)
  /// A name of Swift or of the runtime.
  case reservedName(String)
  /// The name of a target that is also a module of the runtime.
  case runtimeModule(String)
  /// A name that the target of mocks cannot have.
  case mocksTargetName(String)

  // MARK: Paths

  case nothingSearched
  case exclamationMark(Glob.InvalidPattern)
  case folderPattern(String)
  case nulInPath
  case unexpandedPath(String)
  case rootFolder

  // MARK: Conflicts

  case nothingSent
  case initializersWithoutMerging
  case mocksWithoutPackage
  case separateOperations
  case indispensableRule

  /// The advice for an unknown key.
  package enum Hint: Hashable, Sendable {
    /// The key belongs into another object; empty for the top level.
    case place(String)
    case nearest(String)
    case known([String])
  }

  /// A value that is missing, with the advice to give it.
  package enum MissingValue: String, Hashable, Sendable, CaseIterable {
    case any = ""
    case path = "Give a path."
    case folder = "Give a folder."
    case file = "Give the file to write."
    case moduleName = "Give the name of the generated schema module."
    case output = "Say where the generated files go."
    case schemaTypes = "Give 'path' and 'moduleType'."
    case moduleType = "Use embeddedInTarget, swiftPackage or other."
    case target = "Give the name of the target."
    case manifest = "Give the 'path' of the manifest to generate."
    case downloadMethod = "Use introspection or apolloRegistry."
    case server = "Give the address of the server."
  }

  /// A key without an effect, with the reason.
  package enum KeyWithoutEffect: String, Hashable, Sendable, CaseIterable {
    case requireNonOptionalMockFields = "every field of a mock can be omitted."
    case markOperationDefinitionsAsFinal = "operations are structs, which are always final."
    case queryStringLiteralFormat = "documents are sent on one line."
    case clientControlledNullability = "'!' and '?' after fields never became part of GraphQL."
  }
}

// MARK: - Codes

extension ConfigurationFact {
  var code: ConfigurationProblem.Code {
    switch self {
    case .notJSON: .notJSON
    case .missing, .incomplete, .emptyRuntimeLocation, .nothingSearched: .missing
    case .unknownKey: .unknownKey
    case .wrongType, .notExactlyOne: .wrongType
    case .obsoleteKey: .obsoleteKey
    case .unknownValue, .unknownRule, .notPositive, .unknownStrategy, .notRegularExpression,
      .notSwiftName, .reservedName, .runtimeModule, .mocksTargetName, .exclamationMark,
      .folderPattern, .nulInPath, .unexpandedPath, .rootFolder:
      .invalidValue
    case .assumedRuntime, .nothingSent, .initializersWithoutMerging, .mocksWithoutPackage,
      .separateOperations, .indispensableRule:
      .conflict
    }
  }
}

// MARK: - Sentences

extension ConfigurationFact {
  /// The problem, and the way to fix it.
  package var sentence: String {
    switch self {
    case .notJSON(let line, let column, let message):
      "Line \(line), column \(column): \(message)"
    case .missing(let value): value == .any ? "Missing." : "Missing. \(value.rawValue)"
    case .incomplete(let keys):
      "Give \(keys.map { "'\($0)'" }.joined(separator: " and "))."
    case .emptyRuntimeLocation:
      "The text is empty. Give the 'url' of the runtime's package, or a folder: "
        + #"{ "sdkVersion": { "local": { "path": "…" } } }."#
    case .unknownKey(let hint): "Unknown key. \(hint.sentence)"
    case .unknownValue(let value, let known):
      "'\(value)' is not known here. Use one of \(known.map { "'\($0)'" }.joined(separator: ", "))."
    case .unknownRule(let name, let nearest):
      "There is no rule '\(name)'." + (nearest.map { " Did you mean '\($0)'?" } ?? "")
    case .wrongType(let expected, let found):
      "Expected \(expected.joined(separator: " or ")), found \(found)."
    case .notExactlyOne(let keys): "Expected exactly one of: \(keys.joined(separator: ", "))."
    case .notPositive: "Give a positive number of seconds."
    case .unknownStrategy: "Use \"upper\", \"lower\" or {\"replace\": …}."
    case .notRegularExpression(let pattern): "'\(pattern)' is not a regular expression."
    case .obsoleteKey(let key): "This key has no effect: \(key.rawValue)"
    case .assumedRuntime(let isOfApolloIOS):
      (isOfApolloIOS
        ? "Generated code does not work with the runtime of Apollo iOS, and ours has no public address yet"
        : "The runtime has no public address yet")
        + ": the generated package looks for a clone of it beside itself, in "
        + "'\(ApolloCodegenConfiguration.SDKDependency.defaultFolder)'. If it is elsewhere, give its 'url', "
        + #"or a folder: { "sdkVersion": { "local": { "path": "…" } } }."#
    case .notSwiftName(let name):
      "'\(name)' is not a Swift name. Use letters, digits and underscores."
    case .reservedName(let name):
      "'\(name)' is a name of Swift or of the runtime. Choose another one."
    case .runtimeModule(let target):
      "'\(target)' is a module of the runtime. Name your own target."
    case .mocksTargetName(let name):
      "'\(name)' cannot be the name of the target. Use letters, digits and underscores, and not "
        + "'Sources' or the name of a module of the schema, the runtime or the system."
    case .nothingSearched: "Nothing is searched. Give at least one path without '!'."
    case .exclamationMark(let pattern): pattern.description
    case .folderPattern(let pattern):
      "'\(pattern)' names folders. End it with the files to read, as in "
        + "'\(pattern.hasSuffix("/") ? pattern : pattern + "/")*.graphql'."
    case .nulInPath: "A path cannot hold a NUL character."
    case .unexpandedPath(let path):
      "'\(path)' is used as it is: '~', variables and wildcards are not replaced. "
        + "Write the path in full."
    case .rootFolder:
      "The root of the file system cannot be an output folder. Choose another folder."
    case .nothingSent:
      "Nothing would be sent. Name 'definition', 'operationIdentifier' or both."
    case .initializersWithoutMerging:
      "Initializers need every field of their models. Remove 'fieldMerging' of "
        + "'experimentalFeatures', or this key."
    case .mocksWithoutPackage:
      "Mocks can be a target of the generated package only where 'moduleType' is 'swiftPackage'. "
        + "Use 'absolute' and give the folder of a target of your own."
    case .separateOperations:
      "The schema's types and the operations are combined in one module here. "
        + "Set it to { \"inSchemaModule\": {} }."
    case .indispensableRule:
      "This rule cannot be relaxed: no code can be generated for operations that break it."
    }
  }
}

extension ConfigurationFact.Hint {
  fileprivate var sentence: String {
    switch self {
    case .place(""): "It belongs at the top level."
    case .place(let object): "It belongs in '\(object)'."
    case .nearest(let key): "Did you mean '\(key)'?"
    case .known(let keys): "Known keys: \(keys.joined(separator: ", "))."
    }
  }
}
