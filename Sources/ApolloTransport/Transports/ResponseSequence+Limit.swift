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
      var remaining = limit
      let responses = Lock(makeAsyncIterator() as Iterator?)
      return {
        let deadline = CallDeadline(limit, remaining: remaining, clock: clock)
        defer { remaining = deadline.remaining }
        return try await deadline.limit(url: url) {
          guard var iterator = responses.exchange(nil) else { return nil }
          guard let response = try await iterator.next() else { return nil }
          responses.withLock { $0 = iterator }
          return response
        }
      }
    }
  }
}
