import Apollo
import ApolloTestSupport
import Foundation
import LoopbackServer
import StarWarsAPI
import TestProcesses
import Testing

/// `apollo-cli mock` and `apollo-cli record`, with the client.
@Suite(.timeLimit(.minutes(10)))
struct MockServerTests {
  /// Starts a command that serves, runs `body` with its address, and ends it.
  private func serving(
    _ arguments: [String], in project: Project, _ body: (URL) async throws -> Void
  ) async throws {
    let streams = StandardStreams(output: Pipe(), errors: Pipe())
    let child = try ChildProcess(
      try Repository.commandLineTool(), arguments, in: project.folder, streams: streams)
    let output = streams.output!.fileHandleForReading
    let errors = streams.errors!.fileHandleForReading
    async let complaints = errors.remainingText()
    do {
      let line = await output.nextLine() ?? ""
      let address = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+\/graphql/)?.output)
      try await body(try #require(URL(string: String(address))))
    } catch {
      child.send(SIGKILL)
      _ = await child.exitStatus()
      Issue.record("\(await complaints)")
      throw error
    }
    child.send(SIGINT)
    #expect(await child.exitStatus() == 128 + SIGINT)
    _ = await complaints
  }

  /// Records what `body` sends to a server, in the file `session.jsonl`.
  private func recording(
    _ server: URL, in project: Project, _ body: (URL) async throws -> Void
  ) async throws {
    try await serving(
      ["record", "session.jsonl", "--port", "0", "--endpoint", server.absoluteString],
      in: project, body)
  }

  /// Sends requests over one connection, and returns what the server sends until the end of it.
  ///
  /// - Parameters:
  ///   - query: The query of each request.
  ///   - url: The address of the server.
  ///   - count: The number of requests, which are sent at once.
  ///   - endsSending: `true` to end the client's half of the connection after the requests;
  ///     `false` to ask the server to end the connection.
  /// - Returns: The bytes as text.
  /// - Throws: The failed expectation that the address has a port.
  private func exchange(
    _ query: String, with url: URL, count: Int = 1, endsSending: Bool = false
  ) async throws -> String {
    let port = try #require(url.port.flatMap { UInt16(exactly: $0) })
    let body = #"{"query":"\#(query)"}"#
    let request =
      "POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
      + "Connection: \(endsSending ? "keep-alive" : "close")\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    let bytes = Array(String(repeating: request, count: count).utf8)
    return await onThreadOfItsOwn {
      guard let socket = try? Socket.connected(to: port) else { return "no connection" }
      defer { socket.closeDescriptor() }
      guard socket.send(bytes) else { return "the requests were not sent" }
      if endsSending { socket.endSending() }
      var received: [UInt8] = []
      while true {
        let more = socket.receive()
        if more.isEmpty { return String(decoding: received, as: UTF8.self) }
        received += more
      }
    }
  }

  private static let rules = """
    {"values": {"hero.name": "Luke"}, "errors": {"search": "Not now."}}
    """

  @Test func theClientReadsWhatTheServerMakesUp() async throws {
    try await withProject { project in
      try project.write(Self.rules, to: "rules.json")
      let arguments = [
        "mock", "--port", "0", "--rules", "rules.json", "--events", "2", "--interval", "10",
      ]
      try await serving(arguments, in: project) { url in
        let client = ApolloClient(networkTransport: HTTPNetworkTransport(url: url))
        let hero = try await client.fetch(query: HeroAndFriendsQuery())
        #expect(hero.errors == nil && hero.data?.hero?.friends.count == 3)
        #expect(hero.data?.hero?.fragments.characterSummary.name == "Luke")
        let search = try await client.fetch(query: SearchQuery(text: "a"))
        #expect(search.errors?.map(\.message) == ["Not now."])
        let id = try #require(hero.data?.hero?.fragments.characterSummary.id)
        let renamed = try await client.perform(
          mutation: RenameCharacterMutation(id: id, name: "Lars"))
        #expect(renamed.data?.renameCharacter?.name == "Lars")
        for format in [HTTPSubscriptionFormat.multipart, .serverSentEvents] {
          let transport = HTTPNetworkTransport(url: url)
          transport.subscriptionFormat = format
          let subscriber = ApolloClient(networkTransport: transport)
          var count = 0
          for try await event in subscriber.subscribe(subscription: ReviewAddedSubscription()) {
            #expect(event.errors == nil && event.data != nil)
            count += 1
          }
          #expect(count == 2)
        }
      }
    }
  }

  /// Scripts do so, such as those with `nc -N`.
  @Test func aClientThatHasEndedItsHalfOfTheConnectionGetsItsResponses() async throws {
    try await withProject { project in
      try await serving(["mock", "--port", "0"], in: project) { url in
        let text = try await exchange("{ hero { id } }", with: url, count: 20, endsSending: true)
        #expect(text.components(separatedBy: "HTTP/1.1 200 OK").count == 21, "\(text)")
      }
    }
  }

  /// Subscriptions, queries and mutations over one WebSocket, with the times of a file of rules.
  @Test func theClientReadsEventsOfAWebSocket() async throws {
    try await withProject { project in
      try project.write(
        #"{"values": {"hero.name": "Luke"}, "events": {"reviewAdded": [0, 5, 10, 0]}}"#,
        to: "rules.json")
      try await serving(["mock", "--port", "0", "--rules", "rules.json"], in: project) { url in
        var configuration = WebSocketTransport.Configuration()
        // The machine may be busy. A connection that begins anew would repeat the events.
        configuration.acknowledgementTimeout = .seconds(600)
        configuration.keepAlive.pingInterval = nil
        let transport = WebSocketTransport(endpointURL: url, configuration: configuration)
        let client = ApolloClient(networkTransport: transport)
        let hero = try await client.fetch(query: HeroAndFriendsQuery())
        #expect(hero.data?.hero?.fragments.characterSummary.name == "Luke")
        async let counts = withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<3 {
            group.addTask {
              var count = 0
              for try await event in client.subscribe(subscription: ReviewAddedSubscription()) {
                #expect(event.errors == nil && event.data != nil)
                count += 1
              }
              return count
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(try await counts == [4, 4, 4])
        // A subscription that is left ends, and the socket serves on.
        for try await _ in client.subscribe(subscription: ReviewAddedSubscription()) { break }
        #expect(try await client.fetch(query: HeroAndFriendsQuery()).errors == nil)
      }
    }
  }

  @Test func aRecordedSessionIsPlayedBack() async throws {
    try await withProject { project in
      try await serving(
        ["mock", "--port", "0", "--events", "2", "--interval", "10"], in: project
      ) { server in
        var live: HeroAndFriendsQuery.Data?
        try await recording(server, in: project) { url in
          let transport = HTTPNetworkTransport(
            url: url, additionalHeaders: ["Authorization": "Bearer letmein"])
          let client = ApolloClient(networkTransport: transport)
          live = try await client.fetch(query: HeroAndFriendsQuery()).data
          for try await _ in client.subscribe(subscription: ReviewAddedSubscription()) {}
        }
        let file = project.folder.appendingPathComponent("session.jsonl")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("letmein"))
        // The lines of what a program has got are there when it ends the proxy.
        try #require(text.components(separatedBy: #""event":"end""#).count == 3, "\(text)")
        let replay = try ReplayTransport(file: file)
        let client = ApolloClient(networkTransport: replay)
        #expect(try await client.fetch(query: HeroAndFriendsQuery()).data == live && live != nil)
        var count = 0
        for try await event in client.subscribe(subscription: ReviewAddedSubscription()) {
          #expect(event.data != nil)
          count += 1
        }
        #expect(count == 2)
      }
    }
  }

  @Test func aPersistedMutationThatIsRecordedIsPlayedBack() async throws {
    let server = try LoopbackServer { request, reply in
      reply.json(
        request.bodyText.contains(#""query":"#)
          ? #"{"data":{"renameCharacter":null}}"#
          : #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
    }
    defer { server.stop() }
    try await withProject { project in
      let mutation = RenameCharacterMutation(id: "1", name: "Lars")
      try await recording(server.url(), in: project) { url in
        let transport = HTTPNetworkTransport(url: url, enableAutoPersistedQueries: true)
        _ = try await ApolloClient(networkTransport: transport).perform(mutation: mutation)
      }
      let file = project.folder.appendingPathComponent("session.jsonl")
      #expect(try !String(contentsOf: file, encoding: .utf8).contains(#""type":"query""#))
      let replay = try ReplayTransport(file: file)
      let response = try await ApolloClient(networkTransport: replay).perform(mutation: mutation)
      #expect(response.errors == nil)
      #expect(replay.remaining.isEmpty && replay.mismatches.isEmpty)
    }
  }

  @Test func aResponseThatBreaksOffBreaksOffForTheProgramToo() async throws {
    let server = try LoopbackServer { _, reply in
      reply.beginChunks(type: "text/event-stream")
      reply.chunk("event: next\ndata: {\"data\":{\"hero\":null}}\n\n")
      reply.close()
    }
    defer { server.stop() }
    try await withProject { project in
      try await recording(server.url(), in: project) { url in
        let text = try await exchange("query Hero { hero { name } }", with: url)
        #expect(text.contains(#"data: {"data":{"hero":null}}"#), "\(text)")
        // With the last chunk, a program would take the part for the whole response.
        #expect(!text.hasSuffix("0\r\n\r\n"), "\(text)")
      }
      let file = project.folder.appendingPathComponent("session.jsonl")
      #expect(try String(contentsOf: file, encoding: .utf8).contains(#""event":"failure""#))
    }
  }

  @Test func aHeaderThatCannotBeSentIsAnError() async throws {
    try await withFiles([:]) { project in
      let outcome = try await project.apollo(
        "record", "session.jsonl", "--port", "0", "--endpoint", "http://127.0.0.1:1/", "--header",
        "A: b\r")
      #expect(outcome.status == 2)
      expectOneError(in: outcome, naming: "The value of the header 'A' has a line break")
    }
  }

  /// Without the field, the server reads a compressed body as text.
  @Test func theCodingOfARequestIsPassedOn() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(#"{"data":{"renameCharacter":null}}"#)
    }
    defer { server.stop() }
    try await withProject { project in
      try await recording(server.url(), in: project) { url in
        // The server of this test reads no body, so that it need not be compressed.
        let transport = HTTPNetworkTransport(
          url: url, additionalHeaders: ["Content-Encoding": "gzip"])
        _ = try await ApolloClient(networkTransport: transport)
          .perform(mutation: RenameCharacterMutation(id: "1", name: "a"))
      }
      #expect(server.requests.map { $0.headers["content-encoding"] } == ["gzip"])
    }
  }

  @Test func aLargeUploadIsPassedOn() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(#"{"data":{"renameCharacter":null}}"#)
    }
    defer { server.stop() }
    try await withProject { project in
      try await recording(server.url(), in: project) { url in
        let file = GraphQLFile(
          fieldName: "name", originalName: "a.bin", data: Data(count: 17 << 20))
        let response = try await ApolloClient(networkTransport: HTTPNetworkTransport(url: url))
          .upload(operation: RenameCharacterMutation(id: "1", name: "a"), files: [file])
        #expect(response.errors == nil)
      }
      #expect(server.requests.map(\.body.count).allSatisfy { $0 > 17 << 20 })
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: [
    (["mock", "--port", "70000"], "--port needs a number from 0 to 65535, not '70000'."),
    (["mock", "--rules", "no.json"], "no.json"),
    (["record"], "Name one file to write: apollo-cli record FILE."),
    (["record", "a", "--endpoint", "nothing"], "The address of the server is no address."),
  ])
  func aMistakeIsNamed(_ arguments: [String], _ message: String) async throws {
    try await withProject { project in
      let outcome = try await project.apollo(arguments)
      #expect(outcome.status == 2 && outcome.errors.contains(message), "\(outcome)")
    }
  }
}
