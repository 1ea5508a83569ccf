package import ApolloCodegenLib
import GraphQLSyntax

/// A server of the Language Server Protocol 3.17 for GraphQL, as a state machine: bytes in, bytes
/// out.
///
/// ```swift
/// var server = LanguageServer(version: "1.0", fileSystem: Disk())
/// while server.exitCode == nil {
///   server.receive(input.read())
///   repeat { output.write(server.run()) } while server.hasWork && !input.hasMore
/// }
/// ```
///
/// ``run()`` answers all requests that have been received, and then reports the diagnostics of the
/// file that was edited last, so that a burst of keystrokes is checked once. The next call without
/// new messages checks the other files that the edit concerns.
///
/// | state | requests | leaves when |
/// | :-- | :-- | :-- |
/// | new | only `initialize` | it is answered |
/// | running | all | `shutdown` is answered |
/// | shut down | none | `exit` arrives |
/// | ended | none | never |
package struct LanguageServer {
  private enum State: Hashable {
    case new, running, shutDown
    case ended(code: Int32)
  }

  private let version: String
  private var state = State.new
  private var framing = MessageFraming()
  private var messages: [Result<IncomingMessage, RequestError>] = []
  private var output: [UInt8] = []
  private var workspace: Workspace
  private var client = ClientAbilities()
  /// The diagnostics of each file that were published last, by path.
  private var published: [String: String] = [:]
  /// The diagnostics of each open file that the client has requested last, by path. There are none
  /// between an edit and the request that follows it.
  private var pulled: [String: String] = [:]
  /// The files that have changed on disk since the projects were read.
  private var changedPaths: Set<String> = []
  /// The patterns of files that the client watches because of search paths.
  private var watchedPatterns: Set<String> = []
  /// `true` if something has changed since the last report.
  private var needsReport = false
  /// `true` if there are files that have not been checked since the last change.
  package private(set) var hasWork = false
  /// The file that was edited last.
  private var editedPath: String?
  private var requestCount = 0
  /// The folders of the editor that have not been read yet.
  private var newFolders: [String] = []
  /// `true` if what is shown of open files may have changed with the schema.
  private var hasNewSchema = false
  /// `true` if Swift sources may have changed.
  private var hasNewSwiftSources = true
  /// `true` if the client asks for hints about fields that no Swift source uses.
  private var showsUnusedFields = false

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - version: The version that clients show.
  ///   - fileSystem: The files of projects.
  package init(version: String, fileSystem: any FileSystem) {
    self.version = version
    workspace = Workspace(fileSystem)
  }

  /// The exit code of the process after the end: 0 if the client has asked the server to shut down
  /// before. It is `nil` until then.
  package var exitCode: Int32? {
    if case .ended(let code) = state { code } else { nil }
  }

  /// Adds bytes from the client.
  package mutating func receive(_ bytes: some Collection<UInt8>) {
    framing.append(bytes)
    do {
      while let content = try framing.next() {
        do { messages.append(.success(try IncomingMessage(content))) } catch {
          messages.append(.failure(error))
        }
      }
    } catch {
      let error = RequestError(
        .parseError, "The header of a message has no valid Content-Length.")
      messages.append(.failure(error))
      // What follows cannot be told apart into messages.
      messages.append(.success(.notification(method: "exit", params: nil)))
    }
  }

  /// Ends the server, because the client has closed its stream.
  package mutating func receiveEnd() {
    messages.append(.success(.notification(method: "exit", params: nil)))
  }

  /// Handles the messages that have been received.
  ///
  /// - Returns: The bytes for the client.
  package mutating func run() -> [UInt8] {
    let cancelled = Set(
      messages.compactMap { message -> RequestID? in
        guard case .success(.notification("$/cancelRequest", let params)) = message else {
          return nil
        }
        return params?["id"].flatMap(RequestID.init)
      })
    let received = messages
    messages = []
    for message in received where exitCode == nil {
      if !message.onlyNamesChangedFiles { reloadChangedFiles() }
      if state == .running { readFolders() }
      switch message {
      case .failure(let error): send(.response(nil, .failure(error)))
      case .success(.response): break
      case .success(.notification(let method, let params)): handle(method, params)
      case .success(.request(let id, let method, let params)):
        let isCancelled = cancelled.contains(id) && Feature.methods.contains(method)
        let result =
          isCancelled
          ? .failure(RequestError(.requestCancelled, "The request was cancelled."))
          : response(to: method, params)
        send(.response(id, result))
      }
    }
    reloadChangedFiles()
    // Each message can bring a project, or a configuration with other search paths.
    if state == .running, !received.isEmpty {
      watchOtherNames()
      watchOtherFolders()
    }
    if state == .running, !received.isEmpty, needsReport {
      needsReport = false
      hasWork = true
      if let editedPath {
        workspace.check(editedPath)
        report([editedPath])
      }
    } else if hasWork, received.isEmpty {
      readFolders()
      reportAll()
    }
    for failure in workspace.takeFailures() where state == .running {
      send(
        .notification(
          method: "window/showMessage",
          params: .object([("type", .number(2)), ("message", .string(failure))])))
    }
    defer { output = [] }
    return output
  }

  private mutating func send(_ message: OutgoingMessage) {
    output += MessageFraming.framed(message.text)
  }

  private mutating func sendRequest(_ method: String, _ params: JSONOutput? = nil) {
    requestCount += 1
    send(.request(id: requestCount, method: method, params: params))
  }
}

