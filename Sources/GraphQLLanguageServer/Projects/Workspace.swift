import ApolloCodegenLib
import GraphQLSyntax

/// The projects below the folders of an editor, and the open files.
struct Workspace {
  /// A file that is open in the editor. Its text replaces that on disk.
  struct OpenFile {
    /// The URI as the client spells it.
    let uri: String
    var version: Int?
    var buffer: TextBuffer
  }

  /// The files, of which those that cannot be read are left out and noted.
  private let fileSystem: LenientFileSystem
  /// The folders of the editor.
  private(set) var folders: [String] = []
  private(set) var projects: [Project] = []
  /// The roots of the projects that are there for open files alone.
  private var looseRoots: Set<String> = []
  /// The open files, by path.
  private(set) var openFiles: [String: OpenFile] = [:]
  var encoding = PositionEncoding.utf16
  /// The names that the Swift sources of each project use, by its root; `nil` if the client does
  /// not ask for them.
  private var swiftNames: [String: SwiftNameIndex]?

  /// `true` if the client can be told of which version of a document an edit is.
  var versionsEdits = false

  /// The format of the texts about the name under the cursor, and about a completion.
  var hoverMarkup = Markup.markdown
  var completionMarkup = Markup.markdown

  init(_ fileSystem: any FileSystem) { self.fileSystem = LenientFileSystem(fileSystem) }

  /// Returns the errors of files and folders that could not be read, each of them once.
  func takeFailures() -> [String] { fileSystem.takeFailures() }

  /// Returns the path of a document. One that is not a file has its URI in place of a path.
  static func path(of uri: String) -> String { FileURI.path(of: uri).map(Path.normalized) ?? uri }

  /// Returns the URI of a path, as the client spells it if the file is open.
  func uri(of path: String) -> String {
    openFiles[path]?.uri ?? (path.hasPrefix("/") ? FileURI.uri(of: path) : path)
  }
}

// MARK: - Projects

extension Workspace {
  /// Adds folders of the editor, with the projects in them: those with a configuration in the
  /// folder or below it, or else in the nearest folder above.
  mutating func add(folders new: [String]) {
    for folder in new where !folders.contains(folder) { folders.append(folder) }
    updateProjects()
  }

  mutating func remove(folder: String) {
    folders.removeAll { $0 == folder }
    updateProjects()
  }

  /// Adds and drops projects, which follow from the folders, the configurations on disk and the
  /// open files.
  mutating func updateProjects() {
    var roots: [String] = []
    for folder in folders {
      for root in self.roots(in: folder) where !roots.contains(root) { roots.append(root) }
    }
    let (own, former) = (roots, projects)
    looseRoots = []
    projects.removeAll { !own.contains($0.root) }
    for root in own { addProject(at: root) }
    // Open files outside of the folders have projects of their own, which stay as they are.
    for path in openFiles.keys.sorted() where path.hasPrefix("/") && projectIndex(of: path) == nil {
      addProject(ofLooseFile: path, former)
    }
  }

  /// Returns the folders of the projects in a folder of the editor.
  private func roots(in folder: String) -> [String] {
    let pattern = "**/\(ProjectConfiguration.fileName)"
    let found = (try? Glob([pattern], root: folder).files(in: fileSystem)) ?? []
    guard found.isEmpty else { return found.map(Path.parent(of:)) }
    return [ProjectConfiguration.nearestFolder(from: folder, fileSystem) ?? folder]
  }

  /// Adds the project of an open file: that of the configuration above it, or else the files beside
  /// it, and no others: it can be anywhere on the disk.
  private mutating func addProject(ofLooseFile path: String, _ former: [Project] = []) {
    let folder = Path.parent(of: path)
    let root = ProjectConfiguration.nearestFolder(from: folder, fileSystem)
    looseRoots.insert(root ?? folder)
    if let known = former.first(where: { $0.root == root ?? folder }) {
      projects.append(known)
    } else {
      addProject(at: root ?? folder, withFoldersBelow: root != nil)
    }
  }

  private mutating func addProject(at root: String, withFoldersBelow: Bool = true) {
    let configuration = configuration(of: root, withFoldersBelow: withFoldersBelow)
    if let index = projects.firstIndex(where: { $0.root == root }) {
      // Its configuration can have come or gone, or a folder of the editor.
      let former = projects[index].configuration
      guard
        former.fileName != configuration.fileName
          || former.hasFoldersBelow != configuration.hasFoldersBelow
      else { return }
      projects[index].reload(configuration, texts, fileSystem)
    } else {
      projects.append(Project(configuration, buffers: texts, fileSystem))
    }
  }

