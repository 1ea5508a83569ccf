import ApolloCodegenLib
import Foundation
import GraphQLLanguageServer
import GraphQLSyntax
import Testing

/// A client of a server in memory, with a folder of files on disk.
final class TestClient {
  static let schema = """
    "The root."
    type Query { hero(episode: Episode = JEDI, filter: Filter): Character  search(text: String!): [Found!]!  old: Int @deprecated(reason: "Use new.") }
    type Mutation { rename(id: ID!, name: String!): Character }
    "A person or a machine."
    interface Character @typePolicy(keyFields: "id") { id: ID!  "What it is called." name: String! @cacheControl(maxAge: 60)  friends: [Character!] }
    type Human implements Character { id: ID!  name: String!  friends: [Character!]  height: Float }
    type Droid implements Character { id: ID!  name: String!  friends: [Character!]  function: String }
    type Planet { name: String }
    union Found = Human | Planet
    enum Episode { "A new hope." NEWHOPE  JEDI @deprecated(reason: "Too old.") }
    input Filter { name: String  nested: Filter  episode: Episode  isAlive: Boolean! }
    """

  let folder: URL
  private var server: LanguageServer
  private var requestCount = 0
  /// The notifications and requests of the server, in their order.
  private(set) var messages: [IndexedJSON.Value] = []

