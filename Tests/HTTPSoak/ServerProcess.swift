import Foundation

/// This program's own server, in a process of its own.
struct ServerProcess: Sendable {
  let url: URL
  private let process = Process()
  private let input = Pipe()

  init() throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["serve"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.prefix { $0.isNumber }),
      let url = URL(string: "http://127.0.0.1:\(port)/graphql")
    else { throw CocoaError(.executableLoad) }
    self.url = url
  }

  func stop() {
    try? input.fileHandleForWriting.close()  // valid until here
    process.terminate()
    process.waitUntilExit()
  }
}
