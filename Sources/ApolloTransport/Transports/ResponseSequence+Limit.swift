internal import ApolloAPI
package import Foundation

extension ResponseSequence {
  /// Limits the time until the last response has arrived. The time between two responses is the
  /// reader's, and does not count.
  ///
  /// - Parameters:
  ///   - limit: The longest time.
  ///   - clock: The clock that measures it.
  ///   - url: The endpoint of the call, for the error.
  /// - Returns: The same responses, or a ``NetworkError`` with the code `deadlineExceeded` in place
  ///   of those that are late.
  package func limited(
    to limit: Duration, clock: any AlarmClock = SystemAlarmClock.shared, url: URL?
  ) -> ResponseSequence {
    ResponseSequence {
      let remaining = Lock(limit)
      let responses = Lock(makeAsyncIterator() as Iterator?)
      return {
        let deadline = CallDeadline(limit, remaining: remaining.get(), clock: clock)
        return try await deadline.limit(url: url) {
          // Here, because the result may be taken after the deadline.
          defer { _ = remaining.exchange(deadline.remaining) }
          guard var iterator = responses.exchange(nil) else { return nil }
          guard let response = try await iterator.next() else { return nil }
          responses.withLock { $0 = iterator }
          return response
        }
      }
    }
  }
}
