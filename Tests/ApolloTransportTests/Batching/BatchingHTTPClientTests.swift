import ApolloAPI
import Foundation
import LoopbackServer
import ManualClock
import TestOperations
import Testing

@testable import ApolloTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Queries in batches, on a clock that the tests advance.
@Suite(.timeLimit(.minutes(10)))
struct BatchingHTTPClientTests {
  private let clock = ManualClock()
  private let delay = Duration.milliseconds(10)

  private func client(
    _ configuration: BatchingHTTPClient.Configuration = .init()
  ) -> BatchingHTTPClient {
    BatchingHTTPClient(DefaultHTTPClient.patient(), configuration: configuration, clock: clock)
  }

  /// A server that echoes the variable `name` of each query in a batch.
  private func echo() throws -> LoopbackServer {
    try LoopbackServer { request, reply in
      reply.json(Self.echoed(request.body))
    }
  }

  private static func echoed(_ body: [UInt8]) -> String {
    guard let value = try? JSONValue(jsonBytes: body) else { return "" }
    func response(_ query: JSONValue) -> String {
      #"{"data":"\#(query["variables"]?["name"]?.stringValue ?? "none")"}"#
    }
    guard let queries = value.arrayValue else { return response(value) }
    return "[" + queries.map(response).joined(separator: ",") + "]"
  }

  private func send(
    _ name: String, through transport: any NetworkTransport, headers: [String: String] = [:]
  ) -> Task<String, any Error> {
    Task {
      let request = OperationRequest(
        HeroAPI.HeroQuery(name: .some(name)), additionalHeaders: headers)
      return String(decoding: try await transport.send(request).body, as: UTF8.self)
    }
  }

  private func waitForQueries(_ count: Int, in client: BatchingHTTPClient) async {
    while client.waitingCount != count { await Task.yield() }
  }

  /// Starts queries one after the other, so that their order in a batch is known.
  private func sendInOrder(
    _ names: [String], through transport: any NetworkTransport, _ client: BatchingHTTPClient
  ) async -> [Task<String, any Error>] {
    var tasks: [Task<String, any Error>] = []
    for name in names {
      tasks.append(send(name, through: transport))
      await waitForQueries(tasks.count, in: client)
    }
    await clock.waitForAlarms(1)
    return tasks
  }

  // MARK: Gathering

