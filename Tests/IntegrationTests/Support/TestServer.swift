import Foundation
import TestProcesses

/// A server process that lives as long as a test needs it.
///
/// The server holds the reading end of a pipe as its standard input and stops when it ends, which
/// it does whenever this process does: even a crashing test leaves no server behind.
struct TestServer: Sendable {
  let url: URL
  let child: ChildProcess
  private let input: FileHandle
  private let output: FileHandle

  /// Starts the Star Wars server of the example; `url` is its GraphQL endpoint.
  static func starWars() async throws -> TestServer {
    try await TestServer(script: Repository.example.appendingPathComponent("Server/server.py"))
  }

  /// Starts the server of the example with 10,000 products.
  static func catalog() async throws -> TestServer {
    try await TestServer(
      script: Repository.root.appendingPathComponent("Examples/Catalog/Server/server.py"))
  }

  /// Starts the server with faulty responses; see `Servers/faults.py` for its paths.
  static func faults() async throws -> TestServer {
    try await TestServer(
      script: Repository.root.appendingPathComponent("Tests/IntegrationTests/Servers/faults.py"))
  }

  /// Starts the server whose errors need not propagate; see `Servers/propagation.py`.
  static func propagation() async throws -> TestServer {
    try await TestServer(
      script: Repository.root.appendingPathComponent(
        "Tests/IntegrationTests/Servers/propagation.py"))
  }

  /// Starts the server that finds objects by their identifiers; see `Servers/nodes.py`.
  static func nodes() async throws -> TestServer {
    try await TestServer(
      script: Repository.root.appendingPathComponent("Tests/IntegrationTests/Servers/nodes.py"))
  }

  /// Returns when the server has said that it is ready.
  private init(script: URL) async throws {
    guard let interpreter = Python.interpreter else { throw Failure(description: Python.advice) }
    let streams = StandardStreams(input: Pipe(), output: Pipe())
    child = try ChildProcess(interpreter, [script.path], streams: streams)
    input = streams.input!.fileHandleForWriting
    output = streams.output!.fileHandleForReading
    // The end of the file comes instead of a line when the server dies, so this cannot wait for
    // ever.
    guard let line = await output.nextLine(), let url = URL(string: line) else {
      throw Failure(description: "\(script.path) did not start.")
    }
    self.url = url
  }

  /// Returns when the server has said one more line: that it has read a request which it will not
  /// answer.
  func hasBegun() async throws {
    guard await output.nextLine() != nil else {
      throw Failure(description: "The server ended before it read a request.")
    }
  }

  /// Ends the server at once, in the middle of whatever it does, and waits until it is gone.
  func stop() async {
    child.send(SIGKILL)
    _ = await child.exitStatus()
  }

  /// Closes the server's standard input, which asks it to stop, and waits until it is gone.
  func finish() async throws {
    try input.close()
    _ = await child.exitStatus()
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }
}

/// Runs `body` with a server and ends the server afterwards, whatever happened.
func with<Result>(
  _ server: TestServer, _ body: (TestServer) async throws -> Result
) async throws -> Result {
  do {
    let result = try await body(server)
    await server.stop()
    return result
  } catch {
    await server.stop()
    throw error
  }
}
