import Foundation

/// A server process that lives as long as a test needs it.
///
/// The server holds the reading end of a pipe as its standard input and stops when it ends, which it does whenever this
/// process does: even a crashing test leaves no server behind.
struct TestServer {
  let url: URL
  let processIdentifier: Int32
  private let process: Process
  private let input: Pipe

  /// Starts the Star Wars server of the example; `url` is its GraphQL endpoint.
  static func starWars() throws -> TestServer {
    try TestServer(script: Repository.example.appendingPathComponent("Server/server.py"))
  }

  /// Starts the server that answers wrongly; see `Servers/faults.py` for its paths.
  static func faults() throws -> TestServer {
    try TestServer(
      script: Repository.root.appendingPathComponent("Tests/IntegrationTests/Servers/faults.py"))
  }

  /// Returns when the server has said that it is ready.
  private init(script: URL) throws {
    guard let interpreter = Python.interpreter else { throw Failure(script: script.path) }
    process = Process()
    process.executableURL = interpreter
    process.arguments = [script.path]
    input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.launchWithSignals()
    processIdentifier = process.processIdentifier
    // The end of the file comes instead of a line when the server dies, so this cannot wait for ever.
    let line = output.fileHandleForReading.availableData
    guard
      let text = String(data: line, encoding: .utf8)?
        .trimmingCharacters(in: .whitespacesAndNewlines),
      !text.isEmpty, let url = URL(string: text)
    else {
      throw Failure(script: script.path)
    }
    self.url = url
  }

  /// Ends the server at once, in the middle of whatever it does, and waits until it is gone.
  func stop() {
    kill(processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Closes the server's standard input, which asks it to stop, and waits until it is gone.
  func finish() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  struct Failure: Error {
    var script: String
  }
}

/// Runs `body` with a server and ends the server afterwards, whatever happened.
func with<Result>(
  _ server: TestServer, _ body: (TestServer) async throws -> Result
) async throws -> Result {
  defer { server.stop() }
  return try await body(server)
}
