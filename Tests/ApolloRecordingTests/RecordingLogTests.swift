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

  /// Records the parts of calls, and returns their bodies in the file.
  private func recorded(_ parts: [(call: Int, body: String)]) throws -> [String] {
    #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
    // Nothing depends on the removal.
    defer { try? FileManager.default.removeItem(at: file) }
    let log = try makeLog(try FileHandle(forWritingTo: file))
    let calls = (0...(parts.map(\.call).max() ?? 0)).map { _ in
      log.begin(.init(type: "query", operation: "Hero", variables: [:]))
    }
    for part in parts { log.add(.part(.init(body: Array(part.body.utf8))), to: calls[part.call]) }
    try log.finish()
    let events = try RecordedEvent.read([UInt8](Data(contentsOf: file)), file: file.path)
    return events.compactMap { _, event in
      guard case .part(let part) = event.content else { return nil }
      return String(decoding: part.body, as: UTF8.self)
    }
  }

  @Test(arguments: [
    // The formats of 2022 and before.
    [
      #"{"data":{"viewer":{"id":"1"}},"hasNext":true}"#,
      #"{"incremental":[{"path":["viewer","credentials"],"data":{"id":"7","value":"letmein"}}],"hasNext":false}"#,
    ],
    [
      #"{"data":{"tokens":[],"names":[]},"hasNext":true}"#,
      #"{"incremental":[{"items":["letmein"],"path":["tokens",0]},{"items":["Luke"],"path":["names",0]}],"hasNext":false}"#,
    ],
    [#"{"path":["secret"],"data":{"of":[{"raw":"letmein"}]},"label":"a","hasNext":false}"#],
    // That of 2026.
    [
      #"{"data":{"viewer":{"id":"1"}},"pending":[{"id":"0","path":["viewer","credentials"]}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","data":{"value":"letmein"}}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","subPath":["of"],"data":{"raw":"letmein"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
    ],
    [
      #"{"data":{"viewer":{"id":"1"}},"pending":[{"id":"0","path":["viewer"]}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","subPath":["secret"],"data":{"raw":"letmein"}},{"id":"0","data":{"name":"Luke"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
    ],
    // The events of a subscription can have the same identifiers.
    [
      #"{"data":{},"pending":[{"id":"0","path":["secret"]}],"hasNext":true}"#,
      #"{"data":{},"pending":[{"id":"0","path":["viewer"]}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","data":{"name":"Luke"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
    ],
  ])
  func aPartHasNoSecretsOfTheObjectsAroundIt(_ parts: [String]) throws {
    let found = try recorded(parts.map { (call: 0, body: $0) })
    #expect(found == parts.map { $0.replacingOccurrences(of: "letmein", with: "<redacted>") })
  }

  @Test func theIdentifiersOfPartsAreThoseOfOneCall() throws {
    let pending = #"{"data":{},"pending":[{"id":"0","path":["secret"]}],"hasNext":true}"#
    let part = #"{"incremental":[{"id":"0","data":{"name":"Luke"}}],"hasNext":false}"#
    let found = try recorded([(call: 0, body: pending), (call: 1, body: part)])
    #expect(found == [pending, part])
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
