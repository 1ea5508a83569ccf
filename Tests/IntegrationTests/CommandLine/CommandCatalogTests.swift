import ApolloCodegenLib
import Foundation
import Testing

/// The help, the completions and the man page of `apollo-cli`, which are made from one description.
@Suite(.timeLimit(.minutes(10)))
struct CommandCatalogTests {
  private static let commands = [
    "init", "fetch-schema", "generate", "generate-operation-manifest", "migrate", "validate",
    "lint", "format", "schema", "operations", "run", "cache", "mock", "record", "rules", "lsp",
    "completions", "man-page",
  ]

  private func output(_ arguments: String...) async throws -> String {
    let outcome = try await withFiles([:]) { try await $0.apollo(arguments) }
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(arguments): \(outcome)")
    return outcome.output
  }

  // MARK: - Help

  @Test func helpListsOptionsWithDefaultsAndExamples() async throws {
    #expect(
      try await output("operations", "complexity", "--help") == """
        Lists operations with their depth and the size of their responses.

        The complexity is the number of values in a response whose lists all have
        --list-length elements. Fragments count wherever they are spread. Without
        arguments, the operations are those of the configuration.

        Ends with 1 if an operation exceeds --max-complexity or --max-depth.

        USAGE: apollo-cli operations complexity [OPERATIONS…] [OPTIONS]

        ARGUMENTS:
          [OPERATIONS…]  Files, folders or patterns of operations.

        OPTIONS:
          -p, --path FILE           The configuration file. (default:
                                    ./apollo-codegen-config.json, or the one in a folder
                                    above)
          -s, --schema PATH         A file, folder or pattern of the schema: SDL or
                                    introspection JSON. May be repeated.
              --severity RULE=LEVEL
                                    The severity of a rule: error, warning or off.
                                    'apollo-cli rules' lists the rules. May be repeated.
              --list-length COUNT   The number of elements that each list is assumed to
                                    have. (default: 10)
              --max-complexity COUNT
                                    The greatest complexity allowed.
              --max-depth COUNT     The greatest number of fields inside of each other
                                    that is allowed.
          -f, --format FORMAT       The format of the list. (values: text, json;
                                    default: text)
          -q, --quiet               Print errors, warnings and results, and nothing
                                    else.
              --color WHEN          When to use colors. (values: auto, always, never;
                                    default: auto)
          -h, --help                Show help.

        EXAMPLES:
          # List the operations, the most complex first.
          apollo-cli operations complexity

          # Fail in continuous integration above a limit.
          apollo-cli operations complexity --max-complexity 5000

        """)
  }

  @Test(arguments: commands) func everyCommandHasHelp(_ command: String) async throws {
    let help = try await output(command, "--help")
    #expect(help.contains("\nUSAGE: apollo-cli \(command)"))
    // The list of the rules has the name of a command.
    if command != "rules" {
      let text = try await output("help", command)
      #expect(text == help)
    }
    #expect(try await output(command, "-h") == help)
    #expect(try await output("--help").contains("\n  \(command)"))
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.contains("apollo-cli ") })
  }

  @Test(arguments: ["--version", "-V"]) func theVersionIsPrinted(_ option: String) async throws {
    #expect(try await output(option) == "\(generatorVersion)\n")
  }

  @Test(
    arguments: [
      (["schmea"], "'schmea' is not a command. Did you mean 'schema'?"),
      (["help", "schmea"], "'schmea' is not a command. Run 'apollo-cli --help'"),
      (["schema"], "'schema' needs a subcommand: print, introspect, stats, diff, coverage."),
      (["schema", "dif"], "'dif' is not a subcommand of 'schema'. Did you mean 'diff'?"),
      (["schema", "xyzxyz"], "Use one of print, introspect, stats, diff, coverage."),
      (["generate", "now"], "Unexpected argument 'now'. Run 'apollo-cli generate --help'"),
      (["generate", "--chekc"], "Unknown option '--chekc'. Did you mean '--check'?"),
      (["generate", "--check", "--watch"], "--check and --watch exclude each other."),
      (["generate", "--dry-run", "-f"], "--fetch-schema writes the schema"),
      (["validate", "--format", "yaml"], "--format cannot be 'yaml'. Use one of text, xcode,"),
      (["validate", "--color", "red"], "--color cannot be 'red'. Use one of auto, always, never."),
      (["lint", "--max-depth", "0", "x"], "--max-depth needs a positive number, not '0'."),
      (["completions"], "Name one shell: bash, zsh, fish."),
      (["completions", "tcsh"], "'tcsh' is not a known shell. Use one of bash, zsh, fish."),
      (["rules", "RequireIDs"], "There is no rule 'RequireIDs'. Did you mean 'RequireID'?"),
      (["schema", "diff"], "schema diff compares two schemas: schema diff OLD [NEW]."),
      (["schema", "print"], "Name the files of the schema. There is no configuration here"),
      (["schema", "coverage"], "Name a schema with --schema, and files with operations."),
      (["fetch-schema"], "or name a server with --endpoint."),
      (["generate", "-p", "a.json"], "Name another file with --path."),
    ] as [([String], String)])
  func wrongArgumentsAreExplained(_ arguments: [String], message: String) async throws {
    let outcome = try await withFiles([:]) { try await $0.apollo(arguments) }
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("error: "), "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test(arguments: [
    ["-q", "schema", "stats"], ["schema", "-q", "stats"], ["schema", "--color=never", "stats"],
    ["schema", "--color", "never", "--quiet", "stats"], ["schema", "stats", "-q"],
  ])
  func optionsOfEveryCommandCanBeInFrontOfASubcommand(_ arguments: [String]) async throws {
    try await withFiles(["s.graphqls": "type Query { a: Int }"]) { project in
      let outcome = try await project.apollo(arguments + ["s.graphqls"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      #expect(outcome.output.hasPrefix("1  types\n"), "\(outcome)")
    }
  }

  // MARK: - Rules

  @Test func rulesAreListedAndDescribed() async throws {
    let list = try await output("rules")
    #expect(try await output("help", "rules") == list)
    #expect(list.hasPrefix("OPERATIONS:\n  ExecutableDefinitions "))
    #expect(
      try await output("rules", "require-id", "KNOWNTYPENAMES") == """
        OPERATIONS:
          KnownTypeNames  error (fixed)    Type conditions and variables name types that exist.

        STYLE OF OPERATIONS:
          RequireID       off              Objects that have an 'id' are selected with it.

        SCHEMAS:
          KnownTypeNames  error            Types that are named exist.

        """)
    #expect(
      try await output("rules", "RequireID", "--format", "json") == """
        [
          {
            "name": "RequireID",
            "subject": "Style of operations",
            "summary": "Objects that have an 'id' are selected with it.",
            "severity": "off",
            "isConfigurable": true
          }
        ]

        """)
  }

  // MARK: - Completions

  @Test(arguments: [
    (["apollo-cli", "sch"], "schema"),
    (["apollo-cli", "schema", "d"], "diff"),
    (["apollo-cli", "schema", "diff", "--fo"], "--format"),
    (["apollo-cli", "schema", "diff", "--format", "j"], "json"),
    (["apollo-cli", "validate", "-f", "sa"], "sarif"),
    (["apollo-cli", "completions", "f"], "fish"),
    (["apollo-cli", "rules", "Require"], "RequireID RequiredDeprecations"),
    (["apollo-cli", "generate", "--path", "con"], "config.json"),
    (["apollo-cli", "-", "generate", "--che"], "--check"),
  ])
  func bashCompletesCommandsOptionsAndValues(_ words: [String], found: String) async throws {
    let script = try await output("completions", "bash")
    try await withFiles(["completions.bash": script, "config.json": ""]) { project in
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      let outcome = try await run(
        URL(fileURLWithPath: "/bin/bash"),
        [
          "--norc", "-c",
          "complete() { :; }; source completions.bash; COMP_WORDS=(\(list)); "
            + "COMP_CWORD=\(words.count - 1); _apollo_cli; echo \"${COMPREPLY[*]}\"",
        ], in: project.folder)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      #expect(outcome.output == "\(found)\n")
    }
  }

  @Test(arguments: [
    (["apollo-cli", "sch"], ["compopt +o filenames", "schema"]),
    (["apollo-cli", "schema", "d"], ["compopt +o filenames", "diff"]),
    (["apollo-cli", "validate", "--format", "=", "j"], ["compopt +o filenames", "json"]),
    (["apollo-cli", "validate", "My"], ["My Schemas"]),
    (["apollo-cli", "validate", "--schema", "=", "My"], ["My Schemas"]),
    (["apollo-cli", "generate", "--path", "My Schemas/"], ["My Schemas/a *.json"]),
    (["apollo-cli", "generate", "--combine-into", "My"], ["My Schemas"]),
  ])
  func bashTakesOnlyPathsForPaths(_ words: [String], found: [String]) async throws {
    let script = try await output("completions", "bash")
    let files = ["completions.bash": script, "My Schemas/a *.json": "", "schema/s.graphqls": ""]
    try await withFiles(files) { project in
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      let outcome = try await run(
        URL(fileURLWithPath: "/bin/bash"),
        [
          "--norc", "-c",
          "complete() { :; }; compopt() { echo \"compopt $*\"; }; source completions.bash; "
            + "COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _apollo_cli; "
            + "printf '%s\\n' \"${COMPREPLY[@]}\"",
        ], in: project.folder)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      #expect(outcome.output == found.map { "\($0)\n" }.joined())
    }
  }

  @Test(arguments: ["zsh", "fish"])
  func otherShellsKnowEveryCommand(_ shell: String) async throws {
    let script = try await output("completions", shell)
    for command in Self.commands { #expect(script.contains(command)) }
    #expect(script.contains("json") && script.contains("max-complexity"))
  }

  // MARK: - The man page

  @Test func theManPageHasEveryCommandAndOption() async throws {
    let page = try await output("man-page")
    #expect(page.hasPrefix(".TH APOLLO\\-CLI 1"))
    for command in Self.commands {
      let name = command.replacing("-", with: "\\-")
      #expect(page.contains("\n.SS \(name)\n"), "\(command)")
    }
    #expect(page.contains("\n.SS schema diff\n"))
    #expect(page.contains("\n.B \\-n, \\-\\-dry\\-run\n"))
    // A line that starts with a period is a request to the formatter.
    let requests = [".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".RS", ".RE", ".nf", ".fi"]
    for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(requests.contains { line == $0 || line.hasPrefix("\($0) ") }, "\(line)")
    }
  }

  // MARK: - Colors

  @Test func colorsAreEverywhereOrNowhere() async throws {
    let files = [
      "s.graphqls": "type Query { name: String }", "a.graphql": "{ nmae }",
      "config.json": "{}",
    ]
    let commands = [
      ["validate", "-s", "s.graphqls", "a.graphql"], ["generate", "-p", "config.json"],
      ["generate", "-p", "missing.json"], ["format", "--nope"], ["validate", "--help"],
      ["rules"], ["schema", "diff", "s.graphqls", "missing.graphqls"],
    ]
    try await withFiles(files) { project in
      for command in commands {
        let colored = try await project.apollo(command + ["--color", "always"])
        let text = colored.output + colored.errors
        if command != ["format", "--nope"] { #expect(text.contains("\u{1B}["), "\(command)") }
        let plain = try await project.apollo(["--color=never"] + command)
        #expect(!(plain.output + plain.errors).contains("\u{1B}"), "\(command)")
        #expect(text.replacing(/\e\[[0-9;]*m/, with: "") == plain.output + plain.errors)
      }
    }
  }
}
