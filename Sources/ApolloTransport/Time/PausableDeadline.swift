internal import ApolloAPI
package import Foundation

/// A limit on the time of a call that does not count the time of its last request.
///
/// For calls whose transport names no limit, such as a program's own wrapper. The transport that
/// sends limits each request, but what the client does around it, which includes interceptors, must
/// end as well.
///
/// | state | event | next state |
/// | :-- | :-- | :-- |
/// | `stopped` | ``limit(url:_:)`` begins | `running` |
/// | `running` | a request begins | `paused` |
/// | `paused` | a request begins, or one of several ends | `paused` |
/// | `paused` | the last request ends | `running` |
/// | any | the work ends, or the time is over | `stopped` |
package final class PausableDeadline: Sendable {
  private typealias Expiration = @Sendable () -> Void

  private enum State {
    case stopped(remaining: Duration)
    case running(until: Duration, Alarm?, Expiration)
    case paused(remaining: Duration, requestCount: Int, Expiration)
  }

  private let clock: any AlarmClock
  private let time: Duration
  private let state: Lock<State>

  /// Creates a deadline that does not run.
  ///
  /// - Parameters:
  ///   - time: The longest time.
  ///   - clock: The clock that measures it.
  package init(_ time: Duration, clock: any AlarmClock) {
    self.clock = clock
    self.time = time
    state = Lock(.stopped(remaining: time))
  }

  /// The time that is left.
  private var remaining: Duration {
    let now = clock.now
    return state.withLock { state in
      switch state {
      case .stopped(let remaining), .paused(let remaining, _, _): remaining
      case .running(let end, _, _): max(.zero, end - now)
      }
    }
  }

  /// Runs `body` in a task of its own and returns its result, or throws when the time is over, as
  /// ``CallDeadline/limit(url:startsHere:_:)`` does. The next call of the function has the time
  /// that this one leaves. The error names the whole time.
  package func limit<Result: Sendable>(
    url: URL?, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let outcome = Once<Swift.Result<Result, any Error>>()
    run { [time] in
      outcome.decide(
        .failure(NetworkError(.deadlineExceeded, url: url, detail: time.inWords)))
    }
    return try await CallDeadline.result(
      of: {
        // Here, because the result may be taken after the deadline.
        defer { self.stop() }
        return try await body()
      }, decidedBy: outcome)
  }

  /// Does the work of a request, whose time does not count unless it fails: interceptors may ask
  /// for many attempts.
  package func pausing<Result>(
    _ request: () async throws -> Result
  ) async rethrows -> Result {
    let beginning = clock.now
    pause()
    do {
      let result = try await request()
      resume()
      return result
    } catch {
      resume(counting: clock.now - beginning)
      throw error
    }
  }

  private func run(_ expire: @escaping Expiration) {
    let remaining = remaining
    state.withLock { $0 = .running(until: clock.now + remaining, nil, expire) }
    setAlarm(after: remaining)
  }

  private func pause() {
    let now = clock.now
    let alarm: Alarm? = state.withLock { state in
      switch state {
      case .stopped: return nil
      case .paused(let remaining, let count, let expire):
        state = .paused(remaining: remaining, requestCount: count + 1, expire)
        return nil
      case .running(let end, let alarm, let expire):
        state = .paused(remaining: max(.zero, end - now), requestCount: 1, expire)
        return alarm
      }
    }
    alarm?.cancel()
  }

  private func resume(counting time: Duration = .zero) {
    let now = clock.now
    let (remaining, expire): (Duration?, Expiration?) = state.withLock { state in
      guard case .paused(var remaining, let count, let expire) = state else { return (nil, nil) }
      remaining = max(.zero, remaining - time)
      guard count == 1 else {
        state = .paused(remaining: remaining, requestCount: count - 1, expire)
        return (nil, nil)
      }
      guard remaining > .zero else {
        state = .stopped(remaining: .zero)
        return (nil, expire)
      }
      state = .running(until: now + remaining, nil, expire)
      return (remaining, nil)
    }
    expire?()
    if let remaining { setAlarm(after: remaining) }
  }

  /// Sets the alarm of a deadline that has begun to run.
  private func setAlarm(after remaining: Duration) {
    let alarm = clock.setAlarm(after: remaining) { self.ring() }
    let isUnused: Bool = state.withLock { state in
      guard case .running(let end, nil, let expire) = state else { return true }
      state = .running(until: end, alarm, expire)
      return false
    }
    if isUnused { alarm.cancel() }
  }

  private func ring() {
    let now = clock.now
    let (expire, rest): (Expiration?, Duration?) = state.withLock { state in
      // An alarm may ring as a request begins.
      guard case .running(let end, _, let expire) = state else { return (nil, nil) }
      guard end <= now else {
        // Set before a request that has ended since, and taken for the alarm after it.
        state = .running(until: end, nil, expire)
        return (nil, end - now)
      }
      state = .stopped(remaining: .zero)
      return (expire, nil)
    }
    expire?()
    if let rest { setAlarm(after: rest) }
  }

  private func stop() {
    let remaining = remaining
    let alarm: Alarm? = state.withLock { state in
      defer { state = .stopped(remaining: remaining) }
      guard case .running(_, let alarm, _) = state else { return nil }
      return alarm
    }
    alarm?.cancel()
  }
}
