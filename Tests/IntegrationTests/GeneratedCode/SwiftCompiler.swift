import Foundation
import Testing

/// The Swift compiler, with the modules that were built together with these tests and the modules
/// of C libraries that they import: for code that is generated while a test runs.
struct SwiftCompiler {
  /// The folder of `ApolloAPI.swiftmodule`.
  private let modules: URL
  private let imports: [String]
  private let options: [String]

  /// - Parameters:
  ///   - folders: where further modules are, such as those that ``emitModule(_:from:to:)`` made.
  ///   - features: upcoming features of the language that are on.
  ///   - treatsWarningsAsErrors: whether a warning is an error; if not, it is ignored.
  /// - Throws: when `ApolloAPI` was not built.
  init(
    importing folders: [URL] = [], features: [String] = [],
    treatsWarningsAsErrors: Bool = true
  ) throws {
    modules = try Repository.product("Modules/ApolloAPI.swiftmodule").deletingLastPathComponent()
    let libraries = ["CSQLite", "CZlib", "CHiredis", "CCurl", "CurlShim/include"].map {
      Repository.root.appendingPathComponent("Sources/\($0)")
    }
    imports = (folders + [modules] + libraries).flatMap { ["-I", $0.path] }
    options =
      [
        "-swift-version", "6",
        treatsWarningsAsErrors ? "-warnings-as-errors" : "-suppress-warnings",
        "-parse-as-library", "-wmo",
      ]
      + features.flatMap { ["-enable-upcoming-feature", $0] }
      + imports
  }

  /// Checks the Swift files below `folders` as one module; a warning is an error.
  func expectValid(
    _ module: String, in folders: URL..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let files = try folders.flatMap(Self.swiftFiles)
    #expect(!files.isEmpty, sourceLocation: sourceLocation)
    try await compile(
      ["-typecheck", "-module-name", module] + files, in: folders[0], sourceLocation)
  }

  /// Checks the text of a `main.swift` in a language mode and returns the compiler's outcome.
  func check(main text: String, languageMode: String) async throws -> Outcome {
    try await withTemporaryFolder { folder in
      let main = folder.appendingPathComponent("main.swift")
      try text.write(to: main, atomically: true, encoding: .utf8)
      return try await IntegrationTests.run(
        URL(fileURLWithPath: "/usr/bin/env"),
        ["swiftc", "-typecheck", "-swift-version", languageMode] + imports + [main.path],
        in: folder, withinSeconds: 600)
    }
  }

  /// Checks Swift files as one module in the Swift 6 language mode and returns the compiler's
  /// outcome.
  func check(_ module: String, files: [URL], in folder: URL) async throws -> Outcome {
    try await IntegrationTests.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["swiftc"] + options + ["-typecheck", "-module-name", module] + files.map(\.path),
      in: folder, withinSeconds: 600)
  }

  /// Makes a module that others can import, without code.
  func emitModule(
    _ module: String, from folders: URL..., to destination: URL, options: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let path = destination.appendingPathComponent("\(module).swiftmodule").path
    try await compile(
      options + ["-emit-module", "-emit-module-path", path, "-module-name", module]
        + folders.flatMap(Self.swiftFiles), in: destination, sourceLocation)
  }

  /// Builds a program of the Swift files below `folder`, one of which has the `@main` type, and
  /// runs it.
  func run(
    _ module: String, in folder: URL, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    let program = folder.appendingPathComponent("program")
    // The folder keeps the objects of files that were removed, which would not link.
    let sources = try Self.swiftFiles(
      in: Repository.root.appendingPathComponent("Sources/ApolloAPI"))
    let objects = Set(sources.map { "\(URL(fileURLWithPath: $0).lastPathComponent).o" }).sorted()
    try await compile(
      ["-emit-executable", "-Onone", "-module-name", module, "-o", program.path]
        + Self.swiftFiles(in: folder)
        + objects.map {
          modules.deletingLastPathComponent().appendingPathComponent("ApolloAPI.build/\($0)").path
        }, in: folder, sourceLocation)
    return try await IntegrationTests.run(program, [], in: folder)
  }

  /// Returns the structure of a file, or of all files below a folder, as the Swift parser sees it:
  /// the kinds of the syntax tree's nodes with their depths, in order, without texts and names.
  func structure(of place: URL) async throws -> [String] {
    let files = place.pathExtension == "swift" ? [place.path] : try Self.swiftFiles(in: place)
    return try await withTemporaryFolder { folder in
      // The parser shows the tree of one file.
      let all = folder.appendingPathComponent("All.swift")
      try files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n")
        .write(to: all, atomically: true, encoding: .utf8)
      let outcome = try await IntegrationTests.run(
        URL(fileURLWithPath: "/usr/bin/env"),
        [
          "swiftc", "-frontend", "-swift-version", "6", "-parse-as-library", "-dump-parse",
          all.path,
        ], in: folder, withinSeconds: 600)
      #expect(outcome.status == 0, "\(outcome.errors.prefix(2000))")
      return outcome.output.split(whereSeparator: \.isNewline).compactMap { line in
        let depth = line.prefix { $0 == " " }.count
        guard line.dropFirst(depth).first == "(" else { return nil }
        return "\(depth) \(line.dropFirst(depth).prefix { $0 != " " && $0 != ")" })"
      }
    }
  }

  private func compile(
    _ arguments: [String], in folder: URL, _ sourceLocation: SourceLocation
  ) async throws {
    let outcome = try await IntegrationTests.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["swiftc"] + options + arguments, in: folder,
      withinSeconds: 600)
    let errors = outcome.errors.split(separator: "\n").filter { $0.contains("error:") }
    #expect(
      outcome.status == 0, "\(errors.prefix(10).joined(separator: "\n"))",
      sourceLocation: sourceLocation)
  }

  private static func swiftFiles(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && $0 != "Package.swift" }.sorted()
      .map { folder.appendingPathComponent($0).path }
  }
}

/// Generates a project in a folder of its own below `folder`, and returns where the code is.
func generate(
  _ name: String, schema: String, operations: String, configuration: String, in folder: URL,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws -> URL {
  let project = Project(folder: folder.appendingPathComponent(name))
  try FileManager.default.createDirectory(at: project.folder, withIntermediateDirectories: true)
  try project.write(schema, to: "schema.graphqls")
  try project.write(operations, to: "operations.graphql")
  try project.write(configuration, to: "apollo-codegen-config.json")
  let outcome = try await project.apollo("generate")
  #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
  return project.folder.appendingPathComponent("out")
}

/// Puts a prefix before the names of all files, as two of one name cannot be in one module.
func distinguishFiles(in folder: URL, by prefix: String) throws {
  for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
  where path.hasSuffix(".swift") {
    let file = folder.appendingPathComponent(path)
    let name = "\(prefix).\(file.lastPathComponent)"
    try FileManager.default.moveItem(
      at: file, to: file.deletingLastPathComponent().appendingPathComponent(name))
  }
}
