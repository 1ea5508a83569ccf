import Foundation

/// A server process that lives as long as a test needs it.
///
/// The server holds the reading end of a pipe as its standard input and stops when it ends, which it does whenever this
/// process does: even a crashing test leaves no server behind.
struct TestServer {
  let url: URL
  let processIdentifier: Int32
  private let process: Process
  private let end: ProcessEnd
  private let input: Pipe
  private let output: Pipe

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
    guard let interpreter = Python.interpreter else { throw Failure(description: Python.advice) }
    process = Process()
    process.executableURL = interpreter
    process.arguments = [script.path]
    input = Pipe()
    output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    end = ProcessEnd(of: process)
    try process.launchWithSignals()
    processIdentifier = process.processIdentifier
    // The end of the file comes instead of a line when the server dies, so this cannot wait for ever.
    guard let line = output.fileHandleForReading.nextLine(), let url = URL(string: line) else {
      throw Failure(description: "\(script.path) did not start.")
    }
    self.url = url
  }

  /// Returns when the server has said one more line: that it has read a request which it will not answer.
  func hasBegun() async throws {
    let handle = output.fileHandleForReading
    let line = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: handle.nextLine()) }
    }
    guard line != nil else {
      throw Failure(description: "The server ended before it read a request.")
    }
  }

  /// Ends the server at once, in the middle of whatever it does, and waits until it is gone.
  func stop() {
    kill(processIdentifier, SIGKILL)
    end.wait()
  }

  /// Closes the server's standard input, which asks it to stop, and waits until it is gone.
  func finish() async throws {
    try input.fileHandleForWriting.close()
    await end.reached()
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }
}

/// Runs `body` with a server and ends the server afterwards, whatever happened.
func with<Result>(
  _ server: TestServer, _ body: (TestServer) async throws -> Result
) async throws -> Result {
  defer { server.stop() }
  return try await body(server)
}
