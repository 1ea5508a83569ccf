internal import ApolloAPI
import ApolloRecording
import ApolloTransport
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
    /// The line and the time of the first request, which may have had only the hash of the text.
    fileprivate var first: (line: Int, time: Duration)
    /// The line after which the call has no more, and its time, or `nil` if the recording ended
    /// before.
    fileprivate(set) var end: (line: Int, time: Duration)?

    /// `true` if only a hash was sent, and the server did not know it.
    fileprivate var isRefusedHash: Bool {
      guard request.document == nil else { return false }
      return switch events.first?.content {
      case .response(let response)?: PersistedQueries.isStep(response.networkResponse)
      case .failure(let failure)?:
        failure.response.map { PersistedQueries.isStep($0.networkResponse) } ?? false
      default: false
      }
    }

    /// Returns `true` if the text of the same operation was sent.
    fileprivate func sendsText(of hash: Call) -> Bool {
      request.document != nil && request.operation == hash.request.operation
        && request.variables == hash.request.variables
    }

    /// Returns `true` if the call had not ended when another one began.
    ///
    /// An upload is written when it has ended, with the time at which it began.
    func overlaps(_ later: Call) -> Bool {
      guard let end, end.line < later.first.line else { return true }
      return !later.request.files.isEmpty && end.time >= later.first.time
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
        calls.append(Call(line: line, request: request, first: (line, event.time)))
      } else if let position = positions[event.call] {
        calls[position].events.append((event.time - calls[position].first.time, event.content))
        switch event.content {
        case .end, .cancelled, .failure: calls[position].end = (line, event.time)
        case .request, .response, .part: break
        }
      } else {
        throw RecordingFormatError(
          file: path, line: line, problem: "there is no request of call \(event.call) before it")
      }
    }
    removeRefusedHashes()
    moveUploadsToTheirBeginning()
  }

  /// Replaces the requests of hashes that the server did not know by those of the texts. A proxy
  /// records them as calls of their own. To a program, both requests are one call, which begins
  /// with the first one: another call may have ended before the text was sent.
  private mutating func removeRefusedHashes() {
    let all = calls
    calls = []
    var moved: Set<Int> = []
    for (index, call) in all.enumerated() where !moved.contains(index) {
      let texts =
        call.isRefusedHash
        ? all.indices[(index + 1)...].filter { all[$0].sendsText(of: call) } : []
      guard !texts.isEmpty else {
        calls.append(call)
        continue
      }
      guard let text = texts.first(where: { !moved.contains($0) }) else { continue }
      moved.insert(text)
      var whole = all[text]
      let delay = whole.first.time - call.first.time
      for event in whole.events.indices { whole.events[event].delay += delay }
      whole.first = call.first
      calls.append(whole)
    }
  }

  /// Moves each upload in front of the calls that began later. In the file it follows them, because
  /// it is written when it has ended.
  private mutating func moveUploadsToTheirBeginning() {
    let uploads = calls.filter { !$0.request.files.isEmpty }
    calls.removeAll { !$0.request.files.isEmpty }
    for upload in uploads {
      // Calls of the same time overlap it, so they fit in either order. But the responses of equal
      // uploads are in the order of the file.
      let index = calls.firstIndex { call in
        call.first.time > upload.first.time
          || call.first.time == upload.first.time && call.request.files.isEmpty
      }
      calls.insert(upload, at: index ?? calls.endIndex)
    }
  }
}
