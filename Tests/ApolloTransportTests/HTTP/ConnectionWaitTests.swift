import ApolloAPI
@testable import ApolloTransport
import Foundation
import LoopbackServer
import ManualClock
import TestOperations
import TestProcesses
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests that wait because all connections to their host are in use.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionWaitTests {
  #if CURL
    /// A way to a server that allows one subscription at a time.
    enum Way: CaseIterable, Sendable {
      case direct, proxy, tunnel, tls, oneStream
    }

    /// A server that keeps its first event stream open until the signal fires.
    private func server(_ isFirstOver: Signal) throws -> LoopbackServer {
      let count = Lock(0)
      return try LoopbackServer { request, reply in
        // What nginx passes on is the same request, so only the last server counts.
        if request.method == "CONNECT" {
          let port = request.target.split(separator: ":").last.flatMap { UInt16($0) }
          return reply.tunnel(to: port ?? 0)
        }
        let number = count.withLock { count in
          count += 1
          return count
        }
        reply.beginChunks(type: "text/event-stream")
        if number == 1 { isFirstOver.block() }
        reply.chunk("event: complete\ndata:\n\n")
        reply.endChunks()
      }
    }

    private func transport(
      _ way: Way, to server: LoopbackServer, _ nginx: Nginx
    ) throws -> HTTPNetworkTransport {
      let proxy = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
      let client = try nginx.client {
        $0.maximumConnectionCountPerHost = 1
        switch way {
        case .direct, .tls: break
        case .proxy, .tunnel: $0.proxy = .url(proxy)
        case .oneStream: $0.maximumStreamCountPerConnection = 1
        }
      }
      let origin = try #require(URL(string: "http://origin.invalid/graphql"))
      let url =
        switch way {
        case .direct: server.url()
        case .proxy: origin
        case .tunnel, .tls: nginx.url(.tlsHTTP1, "/to/\(server.port)/graphql")
        case .oneStream: nginx.url(.tls, "/to/\(server.port)/graphql")
        }
      let transport = HTTPNetworkTransport(url: url, client: client)
      transport.subscriptionFormat = .serverSentEvents
      return transport
    }

    @Test(.needsNginx, arguments: Way.allCases)
    func aSubscriptionThatWaitsForAConnectionIsReported(_ way: Way) async throws {
      let isFirstOver = Signal()
      let server = try server(isFirstOver)
      defer { server.stop() }
      let transport = try transport(way, to: server, await Nginx.shared())
      let (states, report) = AsyncStream.makeStream(of: SubscriptionState.self)
      let first = Task {
        let request = OperationRequest(HeroAPI.HeroChangedSubscription())
        for try await _ in transport.responses(to: request) {}
      }
      await server.wait { $0.requests.contains { $0.method != "CONNECT" } }
      let second = Task {
        var request = OperationRequest(HeroAPI.HeroChangedSubscription())
        request.facts.stateHandler = { report.yield($0) }
        // Ends the test if the wait is not reported.
        request.timeout = .seconds(60)
        do {
          for try await _ in transport.responses(to: request) {}
        } catch {
          report.finish()
          throw error
        }
      }
      var iterator = states.makeAsyncIterator()
      let wait = await iterator.next()
      isFirstOver.fire()
      guard case .interrupted(let error as NetworkError) = wait else {
        Issue.record("The wait was not reported: \(String(describing: wait))")
        return
      }
      #expect(error.code == .connectionLimit)
      #expect(error.description.contains("the only connection is in use"))
      let end = await iterator.next()
      guard case .resumed = end else {
        Issue.record("The end of the wait was not reported: \(String(describing: end))")
        return
      }
      try await first.value
      try await second.value
      // States are reported in a queue, and may come after the end of the subscription.
      report.finish()
      // A connection that libcurl has not tried again is no other state.
      #expect(await iterator.next() == nil)
    }
  #endif

  private static let explanation =
    "because it waited for a connection: all 128 connections are in use. End other subscriptions, raise `maximumConnectionCountPerHost`, or use HTTP/2 or a WebSocket, which many subscriptions share."

  /// A transfer that never gets a connection.
  private final class WaitingTransfer: Transfer {
    func resume() {}
    func stop() {}
  }

  @Test(arguments: [true, false])
  func theErrorOfADeadlineNamesTheWait(_ isStillWaiting: Bool) async throws {
    let clock = ManualClock()
    let exchange = Exchange(url: URL(string: "https://example.org/graphql")!)
    let deadline = CallDeadline(.seconds(120), clock: clock)
    let hasStarted = Signal()
    let call = Task {
      try await exchange.response(of: WaitingTransfer(), before: deadline) { hasStarted.fire() }
    }
    await hasStarted.wait()
    exchange.waits(forOneOf: 128)
    if !isStillWaiting { exchange.waits(forOneOf: 0) }
    clock.advance(by: .seconds(120))
    let error = await #expect(throws: NetworkError.self) { try await call.value }
    #expect(error?.code == .deadlineExceeded)
    let cause =
      isStillWaiting
      ? ", \(Self.explanation)"
      : ". Check the server and what surrounds the call, or raise the deadline."
    #expect(
      error?.description
        == "The call to https://example.org/graphql did not end within 120 seconds\(cause)")
  }

  /// A client whose requests wait for a connection until their deadline.
  private final class WaitingClient: HTTPClient {
    private let isStillWaiting: Bool
    let limits = TransferLimits(deadline: nil)

    init(isStillWaiting: Bool) { self.isStillWaiting = isStillWaiting }

    func response(to request: URLRequest) async throws -> HTTPResponse {
      TransferLimits.connectionWait?.begins(connectionCount: 128)
      if !isStillWaiting { TransferLimits.connectionWait?.ends() }
      throw NetworkError(.deadlineExceeded, url: request.url, detail: "120 seconds")
    }

    func invalidate() {}
  }

  /// The time until a subscription begins is limited by its transport.
  @Test(arguments: [true, false])
  func theErrorOfASubscriptionNamesTheWait(_ isStillWaiting: Bool) async throws {
    let transport = HTTPNetworkTransport(
      url: URL(string: "https://example.org/graphql")!,
      client: WaitingClient(isStillWaiting: isStillWaiting))
    transport.subscriptionFormat = .serverSentEvents
    let error = await #expect(throws: NetworkError.self) {
      let request = OperationRequest(HeroAPI.HeroChangedSubscription())
      for try await _ in transport.responses(to: request) {}
    }
    #expect(error?.code == .deadlineExceeded)
    #expect(error?.description.contains(Self.explanation) == isStillWaiting)
  }
}
