package import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Makes the events of one call and delivers them to observers.
///
/// Steps can happen on several threads, such as those of a call that is abandoned at its deadline.
/// Delivery keeps their order and holds no lock while an observer runs:
///
/// 1. A step becomes an event under the lock. After the terminal event, steps are dropped.
/// 2. If no thread is delivering, this one does. Otherwise the event is queued.
/// 3. A thread that has delivered takes the queued events, until there are none.
///
/// Releasing a recorder without a terminal event reports ``CallEvent/Kind/cancelled``: its sequence
/// of responses was released early.
package final class CallEventRecorder: Sendable {
  private struct State {
    var queue: [CallEvent] = []
    var isDelivering = false
    var hasEnded = false
    /// The number of requests that were sent.
    var sentCount = 0
    /// The number of attempts that were announced: by building a request, or by sending one.
    var attemptCount = 0
    /// The error of the latest attempt.
    var failure: (any Error)?
  }

  package let call: CallEvent.Call
  private let observers: [any CallEventObserver]
  private let clock: any AlarmClock
  private let start: Duration
  private let state = Lock(State())

  private static let lastID = Lock<UInt64>(0)

  /// Begins a call.
  package init<Operation: GraphQLOperation>(
    _ operation: Operation, observers: [any CallEventObserver], clock: any AlarmClock
  ) {
    let id = Self.lastID.withLock { id in
      id += 1
      return id
    }
    var call = CallEvent.Call(id: id, operation)
    for observer in observers where call.traceContext == nil {
      call.traceContext = observer.traceContext(for: call)
    }
    self.call = call
    self.observers = observers
    self.clock = clock
    start = clock.now
    record(.began)
  }

  deinit {
    guard !state.withLock({ $0.hasEnded }) else { return }
    let event = CallEvent(
      call: call, kind: .cancelled, time: clock.now - start, attempt: state.get().sentCount)
    for observer in observers { observer.observe(event) }
  }

  /// The time on the clock of the call, for durations.
  package var now: Duration { clock.now }

  /// Reports a step.
  package func record(_ kind: CallEvent.Kind) {
    var next = state.withLock { enqueue(kind, in: &$0) }
    while let event = next {
      for observer in observers { observer.observe(event) }
      next = state.withLock { state in
        guard !state.queue.isEmpty else {
          state.isDelivering = false
          return nil
        }
        return state.queue.removeFirst()
      }
    }
  }

  /// Reports the end of the call by an error.
  package func record(end error: any Error) {
    record(error is CancellationError ? .cancelled : .failed(error))
  }

  /// Returns an event that the calling thread must deliver, unless the call has ended or another
  /// thread delivers it.
  private func enqueue(_ kind: CallEvent.Kind, in state: inout State) -> CallEvent? {
    guard !state.hasEnded else { return nil }
    switch kind {
    case .sent: state.sentCount += 1
    case _ where kind.isTerminal: state.hasEnded = true
    default: break
    }
    let event = CallEvent(
      call: call, kind: kind, time: clock.now - start, attempt: state.sentCount)
    guard !state.isDelivering else {
      state.queue.append(event)
      return nil
    }
    state.isDelivering = true
    return event
  }

  // MARK: Attempts

  /// Keeps the error of an attempt, which a retry reports.
  package func noteFailure(_ error: any Error) { state.withLock { $0.failure = error } }

  /// Reports that another attempt begins, unless that is known or it is the first one.
  func announceAttempt() {
    let (isRetry, failure): (Bool, (any Error)?) = state.withLock { state in
      guard state.attemptCount == state.sentCount else { return (false, nil) }
      state.attemptCount += 1
      defer { state.failure = nil }
      return (state.attemptCount > 1, state.failure)
    }
    if isRetry { record(.retried(after: failure)) }
  }
}

// MARK: - Steps of HTTP

extension CallEventRecorder {
  /// Reports that a request was made.
  func recordBuilt(_ request: URLRequest) {
    announceAttempt()
    record(.requestBuilt(CallEvent.RequestSummary(request)))
  }

  /// Reports that the client takes a request.
  func recordSent() {
    announceAttempt()
    record(.sent)
  }

  /// Reports that the head of a response has arrived.
  func recordResponse(_ head: ReceivedHead) {
    record(.firstByte(CallEvent.ResponseSummary(head)))
  }
}
