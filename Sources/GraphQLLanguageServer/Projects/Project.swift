import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The schema and the operations of one configuration, with the problems in them.
///
/// After an edit, only the files that it concerns are checked again:
///
/// 1. Each file has a **closure**: the files whose definitions matter for it (``FileRelations``).
/// 2. A changed file makes those stale in whose closure it is.
/// 3. A stale file is checked as a document of its closure. What the check finds in any of these
///    files is kept with the file that was checked.
/// 4. The problems of a file are those that any check has found in it.
///
/// If many files are stale, they are checked as one document first, which is faster than one by
/// one. Only files that several files may have given a problem are then checked by themselves.
struct Project {
  private(set) var configuration: ProjectConfiguration
  private(set) var schema: Schema
  /// The files of the operations, sorted by name.
  private(set) var files: [ProjectFile] = []
  /// The files of the schema.
  private(set) var schemaSources: [Source] = []
  /// The problems of the schema and of the configuration, and of finding files.
  private(set) var sharedProblems: [Problem] = []
  /// `true` if operations can be checked: there is a schema that can be read.
  private(set) var hasSchema = false
  private var positions: [String: Int] = [:]
  private var usedFragments = UsedFragments([])
  /// The files that look like operations and that no search path matches.
  private var unread = UnreadFiles.none
  /// The reason why the files could not be found.
  private var failureMessage: String?

  var root: String { configuration.root }

  /// Reads the files of a project.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - buffers: The texts of open files by path, which replace those on disk.
  ///   - fileSystem: The files.
  init(
    _ configuration: ProjectConfiguration, buffers: [String: TextBuffer],
    _ fileSystem: any FileSystem
  ) {
    self.configuration = configuration
    schema = Schema.build([]).schema
    read(buffers, fileSystem)
  }

  private var validation: ValidationConfiguration { configuration.value.validation }
  private var schemaOptions: SchemaOptions { configuration.value.schemaOptions }

  func path(of name: String) -> String { Path.join(root, name) }
  func name(of path: String) -> String { Path.display(path, from: root) }

  /// Returns the operations of the file at `path`, or `nil` if it has none.
  func file(at path: String) -> ProjectFile? { positions[name(of: path)].map { files[$0] } }

  /// Returns the text of the file at `path`, or `nil` if it has neither operations nor types.
  func source(at path: String) -> Source? { file(at: path)?.source ?? schemaSource(at: path) }

  /// The sources of all operations, or an empty one.
  var operationSources: [Source] {
    let sources = files.map(\.source).filter { !$0.isBlank }
    return sources.isEmpty ? [Source(name: "", text: "")] : sources
  }

  /// Returns whether the file at `path` is one of the schema.
  func isSchema(_ path: String) -> Bool { schemaSource(at: path) != nil }

  /// The search paths, without those that exclude files, and one for each alternative in braces.
  private var searchPatterns: [String] {
    let input = configuration.value.input
    return (input.schemaSearchPaths + input.operationSearchPaths)
      .filter { !$0.hasPrefix("!") }.flatMap(Glob.alternatives(of:))
  }

  /// The folders to which the search paths lead.
  var searchedFolders: [String] { searchPatterns.map { Glob.base(of: $0, root: root) } }

  /// The names of files, with wildcards, that the search paths end with. `**` names folders alone.
  var searchedNames: [String] { searchPatterns.map(Path.name(of:)).filter { $0 != "**" } }

  /// Returns whether the search paths can lead to files in the folder at `path`.
  func canSearch(_ path: String) -> Bool {
    searchedFolders.contains { Path.isInside(path, $0) || Path.isInside($0, path) }
  }

  /// Returns whether files of the project are in the folder at `path`.
  func hasFiles(in path: String) -> Bool {
    guard Path.canBeFolder(path) else { return false }
    let prefix = path + "/"
    return schemaSources.contains { self.path(of: $0.name).hasPrefix(prefix) }
      || files.contains { self.path(of: $0.name).hasPrefix(prefix) }
  }

