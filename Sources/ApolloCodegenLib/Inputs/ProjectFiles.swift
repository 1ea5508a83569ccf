package import GraphQLSchema
package import GraphQLSyntax

/// The files of a project, read and not yet parsed.
package struct ProjectFiles {
  /// The SDL and introspection files.
  package let schema: [Source]
  /// The files with operations and fragments.
  package let operations: [Source]
  /// The files that look like operations and were not read.
  package let unread: UnreadFiles

  private init(schema: [Source], operations: [Source], unread: UnreadFiles) {
    self.schema = schema
    self.operations = operations
    self.unread = unread
  }

  /// The inputs of the schema: its files, and the directives that only the generator knows.
  package var schemaInputs: [SchemaInput] { Self.schemaInputs(of: schema) }

  /// Returns the inputs of a schema: its files, and the directives that only the generator knows.
  package static func schemaInputs(of sources: [Source]) -> [SchemaInput] {
    sources.map(SchemaInput.init(detecting:)) + [.sdl(ClientDirectives.missing(in: sources))]
  }

  /// Reads the files that the search paths for the schema match.
  ///
  /// - Throws: ``GenerationError`` when they match nothing, or when a file cannot be read.
  package static func readSchema(
    _ configuration: ApolloCodegenConfiguration, root: String, _ fileSystem: any FileSystem
  ) throws(GenerationError) -> [Source] {
    try ProjectReader(root: root, fileSystem: fileSystem).schema(
      configuration.input.schemaSearchPaths)
  }

  /// Reads the files that the search paths of a configuration match.
  ///
  /// - Throws: ``GenerationError`` when a search path matches nothing, or when a file cannot be
  ///   read.
  package static func read(
    _ configuration: ApolloCodegenConfiguration, root: String,
    _ fileSystem: any FileSystem
  ) throws(GenerationError) -> ProjectFiles {
    let reader = ProjectReader(root: root, fileSystem: fileSystem)
    let schema = try reader.schema(configuration.input.schemaSearchPaths)
    let (operations, unread) = try reader.operations(
      configuration.input.operationSearchPaths, besides: schema)
    return ProjectFiles(schema: schema, operations: operations, unread: unread)
  }

  /// Reads what there is of a project that may not be complete, such as a schema without
  /// operations.
  package static func readAvailable(
    _ configuration: ApolloCodegenConfiguration, root: String, _ fileSystem: any FileSystem
  ) -> (schema: [Source], operations: [Source]) {
    let reader = ProjectReader(root: root, fileSystem: fileSystem)
    // The error of the whole says what is missing.
    let schema = (try? reader.schema(configuration.input.schemaSearchPaths)) ?? []
    let operations =
      (try? reader.operations(configuration.input.operationSearchPaths, besides: schema).0) ?? []
    return (schema, operations)
  }

  /// Returns whether a file that both search paths match belongs to the schema alone, because it
  /// only defines types. `nil` if it has syntax errors or no definitions.
  package static func definesOnlyTypes(_ source: Source) -> Bool? {
    var document = Document()
    guard document.parse(source, options: .drafts).isEmpty, !document.definitions.isEmpty else {
      return nil
    }
    return document.definitions.allSatisfy {
      switch $0 {
      case .operation, .fragment: false
      case .schema, .type, .directive: true
      }
    }
  }

  /// Returns the absolute paths of the files that match a search path.
  static func paths(
    _ patterns: [String], _ root: String, _ fileSystem: any FileSystem
  ) throws(GenerationError) -> [String] {
    let glob: Glob
    do { glob = try Glob(patterns, root: root) } catch { throw GenerationError(.searchPath(error)) }
    do {
      return try glob.files(in: fileSystem)
    } catch {
      throw GenerationError(.reading(error))
    }
  }
}

/// Finds and reads the files of a project.
private struct ProjectReader {
  let root: String
  let fileSystem: any FileSystem

