package import Foundation

/// A server for tests: real sockets on a free loopback port, and a script that decides, byte for
/// byte, what each request is answered.
///
/// The script runs on a thread of its own for each connection, so it may block: on a ``Signal``, or
/// until the client has gone. Everything is closed and joined by ``stop()``.
///
/// ```swift
/// let server = try LoopbackServer { request, reply in
///   reply.json(#"{"data":{"hero":null}}"#)
/// }
/// defer { server.stop() }
/// ```
package final class LoopbackServer: Sendable {
  package typealias Script = @Sendable (ReceivedRequest, Reply) -> Void

  private struct State {
    var requests: [ReceivedRequest] = []
    var openSockets: [Int32: Socket] = [:]
    var acceptedCount = 0
    var isStopped = false
    var observers: [(condition: (Observation) -> Bool, signal: Signal)] = []

    var observation: Observation {
      Observation(
        requests: requests, openConnectionCount: openSockets.count, acceptedCount: acceptedCount)
    }
  }

  /// The events that a server has seen so far.
  package struct Observation: Sendable {
    package var requests: [ReceivedRequest]
    package var openConnectionCount: Int
    package var acceptedCount: Int
  }

  package let port: UInt16
  private let host: String
  private let listener: Socket
  private let keepsRequests: Bool
  private let readsBodies: Bool
  private let script: Script
  private let state = Guarded(State())
  private let threads = DispatchGroup()

  /// - Parameters:
  ///   - isIPv6: Whether the server's address is `::1` instead of `127.0.0.1`.
  ///   - keepsRequests: Whether ``requests`` lists every request, which takes memory.
  ///   - readsBodies: `false` to call the script when the head of a request has arrived. Its body
  ///   is what has arrived with the head, and the script must close the connection.
  ///   - script: The responses.
  /// - Throws: An error of the system when there is no socket left.
  package init(
    isIPv6: Bool = false, keepsRequests: Bool = true, readsBodies: Bool = true,
    _ script: @escaping Script
  ) throws {
    (listener, port) = try Socket.bound(family: isIPv6 ? .v6 : .v4, isListening: true)
    host = isIPv6 ? "[::1]" : "127.0.0.1"
    self.keepsRequests = keepsRequests
    self.readsBodies = readsBodies
    self.script = script
    startThread { server in server.acceptConnections() }
  }

  /// The server's address with `path`.
  package func url(_ path: String = "/graphql") -> URL {
    guard let url = URL(string: "http://\(host):\(port)\(path)") else {
      preconditionFailure("The path '\(path)' does not belong into a URL.")
    }
    return url
  }

  package var observation: Observation { state.withLock { $0.observation } }
  package var requests: [ReceivedRequest] { observation.requests }

  /// Suspends until what the server has seen satisfies `condition`.
  package func wait(until condition: @escaping @Sendable (Observation) -> Bool) async {
    let signal = Signal()
    state.withLock { state in
      if condition(state.observation) {
        signal.fire()
      } else {
        state.observers.append((condition, signal))
      }
    }
    await signal.wait()
  }

  /// Closes every connection and waits for all threads of the server. Stopping again does nothing.
  package func stop() {
    change { state in
      // Under the lock, because a connection that ends gives its descriptor away.
      for socket in state.openSockets.values { socket.shutDown() }
      // Nobody closes the listener before it was stopped, and this is done once: its descriptor may
      // soon be somebody else's.
      if !state.isStopped { listener.shutDown() }
      state.isStopped = true
    }
    threads.wait()
  }

  private func change<T: Sendable>(_ body: (inout State) -> T) -> T {
    let (result, satisfied) = state.withLock { state in
      let result = body(&state)
      let observation = state.observation
      let satisfied = state.observers.filter { $0.condition(observation) }.map(\.signal)
      state.observers.removeAll { $0.condition(observation) }
      return (result, satisfied)
    }
    for signal in satisfied { signal.fire() }
    return result
  }

  private func startThread(_ body: @escaping @Sendable (LoopbackServer) -> Void) {
    threads.enter()
    let thread = Thread { [threads] in
      body(self)
      threads.leave()
    }
    thread.stackSize = 512 * 1_024
    thread.start()
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func acceptConnections() {
    while !isStopped {
      // Without a client it was stopped, or that one has gone already, or there is no descriptor
      // left at the moment.
      guard let client = listener.accept() else { continue }
      let isServed = change { state in
        state.acceptedCount += 1
        if !state.isStopped { state.openSockets[client.descriptor] = client }
        return !state.isStopped
      }
      if isServed {
        startThread { server in server.serve(client) }
      } else {
        client.closeDescriptor()
      }
    }
    listener.closeDescriptor()
  }

  private func serve(_ client: Socket) {
    var reader = RequestReader(readsBodies: readsBodies)
    let reply = Reply(socket: client)
    while !reply.isClosed, var request = reader.next(from: client) {
      change { state in
        request.number = state.requests.count
        if keepsRequests { state.requests.append(request) }
      }
      script(request, reply)
    }
    change { state in
      state.openSockets[client.descriptor] = nil
      client.closeDescriptor()
    }
  }
}
