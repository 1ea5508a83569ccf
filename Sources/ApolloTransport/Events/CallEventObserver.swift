/// Receives the events of a client's calls, for logs, measurements and traces.
///
/// ```swift
/// struct SlowCallReporter: CallEventObserver {
///   func observe(_ event: CallEvent) {
///     guard event.kind.isTerminal, event.time > .seconds(2) else { return }
///     print("slow:", event)
///   }
/// }
/// let apollo = ApolloClient(networkTransport: transport, observers: [SlowCallReporter()])
/// ```
///
/// The contract:
///
/// 1. *Order.* The events of one call arrive one after the other, in the order of their times.
/// 2. *One end.* The last event of each call that began is one of ``CallEvent/Kind/completed``,
///    ``CallEvent/Kind/failed(_:)`` and ``CallEvent/Kind/cancelled``. Nothing follows it.
/// 3. *Threads.* Events arrive on the thread that does the step; calls that run at the same time
///    report at the same time. No lock is held, but the call waits: an observer with much to do
///    hands events on.
/// 4. *Cost.* A client without observers makes no events.
public protocol CallEventObserver: Sendable {
  /// Receives one event.
  func observe(_ event: CallEvent)

  /// Returns the position of a new call in a distributed trace, which its requests carry in the
  /// headers `traceparent` and `tracestate`; `nil` for none, which is the default.
  ///
  /// The method is called before ``CallEvent/Kind/began``. The first observer that returns a
  /// context decides. A `traceparent` that the caller has set stays as it is.
  func traceContext(for call: CallEvent.Call) -> TraceContext?
}

extension CallEventObserver {
  /// `nil`.
  public func traceContext(for call: CallEvent.Call) -> TraceContext? { nil }
}
