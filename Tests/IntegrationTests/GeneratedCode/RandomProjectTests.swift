import ApolloCodegenLib
import Foundation
import GraphQLSyntax
import RandomProjects
import Testing

/// Random projects, whose names collide with each other and with everything that
/// generated code says: each is generated or refused where two names of the configuration or of
/// Swift cannot both be had, a second run writes nothing, and what was generated compiles without a
/// warning.
///
///     RANDOM_PROJECTS=500 RANDOM_SEED=1000 scripts/test --filter RandomProjectTests
///
/// takes other seeds, and more of them, in namespaces. A seed makes the same project each time; the
/// messages name it.
@Suite(.timeLimit(.minutes(10)))
struct RandomProjectTests {
  /// The number of projects that are compiled together.
  private static let batch = 40

  @Test func inNamespaces() async throws {
    let module = #"{ "embeddedInTarget": { "name": "App", "accessModifier": "public" } }"#
    let projects = RandomProject.asked(30)
    var total = 0
    for start in stride(from: 0, to: projects.count, by: Self.batch) {
      try await withTemporaryFolder { folder in
        var generated = 0
        for project in projects[start...].prefix(Self.batch) {
          let place = folder.appendingPathComponent(project.namespace)
          let output = #""schemaTypes": { "path": "out", "moduleType": \#(module) }"#
          guard try generate(project, output, in: place) else { continue }
          try distinguishFiles(in: place.appendingPathComponent("out"), by: project.namespace)
          generated += 1
        }
        guard generated > 0 else { return }
        total += generated
        try await SwiftCompiler().expectValid("App", in: folder)
      }
    }
    #expect(total > 0)
  }

  /// The types of the schema are a module, the operations another one, and the mocks a third. Few,
  /// as each takes three runs of the compiler.
  @Test func inModules() async throws {
    var generated = 0
    for project in RandomProject.asked(4, atMost: 4) {
      try await withTemporaryFolder { folder in
        let output = """
          "schemaTypes": { "path": "out", "moduleType": { "other": {} } },
          "operations": { "absolute": { "path": "models" } },
          "testMocks": { "absolute": { "path": "mocks" } }
          """
        guard try generate(project, output, in: folder) else { return }
        generated += 1
        let modules = folder.appendingPathComponent("modules")
        try FileManager.default.createDirectory(at: modules, withIntermediateDirectories: true)
        let compiler = try SwiftCompiler(importing: [modules])
        try await compiler.emitModule(
          project.namespace, from: folder.appendingPathComponent("out"), to: modules)
        for name in ["models", "mocks"] {
          let place = folder.appendingPathComponent(name)
          guard FileManager.default.fileExists(atPath: place.path) else { continue }
          try await compiler.expectValid(name, in: place)
        }
      }
    }
    #expect(generated > 0)
  }

  // MARK: - Generating

  /// The reasons for which a project may be rejected: names that exclude each other.
  private static let refusals: Set<String> = [
    "AddedFields", "AllowedNames", "NamespaceNotHidden", "UniqueSwiftNames",
  ]

  /// Generates a project twice; `false` when it is refused as it may be.
  private func generate(_ project: RandomProject, _ output: String, in folder: URL) throws -> Bool {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func write(_ text: String, to name: String) throws {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    try write(project.schema, to: "schema.graphqls")
    try write(project.operations, to: "operations.graphql")
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { "schemaNamespace": "\(project.namespace)", "output": { \(output) }, \(project.options) }
        """)
    let generator = Generator(configuration, rootFolder: folder.path)
    do {
      _ = try generator.generate()
    } catch {
      guard error.code == .invalidInput else { throw error }
      let errors = error.diagnostics.filter { $0.severity == .error }
      let isAllowed = errors.allSatisfy { Self.refusals.contains($0.rule.rawValue) }
      #expect(
        isAllowed,
        "Seed \(project.seed): \(DiagnosticFormat.xcode.render(errors, in: error.sources))")
      return false
    }
    let summary = try generator.generate().summary
    #expect(summary.written.isEmpty && summary.removed.isEmpty, "Seed \(project.seed)")
    return true
  }
}
