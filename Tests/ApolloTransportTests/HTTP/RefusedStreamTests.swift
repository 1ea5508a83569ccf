#if CURL
  import ApolloAPI
  import ApolloTransport
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import TestOperations
  import TestProcesses
  import Testing

  /// Requests over HTTP/2 that meet the end of a connection.
  @Suite(.timeLimit(.minutes(10)))
  struct RefusedStreamTests {
    private let mutation = OperationRequest(HeroAPI.RenameMutation(id: "1", name: "x"))
    private let query = OperationRequest(HeroAPI.HeroQuery())
    private static let data = #"{"data":{}}"#

    /// A way in which a server says that it has not processed a stream.
    enum Refusal: CaseIterable, Sendable {
      case reset, goAway, goAwayAndClose
      /// As nginx and HAProxy do: first an announcement without a number.
      case twoGoAways
      /// The reset after the announcement says nothing.
      case goAwayAndCancel

      func perform(_ stream: HTTP2Server.Stream) {
        // 0 on a new connection: no stream has been processed.
        let last = stream.id == 1 ? 0 : stream.id - 2
        switch self {
        case .reset: stream.refuse()
        case .goAway: stream.goAway(last: last)
        case .goAwayAndClose:
          stream.goAway(last: last)
          stream.close()
        case .twoGoAways:
          stream.goAway(last: 0x7FFF_FFFF)
          stream.goAway(last: last)
          stream.close()
        case .goAwayAndCancel:
          stream.goAway(last: last, code: 11)
          stream.reset(code: 8)
        }
      }
    }

    /// A way in which a stream ends that may have been processed.
    enum Loss: CaseIterable, Sendable {
      case close
      /// libcurl would send the request again on a connection that was used before.
      case abort
      /// The stream is the last one that is processed.
      case goAwayAndClose
      /// All streams may be processed.
      case announcementAndClose
      case internalError, cancelled

      func perform(_ stream: HTTP2Server.Stream) {
        switch self {
        case .close: stream.close()
        case .abort: stream.abort()
        case .goAwayAndClose:
          stream.goAway(last: stream.id)
          stream.close()
        case .announcementAndClose:
          stream.goAway(last: 0x7FFF_FFFF)
          stream.close()
        case .internalError: stream.reset(code: 2)
        case .cancelled: stream.reset(code: 8)
        }
      }
    }

    private func plainTransport(_ server: HTTP2Server) -> HTTPNetworkTransport {
      var configuration = CurlClient.Configuration()
      configuration.version = .http2PriorKnowledge
      configuration.idleTimeout = .seconds(600)
      configuration.connectTimeout = .seconds(600)
      let limits = TransferLimits(deadline: nil)
      return HTTPNetworkTransport(
        url: server.url, client: CurlClient(configuration: configuration, limits: limits))
    }

    private func mutationCount(_ server: HTTP2Server) -> Int {
      server.bodies.count { $0.contains("mutation") }
    }

    /// Sends a mutation over TLS to a server that has the first mutation meet `end`. On a reused
    /// connection, a query was there before.
    private func send(
      isReused: Bool, _ end: @escaping @Sendable (HTTP2Server.Stream) -> Void
    ) async throws -> (result: Result<Data, any Error>, server: HTTP2Server) {
      let mutationCount = Lock(0)
      let server = try HTTP2Server { stream in
        guard stream.bodyText.contains("mutation") else { return stream.respond(Self.data) }
        let isFirst = mutationCount.withLock { count in
          defer { count += 1 }
          return count == 0
        }
        if isFirst { end(stream) } else { stream.respond(Self.data) }
      }
      defer { server.stop() }
      let nginx = try await Nginx.shared()
      let relay = try await TLSRelay(to: server.port, nginx.authority)
      let transport = HTTPNetworkTransport(url: relay.url, client: try nginx.client())
      if isReused { _ = try await transport.send(query) }
      let result: Result<Data, any Error>
      do {
        result = .success(try await transport.send(mutation).body)
      } catch {
        result = .failure(error)
      }
      withExtendedLifetime(relay) {}
      return (result, server)
    }

    @Test(.needsTLSRelay, arguments: Refusal.allCases, [false, true])
    func aRefusedMutationIsSentAgain(_ refusal: Refusal, isReused: Bool) async throws {
      let (result, server) = try await send(isReused: isReused) { refusal.perform($0) }
      #expect(try result.get() == Data(Self.data.utf8))
      #expect(mutationCount(server) == 2)
    }

    @Test(.needsTLSRelay, arguments: Loss.allCases, [false, true])
    func aMutationThatMayHaveBeenProcessedIsNotSentAgain(
      _ loss: Loss, isReused: Bool
    ) async throws {
      let (result, server) = try await send(isReused: isReused) { loss.perform($0) }
      let error = #expect(throws: NetworkError.self) { try result.get() }
      #expect(error?.code == .connectionLost)
      #expect(mutationCount(server) == 1)
    }

    /// Streams up to the last one of a `GOAWAY` end as usual; those after it are sent again.
    @Test(.needsTLSRelay) func onlyTheStreamsAfterTheLastOneAreSentAgain() async throws {
      let count = 10
      let waiting = Lock<[HTTP2Server.Stream]>([])
      let refusedCount = Lock(0)
      // The first requests wait for each other, on one connection or more.
      let server = try HTTP2Server { stream in
        guard stream.number < count else { return stream.respond(Self.data) }
        let all = waiting.withLock { waiting in
          waiting.append(stream)
          return waiting.count == count ? waiting : []
        }
        guard let first = all.first else { return }
        let connection = all.filter { $0.connectionNumber == first.connectionNumber }
        let ids = connection.map(\.id).sorted()
        let last = ids[(ids.count - 1) / 2]
        refusedCount.withLock { $0 = ids.count { $0 > last } }
        first.goAway(last: last)
        for stream in all
        where stream.connectionNumber != first.connectionNumber || stream.id <= last {
          stream.respond(Self.data)
        }
      }
      defer { server.stop() }
      let nginx = try await Nginx.shared()
      let relay = try await TLSRelay(to: server.port, nginx.authority)
      let transport = HTTPNetworkTransport(url: relay.url, client: try nginx.client())
      try await withThrowingTaskGroup(of: Data.self) { group in
        for _ in 0..<count { group.addTask { try await transport.send(mutation).body } }
        for try await body in group { #expect(body == Data(Self.data.utf8)) }
      }
      withExtendedLifetime(relay) {}
      #expect(mutationCount(server) == count + refusedCount.withLock { $0 })
    }

    /// The end of a connection that carries several mutations, each on a stream of its own.
    enum CommonEnd: CaseIterable, Sendable {
      case close, abort, announcementAndClose
      /// The server has processed the first half.
      case goAwayAndClose
      case goAwayAndAbort
      case goAwayForAllAndClose
      /// Every other stream is refused by itself.
      case resetsAndClose
      case responsesAndClose

      /// Ends the connection of `streams`, which are in the order of their numbers. Returns those
      /// that the server says not to have processed.
      func perform(_ streams: [HTTP2Server.Stream]) -> [HTTP2Server.Stream] {
        let half = streams.count / 2
        switch self {
        case .close:
          streams[0].close()
          return []
        case .abort:
          streams[0].abort()
          return []
        case .announcementAndClose:
          streams[0].goAway(last: 0x7FFF_FFFF)
          streams[0].close()
          return []
        case .goAwayAndClose, .goAwayAndAbort:
          streams[0].goAway(last: streams[half - 1].id)
          if self == .goAwayAndClose { streams[0].close() } else { streams[0].abort() }
          return Array(streams[half...])
        case .goAwayForAllAndClose:
          streams[0].goAway(last: streams[0].id - 2)
          streams[0].close()
          return streams
        case .resetsAndClose:
          let refused = streams.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
          for stream in refused { stream.refuse() }
          streams[0].close()
          return refused
        case .responsesAndClose:
          for stream in streams[..<half] { stream.respond(RefusedStreamTests.data) }
          streams[0].close()
          return []
        }
      }
    }

    /// Several mutations meet the end of a connection that was used before. Those that the server
    /// says not to have processed are sent again, once. No other one ever is, whether libcurl
    /// notices the end of one stream or of the connection first.
    @Test(.needsTLSRelay, arguments: CommonEnd.allCases)
    func onlyRefusedMutationsOfALostConnectionAreSentAgain(_ end: CommonEnd) async throws {
      let count = 10
      let (gathered, refused) = (Lock<[HTTP2Server.Stream]>([]), Lock<Set<String>>([]))
      // The mutations wait for each other at the server.
      let server = try HTTP2Server { stream in
        guard stream.bodyText.contains("mutation"), stream.number <= count else {
          return stream.respond(Self.data)
        }
        let all = gathered.withLock { gathered in
          gathered.append(stream)
          return gathered.count == count ? gathered : []
        }
        guard !all.isEmpty else { return }
        for connection in Dictionary(grouping: all, by: \.connectionNumber).values {
          let streams = connection.sorted { $0.id < $1.id }
          let unprocessed = end.perform(streams)
          refused.withLock { $0.formUnion(unprocessed.map(\.bodyText)) }
        }
      }
      defer { server.stop() }
      let nginx = try await Nginx.shared()
      let relay = try await TLSRelay(to: server.port, nginx.authority)
      let transport = HTTPNetworkTransport(url: relay.url, client: try nginx.client())
      _ = try await transport.send(query)
      let succeeded = await withTaskGroup(of: Int?.self) { group in
        for index in 0..<count {
          group.addTask {
            let mutation = OperationRequest(HeroAPI.RenameMutation(id: "\(index)", name: "x"))
            return (try? await transport.send(mutation)) == nil ? nil : index
          }
        }
        return await group.reduce(into: Set<Int>()) { if let index = $1 { $0.insert(index) } }
      }
      withExtendedLifetime(relay) {}
      #expect(Set(gathered.withLock { $0.map(\.connectionNumber) }) == [0])
      let bodies = server.bodies.filter { $0.contains("mutation") }
      let counts = Dictionary(grouping: bodies, by: { $0 }).mapValues(\.count)
      let repeated = Set(counts.filter { $0.value > 1 }.keys)
      #expect(counts.count == count)
      #expect(counts.values.allSatisfy { $0 <= 2 }, "\(counts)")
      #expect(repeated.isSubset(of: refused.withLock { $0 }))
      // The reset of a connection may overtake what the server said before.
      if end != .goAwayAndAbort {
        #expect(repeated == refused.withLock { $0 })
        let answered = end == .responsesAndClose ? count / 2 : 0
        #expect(succeeded.count == repeated.count + answered)
      }
    }

    /// An upload starts again at its beginning.
    @Test(.needsTLSRelay, arguments: [Refusal.reset, .goAway], [false, true])
    func aRefusedUploadIsSentAgainWhole(_ refusal: Refusal, isReused: Bool) async throws {
      let requestCount = Lock(0)
      let server = try HTTP2Server { stream in
        guard stream.body.count > 10 else { return stream.respond(Self.data) }
        let isFirst = requestCount.withLock { count in
          defer { count += 1 }
          return count == 0
        }
        if isFirst { refusal.perform(stream) } else { stream.respond(Self.data) }
      }
      defer { server.stop() }
      let nginx = try await Nginx.shared()
      let relay = try await TLSRelay(to: server.port, nginx.authority)
      let client = try nginx.client()
      var request = URLRequest(url: relay.url)
      request.httpMethod = "POST"
      request.httpBody = Data("small".utf8)
      if isReused { _ = try await client.response(to: request).body() }
      let body = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      request.httpBody = body
      #expect(try await client.response(to: request).body() == Data(Self.data.utf8))
      withExtendedLifetime(relay) {}
      #expect(requestCount.withLock { $0 } == 2)
      #expect(server.bodies.last?.utf8.count == String(decoding: body, as: UTF8.self).utf8.count)
    }

    @Test func aResetUploadNamesItsSizeAsALikelyCause() async throws {
      let server = try HTTP2Server(maximumBodyByteCount: 100_000) { $0.respond(Self.data) }
      defer { server.stop() }
      var configuration = CurlClient.Configuration()
      configuration.version = .http2PriorKnowledge
      let client = CurlClient(
        configuration: configuration, limits: TransferLimits(deadline: nil))
      var request = URLRequest(url: server.url)
      request.httpMethod = "POST"
      request.httpBody = Data(count: 10_000_000)
      let error = await #expect(throws: NetworkError.self) {
        try await client.response(to: request)
      }
      #expect(error?.code == .connectionLost)
      #expect(error?.description.contains("refuse its size") == true, "\(error as Any)")
    }

    @Test func aServerThatRefusesForEverFailsTheRequest() async throws {
      let server = try HTTP2Server { $0.refuse() }
      defer { server.stop() }
      let error = await #expect(throws: NetworkError.self) {
        try await plainTransport(server).send(mutation)
      }
      #expect(error?.code == .connectionLost)
      #expect(server.bodies.count <= 10)
    }

    @Test func aServerThatGoesAwayForEverFailsTheRequest() async throws {
      let server = try HTTP2Server { $0.goAway(last: 0) }
      defer { server.stop() }
      let error = await #expect(throws: NetworkError.self) {
        try await plainTransport(server).send(mutation)
      }
      #expect(error?.code == .connectionLost)
      #expect(server.bodies.count <= 10)
    }

    /// The path to the server may be gone without a word, as after a failover of a load balancer.
    /// libcurl resets the stream alone, and would use the connection again and again.
    @Test(.needsTLSRelay) func aConnectionOnWhichARequestTimedOutIsNotUsedAgain() async throws {
      let server = try HTTP2Server { stream in
        if stream.number == 0 || stream.connectionNumber > 0 { stream.respond(Self.data) }
      }
      defer { server.stop() }
      let nginx = try await Nginx.shared()
      let relay = try await TLSRelay(to: server.port, nginx.authority)
      let client = try nginx.client()
      var request = URLRequest(url: relay.url)
      request.httpMethod = "POST"
      request.httpBody = Data("query".utf8)
      #expect(try await client.response(to: request).body() == Data(Self.data.utf8))
      request.timeoutInterval = 0.5
      let error = await #expect(throws: NetworkError.self) {
        try await client.response(to: request)
      }
      #expect(error?.code == .timedOut)
      request.timeoutInterval = 30
      #expect(try await client.response(to: request).body() == Data(Self.data.utf8))
      withExtendedLifetime(relay) {}
      #expect(server.bodies.count == 3)
    }

    /// Another response shows that the path was there until then, and says nothing of later times.
    @Test(.needsTLSRelay) func aConnectionThatIsSilentAfterAResponseIsNotUsedAgain() async throws {
      let server = try HTTP2Server { stream in
        if ["first", "other"].contains(stream.bodyText) || stream.connectionNumber > 0 {
          stream.respond(Self.data)
        }
      }
      defer { server.stop() }
      let nginx = try await Nginx.shared()
      let relay = try await TLSRelay(to: server.port, nginx.authority)
      let (client, url) = (try nginx.client(), relay.url)
      let response = { @Sendable (body: String, timeout: TimeInterval) async throws -> Data in
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.timeoutInterval = timeout
        return try await client.response(to: request).body()
      }
      #expect(try await response("first", 30) == Data(Self.data.utf8))
      // The other response has half of the time.
      let slow = Task { try await response("slow", 4) }
      while !server.bodies.contains("slow") { await Task.yield() }
      #expect(try await response("other", 30) == Data(Self.data.utf8))
      let error = await #expect(throws: NetworkError.self) { try await slow.value }
      #expect(error?.code == .timedOut)
      #expect(try await response("last", 30) == Data(Self.data.utf8))
      withExtendedLifetime(relay) {}
      #expect(server.bodies.count == 4)
    }

    /// libcurl 7.88 fails the second request on a connection without TLS, so it has one for each.
    @Test func requestsWithoutTLSFollowEachOther() async throws {
      let server = try HTTP2Server { $0.respond(Self.data) }
      defer { server.stop() }
      let transport = plainTransport(server)
      for _ in 0..<3 {
        #expect(try await transport.send(mutation).body == Data(Self.data.utf8))
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 { group.addTask { _ = try await transport.send(mutation) } }
        try await group.waitForAll()
      }
      #expect(mutationCount(server) == 23)
    }
  }

  extension Trait where Self == ConditionTrait {
    /// Skips the tests without nginx, whose certificates are used, or without Python.
    fileprivate static var needsTLSRelay: Self {
      .enabled(
        if: Nginx.isInstalled && TLSRelay.isPossible,
        "scripts/test installs the nginx and the Python that this test needs.")
    }
  }
#endif
