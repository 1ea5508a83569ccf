#if os(Linux)
  import Foundation

  /// The program `loopback-server` in the folder of this one, running.
  final class LoopbackServer {
    private let process = Process()
    private let input = Pipe()
    private let port: Int

    /// Starts a server that answers the path of each name with the bytes of a file.
    init(_ files: [String: URL]) throws {
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: ProcessMeter.neighbour("loopback-server"))
      process.arguments = files.map { "\($0.key)=\($0.value.path)" }
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      guard let port = Int(line.prefix { $0.isNumber }) else { throw HTTPFailure() }
      self.port = port
    }

    deinit {
      try? input.fileHandleForWriting.close()  // valid until here
      process.waitUntilExit()
    }

    func url(_ name: String) -> URL {
      guard let url = URL(string: "http://127.0.0.1:\(port)/\(name)") else {
        preconditionFailure("'\(name)' does not belong into a URL.")
      }
      return url
    }
  }

  /// The error for a request that was not answered as expected.
  struct HTTPFailure: Error {}
#endif