  /// Returns the names of the files with syntax errors in which a name occurs, behind `$` for a
  /// variable. Their definitions are not known.
  func brokenFiles(with name: String, isVariable: Bool) -> [String] {
    files.filter { file in
      guard file.hasSyntaxErrors else { return false }
      var previous: Token.Kind?
      return file.source.tokens(keepsComments: false).tokens.contains { token in
        defer { previous = token.kind }
        return token.kind == .name && (previous == .dollar) == isVariable
          && file.source.bytes[Int(token.span.start)..<Int(token.span.end)]
            .elementsEqual(name.utf8)
      }
    }.map(\.name)
  }

  /// Returns the file of the schema at `path`, or `nil` if it is none.
  func schemaSource(at path: String) -> Source? {
    let name = name(of: path)
    return schemaSources.first { $0.name == name }
  }
}

// MARK: - Reading

extension Project {
  /// Reads all files again. Checks of files that have not changed stay valid.
  mutating func reload(
    _ configuration: ProjectConfiguration, _ buffers: [String: TextBuffer],
    _ fileSystem: any FileSystem
  ) {
    let former = self
    self.configuration = configuration
    read(buffers, fileSystem)
    let isSame =
      former.configuration.value == configuration.value
      && former.schemaSources.elementsEqual(schemaSources) {
        $0.name == $1.name && $0.bytes == $1.bytes
      } && former.files.elementsEqual(files) { $0.name == $1.name }
    guard isSame else { return }
    let changed = Set(
      files.indices.filter { former.files[$0].source.bytes != files[$0].source.bytes })
    for position in files.indices {
      let before = former.files[position]
      guard !before.isStale, before.closure == files[position].closure,
        changed.isDisjoint(with: before.closure)
      else { continue }
      files[position].isStale = false
      files[position].problems = before.problems
    }
  }

  /// Takes over the text on disk of one file, unless more than its operations changes with it.
  ///
  /// - Returns: `false` if the project must be read again.
  mutating func reload(fileAt path: String, _ fileSystem: any FileSystem) -> Bool {
    // The text decides about the part of a project to which blank files, those that can belong to
    // the schema, and Swift files belong. A file that cannot be read is missing.
    guard !path.hasSuffix(".swift"), let bytes = try? fileSystem.read(path),
      !Source(name: "", bytes: bytes).isBlank
    else { return false }
    if source(at: path)?.bytes.elementsEqual(bytes) == true { return true }
    guard file(at: path) != nil, !configuration.hasSchema(at: path) else { return false }
    return edit(path, TextBuffer(bytes))
  }

  /// Returns whether the text of a file is still that on disk.
  func isSame(_ path: String, on fileSystem: any FileSystem) -> Bool {
    // A file that cannot be read is no longer the same.
    guard let source = source(at: path), let bytes = try? fileSystem.read(path) else {
      return false
    }
    return source.bytes.elementsEqual(bytes)
  }

