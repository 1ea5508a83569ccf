#if !CURL
  import ApolloAPI
  import Foundation
  import LoopbackServer

  @testable import ApolloWebSocket

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// A task for tests, which play the system: it does what it is told, when it is told.
  final class PlayedTask: SocketTask {
    typealias Message = URLSessionWebSocketTask.Message
    typealias Receiver = @Sendable (Result<Message, any Error>) -> Void
    typealias Handler = @Sendable ((any Error)?) -> Void

    struct Calls {
      /// The calls in their order, in words.
      var log: [String] = []
      var receivers: [Receiver] = []
      var sends: [Handler] = []
      var pings: [Handler] = []
    }

    let calls = Lock(Calls())
    /// Fires when the task is resumed.
    let isResumed = Signal()
    /// Fires when a ping is to be sent.
    let isPinged = Signal()

    var log: [String] { calls.withLock { $0.log } }

    // MARK: The test's side

    /// Delivers a message to the oldest `receive`. Returns `false` if nothing is received.
    func deliver(_ result: Result<Message, any Error>) -> Bool {
      let receiver = calls.withLock { calls -> Receiver? in
        calls.receivers.isEmpty ? nil : calls.receivers.removeFirst()
      }
      receiver?(result)
      return receiver != nil
    }

    /// Reports the oldest message as sent.
    func completeSend(_ error: (any Error)? = nil) {
      calls.withLock { $0.sends.removeFirst() }(error)
    }

    /// Reports the oldest ping as responded to.
    func pong(_ error: (any Error)? = nil) { calls.withLock { $0.pings.removeFirst() }(error) }

    var receiverCount: Int { calls.withLock { $0.receivers.count } }

    // MARK: The connection's side

    func resume() {
      calls.withLock { $0.log.append("resume") }
      isResumed.fire()
    }

    func cancel() { calls.withLock { $0.log.append("cancel") } }

    func cancel(with code: URLSessionWebSocketTask.CloseCode, reason: Data?) {
      let reason = String(decoding: reason ?? Data(), as: UTF8.self)
      calls.withLock { $0.log.append("close \(code.rawValue) \(reason)") }
    }

    func send(_ message: Message, completionHandler: @escaping Handler) {
      calls.withLock { calls in
        switch message {
        case .string(let text): calls.log.append("text \(text)")
        case .data(let data): calls.log.append("binary \(data.count)")
        @unknown default: calls.log.append("unknown")
        }
        calls.sends.append(completionHandler)
      }
    }

    func receive(completionHandler: @escaping Receiver) {
      calls.withLock { $0.receivers.append(completionHandler) }
    }

    func sendPing(pongReceiveHandler: @escaping Handler) {
      calls.withLock { calls in
        calls.log.append("ping")
        calls.pings.append(pongReceiveHandler)
      }
      isPinged.fire()
    }
  }
#endif
