#if canImport(Combine)
  import ApolloAPI
  public import Combine

  // A pager of Apollo iOS is a publisher. Subscribers receive the latest result and each one that
  // follows, in order, and with as much demand as they ask for.
  extension GraphQLQueryPager: Publisher {
    /// Errors are results, so the publisher has none.
    public typealias Failure = Never

    /// Starts a subscription.
    public func receive<Receiver: Subscriber>(
      subscriber: Receiver
    ) where Receiver.Input == Output, Receiver.Failure == Never {
      let subscription = PagerSubscription<Output>(
        receive: { subscriber.receive($0) },
        finish: { subscriber.receive(completion: .finished) })
      subscriber.receive(subscription: subscription)
      let deliveries = core.deliveries
      subscription.start(deliveries.listStream(), isCurrent: { deliveries.isCurrent(list: $0) })
    }
  }

  /// A subscription that keeps results until there is demand for them.
  ///
  /// `@unchecked Sendable` because subscribers are not `Sendable`: `state` is guarded by a lock,
  /// and the subscriber is called outside of it by one thread at a time, which `isDelivering`
  /// ensures.
  private final class PagerSubscription<Result: Sendable>: Subscription, @unchecked Sendable {
    private struct Receiver {
      let receive: (Result) -> Subscribers.Demand
      let finish: () -> Void
    }

    private struct State {
      var subscriber: Receiver?
      var demand = Subscribers.Demand.none
      var results: [(result: Result, list: Int)] = []
      /// Returns whether a list has not ended.
      var isCurrent: @Sendable (Int) -> Bool = { _ in true }
      var isDelivering = false
      var hasEnded = false
      var task: Task<Void, Never>?

      /// Takes the next result, or the end, for a thread that delivers it. Also takes a result
      /// whose list has ended, because it is the program's and is released without the lock.
      mutating func takeNext() -> (subscriber: Receiver, next: (result: Result, isCurrent: Bool)?)?
      {
        guard let subscriber else {
          isDelivering = false
          return nil
        }
        if demand > 0, let (result, list) = results.first {
          results.removeFirst()
          demand -= 1
          return (subscriber, (result, isCurrent(list)))
        }
        isDelivering = false
        guard results.isEmpty, hasEnded else { return nil }
        self.subscriber = nil
        return (subscriber, nil)
      }
    }

    private let lock = Lock(())
    private var state: State

    init(
      receive: @escaping (Result) -> Subscribers.Demand, finish: @escaping () -> Void
    ) {
      state = State(subscriber: Receiver(receive: receive, finish: finish))
    }

    /// Starts to receive results with the numbers of their lists.
    func start(
      _ results: AsyncStream<(result: Result, list: Int)>,
      isCurrent: @escaping @Sendable (Int) -> Bool
    ) {
      lock.withLock { _ in state.isCurrent = isCurrent }
      let task = Task { [weak self] in
        for await result in results {
          self?.change { $0.results.append(result) }
        }
        self?.change { $0.hasEnded = true }
      }
      change { state in
        if state.subscriber == nil { task.cancel() } else { state.task = task }
      }
    }

    func request(_ demand: Subscribers.Demand) { change { $0.demand += demand } }

    func cancel() {
      let ended = lock.withLock { _ in
        defer { (state.subscriber, state.results) = (nil, []) }
        return (task: state.task, subscriber: state.subscriber, results: state.results)
      }
      ended.task?.cancel()
      withExtendedLifetime(ended) {}  // what is the program's is released outside of the lock
    }

    /// Changes the state, and delivers what there is demand for, unless another thread does.
    private func change(_ body: (inout State) -> Void) {
      let isFree = lock.withLock { _ in
        body(&state)
        defer { state.isDelivering = true }
        return !state.isDelivering
      }
      guard isFree else { return }
      while let (subscriber, next) = lock.withLock({ _ in state.takeNext() }) {
        guard let (result, isCurrent) = next else { return subscriber.finish() }
        let more = isCurrent ? subscriber.receive(result) : .max(1)
        lock.withLock { _ in state.demand += more }
      }
    }
  }
#endif
