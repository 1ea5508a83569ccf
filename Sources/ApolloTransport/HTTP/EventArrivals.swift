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
  func split(_ chunk: Data) -> [(bytes: Data, event: SentRequest?)] {
    let pieces = pieces.exchange([])
    // What has arrived behind the chunk stays.
    var parts: [(bytes: Data, event: SentRequest?)] = []
    var rest = chunk[...]
    var later = pieces[...]
    while !rest.isEmpty, let piece = later.popFirst() {
      parts.append((rest.prefix(piece.byteCount), piece.event))
      rest = rest.dropFirst(piece.byteCount)
    }
    if !rest.isEmpty { parts.append((rest, nil)) }
    if !later.isEmpty { self.pieces.withLock { $0 = later + $0 } }
    return parts
  }
}