// MARK: - Requests

extension LanguageServer {
  private mutating func response(
    to method: String, _ params: IndexedJSON.Value?
  ) -> Result<JSONOutput, RequestError> {
    switch (state, method) {
    case (.new, "initialize"):
      state = .running
      return .success(initialize(params))
    case (.new, _):
      return .failure(RequestError(.serverNotInitialized, "The first request is 'initialize'."))
    case (.running, "initialize"):
      return .failure(RequestError(.invalidRequest, "The server is initialized already."))
    case (.running, "shutdown"):
      // A client that has sent everything at once gets the diagnostics all the same.
      if needsReport || hasWork { reportAll() }
      state = .shutDown
      return .success(.null)
    case (.running, _):
      do { return .success(try feature(method, params)) } catch { return .failure(error) }
    case (.shutDown, _), (.ended, _):
      return .failure(RequestError(.invalidRequest, "The server is shut down."))
    }
  }

  private mutating func initialize(_ params: IndexedJSON.Value?) -> JSONOutput {
    client = ClientAbilities(params?["capabilities"])
    workspace.encoding = client.encoding
    workspace.versionsEdits = client.versionsEdits
    workspace.hoverMarkup = client.hoverMarkup
    workspace.completionMarkup = client.completionMarkup
    let folders = params?["workspaceFolders"]?.items?.compactMap { $0["uri"]?.string }
    let uris = folders ?? [params?["rootUri"]?.string].compactMap { $0 }
    var paths = uris.compactMap(FileURI.path)
    if uris.isEmpty, let path = params?["rootPath"]?.string { paths = [path] }
    showsUnusedFields = params?["initializationOptions"]?["unusedFields"]?.bool ?? false
    if showsUnusedFields { workspace.useSwiftSources() }
    // The response does not wait for the files.
    newFolders = paths.map(Path.normalized)
    needsReport = true
    return .object([
      ("capabilities", ServerAbilities.json(for: client)),
      (
        "serverInfo",
        .object([("name", .string("apollo-cli")), ("version", .string(version))])
      ),
    ])
  }

  /// Reads the folders that the client has named.
  private mutating func readFolders() {
    guard !newFolders.isEmpty else { return }
    workspace.add(folders: newFolders)
    newFolders = []
  }

  private mutating func feature(
    _ method: String, _ params: IndexedJSON.Value?
  ) throws(RequestError) -> JSONOutput {
    guard !method.isEmpty else {
      throw RequestError(.invalidRequest, "A message has a method.")
    }
    guard Feature.methods.contains(method) else {
      throw RequestError(.methodNotFound, "The server does not have '\(method)'.")
    }
    guard let uri = params?["textDocument"]?["uri"]?.string, let params else {
      throw RequestError(.invalidParams, "'\(method)' needs a document.")
    }
    let path = Workspace.path(of: uri)
    switch method {
    case "textDocument/diagnostic":
      workspace.check(path)
      var texts = FileTexts(workspace)
      let items = items(of: path, workspace.problems[path] ?? [], &texts)
      if workspace.openFiles[path] != nil { pulled[path] = items.line }
      return .object([("kind", .string("full")), ("items", items)])
    case "textDocument/codeAction":
      if workspace.reloadChangedFiles(fixedIn: path) { needsReport = true }
      workspace.check(path)
    case "textDocument/rename", "textDocument/references":
      // A notification about a changed file can be late, and some clients do not send any. Other
      // projects can share files with that of this one.
      workspace.reload()
      needsReport = true
    default: break
    }
    guard let request = FeatureRequest(path, in: workspace) else { return .null }
    return try Feature.response(to: method, params, request)
  }
}