  private func configuration(
    of root: String, withFoldersBelow: Bool
  ) -> ProjectConfiguration {
    let path = Path.join(root, ProjectConfiguration.fileName)
    if let file = openFiles[path] {
      return ProjectConfiguration(of: root, bytes: file.buffer.bytes)
    }
    // Without a file, there are the defaults. One that cannot be read is one that is not there.
    guard fileSystem.kind(of: path, followingLinks: true) == .file,
      let bytes = try? fileSystem.base.read(path)
    else { return ProjectConfiguration(defaultsFor: root, withFoldersBelow: withFoldersBelow) }
    return ProjectConfiguration(of: root, bytes: bytes)
  }

  /// The texts of the open files that can belong to a project, by path.
  private var texts: [String: TextBuffer] {
    openFiles.mapValues(\.buffer).filter {
      $0.key.hasPrefix("/") && !$0.key.hasSuffix(ProjectConfiguration.fileName)
    }
  }

  /// Returns the index of the project to which a file belongs: the one that reads it, or else the
  /// one in the nearest folder above it.
  func projectIndex(of path: String) -> Int? {
    let reading = projects.indices.filter {
      projects[$0].file(at: path) != nil || projects[$0].isSchema(path)
    }
    let others = projects.indices.filter {
      // The project of a loose file has none of the files in the folders below.
      projects[$0].configuration.hasFoldersBelow
        ? Path.isInside(path, projects[$0].root) : Path.parent(of: path) == projects[$0].root
    }
    let candidates = reading.isEmpty ? others : reading
    let nearest = candidates.max { projects[$0].root.utf8.count < projects[$1].root.utf8.count }
    return nearest ?? (path.hasPrefix("/") ? nil : projects.indices.first)
  }

  /// Returns whether the text of a file decides about a schema: one of the schema, which can be
  /// new, or a configuration.
  func canChangeSchema(_ path: String) -> Bool {
    Path.name(of: path) == ProjectConfiguration.fileName
      || projects.contains { $0.isSchema(path) || $0.configuration.hasSchema(at: path) }
  }

  /// The folders of projects' files that are outside of the folders of the editor, sorted, and
  /// whether files in the folders below them count.
  var otherFolders: [(path: String, hasFoldersBelow: Bool)] {
    var found: [String: Bool] = [:]
    for project in projects {
      for base in project.searchedFolders + [project.root]
      where !folders.contains(where: { base == $0 || Path.isInside(base, $0) }) {
        found[base] = found[base, default: false] || project.configuration.hasFoldersBelow
      }
    }
    return found.sorted { $0.key < $1.key }.map { (path: $0.key, hasFoldersBelow: $0.value) }
  }

  /// Reads the projects again that changed files on disk can concern, each of them once. A single
  /// file of operations is read alone.
  ///
  /// A folder that was moved or renamed is reported alone, without its files. Therefore a folder
  /// that is new concerns all projects whose search paths lead to it, and can bring others.
  mutating func reload(after paths: Set<String>) {
    let newFolders = paths.filter { isFolder($0) }
    for index in projects.indices {
      let changed = paths.filter {
        concerns($0, projects[index]) && !isReplaced($0, in: projects[index])
          || newFolders.contains($0) && projects[index].canSearch($0)
      }
      guard let path = changed.first else { continue }
      if changed.count == 1, !newFolders.contains(path),
        projects[index].reload(fileAt: path, fileSystem)
      {
        continue
      }
      reload(index)
    }
    let decidesAboutProjects = paths.contains { path in
      Path.name(of: path) == ProjectConfiguration.fileName
        || projects.contains { Path.isInside($0.root, path) }
    }
    if decidesAboutProjects || !newFolders.isEmpty { updateProjects() }
  }

  /// Returns whether there is a folder at `path` that wildcards match.
  private func isFolder(_ path: String) -> Bool {
    guard Path.canBeFolder(path), fileSystem.kind(of: path, followingLinks: false) == .directory
    else { return false }
    return folders.contains { Glob(trusting: ["**/*"], root: $0).matches(Path.join(path, "file")) }
  }

  /// Reads all projects again.
  mutating func reload() {
    for index in projects.indices { reload(index) }
  }

  /// Reads the projects of a file again.
  mutating func reload(projectsOf path: String) {
    for index in projects.indices where concerns(path, projects[index]) { reload(index) }
  }

