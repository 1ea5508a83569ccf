#if CURL
  import CurlShim
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// One request that libcurl works on: the sinks that libcurl fills, and what has been read so
  /// far.
  ///
  /// The events of one turn of the event loop are gathered, and delivered to the exchange together
  /// when libcurl has returned: a small response wakes its reader once.
  // `@unchecked Sendable` because everything but `exchange` and `pool` is touched in turns of
  // the event loop only, once the transfer has been submitted.
  final class CurlTransfer: Transfer, @unchecked Sendable {
    let exchange: Exchange
    let pool: CurlPool
    /// Keeps the client, and so its connections, until the transfer has ended.
    private let client: CurlClient
    let handle: CurlHandle
    private let url: URL
    private let method: String
    private let maximumByteCount: Int
    /// The origin of a request that needs a connection to it for itself. `nil` if the request may
    /// share one, as in HTTP/2, or use one to a proxy.
    private(set) var http1Origin: Origin?
    /// The longest silence, in nanoseconds.
    let idleTime: UInt64

    private let bodyByteCount: Int
    /// Receives the wait for a connection, and its end.
    private let wait = TransferLimits.connectionWait
    private var isWaiting = false
    /// A streamed body, and the reporter of its upload.
    private let streamedUpload: (body: UploadBody, progress: UploadProgressReporter?)?
    /// The rest of a streamed body. `nil` once the transfer has ended.
    private var upload: UploadReader?
    /// The failure of the body's files.
    private var uploadFailure: GraphQLHTTPRequestError?
    /// The size of a body that is sent together with the head, and the reporter of its upload.
    private var copiedUpload: (byteCount: Int, progress: UploadProgressReporter)?
    private var parser = ResponseHeadParser()
    /// The framing of the body, once the head has been read.
    private(set) var framing: BodyFraming?
    private var violation: NetworkError?
    private var receivedByteCount = 0
    private var decoder: ContentDecoder?
    private var isHTTP1 = false

    /// The head that has not been delivered.
    private var head: ReceivedHead?

    /// A Boolean value that indicates whether the handle has no buffer for streamed bodies, which
    /// it would keep.
    let hasSmallHandle: Bool
    private(set) var isPaused = false
    /// A libcurl without a gate uses each connection once, so it never sends a request again.
    private(set) var isSent = !curlshim_has_gate()
    /// Is asked before the first byte leaves, if the caller must know that.
    private var attempt: SendingAttempt?
    /// The time at which the request was sent, in nanoseconds.
    private(set) var sendingTime: UInt64 = 0
    private let keptConnectionTime = NetworkError.keptConnectionTime
    /// The connection on which the request was sent.
    private var connection: ConnectionAddress?
    private var stream = StreamState()
    /// The request was not sent, because its connection is unusable.
    private(set) var needsNewConnection = false
    /// The time of the last sign of life.
    var lastActivity: UInt64 = 0
    private var lastUploadCount = 0
    /// True while the transfer is in the pool's list of those with something to deliver.
    var isDirty = false

    init(
      _ request: URLRequest, url: URL, origin: Origin, body: CurlBody, client: CurlClient,
      pool: CurlPool, handle: CurlHandle, maximumByteCount: Int, idleTime: UInt64
    ) throws(CurlSetupError) {
      self.url = url
      self.client = client
      self.pool = pool
      self.handle = handle
      self.maximumByteCount = maximumByteCount
      self.idleTime = idleTime
      hasSmallHandle = !body.isStreamed
      bodyByteCount = body.byteCount
      exchange = Exchange(url: url)
      method = request.httpMethod ?? "GET"
      switch body {
      case .streamed(let body):
        streamedUpload = (body, UploadProgressReporter.current)
      case .copied(let data):
        streamedUpload = nil
        copiedUpload = UploadProgressReporter.current.map { (data.count, $0) }
      }
      let headers = try pool.headerLines.lines(
        HeaderLines.Source(
          fields: request.allHTTPHeaderFields ?? [:], hasBody: body.byteCount > 0,
          acceptsCompression: client.configuration.acceptsCompression))
      try handle.prepare(
        request, url: url, origin: origin, body: body, headers: headers,
        context: Unmanaged.passUnretained(self).toOpaque(),
        callbacks: Self.callbacks)
      if TransferLimits.needsNewConnection { try handle.useNewConnection() }
      try handle.noteStreams(handle.mayShareConnection(to: origin))
      http1Origin = handle.mayShareConnection(to: origin) ? nil : origin
      rewindUpload()
    }

    // MARK: From any thread

    func resume() { pool.loop.carryOut(.resume(self)) }

    func stop() { pool.loop.submit(.cancel(self)) }

    // MARK: libcurl's callbacks

    private static let callbacks = CurlCallbacks(
      head: { bytes, size, count, context in
        CurlTransfer.of(context).receivedLine(
          UnsafeRawBufferPointer(start: bytes, count: size * count))
      },
      body: { bytes, size, count, context in
        CurlTransfer.of(context).receivedBody(
          UnsafeRawBufferPointer(start: bytes, count: size * count))
      },
      source: { buffer, size, count, context in
        CurlTransfer.of(context).fill(
          UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
      },
      rewind: { context, offset, origin in
        guard offset == 0, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
        CurlTransfer.of(context).rewindUpload()
        return CURL_SEEKFUNC_OK
      },
      gate: { context, address, _, port, localPort in
        let connection = ConnectionAddress(
          localPort: localPort, port: port, address: address.map { String(cString: $0) } ?? "")
        return CurlTransfer.of(context).mayBeSent(on: connection)
          ? Int32(CURLSHIM_PROCEED) : Int32(CURLSHIM_ABORT)
      },
      stream: { context, event, number in
        CurlTransfer.of(context).noteStream(Int(event), number)
      })

    /// The transfer behind a context pointer. The pool retains it while libcurl has the pointer.
    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
      guard let context else { preconditionFailure("libcurl lost the context of a transfer.") }
      return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Asks the record of its call before the request leaves. To be called before the start.
    func note(_ attempt: SendingAttempt?) {
      // Without a gate, nothing tells when it leaves.
      guard let attempt, curlshim_has_gate() else { return }
      attempt.prepare()
      self.attempt = attempt
    }

    /// Lets a request be sent once. libcurl would send it again when a connection that was used
    /// before ends without a response. Only a request that the server has refused to process is
    /// sent again; see ``StreamState``.
    ///
    /// Bytes that wait on such a connection belong to no request, and would be taken for the
    /// response to this one. The request moves to a new connection then.
    private func mayBeSent(on connection: ConnectionAddress) -> Bool {
      if !isSent, pool.discards(connection, of: handle) || pool.hasGivenUp(connection) {
        needsNewConnection = true
        return false
      }
      if isSent, !stream.takesRetry() {
        violation = NetworkError(
          .connectionLost, url: url, detail: NetworkError.progress(hasHead: false),
          endedKeptConnection: wasSentJustNow)
        return false
      }
      // The exchange may have ended, and its caller decided that nothing has left.
      if let attempt, !attempt.leave() {
        violation = NetworkError(
          .connectionLost, url: url, detail: NetworkError.progress(hasHead: false),
          hasSentNothing: !isSent)
        return false
      }
      waitEnded()
      isSent = true
      self.connection = connection
      sendingTime = pool.loop.now
      lastActivity = pool.loop.now
      if bodyByteCount > 0 {
        lastUploadCount = 0
        pool.isUploading(self)
      }
      return true
    }

    private func noteStream(_ event: Int, _ number: UInt32) {
      switch event {
      case CURLSHIM_STREAM_OPENED: stream.opened(number)
      case CURLSHIM_GOING_AWAY:
        if stream.isOpen, let connection { pool.goesAway(connection, lastStream: number) }
      case CURLSHIM_CONNECTION_AWAITED: waits()
      default:
        stream.isRetried(hasNotedFailure: !handle.message.isEmpty)
        connection = nil
      }
    }

    /// Handles the announcement that no stream after `last` of a connection is processed.
    func goesAway(_ connection: ConnectionAddress, lastStream last: UInt32) {
      if self.connection == connection { stream.goesAway(last: last) }
    }

    private func noteBytes() {
      lastActivity = pool.loop.now
      if stream.isOpen, let connection { pool.hasBytes(connection) }
    }

    /// `true` once the response has begun.
    var hasResponse: Bool { parser.hasBegun }

    /// The connection of HTTP/2 on which the response is waited for.
    var sharedConnection: ConnectionAddress? { stream.isOpen ? connection : nil }

    private var wasSentJustNow: Bool {
      Duration.nanoseconds(pool.loop.now &- sendingTime) <= keptConnectionTime
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
      lastActivity = pool.loop.now
      do throws(GraphQLHTTPRequestError) {
        return try upload?.read(into: buffer) ?? 0
      } catch {
        uploadFailure = error
        return curlshim_abort_source()
      }
    }

    private func rewindUpload() {
      upload = streamedUpload.map { UploadReader($0.body, progress: $0.progress) }
    }

    private func receivedLine(_ line: UnsafeRawBufferPointer) -> Int {
      noteBytes()
      do {
        guard case .head(let head) = try parser.take(line) else { return line.count }
        return try received(head) ? line.count : 0
      } catch {
        violation = NetworkError(
          .malformedResponse, url: url, detail: error.clause, responseHadBegun: true)
        return 0
      }
    }

    private func received(_ head: ResponseHead) throws(HeadViolation) -> Bool {
      // Without this, libcurl would share a connection of HTTP/1 with other requests.
      if http1Origin != nil, !head.isHTTP1 { throw .version }
      let framing = try BodyFraming(head, method: method)
      if let length = framing.length, length > maximumByteCount {
        violation = tooLarge
        return false
      }
      if framing != .none, client.configuration.acceptsCompression {
        do {
          decoder = try ContentDecoder.decoder(for: head)
        } catch {
          throw .contentEncoding
        }
      }
      isHTTP1 = head.isHTTP1
      self.framing = framing
      self.head = .parsed(head, url: url)
      if let (byteCount, progress) = copiedUpload { progress.note(byteCount, of: byteCount) }
      pool.hasNews(self)
      return true
    }

    private func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Int {
      noteBytes()
      guard exchange.hasRoom() else {
        isPaused = true
        return curlshim_pause()
      }
      do {
        try append(bytes)
      } catch {
        violation = error == .tooLarge ? tooLarge : malformed("the body cannot be decompressed")
        return 0
      }
      pool.hasNews(self)
      return bytes.count
    }

    /// Passes the decompressed bytes on.
    private func append(_ bytes: UnsafeRawBufferPointer) throws(ContentDecoder.Failure) {
      let room = maximumByteCount - receivedByteCount
      if let decoder {
        try decoder.decode(bytes, limit: room) { piece in
          receivedByteCount += piece.count
          exchange.append(piece, announcedCount: 0)
        }
      } else {
        guard bytes.count <= room else { throw .tooLarge }
        receivedByteCount += bytes.count
        exchange.append(bytes, announcedCount: framing?.length ?? 0)
      }
    }

    private func malformed(_ detail: String) -> NetworkError {
      NetworkError(.malformedResponse, url: url, detail: detail, responseHadBegun: true)
    }

    private var tooLarge: NetworkError {
      NetworkError(
        .responseTooLarge, url: url, detail: "the limit of \(maximumByteCount) bytes",
        responseHadBegun: true)
    }

    // MARK: In a turn of the event loop

    /// Reads from the connection again, after taking the bytes that libcurl has kept.
    ///
    /// Returns an error if these bytes are refused. libcurl neither ends the transfer then nor
    /// continues it.
    func unpause() -> CURLcode {
      guard isPaused else { return CURLE_OK }
      isPaused = false
      lastActivity = pool.loop.now
      return curl_easy_pause(handle.easy, CURLPAUSE_CONT)
    }

    /// Handles that all connections that the request may use are in use, for the first time or
    /// again.
    func waits() {
      guard !isWaiting else { return }
      isWaiting = true
      let count = pool.connectionLimit
      exchange.waits(forOneOf: count)
      guard let wait else { return }
      wait.begins(connectionCount: count)
      let error = NetworkError(
        .connectionLimit, url: url, detail: NetworkError.connectionsInUse(count))
      Self.reports.async { wait.report(error) }
    }

    /// Handles the end of a wait, if there was one.
    func waitEnded() {
      guard isWaiting else { return }
      isWaiting = false
      exchange.waits(forOneOf: 0)
      guard let wait else { return }
      wait.ends()
      Self.reports.async { wait.report(nil) }
    }

    /// Calls code of programs, in order, which turns of the event loop do not.
    private static let reports = DispatchQueue(label: "apollo-http-reports")

    /// Prepares the transfer for another start, on a connection of its own.
    func useNewConnection() {
      needsNewConnection = false
      // Not refused: it is a number that libcurl keeps.
      try? handle.useNewConnection()
    }

    /// `true` if the server has not processed the request, which can be sent again.
    var mayBeSentAgain: Bool {
      stream.isRefused && !parser.hasBegun && violation == nil && uploadFailure == nil
    }

    /// Prepares a transfer that the server has refused for another start.
    func prepareAgain() {
      stream.startsAgain()
      connection = nil
      isSent = !curlshim_has_gate()
      lastUploadCount = 0
      handle.clearMessage()
      rewindUpload()
    }

    /// Frees the body of a cancelled transfer.
    func discardUpload() { upload = nil }

    /// Lets the pool watch the connection, which libcurl keeps after a response.
    func noteConnection() {
      if isHTTP1, let connection { pool.keeps(connection, of: handle) }
    }

    /// Delivers what has arrived.
    func deliver() {
      guard let head else { return exchange.deliverBytes() }
      self.head = nil
      exchange.deliverHead(head)
    }

    /// Ends the exchange with the meaning of libcurl's result.
    func ended(_ code: CURLcode) {
      if let uploadFailure { return ended(.failure(uploadFailure)) }
      if code == CURLE_OK, violation == nil, let decoder, !decoder.isComplete {
        violation =
          framing == .untilClose
          ? NetworkError(
            .connectionLost, url: url, detail: NetworkError.progress(hasHead: true),
            responseHadBegun: true) : malformed("the compressed body is cut off")
      }
      let outcome = TransferOutcome(
        code: code, message: handle.message, headHasBegun: parser.hasBegun,
        framing: framing,
        receivedByteCount: Int(curlshim_downloaded_byte_count(handle.easy)),
        isProxied: handle.isProxied, isSent: isSent, isUploading: lastUploadCount < bodyByteCount,
        isOnKeptConnection: isSent && wasSentJustNow && !curlshim_has_connected(handle.easy),
        silentSeconds: Int((pool.loop.now &- lastActivity) / 1_000_000_000),
        proxyStatus: curlshim_connect_code(handle.easy),
        systemError: Int32(truncatingIfNeeded: curlshim_system_error(handle.easy)),
        verifyResult: curlshim_verify_result(handle.easy),
        violation: violation)
      ended(outcome.result(url: url))
    }

    func ended(_ result: Result<Void, any Error>) {
      upload = nil
      exchange.ended(result, head: violation == nil ? head : nil)
      head = nil
    }

    /// The time at which the connection will have been silent for too long, or `nil` while silence
    /// is not the server's: the request has not been sent, or its reader is slow.
    var idleDeadline: UInt64? {
      isSent && !isPaused ? lastActivity &+ idleTime : nil
    }

    /// Notes the progress of the upload. Returns `false` once the whole body has been sent.
    func noteUpload() -> Bool {
      let uploaded = Int(curlshim_uploaded_byte_count(handle.easy))
      if uploaded != lastUploadCount {
        lastUploadCount = uploaded
        lastActivity = pool.loop.now
      }
      return uploaded < bodyByteCount
    }

    var idleError: NetworkError {
      NetworkError(
        .timedOut, url: url, detail: Duration.nanoseconds(Int64(clamping: idleTime)).inWords,
        responseHadBegun: parser.hasBegun)
    }
  }
#endif
