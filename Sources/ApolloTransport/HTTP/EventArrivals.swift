import ApolloAPI
import Foundation

/// The positions in time at which the bytes of a subscription's events have arrived.
///
/// Bytes wait until they are read, which may be late. What is sent or written in the meantime is
/// newer than the events in them, so each piece that arrives takes a position at once.
///
/// Isolation: `pieces` is guarded by a lock.
final class EventArrivals: Sendable {
  private let subscription: SentRequest
  /// The unread pieces, in order.
  private let pieces = Lock<[(byteCount: Int, event: SentRequest)]>([])

  init(of subscription: SentRequest) { self.subscription = subscription }

  /// Notes that bytes have arrived.
  func note(byteCount: Int) {
    guard byteCount > 0 else { return }
    pieces.withLock { pieces in
      let latest = pieces.last?.event
      guard let event = subscription.noteEvent(after: latest) else { return }
      if event === latest {
        pieces[pieces.count - 1].byteCount += byteCount
      } else {
        pieces.append((byteCount, event))
      }
    }
  }

  /// Forgets the unread pieces.
  func drop() { withExtendedLifetime(pieces.exchange([])) {} }  // released outside of the lock

  /// Returns the parts of a chunk that was read, each with its position, or with `nil` if its
  /// arrival was not noted.
  ///
  /// More bytes may have arrived since the chunk was taken. They keep their positions, also in the
  /// piece in which the chunk ends.
  func split(_ chunk: Data) -> [(bytes: Data, event: SentRequest?)] {
    var parts: [(bytes: Data, event: SentRequest?)] = []
    var rest = chunk
    pieces.withLock { pieces in
      var readCount = 0
      while !rest.isEmpty, readCount < pieces.count {
        let part = rest.prefix(pieces[readCount].byteCount)
        parts.append((part, pieces[readCount].event))
        rest = rest.dropFirst(part.count)
        pieces[readCount].byteCount -= part.count
        if pieces[readCount].byteCount == 0 { readCount += 1 }
      }
      // No event is released under the lock: the parts refer to those of these pieces.
      pieces.removeFirst(readCount)
    }
    if !rest.isEmpty { parts.append((rest, nil)) }
    return parts
  }
}
