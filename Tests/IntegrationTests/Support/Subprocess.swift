import Foundation
import TestProcesses
import Testing

/// The output of a program and its end.
struct Outcome: Sendable {
  var status: Int32
  var output: String
  var errors: String
}

/// Runs a program to its end, however much it prints.
///
/// The program is killed when it takes longer than `limit` seconds, so that a hanging one fails its
/// test; a busy machine must not be taken for one that hangs. What it has started ends with it.
///
/// `input` is what the program reads from its standard input. Without `inputBlocks`, reading it
/// fails while there is nothing to read.
func run(
  _ program: URL, _ arguments: [String], in folder: URL, environment: [String: String] = [:],
  input: String = "", inputBlocks: Bool = true, withinSeconds limit: Int = 500
) async throws -> Outcome {
  let (writing, output, errors) = (Pipe(), Pipe(), Pipe())
  if !inputBlocks {
    let descriptor = writing.fileHandleForReading.fileDescriptor
    #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
  }
  let child = try ChildProcess(
    program, arguments, in: folder, environment: environment,
    streams: StandardStreams(input: writing, output: output, errors: errors), leadsGroup: true)
  let deadline = Task {
    try await Task.sleep(for: .seconds(limit))
    child.send(SIGKILL)
  }
  defer { deadline.cancel() }
  async let written: Void = write(input, to: writing.fileHandleForWriting)
  async let outputText = output.fileHandleForReading.remainingText()
  async let errorText = errors.fileHandleForReading.remainingText()
  let status = await child.exitStatus()
  await written
  return Outcome(status: status, output: await outputText, errors: await errorText)
}

/// Writing to a reader that has gone away would end the tests otherwise.
private let ignoresBrokenPipes: Bool = {
  signal(SIGPIPE, SIG_IGN)
  return true
}()

/// Writes all of `text` and ends the file. A closed reading end is not an error.
private func write(_ text: String, to handle: FileHandle) async {
  precondition(ignoresBrokenPipes, "SIGPIPE cannot be ignored.")
  await onThreadOfItsOwn {
    try? handle.write(contentsOf: Data(text.utf8))
    try? handle.close()
  }
}
