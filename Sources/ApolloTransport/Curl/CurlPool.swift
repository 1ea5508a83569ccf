#if CURL
  import ApolloAPI
  import CurlShim
  import Foundation

  /// The ends of a connection: together they are unique at any moment.
  struct ConnectionAddress: Equatable, Sendable {
    // The local port comes first, because comparing ends there for other connections.
    var localPort: Int32
    var port: Int32
    var address: String
  }

  /// The connections of one client, and the transfers that use them.
  ///
  /// Turns of the event loop own everything but the idle handles.
  // `@unchecked Sendable` because the mutable state is touched in turns of the event loop only; the
  // idle handles are behind a lock.
  final class CurlPool: EventLoopMember, @unchecked Sendable {
    let loop: CurlEventLoop
    /// The number under which epoll reports the pool's sockets.
    let number: UInt32
    /// The number of connections to each host.
    let connectionLimit: Int
    private let configuration: CurlClient.Configuration
    private let idleHandles = Lock<[CurlHandle]>([])
    let headerLines = HeaderLinesCache()

    private var multi: UnsafeMutableRawPointer?
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    /// The descriptors that libcurl watches. `Int` like the keys of other sets, because the first
    /// use of a set of another type takes as long as sending a request.
    private var watched: Set<Int> = []
    private var withNews: [CurlTransfer] = []
    /// The transfers whose bodies are being sent. Their progress is looked at in every turn: seen
    /// later, it would count as a sign of life at that time.
    private var uploading: [CurlTransfer] = []
    /// The connections that HTTP/1 uses, one request at a time. libcurl has the same limit, but
    /// does not keep the order: it wakes several waiting transfers for each connection, and puts
    /// those that come too late behind all others.
    private var connections: ConnectionQueue<Origin, CurlTransfer>
    /// The connections that have carried a response in HTTP/1, one request at a time, with their
    /// sockets: the latest one of each socket and of each address. They are few.
    private var http1Connections: [(address: ConnectionAddress, socket: Int32)] = []
    /// The connections of HTTP/2.
    private var sharedConnections = SharedConnections()
    private var isClosed = false
    /// The time at which libcurl wants to be called without an event.
    private var timeout: UInt64?
    /// The time of the next search for silent connections.
    private var sweepTime: UInt64?

    private static let canReuseHandles = curlshim_can_reuse_handles(curlshim_version())

    /// The number of handles that are kept for the next requests.
    private static let idleHandleLimit = 32

    init(loop: CurlEventLoop, configuration: CurlClient.Configuration) {
      self.loop = loop
      self.configuration = configuration
      connectionLimit = max(1, configuration.maximumConnectionCountPerHost)
      connections = ConnectionQueue(limit: connectionLimit)
      number = loop.nextPoolNumber()
    }

    // MARK: From any thread

    /// A handle with the client's options.
    func handle() throws(CurlSetupError) -> CurlHandle {
      if let handle = idleHandles.withLock({ $0.popLast() }) { return handle }
      return try CurlHandle(configuration)
    }

    private func recycle(_ handle: CurlHandle) {
      guard Self.canReuseHandles else { return }
      idleHandles.withLock { handles in
        if handles.count < Self.idleHandleLimit { handles.append(handle) }
      }
    }

    // MARK: Transfers

    func start(_ transfer: CurlTransfer) {
      guard !transfer.exchange.hasEnded else { return }
      guard !isClosed else {
        return transfer.ended(
          .failure(NetworkError(.invalidated, url: transfer.exchange.url, hasSentNothing: true)))
      }
      if let origin = transfer.http1Origin, !connections.enter(transfer, origin) {
        return transfer.waits()
      }
      if !begin(transfer) { leaveConnection(transfer) }
    }

    /// Hands a transfer to libcurl. Returns `false` if that was not possible, and it has ended.
    private func begin(_ transfer: CurlTransfer) -> Bool {
      guard let multi = openMulti() else {
        transfer.ended(CURLE_OUT_OF_MEMORY)
        return false
      }
      transfers[ObjectIdentifier(transfer)] = transfer
      transfer.lastActivity = loop.now
      if transfer.isSent { uploading.append(transfer) }
      guard curl_multi_add_handle(multi, transfer.handle.easy) == CURLM_OK else {
        transfers[ObjectIdentifier(transfer)] = nil
        transfer.ended(CURLE_OUT_OF_MEMORY)
        return false
      }
      let limit = loop.now &+ transfer.idleTime
      if limit < sweepTime ?? .max {
        sweepTime = limit
        loop.wake(self, at: limit)
      }
      return true
    }

    /// Lets the next transfer that waits for the connection of an ended one begin.
    private func leaveConnection(_ transfer: CurlTransfer) {
      guard let origin = transfer.http1Origin else { return }
      while let next = connections.leave(origin) {
        next.waitEnded()
        if !next.exchange.hasEnded, begin(next) { return }
      }
    }

    func resume(_ transfer: CurlTransfer) {
      guard transfers[ObjectIdentifier(transfer)] != nil else { return }
      let code = transfer.unpause()
      if code != CURLE_OK, remove(transfer) { transfer.ended(code) }
    }

    func cancel(_ transfer: CurlTransfer) {
      transfer.discardUpload()
      guard !abandon(transfer), let origin = transfer.http1Origin else { return }
      connections.remove(transfer, origin)
    }

    // MARK: Connections

    /// Notes the socket of a connection on which a response in HTTP/1 has ended.
    func keeps(_ connection: ConnectionAddress, of handle: CurlHandle) {
      let socket = curlshim_active_socket(handle.easy)
      guard socket >= 0 else { return }
      http1Connections.removeAll { $0.socket == socket || $0.address == connection }
      http1Connections.append((connection, socket))
    }

    /// Ends the connection that a request is about to be sent on, if it was used before and is not
    /// silent. Returns whether it did.
    ///
    /// In HTTP/2, bytes may arrive at any time.
    func discards(_ connection: ConnectionAddress, of handle: CurlHandle) -> Bool {
      guard let index = http1Connections.firstIndex(where: { $0.address == connection }) else {
        return false
      }
      let socket = http1Connections[index].socket
      // The address of a connection that was closed may be used again.
      if curlshim_has_connected(handle.easy) || curlshim_discard_unless_silent(socket) {
        http1Connections.remove(at: index)
        return !curlshim_has_connected(handle.easy)
      }
      return false
    }

    /// Notes that bytes have arrived on a connection that requests share.
    func hasBytes(_ connection: ConnectionAddress) {
      sharedConnections.hasBytes(connection, at: loop.now)
    }

    /// Returns whether no request is to begin on a connection.
    func hasGivenUp(_ connection: ConnectionAddress) -> Bool {
      sharedConnections.isGivenUp(connection)
    }

    /// Takes a transfer back whose response is not waited for any longer. Returns `false` when that
    /// was done before.
    ///
    /// libcurl resets its stream alone, and uses the connection again. One that is given up is
    /// broken as soon as no other request waits on it.
    private func abandon(_ transfer: CurlTransfer) -> Bool {
      guard transfers[ObjectIdentifier(transfer)] != nil,
        let connection = transfer.sharedConnection
      else { return remove(transfer) }
      let isLast = !transfers.values.contains {
        $0 !== transfer && $0.sharedConnection == connection
      }
      // The silence within a response, such as one with events, is no wait in vain.
      let isGivenUp =
        transfer.hasResponse
        ? sharedConnections.isGivenUp(connection)
        : sharedConnections.lostRequest(
          connection, sentAt: transfer.sendingTime, idleTimeout: transfer.idleTime, at: loop.now)
      guard isGivenUp, isLast else { return remove(transfer) }
      // libcurl watches the socket for as long as there is a transfer.
      let socket = watched.map { Int32($0) }.first {
        curlshim_has_ports($0, connection.localPort, connection.port)
      }
      guard remove(transfer) else { return false }
      sharedConnections.forget(connection)
      // The removal may have closed the socket, and another thread may have its number by now.
      if let socket, curlshim_has_ports(socket, connection.localPort, connection.port) {
        curlshim_break_socket(socket)
      }
      return true
    }

    private func startAgain(_ transfer: CurlTransfer) {
      if transfer.needsNewConnection {
        transfer.useNewConnection()
      } else {
        transfer.prepareAgain()
      }
      start(transfer)
    }

    /// Handles the announcement that a server processes no stream after `last` of a connection.
    func goesAway(_ connection: ConnectionAddress, lastStream last: UInt32) {
      for transfer in transfers.values { transfer.goesAway(connection, lastStream: last) }
    }

    /// Takes a transfer back from libcurl. Returns `false` when that was done before.
    private func remove(_ transfer: CurlTransfer) -> Bool {
      guard transfers.removeValue(forKey: ObjectIdentifier(transfer)) != nil, let multi else {
        return false
      }
      curl_multi_remove_handle(multi, transfer.handle.easy)
      leaveConnection(transfer)
      return true
    }

    /// Ends everything that is under way and closes all connections.
    func close() {
      isClosed = true
      for transfer in connections.removeWaiting() {
        transfer.ended(.failure(NetworkError(.invalidated, url: transfer.exchange.url)))
      }
      for transfer in transfers.values where remove(transfer) {
        transfer.ended(.failure(NetworkError(.invalidated, url: transfer.exchange.url)))
      }
      withNews = []
      uploading = []
      idleHandles.withLock { $0 = [] }
      if let multi {
        curl_multi_cleanup(multi)
        self.multi = nil
        http1Connections = []
        sharedConnections = SharedConnections()
        loop.remove(self)
      }
      timeout = nil
      sweepTime = nil
    }

    // MARK: Events

    func socketIsReady(_ descriptor: Int32, _ events: Int32) {
      guard let multi, watched.contains(Int(descriptor)) else { return }
      var running: Int32 = 0
      curl_multi_socket_action(multi, descriptor, events, &running)
    }

    /// Does what is due at `now`. Called when a time that was asked for has come, and in every turn
    /// in which something happened.
    func timeHasPassed(_ now: UInt64) {
      if let time = timeout, time <= now, let multi {
        timeout = nil
        var running: Int32 = 0
        curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
      }
      if let time = sweepTime, time <= now { endSilentTransfers(now) }
      // The loop remembers one time for each pool, which may have been an earlier one than these.
      if let next = [timeout, sweepTime].compactMap({ $0 }).min() { loop.wake(self, at: next) }
    }

    private func endSilentTransfers(_ now: UInt64) {
      var next: UInt64?
      for transfer in Array(transfers.values) {
        guard let deadline = transfer.idleDeadline else {
          next = min(next ?? .max, now &+ transfer.idleTime)
          continue
        }
        if deadline > now {
          next = min(next ?? .max, deadline)
        } else if abandon(transfer) {
          transfer.ended(.failure(transfer.idleError))
        }
      }
      sweepTime = next
      if let next { loop.wake(self, at: next) }
    }

    func isUploading(_ transfer: CurlTransfer) { uploading.append(transfer) }

    private func noteUploads() {
      guard !uploading.isEmpty else { return }
      uploading.removeAll { transfer in
        transfers[ObjectIdentifier(transfer)] == nil || !transfer.noteUpload()
      }
    }

    func hasNews(_ transfer: CurlTransfer) {
      guard !transfer.isDirty else { return }
      transfer.isDirty = true
      withNews.append(transfer)
      loop.hasEvents(self)
    }

    /// Delivers what has arrived, and ends what libcurl has finished.
    func deliver() {
      noteUploads()
      if let multi {
        var code = CURLE_OK
        while let easy = curlshim_multi_next_ended(multi, &code) {
          guard let context = curlshim_context(easy) else { continue }
          let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
          // What follows on a connection whose head was not understood belongs to no response.
          if code == CURLE_OK, transfer.framing == nil { curlshim_break_connection(easy) }
          // Before libcurl forgets which connection it was.
          if code == CURLE_OK { transfer.noteConnection() }
          guard remove(transfer) else { continue }
          if transfer.needsNewConnection || transfer.mayBeSentAgain {
            startAgain(transfer)
            continue
          }
          transfer.ended(code)
          if code == CURLE_OK, transfer.hasSmallHandle { recycle(transfer.handle) }
        }
      }
      while !withNews.isEmpty {
        let transfers = withNews
        withNews = []
        for transfer in transfers {
          transfer.isDirty = false
          if self.transfers[ObjectIdentifier(transfer)] != nil { transfer.deliver() }
        }
      }
    }

    // MARK: libcurl's side

    private func openMulti() -> UnsafeMutableRawPointer? {
      if let multi { return multi }
      guard let multi = curl_multi_init() else { return nil }
      let context = Unmanaged.passUnretained(self).toOpaque()
      curlshim_multi_set_callbacks(
        multi, context,
        { _, descriptor, what, context, _ in
          CurlPool.of(context)?.watch(descriptor, what)
          return 0
        },
        { _, milliseconds, context in
          CurlPool.of(context)?.setTimeout(milliseconds)
          return 0
        })
      curlshim_multi_set_long(
        multi, CURLMOPT_MAX_HOST_CONNECTIONS, connectionLimit)
      // By default libcurl keeps four times as many as there are requests at the moment. The end of
      // many requests would close most of their connections.
      curlshim_multi_set_long(
        multi, CURLMOPT_MAXCONNECTS, max(64, connectionLimit))
      curlshim_multi_set_long(
        multi, CURLMOPT_MAX_CONCURRENT_STREAMS,
        max(1, configuration.maximumStreamCountPerConnection))
      curlshim_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
      self.multi = multi
      loop.add(self)
      return multi
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlPool? {
      context.map { Unmanaged<CurlPool>.fromOpaque($0).takeUnretainedValue() }
    }

    private func watch(_ descriptor: Int32, _ what: Int32) {
      if what == CURL_POLL_REMOVE {
        watched.remove(Int(descriptor))
        loop.unwatch(descriptor)
        return
      }
      let isNew = watched.insert(Int(descriptor)).inserted
      loop.watch(
        descriptor, of: self, reads: what & CURL_POLL_IN != 0, writes: what & CURL_POLL_OUT != 0,
        isNew: isNew)
    }

    private func setTimeout(_ milliseconds: Int) {
      guard milliseconds >= 0 else {
        timeout = nil
        return
      }
      let time = loop.now &+ UInt64(milliseconds) * 1_000_000
      timeout = time
      if milliseconds == 0 { loop.hasEvents(self) } else { loop.wake(self, at: time) }
    }
  }
#endif
