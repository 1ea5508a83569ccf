internal import ApolloAPI
internal import Foundation

/// A small server of HTTP/1.1 on the loopback interface, for commands that show a page or stand in
/// for a server.
///
/// ```swift
/// let server = try LocalHTTPServer(port: 8080) { request, response in
///   response.send(#"{"data": null}"#, type: "application/json")
/// }
/// defer { server.stop() }
/// ```
///
/// - Only programs of this machine can connect. A request whose `Host` names another machine is
///   refused, so that a page of another site cannot reach the server through a name of its own. So
///   is a request that such a page makes (`Origin`).
/// - Each connection has a thread, which parses its requests, one after the other. The handler runs
///   in a task, which is cancelled when the client leaves or the server stops. It never waits for
///   the client: the thread sends what the client does not take at once.
/// - A handler can accept a WebSocket in place of a response.
///
/// The server runs until ``stop()``, also when nothing refers to it.
package final class LocalHTTPServer: Sendable {
  package typealias Handler = @Sendable (LocalRequest, LocalResponse) async -> Void

  /// The port on which the server listens.
  package let port: UInt16
  private let limits: RequestParser.Limits
  private let listener: LocalSocket
  /// The pipe that ends the wait for clients.
  private let stopping: WakePipe
  private let handler: Handler
  private let state = Lock(State())
  private let threads = DispatchGroup()
  private let places = DispatchSemaphore(value: LocalHTTPServer.mostConnections)

  private struct State {
    var isStopped = false
    var clients: [Int32: LocalSocket] = [:]
    var tasks: [Int32: Task<Void, Never>] = [:]
  }

  /// The number of connections at a time. Others wait.
  private static let mostConnections = 128
  /// The time for which a connection may be idle, and a client may not read.
  private static let mostIdleSeconds = 60

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - port: The port, or 0 to let the system choose one.
  ///   - limits: The sizes that a request may have.
  ///   - handler: The responses. It may run for several requests at a time.
  /// - Throws: ``LocalServerError``
  package init(
    port: UInt16 = 0, limits: RequestParser.Limits = RequestParser.Limits(),
    handler: @escaping Handler
  ) throws(LocalServerError) {
    (listener, self.port) = try LocalSocket.listening(on: port)
    guard let pipe = WakePipe() else {
      listener.closeDescriptor()
      throw LocalServerError(port: port, code: EMFILE)
    }
    stopping = pipe
    self.limits = limits
    self.handler = handler
    startThread { server in server.acceptConnections() }
  }

  /// The address of the server, without a slash at its end.
  package var address: String { "http://127.0.0.1:\(port)" }

  /// Closes every connection, cancels the handlers and waits for their end. Blocks the thread, so
  /// that no handler may call it.
  package func stop() {
    state.withLock { state in
      // Under the lock, because a connection that ends gives its descriptor away.
      for client in state.clients.values { client.shutDown() }
      for task in state.tasks.values { task.cancel() }
      if !state.isStopped { stopping.wake() }
      state.isStopped = true
    }
    threads.wait()
  }

  private func startThread(_ body: @escaping @Sendable (LocalHTTPServer) -> Void) {
    threads.enter()
    let thread = Thread { [threads] in
      body(self)
      threads.leave()
    }
    thread.stackSize = 512 << 10
    thread.start()
  }

  private func acceptConnections() {
    while stopping.waitForClient(of: listener) {
      guard let client = listener.accept() else {
        usleep(1_000)  // without a descriptor, the client keeps waiting
        continue
      }
      places.wait()
      client.limitWaiting(seconds: Self.mostIdleSeconds)
      let isServed = state.withLock { state in
        if !state.isStopped { state.clients[client.descriptor] = client }
        return !state.isStopped
      }
      if isServed {
        startThread { server in server.serve(client) }
      } else {
        client.closeDescriptor()
        places.signal()
      }
    }
    listener.closeDescriptor()
    stopping.closeDescriptors()
  }

  /// Serves the requests of a connection until it ends.
  private func serve(_ client: LocalSocket) {
    let pipe = WakePipe()
    if let pipe {
      var parser = RequestParser(limits: limits)
      while let request = next(from: client, &parser, pipe),
        respond(to: request, client, &parser, pipe)
      {}
      client.endPolitely()
      pipe.closeDescriptors()
    }
    state.withLock { state in
      state.clients[client.descriptor] = nil
      client.shutDown()
      client.closeDescriptor()
    }
    places.signal()
  }

  /// Waits for a request. Returns `nil` at the end of the connection, or after a response to bytes
  /// that are no request.
  private func next(
    from client: LocalSocket, _ parser: inout RequestParser, _ pipe: WakePipe
  ) -> LocalRequest? {
    var start: ContinuousClock.Instant?
    do {
      while true {
        if let request = try parser.next() { return request }
        if parser.expectsContinue {
          parser.expectsContinue = false
          guard client.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return nil }
        }
        let bytes = client.receive()
        guard !bytes.isEmpty else { return nil }
        // A client that sends a byte now and then would hold its place for ever.
        let first = start ?? .now
        guard first.duration(to: .now) < .seconds(Self.mostIdleSeconds) else { return nil }
        start = first
        parser.append(bytes)
      }
    } catch {
      let outbox = ByteOutbox(client, pipe)
      LocalResponse(to: LocalRequest(keepsConnection: false), outbox)
        .send(status: error.status, error.message)
      send(outbox, to: client, pipe)
      return nil
    }
  }

  /// Runs the handler. Returns whether the connection can serve another request.
  private func respond(
    to request: LocalRequest, _ client: LocalSocket, _ parser: inout RequestParser, _ pipe: WakePipe
  ) -> Bool {
    let outbox = ByteOutbox(client, pipe)
    let response = LocalResponse(to: request, outbox)
    if !isLocal(request.header("Host")) {
      response.send(
        status: 421, "This server serves \(address) only, not '\(request.header("Host") ?? "")'.")
    } else if !isOfThisServer(request) {
      response.send(status: 403, "Pages of other sites may not use this server.")
    } else {
      let task = Task { [handler] in
        await handler(request, response)
        outbox.endHandler()
      }
      state.withLock { state in
        state.tasks[client.descriptor] = task
        if state.isStopped { task.cancel() }
      }
      attend(to: client, outbox, &parser, pipe) { task.cancel() }
      state.withLock { $0.tasks[client.descriptor] = nil }
    }
    let keepsConnection = response.finish()
    outbox.reader?.end()
    send(outbox, to: client, pipe)
    return keepsConnection && !outbox.isClosed
  }

  /// Sends and receives for a handler until it returns. Calls `onLeaving` once if the client leaves
  /// before.
  private func attend(
    to client: LocalSocket, _ outbox: ByteOutbox, _ parser: inout RequestParser, _ pipe: WakePipe,
    onLeaving: () -> Void
  ) {
    var hasLeft = false
    func leave() {
      guard !hasLeft else { return }
      hasLeft = true
      outbox.reader?.end()
      onLeaving()
    }
    while !outbox.isHandled {
      let reader = outbox.reader
      if let reader {
        // What came with the handshake.
        let rest = parser.takeRest()
        if !rest.isEmpty { reader.receive(rest) }
      }
      let receives = reader.map { !$0.hasEnded } ?? false
      let sends = outbox.hasBytes
      let events = pipe.wait(
        hasLeft ? nil : client, receiving: receives, sending: sends, seconds: Self.mostIdleSeconds)
      if events.canReceive, let reader {
        let bytes = client.receive()
        if bytes.isEmpty { leave() } else { reader.receive(bytes) }
      }
      if events.canSend { outbox.flush() }
      let isStuck = sends && !events.canSend && !events.isWoken && !events.canReceive
      if isStuck { outbox.close() }
      if outbox.isClosed || events.isGone && !events.canReceive { leave() }
    }
  }

  /// Sends what is left after the handler.
  private func send(_ outbox: ByteOutbox, to client: LocalSocket, _ pipe: WakePipe) {
    outbox.flush()
    while outbox.hasBytes {
      let events = pipe.wait(
        client, sending: true, leaving: false, seconds: Self.mostIdleSeconds)
      if events.canSend {
        outbox.flush()
      } else if !events.isWoken {
        outbox.close()
      }
    }
  }

  /// Returns whether no page of another site makes the request. Other programs send no `Origin`.
  private func isOfThisServer(_ request: LocalRequest) -> Bool {
    guard let origin = request.header("Origin") else { return true }
    return origin == "http://\(request.header("Host") ?? "")"
  }

  /// Returns whether the value of `Host` names this machine. A client of HTTP/1.0 may send none.
  private func isLocal(_ host: String?) -> Bool {
    guard let host = host?.lowercased(), !host.isEmpty else { return true }
    return ["127.0.0.1", "localhost", "[::1]"].contains { host == $0 || host == "\($0):\(port)" }
  }
}
