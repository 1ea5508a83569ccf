import ApolloCodegenLib
import GraphQLSyntax
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The code, the facts and the sentence of each failure of a run.
@Suite struct GenerationErrorSentenceTests {
  private static let diskError = DiskError(action: "read", path: "/p/a.graphql", code: EACCES)

  private static let rows: [(GenerationError.Reason, GenerationError.Code, String?, String)] = [
    (
      .configuration(
        ConfigurationError(problems: [
          .init(.missing(.output), at: "output"), .init(.notPositive, at: "x.y"),
        ])), .invalidConfiguration, nil,
      """
      output: Missing. Say where the generated files go.
      x.y: Give a positive number of seconds.
      """
    ),
    (
      .noMatch(.schema, patterns: ["*.graphqls", "*.json"], root: "/p"), .noInput, nil,
      "No schema found: nothing in '/p' matches '*.graphqls', '*.json'. "
        + "Check 'input.schemaSearchPaths' of the configuration."
    ),
    (
      .noMatch(.operations, patterns: ["*.graphql"], root: "/p"), .noInput, nil,
      "No operations found: nothing in '/p' matches '*.graphql'. "
        + "Check 'input.operationSearchPaths' of the configuration."
    ),
    (
      .onlySchemas, .noInput, nil,
      "No operations found: there are only schemas and empty files in what "
        + "'input.operationSearchPaths' finds. Add the files with the operations to it."
    ),
    (
      .severalIntrospections(["a.json", "b.json"]), .noInput, nil,
      "There are 2 introspection files, which cannot be combined: 'a.json', 'b.json'. "
        + "Narrow 'input.schemaSearchPaths'."
    ),
    (
      .searchPath(Glob.InvalidPattern(pattern: "a/!b")), .invalidConfiguration, nil,
      "The search path 'a/!b' has a '!' that is not its first character. "
        + "Put '!' in front to exclude files."
    ),
    (
      .reading(diskError), .cannotRead, "/p/a.graphql",
      "Cannot read '/p/a.graphql': Permission denied."
    ),
    (
      .writing(.disk(DiskError(action: "write", path: "/p/out", code: ENOSPC))), .cannotWrite,
      "/p/out",
      "Cannot write '/p/out': No space left on device. Nothing was changed. "
        + "Free some space there, then run again."
    ),
    (
      .writing(.foreignFile("/p/out/A.swift")), .foreignFile, "/p/out/A.swift",
      "'/p/out/A.swift' was not written by apollo-cli, so it is not overwritten. "
        + "Move it away, or change the output path."
    ),
    (
      .writing(.outside(path: "/x", folder: "/p/out")), .outsideOfOutput, "/x",
      "'/x' is outside the output folder '/p/out', or a symbolic link leads out of it. "
        + "Nothing was written."
    ),
    (
      .writing(.locked("/p/out")), .locked, "/p/out",
      "Another generator is writing to '/p/out'. Wait until it has finished, then run again."
    ),
    (
      .writing(.notRestored(diskError, paths: ["/p/a", "/p/b"])), .cannotWrite, "/p/a.graphql",
      "Cannot read '/p/a.graphql': Permission denied. Permit writing there, or change the output path. "
        + "These files could not be put back: '/p/a', '/p/b'. Generating again completes them."
    ),
  ]

  @Test(arguments: rows.indices)
  func hasACodeFactsAndASentence(_ row: Int) {
    let (reason, code, path, sentence) = Self.rows[row]
    let error = GenerationError(reason)
    #expect(error.code == code)
    #expect(error.path == path)
    #expect(error.description == sentence)
  }

  @Test func listsTheDiagnosticsOfInvalidInput() {
    var document = Document()
    let diagnostics = document.parse(Source(name: "a.graphql", text: "query {"))
    let error = GenerationError(.input(diagnostics, document.sources))
    #expect(error.code == .invalidInput)
    #expect(error.diagnostics == diagnostics)
    #expect(error.description.hasPrefix("a.graphql:1:8: error: "))
    #expect(error.description.split(separator: "\n").count == diagnostics.count)
  }

  @Test(arguments: [
    (ENOSPC, "Free some space there, then run again."),
    (EACCES, "Permit writing there, or change the output path."),
    (EROFS, "Choose an output path on a disk that can be written to."),
    (ENOTDIR, "Move away the file or folder in its place."),
    (EIO, "Fix that, then run again."),
  ])
  func advisesOnFailuresOfTheDisk(_ code: Int32, _ advice: String) {
    #expect(DiskError(action: "write", path: "/p", code: code).advice == advice)
  }
}

