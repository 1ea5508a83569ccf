import ApolloAPI
import ApolloRecording
import Foundation
import Testing

@Suite struct RecordingLogTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID())")
  private let failures = Lock<[any Error]>([])

  private func makeLog(_ handle: FileHandle) throws -> RecordingLog {
    try RecordingLog(
      handle, redaction: RecordingRedaction(), clock: ContinuousClock(),
      reportFailure: { [failures] error in failures.withLock { $0.append(error) } })
  }

  @Test func theFirstFailureOfALineIsReportedOnce() throws {
    #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
    // Nothing depends on the removal.
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forWritingTo: file)
    let log = try makeLog(handle)
    let call = log.begin(.init(type: "query", operation: "Hero", variables: [:]))
    #expect(failures.get().isEmpty)
    let written = try Data(contentsOf: file)
    try handle.close()
    log.add(.end, to: call)
    log.add(.end, to: log.begin(.init(type: "query", operation: "Hero", variables: [:])))
    #expect(failures.get().count == 1)
    #expect(throws: (any Error).self) { try log.finish() }
    #expect(try Data(contentsOf: file) == written)
  }

  @Test func aFileThatRefusesTheFirstLineIsAnError() throws {
    #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
    // Nothing depends on the removal.
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forReadingFrom: file)
    #expect(throws: (any Error).self) { try makeLog(handle) }
    #expect(failures.get().isEmpty)
  }
}
