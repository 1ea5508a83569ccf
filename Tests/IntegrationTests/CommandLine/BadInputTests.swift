import Foundation
import Testing

/// Commands end with diagnostics that name the file, and never by a signal, for any contents of
/// files.
@Suite(.timeLimit(.minutes(10)))
struct BadInputTests {
  /// Bytes that are not GraphQL, and the beginning of what is said about them.
  static let files: [(name: String, bytes: [UInt8], message: String)] = [
    ("empty", [], "1:1: error: Syntax Error: Unexpected <EOF>."),
    ("blank", Array(" \n\t\r\n# nothing\n".utf8), "4:1: error: Syntax Error: Unexpected <EOF>."),
    ("mark alone", [0xEF, 0xBB, 0xBF], "error: Syntax Error: Unexpected <EOF>."),
    ("nul", Array("{ a\0b }".utf8), "1:4: error: Syntax Error: Unexpected character: U+0000."),
    (
      "invalid UTF-8", Array("{ a }\n# ".utf8) + [0xC3, 0x28],
      "2:3: error: Syntax Error: Invalid UTF-8"
    ),
    ("UTF-16", [0xFF, 0xFE, 0x7B, 0x00], "1:1: error: Syntax Error: Invalid UTF-8"),
    (
      "half a character", Array("{ a(b: \"".utf8) + [0xF0, 0x9F],
      "error: Syntax Error: Invalid UTF-8"
    ),
    (
      "selection bomb", Array(String(repeating: "{a", count: 100_000).utf8),
      "error: Syntax Error: Nested more than 500 levels deep"
    ),
    (
      "list bomb", Array(("{ a(b: " + String(repeating: "[", count: 100_000)).utf8),
      "error: Syntax Error: Nested more than 500 levels deep"
    ),
    (
      "object bomb", Array(("{ a(b: " + String(repeating: "{c:", count: 100_000)).utf8),
      "error: Syntax Error: Nested more than 500 levels deep"
    ),
    (
      "type bomb", Array(("type A { a: " + String(repeating: "[", count: 100_000)).utf8),
      "error: Syntax Error: A type cannot be nested in more than 255 lists."
    ),
    (
      "parentheses", Array(String(repeating: "(", count: 100_000).utf8),
      "error: Syntax Error: Unexpected \"(\"."
    ),
    (
      "bangs", Array(("type A { a: B" + String(repeating: "!", count: 100_000)).utf8),
      "error: Syntax Error: "
    ),
    (
      "open string", Array("{ a(b: \"\"\"".utf8) + Array(repeating: 0x20, count: 100_000),
      "error: Syntax Error: Unterminated string."
    ),
    (
      "lone surrogate", Array(#"{ a(b: "\uD800") }"#.utf8),
      "error: Syntax Error: Invalid Unicode escape sequence: \"\\uD800\"."
    ),
    (
      "beyond Unicode", Array(#"{ a(b: "\u{110000}") }"#.utf8),
      "error: Syntax Error: Invalid Unicode escape sequence: \"\\u{110000}\"."
    ),
    (
      "JSON", Array(#"{"data": {"a": 1}}"#.utf8),
      "error: Syntax Error: Expected Name, found String \"data\"."
    ),
  ]

  @Test(arguments: files.indices)
  func operationsOfAnyBytesEndInDiagnostics(_ index: Int) async throws {
    let file = Self.files[index]
    try await withFiles(["s.graphqls": "type Query { a: Int }"]) { project in
      try Data(file.bytes).write(to: project.folder.appendingPathComponent("x.graphql"))
      for arguments in [["validate", "-s", "s.graphqls", "x.graphql"], ["format", "x.graphql"]] {
        let outcome = try await project.apollo(arguments)
        let text = outcome.output + outcome.errors
        // A file of white space and comments has nothing to report.
        if file.message.hasSuffix("Unexpected <EOF>.") {
          #expect(outcome.status == 0, "\(arguments): \(text.prefix(500))")
          continue
        }
        #expect(outcome.status == 1, "\(arguments): \(text.prefix(500))")
        #expect(text.contains("x.graphql:"), "\(arguments): \(text.prefix(500))")
        #expect(text.contains(file.message), "\(arguments): \(text.prefix(500))")
      }
    }
  }

  @Test(arguments: files.indices)
  func schemasOfAnyBytesEndInDiagnostics(_ index: Int) async throws {
    let file = Self.files[index]
    try await withFiles([:]) { project in
      for path in ["x.graphqls", "x.json"] {
        try Data(file.bytes).write(to: project.folder.appendingPathComponent(path))
        for arguments in [["validate", "-s", path], ["schema", "print", path]] {
          let outcome = try await project.apollo(arguments)
          let text = outcome.output + outcome.errors
          #expect(outcome.status == 1, "\(arguments): \(text.prefix(500))")
          #expect(text.contains("\(path):"), "\(arguments): \(text.prefix(500))")
        }
      }
    }
  }

  @Test(arguments: ["{ a }", "\u{FEFF}{ a }", "\r\n{\r\n  a\r\n}\r\n", "{\ra\r}"])
  func byteOrderMarksAndLineEndingsAreNoProblem(_ text: String) async throws {
    try await withFiles(["s.graphqls": "\u{FEFF}type Query {\r\n  a: Int\r\n}", "x.graphql": text])
    {
      let outcome = try await $0.apollo("validate", "-s", "s.graphqls", "x.graphql")
      #expect(outcome.status == 0, "\(outcome)")
    }
  }

  // MARK: - What is no file

  @Test func foldersThatAreNamedLikeFilesAreFolders() async throws {
    let files = ["s.graphqls": "type Query { a: Int }", "x.graphql/inner.graphql": "{ a }"]
    try await withFiles(files) { project in
      for path in ["x.graphql", "."] {
        let outcome = try await project.apollo(
          "validate", "-s", "s.graphqls", "--format", "json", path)
        #expect(outcome.status == 0 && outcome.output == "[]\n", "\(path): \(outcome)")
      }
    }
  }

  @Test(arguments: ["v", "v/*.graphql"])
  func filesOfTheSchemaAreNotMissing(_ operations: String) async throws {
    let files = ["v/s.graphqls": "type Query { a: Int }", "v/x.graphql": "{ a }"]
    try await withFiles(files) { project in
      let outcome = try await project.apollo("validate", "-s", "v", operations)
      #expect(outcome.status == 2)
      expectOneError(in: outcome, naming: "All files of '\(operations)' belong to the schema")
    }
  }

  @Test func whatIsNeitherFileNorFolderIsNamed() async throws {
    try await withFiles(["s.graphqls": "type Query { a: Int }"]) { project in
      let pipe = project.folder.appendingPathComponent("pipe.graphql").path
      #expect(mkfifo(pipe, 0o600) == 0)
      let links = [("circle.graphql", "circle.graphql"), ("broken.graphql", "nowhere")]
      for (name, target) in links {
        try FileManager.default.createSymbolicLink(
          atPath: project.folder.appendingPathComponent(name).path, withDestinationPath: target)
      }
      for path in [
        "pipe.graphql", "circle.graphql", "broken.graphql", "s.graphqls/x", "/dev/null/x",
      ] {
        for command in [["validate", "-s", "s.graphqls"], ["format"]] {
          let outcome = try await project.apollo(command + [path])
          #expect(outcome.status == 2, "\(path): \(outcome)")
          #expect(outcome.errors.contains("'\(path)'"), "\(outcome.errors)")
        }
      }
      // A folder is searched past them.
      try project.write("{ a }", to: "x.graphql")
      let outcome = try await project.apollo("validate", "-s", "s.graphqls", ".")
      #expect(outcome.status == 0, "\(outcome)")
    }
  }

  @Test func aFileThatIsTooLargeIsNamed() async throws {
    try await withFiles(["s.graphqls": "type Query { a: Int }", "x.graphql": ""]) { project in
      // Not a byte of it is on the disk.
      let file = try FileHandle(forWritingTo: project.folder.appendingPathComponent("x.graphql"))
      try file.truncate(atOffset: 1 << 31)
      try file.close()
      let outcome = try await project.apollo("validate", "-s", "s.graphqls", "x.graphql")
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("x.graphql") && outcome.errors.contains("large"))
    }
  }

  @Test func linksToFilesAreRead() async throws {
    try await withFiles(["s.graphqls": "type Query { a: Int }", "real/x.graphql": "{ b }"]) {
      project in
      try FileManager.default.createSymbolicLink(
        atPath: project.folder.appendingPathComponent("x.graphql").path,
        withDestinationPath: "real/x.graphql")
      let outcome = try await project.apollo("validate", "-s", "s.graphqls", "x.graphql")
      #expect(outcome.output.hasPrefix("x.graphql:1:3: error: "), "\(outcome)")
    }
  }

  @Test func aFileAndLinksToItAreOneFile() async throws {
    let files = ["app/s.graphql": "type Query { a: Int }", "app/x.graphql": "query A { a }"]
    try await withFiles(files) { project in
      for (link, target) in [("link", "app"), ("app/y.graphql", "x.graphql")] {
        try FileManager.default.createSymbolicLink(
          atPath: project.folder.appendingPathComponent(link).path, withDestinationPath: target)
      }
      for arguments in [
        ["-s", "app/s.graphql", "app"], ["-s", "link/s.graphql", "app"],
        ["-s", "app/s.graphql", "-s", "link/s.graphql", "app/x.graphql", "link/x.graphql"],
      ] {
        let outcome = try await project.apollo(["validate"] + arguments)
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(arguments): \(outcome)")
        #expect(outcome.errors == "0 errors, 0 warnings in 1 operation and 0 fragments.\n")
      }
    }
  }

  // MARK: - Introspection

  @Test(arguments: [
    ("{}", "there is no \"__schema\" object"),
    ("{\"data\": null}", "there is no \"__schema\" object"),
    ("{\"__schema\": {}}", "missing"), ("{\"errors\": [{\"message\": \"no\"}]}", "__schema"),
    ("{\"__schema\": ", "Unexpected end of the text"),
    ("{\"a\": 1,}", "Expected a key in double quotes"),
    (String(repeating: "{\"a\":", count: 100_000), "Unexpected end of the text"),
  ])
  func malformedIntrospectionIsNamed(_ text: String, message: String) async throws {
    try await withFiles(["x.json": text]) { project in
      let outcome = try await project.apollo("validate", "-s", "x.json")
      #expect(outcome.status == 1)
      #expect(outcome.output.hasPrefix("x.json:1:"), "\(outcome.output.prefix(300))")
      #expect(outcome.output.contains(message), "\(outcome.output.prefix(300))")
    }
  }

  // MARK: - Terminals

  @Test func whatATerminalWouldObeyIsNotWritten() async throws {
    let escape = "\u{1B}]0;title\u{7}"
    try await withFiles([
      "s.graphqls": "type Query { a: Int }", "x.graphql": "{ \"\(escape)\" }",
    ]) {
      let outcome = try await $0.apollo("validate", "-s", "s.graphqls", "x.graphql")
      #expect(outcome.status == 1)
      let text = outcome.output + outcome.errors
      #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{7}" }, "\(text)")
    }
  }
}
