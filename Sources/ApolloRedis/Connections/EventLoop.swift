internal import ApolloAPI
internal import CHiredis
internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The work of the connections of all caches of the process, in turns.
///
/// A turn has these steps:
///
/// 1. Carry out the submitted actions, in their order.
/// 2. Read and write the ready sockets, and complete the commands whose responses are complete.
/// 3. Fail the commands whose deadlines have passed.
///
/// The loop's own thread waits for sockets and deadlines, and takes a turn for them. A thread that
/// submits an action carries it out itself if no turn is under way: a command is then sent without
/// waking another thread. Otherwise the loop's thread does it.
///
/// Connections are touched in a turn only, for which `turn` is held. Callers are resumed on their
/// own executors, so no thread of the concurrency pool ever waits for a server. Work that blocks,
/// such as a lookup of a name, is done on a thread of its own, so no turn waits for it.
final class EventLoop: Sendable {
  /// The work of one connection, in the turns of the loop.
  protocol Member: AnyObject {
    /// The socket, or `nil` while there is none.
    var descriptor: Int32? { get }
    var wantsToWrite: Bool { get }
    /// The time of the next call of ``timeHasPassed(_:)``, or `nil` if there is none.
    var deadline: ContinuousClock.Instant? { get }

    /// Indicates whether the loop's thread must wait for the socket in another way than it does:
    /// for a new one, or to write.
    var mustBeWaitedFor: Bool { get }

    /// The loop's thread waits for the socket now as it should.
    func isWaitedFor()

    /// Indicates whether a command has no response yet.
    var isAwaitingResponse: Bool { get }

    func isReady(toRead: Bool, toWrite: Bool)
    func timeHasPassed(_ now: ContinuousClock.Instant)
  }

  /// The state of the turns.
  ///
  /// `@unchecked Sendable` because it is touched in a turn only.
  final class Turns: @unchecked Sendable {
    fileprivate(set) var members: [ObjectIdentifier: any Member] = [:]
    /// The time until which the loop's thread waits, at the latest.
    fileprivate var waitsUntil = ContinuousClock.now
    /// Indicates whether something has happened since the loop's thread began to wait.
    fileprivate var isActive = false
    /// The loop, which lives as long as the process.
    fileprivate weak var loop: EventLoop?

    func add(_ member: any Member) { members[ObjectIdentifier(member)] = member }
    func remove(_ member: any Member) { members[ObjectIdentifier(member)] = nil }

    /// Does work that may block on a thread of its own, and carries out the action that it returns
    /// in a later turn.
    func detach(_ work: @escaping @Sendable () -> @Sendable (Turns) -> Void) {
      let thread = Thread { [loop] in loop?.submit(work()) }
      thread.name = "apollo-redis-work"
      thread.stackSize = 1 << 20
      thread.start()
    }
  }

  private let actions = Lock<[@Sendable (Turns) -> Void]>([])
  /// Held during a turn.
  private let turn = LockPrimitive()
  private let turns = Turns()
  /// The two ends of a pipe, which wakes the thread.
  private let bell: (reads: Int32, writes: Int32)

  private static let current = Lock<EventLoop?>(nil)

  /// The loop of the process, which is started when it is needed first.
  ///
  /// - Throws: ``RedisError`` if the system has no descriptors left.
  static func shared() throws(RedisError) -> EventLoop {
    try current.withLock { current throws(RedisError) in
      if let current { return current }
      let loop = try EventLoop()
      current = loop
      let thread = Thread { loop.run() }
      thread.name = "apollo-redis"
      thread.stackSize = 1 << 20
      thread.start()
      return loop
    }
  }

  private init() throws(RedisError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw RedisError(.unreachable, detail: String(cString: strerror(errno)))
    }
    for end in ends {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    bell = (ends[0], ends[1])
    turns.loop = self
  }

  /// Carries out an action in a turn, after those that were submitted before.
  ///
  /// The action must be short. It runs on this thread, or on that of the loop.
  func submit(_ action: @escaping @Sendable (Turns) -> Void) {
    let isFirst = actions.withLock { actions in
      actions.append(action)
      return actions.count == 1
    }
    guard turn.tryLock() else {
      if isFirst { ring() }
      return
    }
    takeActions()
    turns.isActive = true
    let mustWake = mustWake()
    turn.unlock()
    // Those that came during the turn, from threads that could not take one, rang already.
    if mustWake { ring() }
  }

  /// Indicates whether no command of the process is under way: whatever waited for one was resumed.
  static var isIdle: Bool { current.get()?.isIdle ?? true }

  private var isIdle: Bool {
    turn.lock()
    defer { turn.unlock() }
    return actions.withLock(\.isEmpty)
      && !turns.members.values.contains { $0.isAwaitingResponse }
  }

  private func takeActions() {
    for action in actions.exchange([]) { action(turns) }
  }

  /// Returns whether the loop's thread waits for less than it should: a deadline is earlier, or a
  /// socket is new or must be written.
  private func mustWake() -> Bool {
    turns.members.values.contains { member in
      member.mustBeWaitedFor || member.deadline.map { $0 < turns.waitsUntil } ?? false
    }
  }

  private func ring() {
    var byte: UInt8 = 1
    _ = write(bell.writes, &byte, 1)
  }

  private func run() {
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    turn.lock()
    while true {
      takeActions()
      wait()
    }
  }

  /// Waits without the lock, then takes the rest of a turn.
  private func wait() {
    var descriptors = [pollfd(fd: bell.reads, events: Int16(POLLIN), revents: 0)]
    var owners: [any Member] = []
    // After some activity a short wait, so that the next command need not wake this thread.
    let now = ContinuousClock.now
    var until = now + (turns.isActive ? Self.shortWait : Self.longWait)
    turns.isActive = false
    for member in turns.members.values {
      if let deadline = member.deadline { until = min(until, deadline) }
      guard let descriptor = member.descriptor else { continue }
      member.isWaitedFor()
      let events = POLLIN | (member.wantsToWrite ? POLLOUT : 0)
      descriptors.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
      owners.append(member)
    }
    turns.waitsUntil = until
    let milliseconds = max(0, Int32(clamping: Int(((until - now) / .milliseconds(1)).rounded(.up))))
    if actions.withLock(\.isEmpty) {
      turn.unlock()
      _ = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
      turn.lock()
    }
    if descriptors[0].revents != 0 {
      withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { bytes in
        while read(bell.reads, bytes.baseAddress, bytes.count) > 0 {}
      }
    }
    takeActions()
    for (member, polled) in zip(owners, descriptors.dropFirst()) where polled.revents != 0 {
      // A connection may have been closed meanwhile, and its number may be another one's.
      guard member.descriptor == polled.fd else { continue }
      turns.isActive = true
      let failed = Int32(polled.revents) & Int32(POLLERR | POLLHUP | POLLNVAL) != 0
      member.isReady(
        toRead: failed || Int32(polled.revents) & Int32(POLLIN) != 0,
        toWrite: failed || Int32(polled.revents) & Int32(POLLOUT) != 0)
    }
    let time = ContinuousClock.now
    for member in turns.members.values {
      if let deadline = member.deadline, deadline <= time { member.timeHasPassed(time) }
    }
  }

  /// The longest wait after some activity. No deadline of a command is earlier by default.
  private static let shortWait = Duration.milliseconds(50)
  private static let longWait = Duration.seconds(60)
}