// MARK: - Notifications

extension LanguageServer {
  private mutating func handle(_ method: String, _ params: IndexedJSON.Value?) {
    if method == "exit" {
      state = .ended(code: state == .shutDown ? 0 : 1)
      (needsReport, hasWork) = (false, false)
      return
    }
    guard state == .running else { return }
    switch method {
    case "initialized": watchFiles()
    case "textDocument/didOpen": open(params?["textDocument"])
    case "textDocument/didChange": edit(params)
    case "textDocument/didClose": close(params)
    case "workspace/didChangeWatchedFiles":
      for change in params?["changes"]?.items ?? [] {
        guard let path = change["uri"]?.string.flatMap(FileURI.path) else { continue }
        changedPaths.insert(Path.normalized(path))
      }
    case "textDocument/didSave":
      // Clients that watch no files say nothing else about a change outside of the editor.
      guard !client.watchesFiles, let uri = params?["textDocument"]?["uri"]?.string else { return }
      workspace.reload(projectsOf: Workspace.path(of: uri))
      needsReport = true
    case "workspace/didChangeWorkspaceFolders": changeFolders(params?["event"])
    default: break
    }
  }

  private mutating func open(_ document: IndexedJSON.Value?) {
    guard let uri = document?["uri"]?.string, let text = document?["text"]?.string else { return }
    workspace.open(uri, version: document?["version"]?.integer, text: text)
    let path = Workspace.path(of: uri)
    (editedPath, pulled[path]) = (path, nil)
    needsReport = true
  }

  private mutating func edit(_ params: IndexedJSON.Value?) {
    guard let document = params?["textDocument"], let uri = document["uri"]?.string else { return }
    let path = Workspace.path(of: uri)
    for change in params?["contentChanges"]?.items ?? [] {
      guard let text = change["text"]?.string else { continue }
      workspace.edit(path, TextRange(change["range"]), with: text)
    }
    workspace.setVersion(document["version"]?.integer, of: path)
    workspace.takeOver(path)
    if workspace.canChangeSchema(path) { hasNewSchema = true }
    (editedPath, pulled[path]) = (path, nil)
    needsReport = true
  }

  private mutating func close(_ params: IndexedJSON.Value?) {
    guard let uri = params?["textDocument"]?["uri"]?.string else { return }
    let path = Workspace.path(of: uri)
    guard workspace.close(path) else { return }
    pulled[path] = nil
    changedPaths.insert(path)
  }

  /// Reads what has changed on disk, once for all notifications in a row.
  private mutating func reloadChangedFiles() {
    guard !changedPaths.isEmpty else { return }
    // A folder can bring or take along files of the schema.
    if changedPaths.contains(where: { workspace.canChangeSchema($0) || Path.canBeFolder($0) }) {
      hasNewSchema = true
    }
    if changedPaths.contains(where: { $0.hasSuffix(".swift") }) { hasNewSwiftSources = true }
    workspace.reload(after: changedPaths)
    changedPaths = []
    needsReport = true
  }

  private mutating func changeFolders(_ event: IndexedJSON.Value?) {
    func paths(_ key: IndexedJSON.Value?) -> [String] {
      (key?.items ?? []).compactMap { $0["uri"]?.string.flatMap(FileURI.path) }
        .map(Path.normalized)
    }
    for path in paths(event?["removed"]) { workspace.remove(folder: path) }
    workspace.add(folders: paths(event?["added"]))
    (needsReport, hasNewSchema) = (true, true)
  }

  private mutating func watchFiles() {
    guard client.watchesFiles else { return }
    // A folder that is moved or deleted is reported alone.
    let patterns =
      ["**/*.{graphql,graphqls,gql,sdl}", "**/*.json", "**/"]
      + (showsUnusedFields ? ["**/*.swift"] : [])
    let watchers = patterns.map { JSONOutput.object([("globPattern", .string($0))]) }
    register(watchers, id: "files")
  }

  /// The endings of files that are watched whatever the search paths are.
  private static let watchedEndings = ["graphql", "graphqls", "gql", "sdl", "json"]

  /// The names of files, with wildcards, that search paths match and that have other endings.
  private var otherNames: [String] {
    Set(workspace.projects.flatMap(\.searchedNames)).filter { name in
      !Self.watchedEndings.contains { name.hasSuffix(".\($0)") }
    }.sorted()
  }

