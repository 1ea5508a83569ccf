#if CURL
  import ApolloAPI
  import ApolloTransport
  import Foundation
  import LoopbackServer
  import TestOperations
  import Testing

  @testable import ApolloWebSocket

  /// A transport on real sockets, with a server that follows a script.
  @Suite(.timeLimit(.minutes(10)))
  struct TransportSocketTests {
    // MARK: Releasing

    /// The states of a connection in which a program can lose interest.
    enum Moment: CaseIterable {
      case connecting, opening, acknowledged, delivering, stopped
    }

    /// The transport and its only subscription are released. The server sees the end of the socket.
    @Test(arguments: Moment.allCases)
    func closesTheSocketWhenItIsReleased(_ moment: Moment) async throws {
      let isReached = Signal()
      let server = try SocketServer { peer in
        if moment == .connecting { isReached.fire() }
        guard moment != .connecting else { return peer.reply.waitForClientToClose() }
        peer.accept()
        while let text = peer.nextText() {
          if text.contains("connection_init") {
            if moment == .opening { isReached.fire() } else { peer.acknowledge() }
          } else if text.contains("subscribe") {
            if moment == .acknowledged { isReached.fire() }
            peer.deliverHero("Luke", id: "1")
          }
        }
      }
      defer { server.stop() }
      var transport: WebSocketTransport? = WebSocketTransport(
        endpointURL: server.url, configuration: .patient)
      var results = try transport?.results(of: heroChanges)
      transport = nil
      switch moment {
      case .connecting, .opening, .acknowledged: await isReached.wait()
      case .delivering: #expect(try await results?.nextText() == "Luke")
      case .stopped:
        let waiting = Task { [results] in
          while try await results?.next() != nil {}
        }
        waiting.cancel()
        _ = await waiting.result
      }
      results = nil
      await server.http.wait { $0.openConnectionCount == 0 }
    }

    @Test func closesTheSocketThatAServerNeverCloses() async throws {
      let server = try SocketServer { peer in
        peer.accept()
        guard peer.nextText() != nil else { return }
        peer.acknowledge()
        // Reads the close frame and does not respond to it.
        peer.reply.waitForClientToClose()
      }
      defer { server.stop() }
      var configuration = WebSocketTransport.Configuration.patient
      configuration.connectOnInit = true
      var transport: WebSocketTransport? = WebSocketTransport(
        endpointURL: server.url, configuration: configuration)
      if let states = transport?.connectionStates {
        for await state in states {
          if case .connected = state { break }
        }
      }
      transport = nil
      await server.http.wait { $0.openConnectionCount == 0 }
    }

    // MARK: Credentials

    /// The server closes the connection when the token expires, while a subscription is live.
    @Test func refreshesATokenThatExpiresWhileASubscriptionIsLive() async throws {
      let tokens = Lock<[String]>([])
      let server = try SocketServer { peer in
        peer.accept()
        guard let opening = peer.nextText() else { return }
        let count = tokens.withLock { tokens in
          tokens.append(opening)
          return tokens.count
        }
        peer.acknowledge()
        guard let text = peer.nextText(), let id = text.operationID else { return }
        peer.deliverHero("\(count)", id: id)
        if count < 3 {
          peer.close(4401, "Unauthorized")
        } else {
          _ = peer.next()
        }
      }
      defer { server.stop() }
      var configuration = WebSocketTransport.Configuration.patient
      configuration.reconnection.initialDelay = .milliseconds(10)
      let count = Lock(0)
      configuration.connectingPayloadProvider = { attempt in
        count.withLock { count in
          count += 1
          #expect(attempt.isRejected == (count > 1))
          return ["token": .int(Int64(count))]
        }
      }
      let transport = WebSocketTransport(endpointURL: server.url, configuration: configuration)
      let results = try transport.results(of: heroChanges)
      var texts: [String?] = []
      for _ in 1...7 { texts.append(try await results.nextText()) }
      #expect(texts == ["1", "interrupted", "resumed", "2", "interrupted", "resumed", "3"])
      #expect(
        tokens.get() == (1...3).map { #"{"type":"connection_init","payload":{"token":\#($0)}}"# })
    }
  }

  extension WebSocketTransport.Configuration {
    /// One whose attempts to connect do not fail because the machine is busy.
    static var patient: Self {
      var configuration = Self()
      configuration.connectTimeout = .seconds(600)
      configuration.acknowledgementTimeout = .seconds(600)
      return configuration
    }
  }

  extension SocketPeer {
    /// The next text of the client, or `nil` after the last one.
    func nextText() -> String? {
      while let event = next() {
        if case .message(let message) = event { return message.text }
      }
      return nil
    }

    func acknowledge() { send(.text(#"{"type":"connection_ack"}"#)) }

    func deliverHero(_ name: String, id: String) {
      send(
        .text(
          #"{"id":"\#(id)","type":"next","payload":{"data":{"heroChanged":{"__typename":"Hero","id":"1","name":"\#(name)"}}}}"#
        ))
    }
  }

  extension String {
    /// The id in a message of the client.
    var operationID: String? {
      (try? JSONValue(jsonBytes: Data(utf8)))?["id"]?.stringValue
    }
  }
#endif