  /// Reads the projects again in which other files have changed that a fix-it of `path` edits.
  ///
  /// - Returns: `true` if there are any.
  mutating func reloadChangedFiles(fixedIn path: String) -> Bool {
    var isChanged = false
    for index in projects.indices {
      let project = projects[index]
      let fixIts = (project.problems[path] ?? []).flatMap(\.fixIts)
      let edited = Set(fixIts.flatMap(\.edits).map { project.path(of: $0.part.file) })
      guard edited.contains(where: { openFiles[$0] == nil && !project.isSame($0, on: fileSystem) })
      else { continue }
      reload(index)
      isChanged = true
    }
    return isChanged
  }

  /// Returns whether a project reads the text of an open file in place of that on disk.
  private func isReplaced(_ path: String, in project: Project) -> Bool {
    guard openFiles[path] != nil else { return false }
    return project.file(at: path) != nil || project.isSchema(path)
      || path == project.path(of: ProjectConfiguration.fileName)
  }

  private func concerns(_ path: String, _ project: Project) -> Bool {
    project.file(at: path) != nil || project.isSchema(path)
      || path == project.path(of: ProjectConfiguration.fileName)
      || project.configuration.hasSchema(at: path) || project.configuration.hasOperations(at: path)
      // A folder that was moved or deleted.
      || project.hasFiles(in: path)
  }

  private mutating func reload(_ index: Int) {
    let (root, former) = (projects[index].root, projects[index].configuration)
    let configuration = configuration(of: root, withFoldersBelow: former.hasFoldersBelow)
    projects[index].reload(configuration, texts, fileSystem)
  }
}

extension Path {
  /// Returns whether `path` can be that of a folder. Hardly a folder has a dot in its name, and a
  /// client can report many changed files.
  static func canBeFolder(_ path: String) -> Bool { !name(of: path).contains(".") }
}

// MARK: - Open files

extension Workspace {
  mutating func open(_ uri: String, version: Int?, text: String) {
    let path = Self.path(of: uri)
    openFiles[path] = OpenFile(
      uri: uri, version: version, buffer: TextBuffer(Array(text.utf8)))
    if path.hasPrefix("/"), projectIndex(of: path) == nil { addProject(ofLooseFile: path) }
    takeOver(path)
  }

  /// Replaces a part of an open file, or all of it without a range.
  mutating func edit(_ path: String, _ range: TextRange?, with text: String) {
    guard openFiles[path] != nil else { return }
    if let range {
      let bytes = openFiles[path]?.buffer.bytes(of: range, encoding) ?? 0..<0
      openFiles[path]?.buffer.replace(bytes, with: text)
    } else {
      openFiles[path]?.buffer = TextBuffer(Array(text.utf8))
    }
  }

  /// Gives the text of an open file to the projects that read it.
  mutating func takeOver(_ path: String) {
    guard let buffer = openFiles[path]?.buffer else { return }
    for index in projects.indices where concerns(path, projects[index]) {
      if !projects[index].edit(path, buffer) { reload(index) }
    }
  }

  mutating func setVersion(_ version: Int?, of path: String) {
    openFiles[path]?.version = version
  }

  /// Closes a file. Its projects have to be told afterwards to read it from the disk. A project
  /// that was there for this file alone goes.
  ///
  /// - Returns: `false` if it was not open.
  mutating func close(_ path: String) -> Bool {
    guard openFiles.removeValue(forKey: path) != nil else { return false }
    if !looseRoots.isEmpty { updateProjects() }
    return true
  }
}

// MARK: - Problems

extension Workspace {
  /// Checks an open file in its projects.
  mutating func check(_ path: String) {
    for index in projects.indices { projects[index].check(fileAt: path) }
  }

  /// Checks everything that is not up to date.
  mutating func check() {
    for index in projects.indices { projects[index].check() }
  }

  /// The problems of every file that has some, by path, each with its project.
  var problems: [String: [(problem: Problem, project: Project)]] {
    var found: [String: [(problem: Problem, project: Project)]] = [:]
    for project in projects {
      for (path, problems) in project.problems {
        // Several projects can have the file, each by a name of its own.
        let known = Set((found[path] ?? []).map { $0.project.located($0.problem) })
        for problem in problems
        where known.isEmpty || !known.contains(project.located(problem)) {
          found[path, default: []].append((problem, project))
        }
      }
    }
    return found
  }
}

// MARK: - Swift sources

extension Workspace {
  /// Looks at the Swift sources from now on.
  mutating func useSwiftSources() { swiftNames = [:] }