  /// Watches the files of projects that have other endings than most.
  private mutating func watchOtherNames() {
    guard client.watchesFiles else { return }
    for name in otherNames where watchedPatterns.insert("**/\(name)").inserted {
      register([.object([("globPattern", .string("**/\(name)"))])], id: "**/\(name)")
    }
  }

  /// Watches the folders of projects that are outside of those of the editor.
  private mutating func watchOtherFolders() {
    guard client.watchesFiles, client.watchesOtherFolders else { return }
    let names = ["*.{\(Self.watchedEndings.joined(separator: ","))}"] + otherNames
    for (folder, hasFoldersBelow) in workspace.otherFolders {
      for name in names { watch((hasFoldersBelow ? "**/" : "") + name, in: folder) }
    }
  }

  private mutating func watch(_ files: String, in folder: String) {
    guard watchedPatterns.insert("\(folder)/\(files)").inserted else { return }
    let pattern = JSONOutput.object([
      ("baseUri", .string(FileURI.uri(of: folder))), ("pattern", .string(files)),
    ])
    register([.object([("globPattern", pattern)])], id: "\(folder)/\(files)")
  }

  private mutating func register(_ watchers: [JSONOutput], id: String) {
    sendRequest(
      "client/registerCapability",
      .object([
        (
          "registrations",
          .array([
            .object([
              ("id", .string(id)),
              ("method", .string("workspace/didChangeWatchedFiles")),
              ("registerOptions", .object([("watchers", .array(watchers))])),
            ])
          ])
        )
      ]))
  }
}

// MARK: - Diagnostics

extension LanguageServer {
  /// Checks everything, and reports the files whose diagnostics have changed.
  private mutating func reportAll() {
    (needsReport, hasWork) = (false, false)
    workspace.check()
    if hasNewSwiftSources {
      hasNewSwiftSources = false
      workspace.updateSwiftNames()
    }
    report(nil)
  }

  /// Reports those of some files, or of all, whose diagnostics have changed.
  private mutating func report(_ paths: [String]?) {
    let problems = workspace.problems
    var texts = FileTexts(workspace)
    var isRefreshNeeded = false
    let all = Set(problems.keys).union(published.keys).union(workspace.openFiles.keys)
    for path in paths ?? all.sorted() {
      let items = items(of: path, problems[path] ?? [], &texts)
      let text = items.line
      let isOpen = workspace.openFiles[path] != nil
      if client.pullsDiagnostics, isOpen {
        // Those that were published before the file was opened would be shown beside the others.
        if published.removeValue(forKey: path) != nil { publish(.array([]), of: path) }
        if let last = pulled[path], last != text {
          pulled[path] = text
          isRefreshNeeded = true
        }
        continue
      }
      // An open file is reported once even if it has no problem.
      guard text != published[path] ?? (isOpen ? "" : "[]") else { continue }
      published[path] = text == "[]" && !isOpen ? nil : text
      publish(items, of: path)
    }
    if isRefreshNeeded, client.refreshesDiagnostics {
      sendRequest("workspace/diagnostic/refresh")
    }
    guard paths == nil, hasNewSchema else { return }
    hasNewSchema = false
    if client.refreshesHints { sendRequest("workspace/inlayHint/refresh") }
    if client.refreshesTokens { sendRequest("workspace/semanticTokens/refresh") }
  }

  private func items(
    of path: String, _ problems: [(problem: Problem, project: Project)], _ texts: inout FileTexts
  ) -> JSONOutput {
    var items = Diagnostics.items(problems, &texts)
    if let request = FeatureRequest(path, in: workspace), request.project.file(at: path) != nil {
      items += UnusedFields.items(request, workspace.swiftNames(ofProjectsWith: path))
    }
    return .array(items)
  }

  private mutating func publish(_ items: JSONOutput, of path: String) {
    var members: [(String, JSONOutput)] = [("uri", .string(workspace.uri(of: path)))]
    if let version = workspace.openFiles[path]?.version {
      members.append(("version", .number(version)))
    }
    members.append(("diagnostics", items))
    send(.notification(method: "textDocument/publishDiagnostics", params: .object(members)))
  }
}

extension Result<IncomingMessage, RequestError> {
  /// `true` for a message that only says which files have to be read from the disk.
  fileprivate var onlyNamesChangedFiles: Bool {
    guard case .success(.notification(let method, _)) = self else { return false }
    return method == "workspace/didChangeWatchedFiles" || method == "textDocument/didClose"
  }
}
