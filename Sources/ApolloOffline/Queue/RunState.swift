import Apollo
import ApolloAPI
import ApolloTransport

/// The parts of a queue that belong to this process: tasks, alarms, and its followers.
struct RunState {
  weak var client: ApolloClient?
  /// The lanes to look at, in order.
  var pending: [String] = []
  /// The lanes in `pending`, and those that tasks work for.
  var queued: Set<String> = []
  var active: Set<String> = []
  /// The active lanes in which something has happened since.
  var again: Set<String> = []
  var workers: [Int: Task<Void, Never>] = [:]
  var workerCount = 0
  var alarms: [String: Alarm] = [:]
  var keepsTime = false
  var subscribers: [Int: Subscriber] = [:]
  var subscriberCount = 0
  var handles: [Int64: EndOfMutation] = [:]
  /// The results of rejected mutations, until their handlers are asked.
  var rejected: [Int64: RegisteredMutation.Sent] = [:]

  /// A sequence of a program.
  enum Subscriber {
    case events(AsyncStream<OfflineEvent>.Continuation)
    case counts(AsyncStream<OfflineCounts>.Continuation)

    func finish() {
      switch self {
      case .events(let continuation): continuation.finish()
      case .counts(let continuation): continuation.finish()
      }
    }
  }

  /// Notes that something has happened in lanes.
  mutating func wake(_ lanes: some Sequence<String>) {
    for lane in lanes {
      if active.contains(lane) {
        again.insert(lane)
      } else if queued.insert(lane).inserted {
        pending.append(lane)
      }
    }
  }

  /// Returns the next lane to look at.
  mutating func popPending() -> String? {
    guard !pending.isEmpty else { return nil }
    let lane = pending.removeFirst()
    queued.remove(lane)
    active.insert(lane)
    return lane
  }

  /// Ends the work for a lane, or begins it again if something has happened since.
  mutating func end(_ lane: String) {
    active.remove(lane)
    if again.remove(lane) != nil { wake([lane]) }
  }
}

/// The end of one mutation, for those who wait for it.
final class EndOfMutation: Sendable {
  private typealias Waiter = CheckedContinuation<any Sendable, any Error>

  private struct State {
    var result: Result<any Sendable, any Error>?
    var waiters: [Int: Waiter] = [:]
    var waiterCount = 0
  }
  private let state = Lock(State())

  /// Ends the mutation. The first result counts.
  func end(_ result: Result<any Sendable, any Error>) {
    let waiters = state.withLock { state -> [Waiter] in
      guard state.result == nil else { return [] }
      state.result = result
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// Returns the response when the mutation has ended.
  ///
  /// - Throws: `CancellationError` if the task is cancelled. The mutation goes on.
  func value() async throws -> any Sendable {
    let number = state.withLock { state in
      state.waiterCount += 1
      return state.waiterCount
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        let result = state.withLock { state -> Result<any Sendable, any Error>? in
          if let result = state.result { return result }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[number] = waiter
          return nil
        }
        if let result { waiter.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.resume(throwing: CancellationError())
    }
  }
}

extension OfflineMutationQueue {
  /// Each change of state, in order. The newest 1,024 are kept for a slow reader.
  public var states: AsyncStream<OfflineEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1_024)) { continuation in
      add(.events(continuation)) { continuation.onTermination = $0 }
    }
  }

  /// The counts now, and after each change. The newest one is kept for a slow reader.
  public var countUpdates: AsyncStream<OfflineCounts> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      core.withLock { core in
        _ = continuation.yield(core.counts)
        add(.counts(continuation)) { continuation.onTermination = $0 }
      }
    }
  }

  private func add<Reason>(
    _ subscriber: RunState.Subscriber,
    _ onTermination: ((@Sendable (Reason) -> Void)?) -> Void
  ) {
    let id = state.withLock { state in
      state.subscriberCount += 1
      state.subscribers[state.subscriberCount] = subscriber
      return state.subscriberCount
    }
    onTermination { [weak self] _ in
      let removed = self?.state.withLock { $0.subscribers.removeValue(forKey: id) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Reports changes of state. The caller holds the lock of the core.
  func report(_ events: [OfflineEvent], _ counts: OfflineCounts) {
    let (subscribers, ended) = state.withLock { state in
      var ended: [(EndOfMutation, OfflineEnding)] = []
      for event in events {
        guard case .done(let ending) = event.state, ending != .performed,
          let handle = state.handles.removeValue(forKey: event.id.number)
        else { continue }
        ended.append((handle, ending))
      }
      return (Array(state.subscribers.values), ended)
    }
    for subscriber in subscribers {
      switch subscriber {
      case .events(let continuation): for event in events { continuation.yield(event) }
      case .counts(let continuation): continuation.yield(counts)
      }
    }
    for (handle, ending) in ended { handle.end(.failure(OfflineError(ending))) }
  }
}

extension OfflineError {
  /// A mutation that has left the queue without a response.
  init(_ ending: OfflineEnding) {
    let reason =
      switch ending {
      case .performed: "The mutation was performed"
      case .assumed: "The mutation was taken for performed"
      case .dropped: "The mutation was dropped"
      case .superseded: "A later change has taken the place of the mutation"
      case .sessionEnded: "The session of the mutation has ended"
      }
    self.init(.ended, "\(reason), so it has no response.")
  }
}