  private mutating func read(_ buffers: [String: TextBuffer], _ fileSystem: any FileSystem) {
    var operations: [Source] = []
    var failure: GenerationError?
    unread = .none
    do {
      let found = try ProjectFiles.read(configuration.value, root: root, fileSystem)
      (schemaSources, operations, unread) = (found.schema, found.operations, found.unread)
    } catch {
      failure = error
      (schemaSources, operations) = ProjectFiles.readAvailable(
        configuration.value, root: root, fileSystem)
    }
    overlay(buffers, on: &operations)
    files = operations.map { ProjectFile($0, schemaOptions) }
    positions = Dictionary(
      files.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    findRelations()
    // The open files may be what was missing on disk.
    failureMessage = schemaSources.isEmpty || files.isEmpty ? failure?.description : nil
    buildSchema()
  }

  /// Replaces sources by the open files of the same name, and adds the open files that are not
  /// on disk yet.
  private mutating func overlay(_ buffers: [String: TextBuffer], on operations: inout [Source]) {
    for (path, buffer) in buffers.sorted(by: { $0.key < $1.key }) {
      let source = Source(name: name(of: path), bytes: buffer.bytes)
      var isSchema = false
      if let index = schemaSources.firstIndex(where: { $0.name == source.name }) {
        schemaSources[index] = source
        isSchema = true
      } else if configuration.hasSchema(at: path) {
        schemaSources.append(source)
      }
      let index = operations.firstIndex { $0.name == source.name }
      if let index { operations.remove(at: index) }
      let hasOperations = index != nil
      if hasOperations || configuration.hasOperations(at: path),
        !isOfSchemaAlone(source, otherwise: isSchema && !hasOperations)
      {
        operations.append(source)
      }
    }
    schemaSources.sort { $0.name < $1.name }
    operations.sort { $0.name < $1.name }
  }

  /// Returns whether a text belongs to a file of the schema that has no operations.
  ///
  /// - Parameters:
  ///   - source: The text of a file that search paths of operations match.
  ///   - former: The result if the text is blank or has syntax errors, as during most edits.
  /// - Returns: `true` if the file has no operations.
  private func isOfSchemaAlone(_ source: Source, otherwise former: Bool) -> Bool {
    guard schemaSources.contains(where: { $0.name == source.name }) else { return false }
    return ProjectFiles.definesOnlyTypes(source) ?? former
  }

  private mutating func buildSchema() {
    let fallback = configuration.fileName ?? schemaSources.first?.name ?? ""
    let inputs = schemaSources.filter { !$0.isBlank }
    let result = Schema.build(ProjectFiles.schemaInputs(of: inputs), options: schemaOptions)
    schema = result.schema
    hasSchema =
      !inputs.isEmpty
      && !result.diagnostics.contains {
        $0.severity == .error && ($0.rule == .syntax || $0.rule == .introspection)
      }
    var diagnostics = inputs.isEmpty ? [] : result.diagnostics
    if hasSchema, result.isUsable {
      diagnostics += ProjectRemarks.diagnostics(schema, operations: files.map(\.source), unread)
    }
    if let failureMessage, configuration.fileName != nil, configuration.problems.isEmpty {
      diagnostics.append(
        Diagnostic(
          rule: ConfigurationText.rule, severity: .warning, message: failureMessage, at: nil))
    }
    sharedProblems =
      configuration.problems
      + diagnostics.map { Problem($0, in: schema.document.sources, otherwise: fallback) }
    for position in files.indices { files[position].isStale = true }
  }

  private mutating func findRelations() {
    let relations = FileRelations(files.map(\.index))
    usedFragments = UsedFragments(files.lazy.map(\.index))
    for position in files.indices {
      let closure = relations.closure(of: position)
      if closure != files[position].closure {
        files[position].closure = closure
        files[position].isStale = true
      }
    }
  }
}

// MARK: - Editing

extension Project {
  /// Takes over the text of an open file.
  ///
  /// - Returns: `false` if the file is not part of the project as it was read, so that the project
  ///   must be read again.
  mutating func edit(_ path: String, _ buffer: TextBuffer) -> Bool {
    let source = Source(name: name(of: path), bytes: buffer.bytes)
    var isKnown = false
    // The text decides whether a file that both search paths match has operations.
    let hasNone = positions[source.name] == nil
    if isSchema(path), configuration.hasOperations(at: path),
      isOfSchemaAlone(source, otherwise: hasNone) != hasNone
    {
      return false
    }
    if let index = schemaSources.firstIndex(where: { $0.name == source.name }) {
      schemaSources[index] = source
      buildSchema()
      isKnown = true
    }
    if let position = positions[source.name] {
      let hasOtherNames = files[position].replace(source, schemaOptions)
      if hasOtherNames { findRelations() }
      for other in files.indices where files[other].closure.contains(position) {
        files[other].isStale = true
      }
      isKnown = true
    }
    return isKnown
  }
}

// MARK: - Checking

extension Project {
  /// The number of stale files from which all are checked as one document first.
  private static let maximumSingleCount = 8