  /// Creates a client whose folder has `files`, and the schema.
  init(
    _ files: [String: String] = [:], schema: String? = TestClient.schema,
    capabilities: String = "{}", options: String = "{}", fileSystem: any FileSystem = Disk()
  ) throws {
    folder = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath()
      .appendingPathComponent("language-server-\(UUID().uuidString)")
    server = LanguageServer(version: "1", fileSystem: fileSystem)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if let schema { try write(schema, to: "schema.graphqls") }
    for (path, text) in files { try write(text, to: path) }
    _ = try request(
      "initialize",
      #"{"rootUri": "file://\#(folder.path)", "capabilities": \#(capabilities), "initializationOptions": \#(options)}"#
    )
    notify("initialized", "{}")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func write(_ text: String, to path: String) throws {
    let file = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func uri(_ path: String) -> String { "file://\(folder.path)/\(path)" }

  var exitCode: Int32? { server.exitCode }

  // MARK: - Messages

  /// Sends a message and collects what the server sends until it has nothing left to do.
  @discardableResult
  func send(_ message: String) -> [IndexedJSON.Value] {
    receive(Array("Content-Length: \(message.utf8.count)\r\n\r\n\(message)".utf8))
  }

  @discardableResult
  func receive(_ bytes: [UInt8]) -> [IndexedJSON.Value] {
    server.receive(bytes)
    var output = server.run()
    while server.hasWork { output += server.run() }
    let received = Self.messages(in: output)
    messages += received.filter { $0["method"] != nil }
    return received
  }

  /// Sends messages at once and collects what the server sends for them, without the work that it
  /// leaves for later.
  func sendTogether(_ messages: [String]) -> [IndexedJSON.Value] {
    for message in messages {
      server.receive(
        Array("Content-Length: \(message.utf8.count)\r\n\r\n\(message)".utf8))
    }
    return receiveOnce()
  }

  /// Collects what the server sends when it is called once.
  func receiveOnce() -> [IndexedJSON.Value] {
    let received = Self.messages(in: server.run())
    messages += received.filter { $0["method"] != nil }
    return received
  }

  /// `true` if the server has left work for later.
  var serverHasWork: Bool { server.hasWork }

  /// Separates messages, by another way than the server does.
  static func messages(in bytes: [UInt8]) -> [IndexedJSON.Value] {
    var rest = bytes[...]
    var found: [IndexedJSON.Value] = []
    while let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
      let header = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
      let length = header.split(separator: " ").last.flatMap { Int($0) } ?? 0
      let content = rest[end.upperBound...].prefix(length)
      if let json = try? IndexedJSON(Array(content)) { found.append(json.root) }
      rest = rest[content.endIndex...]
    }
    return found
  }

  func notify(_ method: String, _ params: String) {
    send(#"{"jsonrpc": "2.0", "method": "\#(method)", "params": \#(params)}"#)
  }

  /// Sends a request and returns its result, or its error.
  func request(_ method: String, _ params: String) throws -> IndexedJSON.Value {
    requestCount += 1
    let received = send(
      #"{"jsonrpc": "2.0", "id": \#(requestCount), "method": "\#(method)", "params": \#(params)}"#)
    let response = try #require(
      received.first { $0["method"] == nil && $0["id"]?.number == Double(requestCount) })
    return try #require(response["result"] ?? response["error"])
  }

  // MARK: - Documents

  func open(_ path: String, _ text: String) {
    notify(
      "textDocument/didOpen",
      #"{"textDocument": {"uri": "\#(uri(path))", "languageId": "graphql", "version": 1, "text": \#(JSONLiteral.string(text))}}"#
    )
  }

  func edit(_ path: String, _ line: Int, _ start: Int, _ end: Int, _ text: String) {
    notify(
      "textDocument/didChange",
      #"{"textDocument": {"uri": "\#(uri(path))", "version": 2}, "contentChanges": [{"range": {"start": {"line": \#(line), "character": \#(start)}, "end": {"line": \#(line), "character": \#(end)}}, "text": \#(JSONLiteral.string(text))}]}"#
    )
  }

  func replace(_ path: String, _ text: String) {
    notify(
      "textDocument/didChange",
      #"{"textDocument": {"uri": "\#(uri(path))", "version": 3}, "contentChanges": [{"text": \#(JSONLiteral.string(text))}]}"#
    )
  }

  /// Opens a text with a `|` at the cursor, without it, and sends a request about the position.
  func ask(
    _ method: String, in path: String = "a.graphql", _ marked: String, more: String = ""
  ) throws -> IndexedJSON.Value {
    let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    open(path, parts.joined())
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    let position =
      #"{"line": \#(lines.count - 1), "character": \#(lines.last?.utf16.count ?? 0)}"#
    return try request(
      "textDocument/\(method)",
      #"{"textDocument": {"uri": "\#(uri(path))"}, "position": \#(position)\#(more)}"#)
  }

  func close(_ path: String) {
    notify("textDocument/didClose", #"{"textDocument": {"uri": "\#(uri(path))"}}"#)
  }

  /// Returns the range of an edit or a diagnostic, as `line:character-line:character`.
  static func range(_ value: IndexedJSON.Value?) -> String {
    let numbers = ["start", "end"].map { end in
      ["line", "character"].map { Int(value?["range"]?[end]?[$0]?.number ?? -1) }
        .map(String.init).joined(separator: ":")
    }
    return numbers.joined(separator: "-")
  }

  /// Returns the edits of a file in a `WorkspaceEdit`.
  static func edits(of uri: String, in edit: IndexedJSON.Value) -> [IndexedJSON.Value] {
    Array(edit["changes"]?.members?.first { $0.key.string == uri }?.value.items ?? [])
  }

  /// Returns how often diagnostics have been published for a file.
  func publicationCount(of path: String) -> Int {
    messages.count {
      $0["method"]?.string == "textDocument/publishDiagnostics"
        && $0["params"]?["uri"]?.string == uri(path)
    }
  }

  /// The messages of the last diagnostics that were reported for a file.
  func diagnostics(of path: String) -> [String] {
    let last = messages.last {
      $0["method"]?.string == "textDocument/publishDiagnostics"
        && $0["params"]?["uri"]?.string == uri(path)
    }
    return (last?["params"]?["diagnostics"]?.items ?? []).compactMap { $0["message"]?.string }
  }
}

extension IndexedJSON.Value {
  /// The value as it is written.
  var text: String { String(decoding: source, as: UTF8.self) }
}
