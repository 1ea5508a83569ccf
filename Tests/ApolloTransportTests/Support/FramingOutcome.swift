import ApolloTransport
import Foundation

/// The parts that a framer found, and how it ended.
struct FramingOutcome: Equatable, CustomStringConvertible {
  var parts: [String] = []
  var error: ResponseStreamError?

  var description: String { "\(parts) \(error.map { "\($0)" } ?? "complete")" }

  /// Gives chunks to a framer, reads all parts after each, and ends it.
  init(_ chunks: [Data], _ framer: some PartFramer) {
    var framer = framer
    do throws(ResponseStreamError) {
      for chunk in chunks {
        framer.append(chunk)
        while let part = try framer.next() { parts.append(String(decoding: part, as: UTF8.self)) }
      }
      try framer.finish()
    } catch {
      self.error = error
    }
  }
}

/// Every way to cut a text in two, the text in single bytes, and a cut in three at every third
/// byte.
func allChunkings(of text: String) -> [[Data]] {
  let bytes = Data(text.utf8)
  let halves = (0...bytes.count).map { [bytes.prefix($0), bytes.dropFirst($0)] }
  let thirds = stride(from: 0, to: bytes.count, by: 3).flatMap { first in
    stride(from: first, to: bytes.count, by: 3).map { second in
      [bytes[..<first], bytes[first..<second], bytes[second...]].map { Data($0) }
    }
  }
  return halves.map { $0.map { Data($0) } } + [bytes.map { Data([$0]) }] + thirds
}
