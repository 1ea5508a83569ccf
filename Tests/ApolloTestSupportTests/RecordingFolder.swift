import Foundation

/// The folder of a recording, which is removed with the value.
final class RecordingFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("rec-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  // Nothing depends on the removal.
  deinit { try? FileManager.default.removeItem(at: url) }

  var file: URL { url.appendingPathComponent("session.jsonl") }
  var lines: [String] {
    get throws {
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
  }
}
