import Foundation

/// `apollo-cli lsp` with GitHub's schema and 1,000 operations: the times that a person waits.
let editorSessions: [ExperimentMaker] = [{ try EditorSession($0) }]

/// A language server as a process, and the messages of an editor.
private struct EditorSession: Experiment {
  let title = "Edit one of 1,000 operations"
  private let schema: URL
  private let operations: URL

  private static let keystrokeCount = 60

  init(_ data: BenchmarkData) throws {
    schema = try data.file("github.graphqls")
    operations = try data.file("github-1000")
  }

  func table() async throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("editor-session-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: schema, to: folder.appendingPathComponent("schema.graphqls"))
    try FileManager.default.copyItem(
      at: operations, to: folder.appendingPathComponent("operations"))
    let clock = ContinuousClock()
    let start = clock.now
    let server = try Server(in: folder)
    server.request("initialize", #"{"capabilities": {}, "rootUri": "file://\#(folder.path)"}"#)
    server.notify("initialized", "{}")
    let file = folder.appendingPathComponent("operations/op0001.graphql")
    let uri = "file://\(file.path)"
    let content = try String(contentsOf: file, encoding: .utf8)
    let literal = String(decoding: try JSONEncoder().encode(content), as: UTF8.self)
    server.notify(
      "textDocument/didOpen",
      #"{"textDocument": {"uri": "\#(uri)", "languageId": "graphql", "version": 1, "text": \#(literal)}}"#
    )
    server.waitForDiagnostics(of: uri)
    let first = start.duration(to: clock.now)
    // The other files are checked before the next request is answered.
    server.request("textDocument/documentSymbol", #"{"textDocument": {"uri": "\#(uri)"}}"#)
    var keystrokes: [Duration] = []
    for number in 0..<Self.keystrokeCount {
      // A field gets a wrong name, and its own again.
      let (end, name) = number.isMultiple(of: 2) ? (4, "zz") : (6, "")
      let start = clock.now
      server.notify(
        "textDocument/didChange",
        #"{"textDocument": {"uri": "\#(uri)", "version": \#(number + 2)}, "contentChanges": [{"range": {"start": {"line": 2, "character": 4}, "end": {"line": 2, "character": \#(end)}}, "text": "\#(name)"}]}"#
      )
      server.waitForDiagnostics(of: uri)
      keystrokes.append(start.duration(to: clock.now))
    }
    func median(_ method: String) -> Duration {
      let times = (0..<15).map { _ in
        clock.measure {
          server.request(
            "textDocument/\(method)",
            #"{"textDocument": {"uri": "\#(uri)"}, "position": {"line": 2, "character": 4}, "context": {"includeDeclaration": true}}"#
          )
        }
      }
      return times.sorted()[times.count / 2]
    }
    var rows = [["", "time"], ["first diagnostics, from the start of the process", text(first)]]
    rows.append(["a keystroke to diagnostics", text(keystrokes.sorted()[keystrokes.count / 2])])
    for method in ["completion", "hover", "references", "semanticTokens/full"] {
      rows.append([method, text(median(method))])
    }
    rows.append(["peak memory", server.peakMemory ?? "not known"])
    server.end()
    return markdown(rows)
  }
}

/// The process of a server, whose messages are read one at a time.
private final class Server {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var requestCount = 0
  private var bytes = Data()

  init(in folder: URL) throws {
    process.executableURL = URL(fileURLWithPath: ProcessMeter.neighbour("apollo-cli"))
    process.arguments = ["lsp"]
    process.currentDirectoryURL = folder
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// The greatest amount of memory so far, where the system tells it.
  var peakMemory: String? {
    let status = try? String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    return status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      .map { $0.dropFirst(6).trimmingCharacters(in: .whitespaces) }
  }

  func notify(_ method: String, _ params: String) {
    send(#"{"jsonrpc": "2.0", "method": "\#(method)", "params": \#(params)}"#)
  }

  /// Sends a request and waits for its response.
  func request(_ method: String, _ params: String) {
    requestCount += 1
    send(
      #"{"jsonrpc": "2.0", "id": \#(requestCount), "method": "\#(method)", "params": \#(params)}"#)
    wait(for: #""id":\#(requestCount),"#)
  }

  func waitForDiagnostics(of uri: String) { wait(for: #"{"uri":"\#(uri)""#) }

  func end() {
    request("shutdown", "null")
    notify("exit", "null")
    process.waitUntilExit()
  }

  private func send(_ message: String) {
    input.fileHandleForWriting.write(
      Data("Content-Length: \(message.utf8.count)\r\n\r\n\(message)".utf8))
  }

  private func wait(for text: String) {
    while let message = next() {
      if message.contains(text) { return }
    }
    // There is nothing left to measure, and no caller that could go on.
    fatalError("The server has ended.")
  }

  private func next() -> String? {
    let separator = Data("\r\n\r\n".utf8)
    while true {
      if let end = bytes.range(of: separator) {
        let header = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let length = header.split(separator: " ").last.flatMap { Int($0) } ?? 0
        if bytes.endIndex - end.upperBound >= length {
          let message = bytes[end.upperBound..<end.upperBound + length]
          bytes = Data(bytes[(end.upperBound + length)...])
          return String(decoding: message, as: UTF8.self)
        }
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      bytes += more
    }
  }
}