  @Test func queriesOfTheSameTimeShareOneRequest() async throws {
    let server = try echo()
    defer { server.stop() }
    let client = client()
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let tasks = await sendInOrder(["a", "b", "c"], through: transport, client)
    #expect(clock.delays == [delay])
    #expect(server.requests.isEmpty)
    clock.advance(by: delay)
    for (task, name) in zip(tasks, ["a", "b", "c"]) {
      #expect(try await task.value == #"{"data":"\#(name)"}"#)
    }
    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1)
    #expect(try JSONValue(jsonBytes: request.body).arrayValue?.count == 3)
    #expect(request.headers["x-apollo-operation-name"] == nil)
    #expect(request.headers["apollo-require-preflight"] == "true")
    #expect(clock.alarmCount == 0)
    #expect(client.waitingCount == 0)
  }

  @Test func aSingleQueryIsSentAsItIs() async throws {
    let server = try echo()
    defer { server.stop() }
    let client = client()
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let tasks = await sendInOrder(["a"], through: transport, client)
    clock.advance(by: delay)
    #expect(try await tasks[0].value == #"{"data":"a"}"#)
    #expect(server.requests.first?.bodyText.first == "{")
    #expect(server.requests.first?.headers["x-apollo-operation-name"] == "Hero")
  }

  /// graphene-django with `batch=True` takes nothing but arrays.
  @Test func everyOperationIsInAnArrayIfConfigured() async throws {
    let server = try echo()
    defer { server.stop() }
    var configuration = BatchingHTTPClient.Configuration()
    configuration.alwaysSendsArrays = true
    let client = client(configuration)
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let tasks = await sendInOrder(["a"], through: transport, client)
    clock.advance(by: delay)
    #expect(try await tasks[0].value == #"{"data":"a"}"#)
    let mutation = OperationRequest(HeroAPI.RenameMutation(id: "1", name: "b"))
    #expect(try await transport.send(mutation).body == Data(#"{"data":"b"}"#.utf8))
    #expect(server.requests.map(\.bodyText.first) == ["[", "["])
    #expect(server.requests.first?.headers["x-apollo-operation-name"] == "Hero")
    // A response in parts is no element of an array.
    let deferred = OperationRequest(HeroAPI.DeferredHeroQuery())
    for try await _ in transport.responses(to: deferred) {}
    #expect(server.requests.last?.bodyText.first == "{")
  }

  /// The status of a batch of graphene-django is that of its worst member.
  @Test func goodMembersOfARefusedBatchAreDelivered() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(
        #"[{"id":null,"data":{"hero":null},"status":200},{"id":null,"errors":[{"message":"no"}],"status":400}]"#,
        status: 400)
    }
    defer { server.stop() }
    let client = client()
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let tasks = await sendInOrder(["a", "b"], through: transport, client)
    clock.advance(by: delay)
    #expect(try await tasks[0].value.contains(#""data":{"hero":null}"#))
    let error = await #expect(throws: GraphQLHTTPResponseError.self) { try await tasks[1].value }
    #expect(error?.statusCode == 400)
    #expect(error?.graphQLErrors.map(\.message) == ["no"])
  }

  @Test func aFullBatchIsSentAtOnce() async throws {
    let server = try echo()
    defer { server.stop() }
    let client = client(.init(maximumQueryCount: 2))
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let tasks = (1...4).map { send("\($0)", through: transport) }
    for task in tasks { _ = try await task.value }
    #expect(server.requests.count == 2)
    #expect(clock.alarmCount == 0)
  }

  @Test func aQueryThatDoesNotFitSendsTheBatchBeforeIt() async throws {
    let server = try echo()
    defer { server.stop() }
    let client = client(.init(maximumByteCount: 600))
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let long = String(repeating: "x", count: 300)
    let first = send("a", through: transport)
    await waitForQueries(1, in: client)
    let second = send(long, through: transport)
    #expect(try await first.value == #"{"data":"a"}"#)
    while client.waitingCount > 0 {
      clock.advance(by: delay)
      await Task.yield()
    }
    #expect(try await second.value == #"{"data":"\#(long)"}"#)
    #expect(server.requests.count == 2)
  }

  @Test func queriesWithOtherHeadersHaveAnotherBatch() async throws {
    let server = try echo()
    defer { server.stop() }
    let client = client(.init(maximumQueryCount: 2))
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let tasks = ["1", "2", "1", "2"].map {
      send($0, through: transport, headers: ["Authorization": $0, "traceparent": "t"])
    }
    for task in tasks { _ = try await task.value }
    for request in server.requests {
      let number = try #require(request.headers["authorization"])
      let names = try JSONValue(jsonBytes: request.body).arrayValue?.map {
        $0["variables"]?["name"]?.stringValue
      }
      #expect(names == [number, number])
    }
    #expect(server.requests.count == 2)
  }

  @Test func onlyQueriesByPOSTWait() async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":null}"#) }
    defer { server.stop() }
    let client = client()
    let mutation = OperationRequest(HeroAPI.RenameMutation(id: "1", name: "x"))
    _ = try await HTTPNetworkTransport(url: server.url(), client: client).send(mutation)
    let gets = HTTPNetworkTransport(url: server.url(), client: client, useGETForQueries: true)
    _ = try await gets.send(OperationRequest(HeroAPI.HeroQuery()))
    let alone = HTTPNetworkTransport(
      url: server.url(), client: self.client(.init(maximumQueryCount: 1)))
    _ = try await alone.send(OperationRequest(HeroAPI.HeroQuery()))
    #expect(server.requests.map(\.method) == ["POST", "GET", "POST"])
    #expect(clock.alarmCount == 0)
  }

  // MARK: Responses

  @Test func aShortArrayFailsThoseWithoutAnElement() async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"[{"data":1}]"#) }
    defer { server.stop() }
    let client = client()
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let tasks = await sendInOrder(["a", "b"], through: transport, client)
    clock.advance(by: delay)
    #expect(try await tasks[0].value == #"{"data":1}"#)
    let error = await #expect(throws: BatchResponseError.self) { try await tasks[1].value }
    #expect(error?.code == .missingElement)
    #expect(error?.index == 1)
  }

  @Test(arguments: [400, 500])
  func aRefusalIsTheResponseToEachQuery(status: Int) async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(#"{"errors":[{"message":"no batches"}]}"#, status: status)
    }
    defer { server.stop() }
    let client = client()
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let tasks = await sendInOrder(["a", "b"], through: transport, client)
    clock.advance(by: delay)
    for task in tasks {
      let error = await #expect(throws: GraphQLHTTPResponseError.self) { try await task.value }
      #expect(error?.statusCode == status)
    }
  }

  @Test func aConnectionThatIsLostFailsEachQuery() async throws {
    let server = try LoopbackServer { _, reply in reply.close() }
    defer { server.stop() }
    let client = client(.init(maximumQueryCount: 2))
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let tasks =
      await sendInOrder(["a"], through: transport, client) + [
        send("b", through: transport)
      ]
    for task in tasks {
      let error = await #expect(throws: NetworkError.self) { try await task.value }
      #expect(error?.code == .connectionLost)
    }
    #expect(server.requests.count == 1)
  }

  // MARK: Cancellation

  @Test func aCancelledQueryLeavesItsOpenBatch() async throws {
    let server = try echo()
    defer { server.stop() }
    let client = client()
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let tasks = await sendInOrder(["a", "b", "c"], through: transport, client)
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    clock.advance(by: delay)
    #expect(try await tasks[0].value == #"{"data":"a"}"#)
    #expect(try await tasks[2].value == #"{"data":"c"}"#)
    #expect(!(server.requests.first?.bodyText.contains(#""b""#) ?? true))
  }

  @Test func theLastQueryToLeaveClosesItsOpenBatch() async throws {
    let server = try echo()
    defer { server.stop() }
    let client = client()
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let tasks = await sendInOrder(["a"], through: transport, client)
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    #expect(client.waitingCount == 0)
    clock.advance(by: delay)
    #expect(server.requests.isEmpty)
  }

  @Test func theLastQueryToLeaveCancelsTheRequest() async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let client = client(.init(maximumQueryCount: 2))
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let tasks = [send("a", through: transport), send("b", through: transport)]
    await server.wait { $0.requests.count == 1 }
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    #expect(client.waitingCount == 1)
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    await server.wait { $0.openConnectionCount == 0 }
  }

  @Test func manyQueriesWithCancellationsEndOnce() async throws {
    let server = try echo()
    defer { server.stop() }
    let client = BatchingHTTPClient(
      DefaultHTTPClient.patient(), configuration: .init(maximumDelay: .zero, maximumQueryCount: 7))
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        let task = send("\(number)", through: transport)
        if number % 5 == 0 { task.cancel() }
        group.addTask {
          switch await task.result {
          case .success(let body): #expect(body == #"{"data":"\#(number)"}"#)
          case .failure(let error): #expect(error is CancellationError && number % 5 == 0)
          }
        }
      }
    }
    #expect(client.waitingCount == 0)
  }

  /// Its response may come in parts, which are no element of an array.
  @Test func aDeferredQueryThatIsAwaitedAsAWholeIsSentAlone() async throws {
    let server = try echo()
    defer { server.stop() }
    var configuration = BatchingHTTPClient.Configuration()
    configuration.alwaysSendsArrays = true
    for client in [client(), client(configuration)] {
      let transport = HTTPNetworkTransport(url: server.url(), client: client)
      for _ in 0..<2 {
        _ = try await transport.send(OperationRequest(HeroAPI.DeferredHeroQuery()))
      }
    }
    #expect(server.requests.map(\.bodyText.first) == ["{", "{", "{", "{"])
  }

  /// An array of compressed bodies cannot be read, and has a digest of its own.
  @Test(arguments: ["Content-Encoding", "Content-Digest"], [false, true])
  func queriesWithAHeaderAboutTheirBodyAreSentAlone(
    header: String, alwaysSendsArrays: Bool
  ) async throws {
    let server = try echo()
    defer { server.stop() }
    var configuration = BatchingHTTPClient.Configuration(maximumQueryCount: 2)
    configuration.alwaysSendsArrays = alwaysSendsArrays
    let transport = HTTPNetworkTransport(url: server.url(), client: client(configuration))
    let tasks = ["a", "b"].map { send($0, through: transport, headers: [header: "x"]) }
    for task in tasks { _ = try await task.value }
    #expect(server.requests.map(\.bodyText.first) == ["{", "{"])
  }

  /// An alarm sends the batch, in no task of any of its queries.
  @Test func aBatchOfQueriesThatAreRepeatedHasANewConnection() async throws {
    final class Recording: HTTPClient {
      let needs = Lock<[Bool]>([])
      let limits = TransferLimits()

      func response(to request: URLRequest) async throws -> HTTPResponse {
        needs.withLock { $0.append(TransferLimits.needsNewConnection) }
        throw NetworkError(.connectionLost, url: request.url, endedKeptConnection: true)
      }

      func invalidate() {}
    }
    let base = Recording()
    let client = BatchingHTTPClient(base, configuration: .init(), clock: clock)
    let transport = HTTPNetworkTransport(
      url: try #require(URL(string: "http://localhost/")), client: client)
    let tasks = await sendInOrder(["a", "b"], through: transport, client)
    let isOver = Lock(false)
    let ending = Task {
      for task in tasks { await #expect(throws: NetworkError.self) { try await task.value } }
      _ = isOver.exchange(true)
    }
    while !isOver.get() {
      clock.advance(by: delay)
      await Task.yield()
    }
    await ending.value
    // The two are repeated in one batch or, if the second one comes later, in two.
    let needs = base.needs.get()
    #expect(needs.first == false)
    #expect((2...3).contains(needs.count))
    #expect(!needs.dropFirst().contains(false))
  }

  /// The offline queue asks whether a mutation that has failed may have arrived.
  @Test(arguments: [false, true])
  func aMutationInAnArrayIsStillAnAttemptOfItsCall(isInArray: Bool) async throws {
    /// A client that knows that nothing has left, as one that waits for a connection.
    final class Waiting: HTTPClient {
      let limits = TransferLimits()

      func response(to request: URLRequest) async throws -> HTTPResponse {
        throw NetworkError(.timedOut, url: request.url)
      }

      func _response(to request: _OutgoingRequest) async throws -> HTTPResponse {
        request.facts.session?.attempt?.prepare()
        return try await response(to: request.whole)
      }

      func invalidate() {}
    }
    var configuration = BatchingHTTPClient.Configuration()
    configuration.alwaysSendsArrays = isInArray
    let client = BatchingHTTPClient(Waiting(), configuration: configuration, clock: clock)
    let transport = HTTPNetworkTransport(
      url: try #require(URL(string: "http://localhost/")), client: client)
    let record = SendingRecord()
    var session = CallSessions().current
    session.record = record
    var mutation = OperationRequest(HeroAPI.RenameMutation(id: "1", name: "b"))
    mutation.facts.session = session
    try record.handOver()
    let request = mutation
    await #expect(throws: NetworkError.self) { try await transport.send(request) }
    #expect(!record.close().mayHaveArrived)
  }
}