  /// Checks one file, if it is stale. Its own problems are then known before those that it causes
  /// elsewhere.
  ///
  /// Other files can find problems in it, too. If only a few of them are stale, they are checked
  /// with it, so that these problems do not disappear for a moment at each edit.
  mutating func check(fileAt path: String) {
    guard hasSchema, let position = positions[name(of: path)] else { return }
    let stale = files.indices.filter {
      files[$0].isStale && files[$0].closure.contains(position)
    }
    for other in stale where other == position || stale.count <= Self.maximumSingleCount {
      check(other)
    }
  }

  /// Checks every stale file.
  mutating func check() {
    guard hasSchema else {
      for position in files.indices where files[position].isStale {
        files[position].problems = []
        files[position].isStale = false
      }
      return
    }
    let stale = files.indices.filter { files[$0].isStale }
    // A fragment can become unused although no file of its closure changes, so that each file has
    // to know those that it does not use itself.
    if validation.severity(of: .noUnusedFragments) == .off {
      checkAtOnce(stale.filter(isComplete), isComplete: true)
      checkAtOnce(stale.filter { !isComplete($0) }, isComplete: false)
    }
    for position in stale where files[position].isStale { check(position) }
  }

  /// Returns whether all definitions are known that matter for a file.
  private func isComplete(_ position: Int) -> Bool {
    !files[position].closure.contains { files[$0].hasSyntaxErrors }
  }

  private mutating func check(_ position: Int) {
    let members = files[position].closure
    let (diagnostics, sources) = diagnostics(
      of: members, isComplete(position), linting: position)
    files[position].problems = diagnostics.map {
      Problem($0, in: sources, otherwise: files[position].name)
    }
    files[position].isStale = false
  }

  /// Validates the document of some files.
  private func diagnostics(
    of members: [Int], _ isComplete: Bool, linting position: Int?
  ) -> ([Diagnostic], SourceMap) {
    var document = Document(names: schema.names, sources: schema.document.sources)
    _ = document.parse(
      members.map { files[$0].source }.filter { !$0.isBlank }, options: schemaOptions.parser)
    let result = validate(
      document, against: schema,
      configuration: ProjectRemarks.configuration(
        isComplete ? validation : validation.forIncompleteDocument, for: document,
        against: schema))
    var diagnostics = ProjectRemarks.diagnostics(around: result, in: document, against: schema)
    if isComplete, let valid = result.document {
      let found = lint(valid, configuration: configuration.value.lint)
      let name = position.map { files[$0].name }
      diagnostics += found.filter {
        name == nil || $0.span.map { FilePart($0, in: document.sources).file } == name
      }
    }
    return (diagnostics, document.sources)
  }

  /// Checks many files as one document, except those of which it cannot tell the problems apart.
  ///
  /// A problem of a local rule is one that the check of its file finds, too. Any other comes from
  /// any file with all of its texts in the closure. These files are left to be checked one by one.
  private mutating func checkAtOnce(_ group: [Int], isComplete: Bool) {
    guard group.count > Self.maximumSingleCount else { return }
    let members = Set(group.flatMap { files[$0].closure }).sorted()
    let (diagnostics, sources) = diagnostics(of: members, isComplete, linting: nil)
    // What concerns no file may concern any of them, and so may a type that a file defines.
    guard diagnostics.allSatisfy({ $0.span != nil && $0.rule != Self.executableDefinitions })
    else { return }
    let errors = diagnostics.filter { $0.severity == .error }
    if isComplete, !configuration.value.lint.isEmpty, !errors.isEmpty {
      // Documents with errors are not linted.
      let faulty = Set(errors.flatMap { files(of: $0, in: sources) })
      let others = group.filter { faulty.isDisjoint(with: files[$0].closure) }
      if others.count < group.count { checkAtOnce(others, isComplete: true) }
      return
    }
    var own: [Int: [Problem]] = [:]
    var shared: Set<[Int]> = []
    for diagnostic in diagnostics {
      let involved = Set(files(of: diagnostic, in: sources)).sorted()
      if involved.count == 1, Self.localRules.contains(diagnostic.rule) {
        let file = files[involved[0]].name
        own[involved[0], default: []].append(Problem(diagnostic, in: sources, otherwise: file))
      } else {
        shared.insert(involved)
      }
    }
    for position in group {
      let closure = Set(files[position].closure)
      guard !shared.contains(where: { closure.isSuperset(of: $0) }) else { continue }
      files[position].problems = own[position] ?? []
      files[position].isStale = false
    }
  }

