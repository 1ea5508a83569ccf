import ApolloCodegenLib
import GraphQLSyntax

/// A file that is open in the editor. Its text replaces that on disk.
struct OpenFile {
  /// The URI as the client spells it.
  let uri: String
  var version: Int?
  var buffer: TextBuffer
}

/// The projects below the folders of an editor, and the open files.
struct Workspace {
  private let fileSystem: any FileSystem
  /// The folders of the editor.
  private(set) var folders: [String] = []
  private(set) var projects: [Project] = []
  /// The open files, by path.
  private(set) var openFiles: [String: OpenFile] = [:]
  var encoding = PositionEncoding.utf16

  init(_ fileSystem: any FileSystem) { self.fileSystem = fileSystem }

  /// Returns the path of a document. One that is not a file has its URI in place of a path.
  static func path(of uri: String) -> String { FileURI.path(of: uri).map(Path.normalized) ?? uri }

  /// Returns the URI of a path, as the client spells it if the file is open.
  func uri(of path: String) -> String {
    openFiles[path]?.uri ?? (path.hasPrefix("/") ? FileURI.uri(of: path) : path)
  }
}

// MARK: - Projects

extension Workspace {
  /// Adds a folder of the editor, with the projects in it: those with a configuration in the folder
  /// or below it, or else in the nearest folder above.
  mutating func add(folder: String) {
    folders.append(folder)
    let found =
      (try? Glob(["**/\(ProjectConfiguration.fileName)"], root: folder).files(in: fileSystem)) ?? []
    var roots = found.map(Path.parent(of:))
    if roots.isEmpty {
      roots = [ProjectConfiguration.nearestFolder(from: folder, fileSystem) ?? folder]
    }
    for root in roots { addProject(at: root) }
  }

  mutating func remove(folder: String) {
    folders.removeAll { $0 == folder }
    projects.removeAll { Path.isInside($0.root, folder) }
  }

  private mutating func addProject(at root: String) {
    guard !projects.contains(where: { $0.root == root }) else { return }
    projects.append(Project(configuration(of: root), buffers: texts, fileSystem))
  }

  private func configuration(of root: String) -> ProjectConfiguration {
    let path = Path.join(root, ProjectConfiguration.fileName)
    if let file = openFiles[path] {
      return ProjectConfiguration(
        of: root, text: String(decoding: file.buffer.bytes, as: UTF8.self))
    }
    // Without a file, there are the defaults. One that cannot be read is one that is not there.
    guard let bytes = try? fileSystem.read(path) else {
      return ProjectConfiguration(defaultsFor: root)
    }
    return ProjectConfiguration(of: root, text: String(decoding: bytes, as: UTF8.self))
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
    let others = projects.indices.filter { Path.isInside(path, projects[$0].root) }
    let candidates = reading.isEmpty ? others : reading
    let nearest = candidates.max { projects[$0].root.utf8.count < projects[$1].root.utf8.count }
    return nearest ?? (path.hasPrefix("/") ? nil : projects.indices.first)
  }

  /// Reads the projects again that changed files on disk can concern, each of them once. A single
  /// file of operations is read alone.
  mutating func reload(after paths: Set<String>) {
    for index in projects.indices {
      let changed = paths.filter {
        concerns($0, projects[index]) && !isReplaced($0, in: projects[index])
      }
      guard let path = changed.first else { continue }
      if changed.count == 1, projects[index].reload(fileAt: path, fileSystem) { continue }
      reload(index)
    }
    for path in paths.sorted() where Path.name(of: path) == ProjectConfiguration.fileName {
      addProject(at: Path.parent(of: path))
    }
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
  }

  private mutating func reload(_ index: Int) {
    let root = projects[index].root
    projects[index].reload(configuration(of: root), texts, fileSystem)
  }
}

// MARK: - Open files

extension Workspace {
  mutating func open(_ uri: String, version: Int?, text: String) {
    let path = Self.path(of: uri)
    openFiles[path] = OpenFile(
      uri: uri, version: version, buffer: TextBuffer(Array(text.utf8)))
    if path.hasPrefix("/"), projectIndex(of: path) == nil {
      let folder = Path.parent(of: path)
      addProject(at: ProjectConfiguration.nearestFolder(from: folder, fileSystem) ?? folder)
    }
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

  /// Closes a file. Its projects have to be told afterwards to read it from the disk.
  ///
  /// - Returns: `false` if it was not open.
  mutating func close(_ path: String) -> Bool { openFiles.removeValue(forKey: path) != nil }
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
        for problem in problems
        where found[path]?.contains(where: { $0.problem == problem }) != true {
          found[path, default: []].append((problem, project))
        }
      }
    }
    return found
  }
}

// MARK: - Generated code

extension Workspace {
  /// Returns the file of the generated struct `name`, with its bytes and the offset of the name.
  func generatedStruct(
    _ name: String, in project: Project
  ) -> (path: String, offset: Int, bytes: [UInt8])? {
    let pattern = "**/\(name).graphql.swift"
    // A folder that cannot be read has no generated code to show.
    let files = (try? Glob(trusting: [pattern], root: project.root).files(in: fileSystem)) ?? []
    for path in files {
      guard let bytes = try? fileSystem.read(path),
        let found = bytes.firstRange(of: Array("struct \(name):".utf8))
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
    var buffer: TextBuffer
    /// The length of the byte order mark, which an editor removes from the text of a file.
    var markLength = 0
  }

  let workspace: Workspace
  private var texts: [String: Text] = [:]

  init(_ workspace: Workspace) { self.workspace = workspace }

  /// Returns the text of a file, or `nil` if it is neither open nor part of a project.
  private mutating func text(at path: String, in project: Project) -> Text? {
    if let open = workspace.openFiles[path] { return Text(buffer: open.buffer) }
    if let known = texts[path] { return known }
    let isConfiguration = path == project.path(of: ProjectConfiguration.fileName)
    guard
      let bytes = isConfiguration
        ? project.configuration.bytes[...]
        : project.source(at: path)?.bytes
    else { return nil }
    let markLength = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = Text(buffer: TextBuffer(bytes.dropFirst(markLength)), markLength: markLength)
    texts[path] = text
    return text
  }

  /// Returns the location of a part of a file, or `nil` for the definitions of the compiler, which
  /// are in no file.
  mutating func location(of part: FilePart, in project: Project) -> FileLocation? {
    let path = project.path(of: part.file)
    return text(at: path, in: project).map { text in
      let start = max(0, part.bytes.lowerBound - text.markLength)
      let bytes = start..<max(start, part.bytes.upperBound - text.markLength)
      return FileLocation(
        uri: workspace.uri(of: path), range: text.buffer.range(of: bytes, workspace.encoding))
    }
  }
}