  /// Reads the Swift sources again that have changed.
  mutating func updateSwiftNames() {
    guard var names = swiftNames else { return }
    for project in projects {
      names[project.root, default: SwiftNameIndex()].update(project.configuration, fileSystem)
    }
    swiftNames = names
  }

  /// Returns the names that the Swift sources of each project use that reads a file of operations,
  /// or nothing if the client does not ask for hints about them.
  func swiftNames(ofProjectsWith path: String) -> [SwiftNameIndex] {
    guard let names = swiftNames else { return [] }
    return projects.filter { $0.file(at: path) != nil }
      .map { names[$0.root] ?? SwiftNameIndex() }
  }
}

// MARK: - Generated code

extension Workspace {
  /// Returns the file of the generated struct `name`, with its bytes and the offset of the name.
  func generatedStruct(
    _ name: String, in project: Project
  ) -> (path: String, offset: Int, bytes: [UInt8])? {
    // The files can be outside of the project's folder.
    let output = project.configuration.value.output.schemaTypes.path
    let folders = [project.root, Path.join(project.root, output)]
    let files = folders.flatMap { folder in
      let glob = Glob(trusting: ["**/\(name).graphql.swift"], root: folder)
      // A folder that cannot be read has no generated code to show.
      return (try? glob.files(in: fileSystem)) ?? []
    }
    for path in files {
      guard let bytes = try? fileSystem.read(path),
        let found = bytes[...].firstPlace(of: "struct \(name):")
      else { continue }
      return (path, found.lowerBound + "struct ".utf8.count, bytes)
    }
    return nil
  }
}

// MARK: - Texts

/// The texts of the files of a workspace, of which each is read once for one request.
struct FileTexts {
  /// A text as the editor counts its positions.
  private struct Text {
    var positions: PositionCounter
    /// The length of the byte order mark, which an editor removes from the text of a file.
    var markLength = 0
  }

  let workspace: Workspace
  private var texts: [String: Text] = [:]

  init(_ workspace: Workspace) { self.workspace = workspace }

  /// Returns the text of a file, or `nil` if it is neither open nor part of a project.
  private func text(at path: String, in project: Project) -> Text? {
    if let known = texts[path] { return known }
    if let open = workspace.openFiles[path] {
      return Text(positions: PositionCounter(open.buffer, workspace.encoding))
    }
    let isConfiguration = path == project.path(of: ProjectConfiguration.fileName)
    guard
      let bytes = isConfiguration
        ? project.configuration.bytes[...]
        : project.source(at: path)?.bytes
    else { return nil }
    let markLength = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let buffer = TextBuffer(bytes.dropFirst(markLength))
    return Text(
      positions: PositionCounter(buffer, workspace.encoding), markLength: markLength)
  }

  /// Returns the location of a part of a file, or `nil` for the definitions of the compiler, which
  /// are in no file.
  mutating func location(of part: FilePart, in project: Project) -> FileLocation? {
    // An open document that is not a file, such as `untitled:Untitled-1`, has its URI for a name.
    let isOpenDocument = workspace.openFiles[part.file] != nil
    let path = isOpenDocument ? part.file : project.path(of: part.file)
    guard var text = text(at: path, in: project) else { return nil }
    let start = max(0, part.bytes.lowerBound - text.markLength)
    let bytes = start..<max(start, part.bytes.upperBound - text.markLength)
    let range = text.positions.range(of: bytes)
    texts[path] = text
    return FileLocation(uri: workspace.uri(of: path), range: range)
  }
}

// MARK: - Edits

extension [FileEdit] {
  /// Returns the edits as `WorkspaceEdit`, by file, with the versions of open files if the client
  /// can read them.
  func workspaceEdit(_ workspace: Workspace) -> JSONOutput {
    let files = Dictionary(grouping: self, by: \.location.uri).sorted { $0.key < $1.key }
    guard workspace.versionsEdits else {
      return .object([
        ("changes", .object(files.map { ($0.key, .array($0.value.map(\.json))) }))
      ])
    }
    let changes = files.map { uri, edits in
      let version = workspace.openFiles[Workspace.path(of: uri)]?.version
      return JSONOutput.object([
        (
          "textDocument",
          .object([("uri", .string(uri)), ("version", version.map { .number($0) } ?? .null)])
        ),
        ("edits", .array(edits.map(\.json))),
      ])
    }
    return .object([("documentChanges", .array(changes))])
  }
}
