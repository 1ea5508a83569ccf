import Foundation
import Testing

/// Standard input that cannot be read, and standard output that cannot be written.
@Suite(.timeLimit(.minutes(10)))
struct StandardStreamTests {
  private func shell(_ command: String) async throws -> Outcome {
    let files = ["s.graphqls": "type Query { a: Int }", "a.graphql": "{ a }"]
    return try await withFiles(files) { project in
      try await run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", command, Repository.commandLineTool().path],
        in: project.folder, environment: ["APOLLO_CLI_PROGRESS": "never"])
    }
  }

  #if os(Linux)
    @Test(arguments: [
      "schema print s.graphqls", "format - < a.graphql", "rules",
      "validate -s s.graphqls --format json a.graphql",
    ])
    func aResultThatCannotBeWrittenIsAFailure(_ command: String) async throws {
      let outcome = try await shell("\"$0\" \(command) > /dev/full")
      #expect(outcome.status == 2, "\(outcome)")
      expectOneError(in: outcome, naming: "Standard output cannot be written: ")
    }
  #endif

  @Test func aPipeWithoutAReaderIsNoFailure() async throws {
    let outcome = try await shell(
      #"trap '' PIPE; mkfifo p; exec 3<>p 4>p 3<&-; "$0" rules >&4; echo $? >&2"#)
    #expect(outcome.errors == "0\n", "\(outcome)")
  }

  @Test(arguments: ["format -", "validate -s s.graphqls -", "validate -s -"])
  func inputThatCannotBeReadIsAFailure(_ command: String) async throws {
    let outcome = try await shell("\"$0\" \(command) < .")
    #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome)")
    expectOneError(in: outcome, naming: "Standard input cannot be read: ")
  }

  /// The text does not fit into a pipe, so that the tool has to wait for the rest of it.
  @Test func inputThatDoesNotBlockIsReadToItsEnd() async throws {
    let text = "{\n" + String(repeating: "  a\n", count: 100_000) + "}\n"
    try await withFiles([:]) { project in
      let outcome = try await run(
        try Repository.commandLineTool(), ["format", "-"], in: project.folder, input: text,
        inputBlocks: false)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output == text)
    }
  }
}
