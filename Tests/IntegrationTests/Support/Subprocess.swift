import Foundation

/// What a program said and how it ended.
struct Outcome: Sendable {
  var status: Int32
  var output: String
  var errors: String
}

/// Runs a program to its end, however much it prints.
///
/// The program is killed when it takes longer than a minute, so that a hanging one fails its test.
func run(
  _ program: URL, _ arguments: [String], in folder: URL, environment: [String: String] = [:]
) async throws -> Outcome {
  let process = Process()
  process.executableURL = program
  process.arguments = arguments
  process.currentDirectoryURL = folder
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  process.standardInput = FileHandle.nullDevice
  let output = Pipe()
  let errors = Pipe()
  process.standardOutput = output
  process.standardError = errors

  let (ends, end) = AsyncStream<Int32>.makeStream()
  process.terminationHandler = {
    end.yield($0.terminationStatus)
    end.finish()
  }
  try process.launchWithSignals()
  let deadline = Deadline(of: process)
  defer { deadline.cancel() }
  async let outputText = text(from: output)
  async let errorText = text(from: errors)
  var status: Int32 = -1
  for await reported in ends { status = reported }
  return Outcome(status: status, output: await outputText, errors: await errorText)
}

/// Reads a pipe to its end on a thread that may block.
private func text(from pipe: Pipe) async -> String {
  let handle = pipe.fileHandleForReading
  return await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      continuation.resume(returning: String(decoding: handle.readDataToEndOfFile(), as: UTF8.self))
    }
  }
}

/// Kills a process unless it is cancelled within a minute.
private struct Deadline {
  private let task: Task<Void, any Error>

  init(of process: Process) {
    let identifier = process.processIdentifier
    task = Task {
      try await Task.sleep(for: .seconds(60))
      kill(identifier, SIGKILL)
    }
  }

  func cancel() { task.cancel() }
}
