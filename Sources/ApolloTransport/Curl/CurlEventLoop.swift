#if CURL
  import ApolloAPI
  import CurlShim
  import Foundation

  /// The part of a client that works in the turns of the event loop: a pool of connections for
  /// requests, or one connection for bytes.
  protocol EventLoopMember: AnyObject, Sendable {
    /// The number under which epoll reports the member's sockets.
    var number: UInt32 { get }

    /// Takes note of a ready socket. ``deliver()`` follows in the same turn.
    func socketIsReady(_ descriptor: Int32, _ events: Int32)

    /// Does what is due at `now`.
    func timeHasPassed(_ now: UInt64)

    /// Delivers what has arrived, and ends what is complete.
    func deliver()
  }

  /// The work of libcurl for all clients of the process, in turns.
  ///
  /// A turn has these steps:
  ///
  /// 1. Carry out the submitted commands, in their order.
  /// 2. Hand ready sockets to libcurl, and call it for the times that have passed.
  /// 3. Deliver what has arrived, and end what is complete; repeat from 2 while libcurl asks for
  ///    it.
  ///
  /// The loop's own thread waits for sockets and times, and takes a turn for them. A thread that
  /// submits a command takes a turn itself if none is under way: a request is then sent without
  /// waking another thread. Otherwise the turn that is under way, or the one after it, includes the
  /// command.
  ///
  /// No turn runs code of a user: continuations that it resumes run elsewhere.
  // `@unchecked Sendable` because the mutable state is touched in a turn only, for which `turn` is
  // held; commands are behind a lock of their own.
  final class CurlEventLoop: @unchecked Sendable {
    enum Command {
      case start(CurlTransfer)
      case resume(CurlTransfer)
      case cancel(CurlTransfer)
      case close(CurlPool)
      case attend(any EventLoopMember)
    }

    private struct Inbox {
      var commands: [Command] = []
      var poolCount: UInt32 = 0
      var isStopped = false
    }

    private let epoll: Int32
    private let doorbell: Int32
    private let inbox = Lock(Inbox())
    private let hasStopped = DispatchSemaphore(value: 0)

    /// Held during a turn, and for ever after the last one.
    private let turn = LockPrimitive()
    /// The time until which the loop's own thread waits. 0 while it does not.
    private var waitsUntil: UInt64 = 0
    /// The monotonic time at the beginning of the turn, in nanoseconds.
    private(set) var now: UInt64 = 0
    /// By number. `Int` because the first use of a dictionary with keys of another type takes as
    /// long as sending a request.
    private var members: [Int: any EventLoopMember] = [:]
    private var active: [any EventLoopMember] = []
    /// Memory for what is read from a socket, during one call.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
    private var alarms = AlarmQueue()

    private static let current = Lock<CurlEventLoop?>(nil)

    /// The loop of the process, which is started when it is needed first.
    ///
    /// - Throws: An error of the system when there is no descriptor left for it.
    static func shared() throws -> CurlEventLoop {
      try current.withLock { current in
        if let current { return current }
        let loop = try CurlEventLoop()
        current = loop
        loop.begin()
        return loop
      }
    }

    private init() throws {
      // Idempotent, and before the handler below: handlers run in the reverse order, and this one's
      // cleanup must not meet a running loop.
      curl_global_init(Int(CURL_GLOBAL_ALL))
      epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
      doorbell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
      guard epoll >= 0, doorbell >= 0,
        curlshim_epoll_set(epoll, EPOLL_CTL_ADD, doorbell, EPOLLIN.rawValue, .max) == 0
      else {
        let code = errno
        if epoll >= 0 { Glibc.close(epoll) }
        if doorbell >= 0 { Glibc.close(doorbell) }
        throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EMFILE)
      }
    }

    private func begin() {
      now = Self.time()
      let thread = Thread { self.run() }
      thread.name = "apollo-http"
      thread.stackSize = 1 << 20
      thread.start()
      _ = curlshim_at_exit { CurlEventLoop.current.withLock { $0 }?.stop() }
    }

    /// Stops the loop at the end of the process, before the libraries that it uses are torn down.
    private func stop() {
      inbox.withLock { $0.isStopped = true }
      ring()
      _ = hasStopped.wait(timeout: .now() + 1)
    }

    // MARK: From any thread

    /// Carries out a command in a turn on the calling thread, or leaves it to the thread whose turn
    /// is under way.
    func carryOut(_ command: Command) {
      inbox.withLock { $0.commands.append(command) }
      // The thread that has the lock looks at the inbox again after its turn.
      guard turn.tryLock() else { return }
      var signals = sigset_t()
      curlshim_hold_signals(&signals)
      takeTurn(UnsafeBufferPointer(start: nil, count: 0))
      if let first = alarms.first, first < waitsUntil { ring() }
      turn.unlock()
      curlshim_release_signals(&signals)
      if inbox.withLock({ !$0.commands.isEmpty }) { ring() }
    }

    /// Lets the loop's own thread carry out a command. For callers that cannot wait for a turn.
    func submit(_ command: Command) {
      let isFirst = inbox.withLock { inbox in
        inbox.commands.append(command)
        return inbox.commands.count == 1
      }
      if isFirst { ring() }
    }

    func nextPoolNumber() -> UInt32 {
      inbox.withLock { inbox in
        inbox.poolCount &+= 1
        return inbox.poolCount
      }
    }

    private func ring() {
      var one: UInt64 = 1
      _ = write(doorbell, &one, 8)
    }

    // MARK: The thread

    private func run() {
      var signals = sigset_t()
      curlshim_hold_signals(&signals)
      let capacity = 256
      let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
      defer { events.deallocate() }
      var milliseconds: Int32 = 0
      while true {
        let count = max(0, epoll_wait(epoll, events, Int32(capacity), milliseconds))
        turn.lock()
        waitsUntil = 0
        if inbox.withLock({ $0.isStopped }) {
          // The lock is kept, so that no thread takes another turn.
          hasStopped.signal()
          return
        }
        takeTurn(UnsafeBufferPointer(start: events, count: Int(count)))
        milliseconds = waitingTime()
        turn.unlock()
        // Those that came during the turn, from threads that could not take one.
        if inbox.withLock({ !$0.commands.isEmpty }) { milliseconds = 0 }
      }
    }

    private func takeTurn(_ events: UnsafeBufferPointer<epoll_event>) {
      now = Self.time()
      let commands = inbox.withLock { inbox in
        defer { inbox.commands = [] }
        return inbox.commands
      }
      for command in commands { perform(command) }
      for event in events { handle(event) }
      while let number = alarms.popFirst(until: now) {
        if let member = members[number] { active.append(member) }
      }
      while !active.isEmpty {
        let members = active
        active = []
        for member in members {
          member.timeHasPassed(now)
          member.deliver()
        }
      }
    }

    private func perform(_ command: Command) {
      switch command {
      case .start(let transfer):
        transfer.pool.start(transfer)
        active.append(transfer.pool)
      case .resume(let transfer):
        transfer.pool.resume(transfer)
        active.append(transfer.pool)
      case .cancel(let transfer):
        transfer.pool.cancel(transfer)
        active.append(transfer.pool)
      case .close(let pool): pool.close()
      case .attend(let member): active.append(member)
      }
    }

    private func handle(_ event: epoll_event) {
      var event = event
      let data = curlshim_epoll_data(&event)
      guard data != .max else {
        var count: UInt64 = 0
        _ = read(doorbell, &count, 8)
        return
      }
      guard let member = members[Int(data >> 32)] else { return }
      let bits = event.events
      var action: Int32 = 0
      if bits & EPOLLIN.rawValue != 0 { action |= CURL_CSELECT_IN }
      if bits & EPOLLOUT.rawValue != 0 { action |= CURL_CSELECT_OUT }
      // libcurl finds the error itself when it reads or writes.
      if bits & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 {
        action |= CURL_CSELECT_IN | CURL_CSELECT_OUT
      }
      member.socketIsReady(Int32(truncatingIfNeeded: data & 0xFFFF_FFFF), action)
      active.append(member)
    }

    /// The time to wait for events, in milliseconds; -1 for ever.
    private func waitingTime() -> Int32 {
      waitsUntil = alarms.first ?? .max
      guard let time = alarms.first else { return -1 }
      let current = Self.time()
      guard time > current else { return 0 }
      return Int32(min((time - current + 999_999) / 1_000_000, 86_400_000))
    }

    private static func time() -> UInt64 { clock_gettime_nsec_np() }

    private static func clock_gettime_nsec_np() -> UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    // MARK: For the members, in a turn

    func add(_ member: any EventLoopMember) { members[Int(member.number)] = member }

    func remove(_ member: any EventLoopMember) { members[Int(member.number)] = nil }

    /// Lets a member's ``EventLoopMember/timeHasPassed(_:)`` and ``EventLoopMember/deliver()`` be
    /// called in this turn.
    func hasEvents(_ member: any EventLoopMember) { active.append(member) }

    func wake(_ member: any EventLoopMember, at time: UInt64) {
      alarms.insert(Int(member.number), at: time)
    }

    /// Watches a descriptor, or changes what it is watched for. `isNew` says which of the two is
    /// likely: libcurl does not report every descriptor that it closes.
    func watch(
      _ descriptor: Int32, of member: any EventLoopMember, reads: Bool, writes: Bool,
      isNew: Bool = false
    ) {
      let data = UInt64(member.number) << 32 | UInt64(UInt32(bitPattern: descriptor))
      let events = (reads ? EPOLLIN.rawValue : 0) | (writes ? EPOLLOUT.rawValue : 0)
      let (likely, other) =
        isNew ? (EPOLL_CTL_ADD, EPOLL_CTL_MOD) : (EPOLL_CTL_MOD, EPOLL_CTL_ADD)
      if curlshim_epoll_set(epoll, likely, descriptor, events, data) != 0,
        errno == ENOENT || errno == EEXIST
      {
        _ = curlshim_epoll_set(epoll, other, descriptor, events, data)
      }
    }

    func unwatch(_ descriptor: Int32) {
      _ = curlshim_epoll_set(epoll, EPOLL_CTL_DEL, descriptor, 0, 0)
    }
  }
#endif
