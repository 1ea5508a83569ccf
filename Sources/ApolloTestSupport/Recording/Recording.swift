internal import ApolloAPI
import ApolloRecording
import Foundation

/// The calls of a recording, in the order of their requests.
struct Recording: Sendable {
  /// A recorded call.
  struct Call: Sendable {
    /// The line of the request in the file.
    let line: Int
    let request: RecordedEvent.Request
    /// The events after the request, with the time since the request.
    fileprivate(set) var events: [(delay: Duration, content: RecordedEvent.Content)] = []
    fileprivate let start: Duration
    /// The line after which the call has no more, and its time, or `nil` if the recording ended
    /// before.
    fileprivate(set) var end: (line: Int, time: Duration)?

    /// Returns `true` if the call had not ended when another one began.
    ///
    /// An upload is written when it has ended, with the time at which it began.
    func overlaps(_ later: Call) -> Bool {
      guard let end, end.line < later.line else { return true }
      return !later.request.files.isEmpty && end.time >= later.start
    }
  }

  let path: String
  private(set) var calls: [Call] = []

  /// Reads a file.
  ///
  /// - Throws: An error of Foundation if the file cannot be read; `RecordingFormatError` if a
  ///   line is wrong.
  init(file: URL) throws {
    path = file.path
    var positions: [Int: Int] = [:]
    for (line, event) in try RecordedEvent.read([UInt8](Data(contentsOf: file)), file: path) {
      if case .request(let request) = event.content {
        guard positions.updateValue(calls.count, forKey: event.call) == nil else {
          throw RecordingFormatError(
            file: path, line: line, problem: "there is an earlier request of call \(event.call)")
        }
        calls.append(Call(line: line, request: request, start: event.time))
      } else if let position = positions[event.call] {
        calls[position].events.append((event.time - calls[position].start, event.content))
        switch event.content {
        case .end, .cancelled, .failure: calls[position].end = (line, event.time)
        case .request, .response, .part: break
        }
      } else {
        throw RecordingFormatError(
          file: path, line: line, problem: "there is no request of call \(event.call) before it")
      }
    }
  }
}
