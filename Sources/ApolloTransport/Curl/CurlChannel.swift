#if CURL
  import ApolloAPI
  import CurlShim
  package import Foundation

  /// A channel that libcurl connects, with the proxies and the security of the HTTP client.
  ///
  /// libcurl connects and agrees on TLS, then bytes are exchanged by `curl_easy_recv` and
  /// `curl_easy_send` when the event loop finds the socket ready.
  ///
  /// Each channel has a libcurl pool of its own: a pool tests the connections that are in no
  /// transfer before it makes another one, and takes those with unread bytes for dead.
  // `@unchecked Sendable` because everything but `requests` is touched in turns of the event loop
  // only.
  package final class CurlChannel: ByteChannel, EventLoopMember, @unchecked Sendable {
    /// The calls since the event loop has last attended to the channel.
    private struct Requests {
      var isStarted = false
      var isResumed = false
      var isGraceful = false
      var isClosed = false
      var alarmDelay: UInt64?
      var isQueued = false
    }

    private enum State {
      case idle
      case connecting
      case open
      case lingering
      case closed
    }

    /// The number of reads after which other channels have their turn.
    private static let readLimit = 4

    let number: UInt32
    private let loop: CurlEventLoop
    private let url: URL
    private let requests = Lock(Requests())

    private var state = State.idle
    private var owner: (any ByteChannelOwner)?
    private var handle: CurlHandle?
    private var multi: UnsafeMutableRawPointer?
    private var descriptor: Int32 = -1
    /// The events for which epoll watches the descriptor.
    private var watched: (reads: Bool, writes: Bool)?
    private var isPaused = false
    private var isReadable = false
    private var output: [UInt8] = []
    private var sentByteCount = 0
    private var isOutputBlocked = false
    /// The time at which libcurl wants to be called while it connects.
    private var timeout: UInt64?
    private var alarm: UInt64?

    /// - Parameters:
    ///   - url: A URL of the scheme `http` or `https`, whose host and port are connected to.
    ///   - configuration: The proxy, the security and the time to connect.
    ///   - owner: The user of the channel, which is released when the channel has closed.
    /// - Throws: The error of an option that libcurl refuses, or of a system without descriptors.
    package init(
      url: URL, configuration: CurlClient.Configuration, owner: any ByteChannelOwner
    ) throws(NetworkError) {
      guard let loop = try? CurlEventLoop.shared() else {
        // The system's error says no more than this.
        throw NetworkError(.cannotConnect, url: url, detail: "too many files are open")
      }
      self.loop = loop
      self.url = url
      self.owner = owner
      number = loop.nextPoolNumber()
      do {
        let handle = try CurlHandle(configuration)
        try handle.prepareConnection(to: url)
        self.handle = handle
      } catch {
        throw NetworkError(error, url: url)
      }
    }

    // MARK: From any thread

    package func start() { request { $0.isStarted = true } }
    package func setNeedsOutput() { request { _ in } }
    package func resumeReading() { request { $0.isResumed = true } }
    package func closeGracefully() { request { $0.isGraceful = true } }
    package func close() { request { $0.isClosed = true } }

    package func setAlarm(after delay: Duration) {
      let seconds = min(max(delay.components.seconds, 0), 1_000_000)
      let nanoseconds = seconds * 1_000_000_000 + delay.components.attoseconds / 1_000_000_000
      request { $0.alarmDelay = UInt64(max(nanoseconds, 0)) }
    }

    private func request(_ change: (inout Requests) -> Void) {
      let isFirst = requests.withLock { requests in
        change(&requests)
        defer { requests.isQueued = true }
        return !requests.isQueued
      }
      if isFirst { loop.submit(.attend(self)) }
    }

    // MARK: The event loop's calls

    func socketIsReady(_ descriptor: Int32, _ events: Int32) {
      if state == .connecting {
        guard let multi else { return }
        var running: Int32 = 0
        curl_multi_socket_action(multi, descriptor, events, &running)
        return
      }
      guard descriptor == self.descriptor else { return }
      if isPaused, !isOutputBlocked {
        // An error, which is reported again and again until it is read.
        unwatch()
        return
      }
      isReadable = true
      isOutputBlocked = false
    }

    func timeHasPassed(_ now: UInt64) {
      if let time = timeout, time <= now, let multi {
        timeout = nil
        var running: Int32 = 0
        curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
      }
      if let time = alarm, time <= now {
        alarm = nil
        owner?.channelAlarm()
      }
      // The loop remembers one time for each member, which may have been an earlier one than these.
      if let next = [timeout, alarm].compactMap({ $0 }).min() { loop.wake(self, at: next) }
    }

    func deliver() {
      let requests = self.requests.withLock { requests in
        defer { requests = Requests() }
        return requests
      }
      if let delay = requests.alarmDelay { alarm = loop.now &+ delay }
      if requests.isClosed { return shut() }
      if requests.isStarted, state == .idle { connect() }
      if state == .connecting { checkConnection() }
      if requests.isResumed, isPaused, state == .open { resume() }
      if state == .open, requests.isGraceful { linger() }
      // A channel that has not connected has nothing to send.
      if state == .connecting, requests.isGraceful { return shut() }
      exchange()
      if let time = [timeout, alarm].compactMap({ $0 }).min() { loop.wake(self, at: time) }
    }

    // MARK: Connecting

    private func connect() {
      guard let handle, let multi = curl_multi_init() else { return end(CURLE_OUT_OF_MEMORY) }
      state = .connecting
      self.multi = multi
      loop.add(self)
      curlshim_multi_set_callbacks(
        multi, Unmanaged.passUnretained(self).toOpaque(),
        { _, descriptor, what, context, _ in
          CurlChannel.of(context)?.watchForCurl(descriptor, what)
          return 0
        },
        { _, milliseconds, context in
          CurlChannel.of(context)?.setTimeout(milliseconds)
          return 0
        })
      if curl_multi_add_handle(multi, handle.easy) != CURLM_OK { end(CURLE_OUT_OF_MEMORY) }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlChannel? {
      context.map { Unmanaged<CurlChannel>.fromOpaque($0).takeUnretainedValue() }
    }

    private func watchForCurl(_ descriptor: Int32, _ what: Int32) {
      guard what != CURL_POLL_REMOVE else { return loop.unwatch(descriptor) }
      loop.watch(
        descriptor, of: self, reads: what & CURL_POLL_IN != 0, writes: what & CURL_POLL_OUT != 0)
    }

    private func setTimeout(_ milliseconds: Int) {
      timeout = milliseconds < 0 ? nil : loop.now &+ UInt64(milliseconds) * 1_000_000
      if milliseconds == 0 { loop.hasEvents(self) }
    }

    private func checkConnection() {
      var code = CURLE_OK
      guard let multi, let handle, curlshim_multi_next_ended(multi, &code) != nil else { return }
      guard code == CURLE_OK else { return end(code) }
      descriptor = curlshim_active_socket(handle.easy)
      guard descriptor >= 0 else { return end(CURLE_COULDNT_CONNECT) }
      timeout = nil
      state = .open
      isReadable = true
    }

    // MARK: Open

    private func exchange() {
      if state == .open || state == .lingering { write() }
      if state == .open || state == .lingering, isReadable { read() }
      // Bytes that were read may have made output.
      if state == .open || state == .lingering {
        write()
        watch()
      }
    }

    private func read() {
      guard let handle, !isPaused else { return }
      for _ in 0..<Self.readLimit {
        var count = 0
        let code = curl_easy_recv(
          handle.easy, loop.scratch.baseAddress, loop.scratch.count, &count)
        switch code {
        case CURLE_OK where count > 0:
          let bytes = UnsafeMutableRawBufferPointer(rebasing: loop.scratch[..<count])
          if state == .open, owner?.channelReceived(bytes) == false {
            isPaused = true
            return
          }
        case CURLE_AGAIN:
          isReadable = false
          return
        default: return end(code == CURLE_OK ? nil : code)
        }
      }
      // TLS may hold bytes that the socket does not report.
      loop.wake(self, at: loop.now)
    }

    private func resume() {
      guard owner?.channelReceived(UnsafeMutableRawBufferPointer(start: nil, count: 0)) == true
      else { return }
      isPaused = false
      isReadable = true
    }

    private func write() {
      guard let handle, !isOutputBlocked else { return }
      while true {
        if output.isEmpty {
          sentByteCount = 0
          output = owner?.channelOutput() ?? []
          if output.isEmpty { return }
        }
        var count = 0
        // TLS needs the same bytes at the same address when it is called again.
        let code = output.withUnsafeBytes { bytes in
          curl_easy_send(
            handle.easy, bytes.baseAddress.map { $0 + sentByteCount }, bytes.count - sentByteCount,
            &count)
        }
        switch code {
        case CURLE_OK:
          sentByteCount += count
          if sentByteCount == output.count { output = [] }
        case CURLE_AGAIN:
          isOutputBlocked = true
          return
        default: return end(code)
        }
      }
    }

    private func watch() {
      let wanted = (reads: !isPaused, writes: isOutputBlocked)
      guard descriptor >= 0, watched == nil || watched! != wanted else { return }
      watched = wanted
      loop.watch(descriptor, of: self, reads: wanted.reads, writes: wanted.writes)
    }

    private func unwatch() {
      guard watched != nil else { return }
      watched = nil
      loop.unwatch(descriptor)
    }

    // MARK: The end

    private func linger() {
      state = .lingering
      isPaused = false
      isReadable = true
    }

    private func end(_ code: CURLcode?) {
      let owner = state == .lingering ? nil : owner
      let error = code.map { networkError($0) }
      shut()
      owner?.channelEnded(error)
    }

    private func networkError(_ code: CURLcode) -> NetworkError {
      guard state != .open else {
        return NetworkError(.connectionLost, url: url, detail: handle?.message ?? "")
      }
      var outcome = TransferOutcome(code: code)
      if let handle {
        outcome.message = handle.message
        outcome.isProxied = handle.isProxied
        outcome.isSent = false
        outcome.verifyResult = curlshim_verify_result(handle.easy)
        outcome.proxyStatus = curlshim_connect_code(handle.easy)
        outcome.systemError = Int32(truncatingIfNeeded: curlshim_system_error(handle.easy))
      }
      guard case .failure(let error) = outcome.result(url: url), let error = error as? NetworkError
      else { return NetworkError(.connectionLost, url: url) }
      return error
    }

    private func shut() {
      guard state != .closed else { return }
      state = .closed
      unwatch()
      if let multi {
        if let handle { curl_multi_remove_handle(multi, handle.easy) }
        curl_multi_cleanup(multi)
        loop.remove(self)
      }
      multi = nil
      handle = nil
      owner = nil
      output = []
      descriptor = -1
      timeout = nil
      alarm = nil
    }
  }
#endif