  private func files(of diagnostic: Diagnostic, in sources: SourceMap) -> [Int] {
    ([diagnostic.span].compactMap { $0 } + diagnostic.notes.map(\.span)).compactMap {
      positions[FilePart($0, in: sources).file]
    }
  }
}

// MARK: - Problems

extension Project {
  private static let executableDefinitions =
    ValidationRule.executableDefinitions.diagnosticRule
  /// The rules that a selection or a value keeps or breaks by itself, whatever else is in the
  /// document.
  private static let localRules: Set<Diagnostic.Rule> = Set(
    [
      ValidationRule.fieldsOnCorrectType, .scalarLeafs, .knownArgumentNames,
      .providedRequiredArguments, .valuesOfCorrectType, .noDeprecated, .noDeprecatedInputs,
      .fragmentsOnCompositeTypes, .variablesAreInputTypes,
    ].map(\.diagnosticRule))
  private static let unusedFragments = ValidationRule.noUnusedFragments.diagnosticRule
  private static let requireID = LintRule.requireID.diagnosticRule

  /// The problems of every file that has some, by path.
  var problems: [String: [Problem]] {
    var found: [String: Set<Problem>] = [:]
    for problem in sharedProblems { found[problem.part.file, default: []].insert(problem) }
    // In any file: the operations that spread a fragment are not in the closure of its file.
    let isIDTaken = files.contains(where: \.hasOtherID)
    for file in files {
      for problem in file.ownProblems { found[file.name, default: []].insert(problem) }
      // What a stale file has found elsewhere may be gone, or at another position.
      for problem in file.problems
      where isValid(problem, foundIn: file) && (!file.isStale || problem.part.file == file.name) {
        var problem = problem
        if isIDTaken, problem.rule == Self.requireID { problem.fixIts = [] }
        // In any file, too: the spread that means the fragment can be outside of the closure.
        if usedFragments.hasUnknownSpreads, problem.rule == Self.unusedFragments {
          problem.fixIts = []
        }
        found[problem.part.file, default: []].insert(problem)
      }
    }
    var result: [String: [Problem]] = [:]
    for (name, problems) in found where !name.isEmpty {
      result[path(of: name)] = problems.sorted { $0.precedes($1) }
    }
    return result
  }

  /// Returns a problem with the paths of files in place of their names in the project.
  func located(_ problem: Problem) -> Problem {
    func located(_ part: FilePart) -> FilePart {
      FilePart(file: path(of: part.file), bytes: part.bytes)
    }
    var result = problem
    result.part = located(problem.part)
    result.notes = problem.notes.map {
      Problem.Note(message: $0.message, part: located($0.part))
    }
    result.fixIts = problem.fixIts.map { fixIt in
      Problem.FixIt(
        message: fixIt.message,
        edits: fixIt.edits.map {
          Problem.Edit(part: located($0.part), replacement: $0.replacement)
        })
    }
    return result
  }

  /// Returns `false` for a fragment that only files outside of the closure use.
  private func isValid(_ problem: Problem, foundIn file: ProjectFile) -> Bool {
    guard problem.rule == Self.unusedFragments else { return true }
    guard problem.part.file == file.name else { return false }
    let parts = problem.message.split(separator: "\"")
    return parts.count < 2 || !usedFragments.names.contains(String(parts[1]))
  }
}