  func schema(_ patterns: [String]) throws(GenerationError) -> [Source] {
    let paths = distinct(try ProjectFiles.paths(patterns, root, fileSystem))
    guard !paths.isEmpty else {
      throw GenerationError(.noMatch(.schema, patterns: patterns, root: root))
    }
    let introspections = paths.filter { $0.hasSuffix(".json") }
    guard introspections.count < 2 else {
      let names = introspections.map { Path.display($0, from: root) }
      throw GenerationError(.severalIntrospections(names))
    }
    var sources: [Source] = []
    for path in paths { sources.append(try source(path)) }
    // Without a definition in any of them, the parser reports what is missing.
    let written = sources.filter { !$0.isBlank }
    return written.isEmpty ? sources : written
  }

  /// Both search paths may match the same files. A file that only defines types belongs to the
  /// schema alone.
  func operations(
    _ patterns: [String], besides schema: [Source]
  ) throws(GenerationError) -> ([Source], UnreadFiles) {
    let others = UnreadFiles.patterns(beside: patterns)
    let found = try ProjectFiles.paths(patterns + others, root, fileSystem)
    let isWanted = try matching(patterns)
    let endings = UnreadFiles.endings(of: patterns)
    let hasAnyEnding = endings.contains { $0.contains { "*?".contains($0) } }
    let otherEndings = UnreadFiles.endings(of: others)
    var (wanted, rest): ([String], [String]) = ([], [])
    for path in found {
      // Most paths can be told apart by their endings.
      let ending = UnreadFiles.ending(of: path)
      let isCertain = !otherEndings.contains(ending)
      let isPossible = hasAnyEnding || endings.contains(ending)
      if isCertain || isPossible && isWanted(path) {
        wanted.append(path)
      } else {
        rest.append(path)
      }
    }
    let namesInSchema = Set(schema.map(\.name))
    var sources: [Source] = []
    let paths = distinct(wanted)
    for path in paths {
      let source = try source(path)
      if source.isBlank { continue }
      if !namesInSchema.contains(source.name) || ProjectFiles.definesOnlyTypes(source) != true {
        sources.append(source)
      }
    }
    let isRead = namesInSchema.union(paths.map { Path.display($0, from: root) })
    let unread = try unread(rest, others, besides: isRead)
    guard !paths.isEmpty else {
      throw GenerationError(
        .noMatch(.operations, patterns: patterns, root: root, unread: unread.paths))
    }
    guard !sources.isEmpty else { throw GenerationError(.onlySchemas) }
    return (sources, unread)
  }

  /// Returns those files of other endings that are probably meant to be operations.
  private func unread(
    _ paths: [String], _ patterns: [String], besides read: Set<String>
  ) throws(GenerationError) -> UnreadFiles {
    var meant: [String] = []
    for path in distinct(paths) where !read.contains(Path.display(path, from: root)) {
      // A file that cannot be read is none of the project's.
      guard let bytes = try? fileSystem.read(path) else { continue }
      let source = Source(name: Path.display(path, from: root), bytes: bytes)
      if UnreadFiles.isMeant(source) { meant.append(path) }
    }
    guard let first = meant.first else { return .none }
    var matched: String?
    for pattern in patterns where try matching([pattern])(first) {
      matched = pattern
      break
    }
    return UnreadFiles(paths: meant.map { Path.display($0, from: root) }, pattern: matched)
  }

  private func matching(_ patterns: [String]) throws(GenerationError) -> (String) -> Bool {
    do { return try Glob(patterns, root: root).matches } catch {
      throw GenerationError(.searchPath(error))
    }
  }

  /// Returns the paths of GraphQL files, each file once.
  private func distinct(_ paths: [String]) -> [String] {
    // Patterns may match the code generated for `Hero.graphql`, which is `Hero.graphql.swift`.
    // A file and links to it are one file, which is read under its own name.
    var known: Set<String> = []
    return paths.filter { !$0.hasSuffix(".swift") }
      .map { (path: $0, file: fileSystem.resolved($0) ?? $0) }
      .sorted { ($0.path == $0.file ? 0 : 1, $0.path) < ($1.path == $1.file ? 0 : 1, $1.path) }
      .filter { known.insert($0.file).inserted }.map(\.path).sorted()
  }

  private func source(_ path: String) throws(GenerationError) -> Source {
    do {
      return Source(name: Path.display(path, from: root), bytes: try fileSystem.read(path))
    } catch {
      throw GenerationError(.reading(error))
    }
  }
}
