package import Foundation
import LoopbackServer

/// A server that sends the mutated response with the number that a request's path is.
///
/// Each of its threads serves one connection after the other. A connection whose client sends no
/// further request for a while (`silence`) is closed, so a client that waits for more bytes always
/// sees an end.
package final class MutationServer: Sendable {
  package let port: UInt16
  package let seed: UInt64
  private let listener: Socket
  private let threads = DispatchGroup()
  private let silenceInMilliseconds: Int

  package init(seed: UInt64, threadCount: Int = 48, silence: Int = 60) throws {
    silenceInMilliseconds = silence
    (listener, port) = try Socket.bound(isListening: true)
    self.seed = seed
    for _ in 0..<threadCount {
      threads.enter()
      let thread = Thread { [threads] in
        self.serve()
        threads.leave()
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  package func url(_ number: Int) -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)/\(number)") else {
      preconditionFailure("A number is always part of a valid URL.")
    }
    return url
  }

  /// Waits until the last connection has been closed.
  package func stop() {
    listener.shutDown()
    threads.wait()
    listener.closeDescriptor()
  }

  private func serve() {
    // A listener that was shut down accepts nothing more.
    while let client = listener.accept() {
      client.limitReceiving(milliseconds: silenceInMilliseconds)
      serve(client)
      client.closeDescriptor()
    }
  }

  private func serve(_ client: Socket) {
    var reader = RequestReader()
    while let request = reader.next(from: client), let number = Int(request.path.dropFirst()) {
      let response = MutatedResponse(number: number, seed: seed)
      guard send(response, to: client), !response.isClosedBehind else { return }
    }
  }

  private func send(_ response: MutatedResponse, to client: Socket) -> Bool {
    var rest = response.bytes[...]
    for size in response.pieces where !rest.isEmpty {
      guard client.send(Array(rest.prefix(size))) else { return false }
      rest = rest.dropFirst(size)
    }
    return rest.isEmpty || client.send(Array(rest))
  }
}