/// The code and the sentence of each problem of a configuration.
@Suite struct ConfigurationSentenceTests {
  private static let rows: [(ConfigurationFact, ConfigurationProblem.Code, String)] = [
    (.notJSON(line: 1, column: 2, message: "Wrong."), .notJSON, "Line 1, column 2: Wrong."),
    (.missing(.any), .missing, "Missing."),
    (.missing(.folder), .missing, "Missing. Give a folder."),
    (.incomplete(["key", "value"]), .missing, "Give 'key' and 'value'."),
    (
      .emptyRuntimeLocation, .missing,
      "The text is empty. Give the 'url' of the runtime's package, or a folder: "
        + #"{ "sdkVersion": { "local": { "path": "…" } } }."#
    ),
    (.unknownKey(.place("")), .unknownKey, "Unknown key. It belongs at the top level."),
    (.unknownKey(.place("options")), .unknownKey, "Unknown key. It belongs in 'options'."),
    (.unknownKey(.nearest("input")), .unknownKey, "Unknown key. Did you mean 'input'?"),
    (.unknownKey(.known(["a", "b"])), .unknownKey, "Unknown key. Known keys: a, b."),
    (
      .unknownValue("c", known: ["a", "b"]), .invalidValue,
      "'c' is not known here. Use one of 'a', 'b'."
    ),
    (.unknownRule("X", nearest: nil), .invalidValue, "There is no rule 'X'."),
    (.unknownRule("X", nearest: "Y"), .invalidValue, "There is no rule 'X'. Did you mean 'Y'?"),
    (
      .wrongType(expected: ["a string", "a list"], found: "null"), .wrongType,
      "Expected a string or a list, found null."
    ),
    (.notExactlyOne(of: ["a", "b"]), .wrongType, "Expected exactly one of: a, b."),
    (.notPositive, .invalidValue, "Give a positive number of seconds."),
    (.unknownStrategy, .invalidValue, #"Use "upper", "lower" or {"replace": …}."#),
    (.notRegularExpression("("), .invalidValue, "'(' is not a regular expression."),
    (
      .obsoleteKey(.queryStringLiteralFormat), .obsoleteKey,
      "This key has no effect: documents are sent on one line."
    ),
    (
      .assumedRuntime(isOfApolloIOS: false), .conflict,
      "The runtime has no public address yet: the generated package looks for a clone of it beside "
        + "itself, in '../apollo-swift'. If it is elsewhere, give its 'url', or a folder: "
        + #"{ "sdkVersion": { "local": { "path": "…" } } }."#
    ),
    (
      .notSwiftName("a b"), .invalidValue,
      "'a b' is not a Swift name. Use letters, digits and underscores."
    ),
    (
      .reservedName("Schema"), .invalidValue,
      "'Schema' is a name of Swift or of the runtime. Choose another one."
    ),
    (
      .runtimeModule("Apollo"), .invalidValue,
      "'Apollo' is a module of the runtime. Name your own target."
    ),
    (
      .mocksTargetName("1"), .invalidValue,
      "'1' cannot be the name of the target. Use letters, digits and underscores, and not 'Sources' "
        + "or the name of a module of the schema, the runtime or the system."
    ),
    (.nothingSearched, .missing, "Nothing is searched. Give at least one path without '!'."),
    (
      .exclamationMark(.init(pattern: "a!")), .invalidValue,
      "The search path 'a!' has a '!' that is not its first character. "
        + "Put '!' in front to exclude files."
    ),
    (
      .folderPattern("a/**"), .invalidValue,
      "'a/**' names folders. End it with the files to read, as in 'a/**/*.graphql'."
    ),
    (.nulInPath, .invalidValue, "A path cannot hold a NUL character."),
    (
      .unexpandedPath("~/a"), .invalidValue,
      "'~/a' is used as it is: '~', variables and wildcards are not replaced. "
        + "Write the path in full."
    ),
    (
      .rootFolder, .invalidValue,
      "The root of the file system cannot be an output folder. Choose another folder."
    ),
    (
      .nothingSent, .conflict,
      "Nothing would be sent. Name 'definition', 'operationIdentifier' or both."
    ),
    (
      .initializersWithoutMerging, .conflict,
      "Initializers need every field of their models. Remove 'fieldMerging' of "
        + "'experimentalFeatures', or this key."
    ),
    (
      .mocksWithoutPackage, .conflict,
      "Mocks can be a target of the generated package only where 'moduleType' is 'swiftPackage'. "
        + "Use 'absolute' and give the folder of a target of your own."
    ),
    (
      .separateOperations, .conflict,
      "The schema's types and the operations are combined in one module here. "
        + "Set it to { \"inSchemaModule\": {} }."
    ),
    (
      .indispensableRule, .conflict,
      "This rule cannot be relaxed: no code can be generated for operations that break it."
    ),
  ]

  @Test(arguments: rows.indices)
  func hasACodeAndASentence(_ row: Int) {
    let (fact, code, sentence) = Self.rows[row]
    let problem = ConfigurationProblem(fact, at: "a.b")
    #expect(problem.code == code)
    #expect(problem.message == sentence)
    #expect(problem.path == "a.b")
  }
}
