package import GraphQLSchema
package import GraphQLSyntax

/// The files of a project, read and not yet looked into.
package struct ProjectFiles {
  package private(set) var schema: [Source]
  package private(set) var operations: [Source]

  /// Reads what the search paths of a configuration find.
  package static func read(
    _ configuration: ApolloCodegenConfiguration, root: String
  ) throws(GenerationError) -> ProjectFiles {
    let schema = try readSchema(configuration, root)
    return ProjectFiles(
      schema: schema, operations: try readOperations(configuration, root, besides: schema))
  }

  /// What the schema of a project is built from: its files, and the directives that only the generator
  /// knows.
  package var schemaInputs: [SchemaInput] {
    schema.map(SchemaInput.init(detecting:)) + [.sdl(ClientDirectives.missing(in: schema))]
  }

  // MARK: - Operations

  /// Both search paths may find the same files: one that defines types and nothing else is the schema's alone.
  private static func readOperations(
    _ configuration: ApolloCodegenConfiguration, _ root: String, besides schema: [Source]
  ) throws(GenerationError) -> [Source] {
    let paths = try files(
      configuration.input.operationSearchPaths, root, "input.operationSearchPaths", "operations")
    let namesInSchema = Set(schema.map(\.name))
    var sources: [Source] = []
    for path in paths {
      let source = try source(path, root)
      if !namesInSchema.contains(source.name) || !isSchema(source) { sources.append(source) }
    }
    guard !sources.isEmpty else {
      throw .reading(
        "No operations found: there are only schemas in what 'input.operationSearchPaths' finds. "
          + "Add the files with the operations to it.")
    }
    return sources
  }

  private static func isSchema(_ source: Source) -> Bool {
    var document = Document()
    guard document.parse(source).isEmpty, !document.definitions.isEmpty else { return false }
    return document.definitions.allSatisfy {
      switch $0 {
      case .operation, .fragment: false
      case .schema, .type, .directive: true
      }
    }
  }

  // MARK: - Schema

  private static func readSchema(
    _ configuration: ApolloCodegenConfiguration, _ root: String
  ) throws(GenerationError) -> [Source] {
    let paths = try files(
      configuration.input.schemaSearchPaths, root, "input.schemaSearchPaths", "schema")
    let introspections = paths.filter { $0.hasSuffix(".json") }
    if introspections.count > 1 {
      throw .reading(
        "There are \(introspections.count) introspection files, which cannot be combined: "
          + "\(introspections.map { "'\(Path.display($0, from: root))'" }.joined(separator: ", ")). "
          + "Narrow 'input.schemaSearchPaths'.")
    }
    var sources: [Source] = []
    for path in paths { sources.append(try source(path, root)) }
    return sources
  }

  // MARK: - Files

  private static func files(
    _ patterns: [String], _ root: String, _ key: String, _ what: String
  ) throws(GenerationError) -> [String] {
    let found: [String]
    do {
      // Patterns may match the code that is generated for `Hero.graphql`, which is `Hero.graphql.swift`.
      found = try Glob(patterns, root: root).files().filter { !$0.hasSuffix(".swift") }
    } catch {
      throw .reading("\(error)")
    }
    guard !found.isEmpty else {
      let list = patterns.map { "'\($0)'" }.joined(separator: ", ")
      throw .reading(
        "No \(what) found: nothing in '\(root)' matches \(list). "
          + "Check '\(key)' of the configuration."
      )
    }
    return found
  }

  private static func source(_ path: String, _ root: String) throws(GenerationError) -> Source {
    do {
      return Source(name: Path.display(path, from: root), bytes: try Disk.read(path))
    } catch {
      throw .reading(error.description)
    }
  }
}
