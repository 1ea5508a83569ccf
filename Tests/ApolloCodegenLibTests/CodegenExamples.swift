import ApolloCodegenLib
import Foundation

/// The examples in the documentation of ApolloCodegenLib. They are compiled, and
/// `DocumentationExamplesTests` compares them with the documentation.
private func generate(_ text: String, in folder: URL) async throws {
  let configuration = try ApolloCodegenConfiguration(json: text)
  try await ApolloCodegen.build(with: configuration, withRootURL: folder)
}

private func report(_ text: String) throws {
  let configuration = try ApolloCodegenConfiguration(json: text)
  let report = try Generator(configuration, rootFolder: "/project").generate()
  print(report.summary)
}

private func reportWithCache(_ text: String, _ configuration: ApolloCodegenConfiguration) throws {
  let cache = GenerationCache(
    folder: "/home/me/.cache/apollo-codegen", configuration: text, rootFolder: "/project",
    tool: generatorVersion)
  let report = try Generator(configuration, rootFolder: "/project", cache: cache).generate()
  print(report.summary)
}

private func combine(_ generator: Generator) throws {
  let output = CombinedOutput(folder: "/build/Generated", ownSources: "Sources/App")
  let report = try generator.generate(into: output)
  print(report.summary)
}

private func generateWithIdentifiers(
  _ configuration: ApolloCodegenConfiguration, _ folder: String
) throws {
  let generator = Generator(configuration, rootFolder: folder) { operation in
    "\(operation.name)-v2"
  }
  print(try generator.generate().operationCount)
}

private func configure() {
  var configuration = ApolloCodegenConfiguration(
    schemaNamespace: "StarWarsAPI",
    output: .init(schemaTypes: .init(path: "Generated", moduleType: .other)))
  configuration.options.warningsOnDeprecatedUsage = .exclude
  print(configuration)
}

private func printUnknownKeys(_ text: String) {
  do {
    _ = try ApolloCodegenConfiguration(json: text)
  } catch {
    for problem in error.problems where problem.code == .unknownKey { print(problem.path) }
  }
}

private func generateUnlessLocked(_ generator: Generator) {
  do {
    _ = try generator.generate()
  } catch {
    if error.code == .locked, let folder = error.path { print("Another generator uses \(folder).") }
  }
}

private func find() throws {
  let paths = try Glob(["**/*.graphql", "!Tests/**"], root: "/project").files(in: Disk())
  print(paths)
}

private protocol HTTP: Sendable {
  func send(_ request: SchemaRequest) async throws -> SchemaResponse
}

private func download(
  _ settings: ApolloCodegenConfiguration.SchemaDownload, _ http: any HTTP
) async throws {
  let download = SchemaDownload(settings) { request in try await http.send(request) }
  let document = try await download.fetch()
  print(document)
}

private func downloadUnlessRefused(_ download: SchemaDownload) async throws {
  do {
    _ = try await download.fetch()
  } catch let error as SchemaDownloadError where error.code == .refused {
    print("\(error.address) needs credentials, or does not permit introspection.")
  }
}
