/// The mutations of one lane, of which one at a time is sent.
struct QueueLane: Sendable {
  enum Activity: Equatable, Sendable {
    case none
    /// The request of a mutation is under way, with the number of the attempt.
    case sending(Int64, attempt: Int64)
    /// The handler of a rejected mutation decides.
    case asking(Int64)
  }

  /// The mutations in their order.
  var ids: [Int64] = []
  var activity = Activity.none
  /// The number of attempts in a row that have failed.
  private var failureCount = 0
  private(set) var serverFailureCount = 0
  /// The number of rejections in a row after which a handler has let the mutation wait.
  private var handlerRetryCount = 0
  /// The end of the backoff.
  var backoffTime = Duration.zero
  /// The time before which the server wants no attempt, or zero. It outlives the mutation that was
  /// sent.
  var requestedTime = Duration.zero

  /// The time before which no attempt begins.
  var notBefore: Duration { max(backoffTime, requestedTime) }
  /// Indicates whether no mutation is in the lane, and nothing is done for one.
  var isEmpty: Bool { ids.isEmpty && activity == .none }
  /// Indicates whether not even a time that the server has requested is left of the lane.
  var isOver: Bool { isEmpty && requestedTime == .zero }

  mutating func remove(_ id: Int64) {
    if ids.first == id {
      ids.removeFirst()
    } else if let index = ids.firstIndex(of: id) {
      ids.remove(at: index)
    }
  }

  /// Lets the next attempt wait. Each failure in a row doubles the time, half of which is random.
  ///
  /// - Parameters:
  ///   - setback: The reason.
  ///   - isOfHandler: `true` if a handler retries a rejected mutation. Failures of the network in
  ///     between are a row of their own.
  ///   - limits: The limits of the queue.
  ///   - jitter: The random part, from 0 to 1.
  ///   - now: The time.
  mutating func back(
    off setback: EntryChange.Setback, isOfHandler: Bool = false, _ limits: QueueLimits,
    jitter: Double, now: Duration
  ) {
    if setback.isFaultOfServer { serverFailureCount += 1 }
    let count = isOfHandler ? handlerRetryCount : failureCount
    let doubled = min(limits.baseDelay * (1 << min(count, 20)), limits.maximumDelay)
    let backoff = doubled / 2 + doubled / 2 * jitter
    if isOfHandler { handlerRetryCount += 1 } else { failureCount += 1 }
    backoffTime = now + backoff
    wait(setback.retryAfter, now: now)
  }

  /// Notes that the server wants no attempt for some time, at most a day.
  mutating func wait(_ delay: Duration?, now: Duration) {
    guard let delay, delay > .zero else { return }
    requestedTime = max(requestedTime, now + min(delay, .seconds(86_400)))
  }

  /// Forgets the failures.
  ///
  /// - Parameters:
  ///   - isRejection: `true` if the handler of the mutation may retry it now.
  ///   - isPerformed: `true` if the server has performed a mutation, so that it no longer wants to
  ///     be left alone.
  mutating func endBackoff(isRejection: Bool, isPerformed: Bool) {
    (failureCount, serverFailureCount, backoffTime) = (0, 0, .zero)
    if !isRejection { handlerRetryCount = 0 }
    if isPerformed { requestedTime = .zero }
  }
}

/// The lanes to look at: those in which something has happened, in order, and those whose time
/// comes.
struct LaneSchedule: Sendable {
  private var pending: [String] = []
  private var queued: Set<String> = []
  /// The lanes that would send if fewer others did.
  private var blocked: [String] = []
  private var isBlocked: Set<String> = []
  private var sleeping: [String: Duration] = [:]
  /// The time at which the first sleeping lane wakes, or an earlier one.
  private(set) var wakeTime: Duration?

  /// Indicates whether there is a lane to look at.
  var isPending: Bool { !pending.isEmpty }

  mutating func wake(_ lanes: some Sequence<String>) {
    for lane in lanes where queued.insert(lane).inserted { pending.append(lane) }
  }

  mutating func sleep(_ lane: String, until time: Duration) {
    sleeping[lane] = time
    wakeTime = min(wakeTime ?? time, time)
  }

  /// Lets a lane wait until another one has ended to send.
  mutating func block(_ lane: String) {
    if isBlocked.insert(lane).inserted { blocked.append(lane) }
  }

  mutating func unblock() {
    wake(blocked)
    (blocked, isBlocked) = ([], [])
  }

  /// Returns the next lane to look at.
  mutating func next(at now: Duration) -> String? {
    if let time = wakeTime, time <= now {
      wake(sleeping.filter { $0.value <= now }.keys.sorted())
      sleeping = sleeping.filter { $0.value > now }
      wakeTime = sleeping.values.min()
    }
    guard !pending.isEmpty else { return nil }
    let lane = pending.removeFirst()
    queued.remove(lane)
    sleeping[lane] = nil
    return lane
  }
}
