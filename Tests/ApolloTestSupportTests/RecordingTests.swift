import Apollo
import ApolloTestSupport
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// A clock that moves to the end of each sleep at once.
private final class JumpingClock: Clock {
  typealias Instant = TestClock.Instant
  typealias Duration = Swift.Duration

  private let time = TestClock()

  var now: Instant { time.now }
  var minimumResolution: Duration { time.minimumResolution }

  func advance(by duration: Duration) { time.advance(by: duration) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    advance(by: max(.zero, now.duration(to: deadline)))
  }
}

@Suite(.timeLimit(.minutes(10))) struct RecordingTests {
  private typealias HeroQuery = HeroAPI.HeroQuery
  private let folder: RecordingFolder
  private let mock = MockNetworkTransport()
  private let clock = TestClock()

  private static let luke =
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":null}}}"#
  private static let leia =
    #"{"data":{"hero":{"__typename":"Hero","id":"2","name":"Leia","friends":null}}}"#
  private static let renamed = #"{"data":{"rename":{"__typename":"Hero","id":"1","name":"Lars"}}}"#
  private static func event(_ name: String) -> String {
    #"{"data":{"heroChanged":{"__typename":"Hero","id":"1","name":"\#(name)"}}}"#
  }

  init() throws {
    folder = try RecordingFolder()
    mock.respond(to: HeroQuery.self) { .json($0.name == "Leia" ? Self.leia : Self.luke) }
    mock.respond(to: HeroAPI.RenameMutation.self, with: .json(Self.renamed))
    mock.respond(
      to: HeroAPI.HeroChangedSubscription.self,
      with: .events(.json(Self.event("Luke")), .json(Self.event("Lars"))))
  }

  private func record() throws -> RecordingTransport {
    try RecordingTransport(mock, file: folder.file, clock: clock)
  }

  private func names(
    _ transport: any NetworkTransport, _ names: [String]
  ) async throws -> [String?] {
    var found: [String?] = []
    let client = ApolloClient(networkTransport: transport)
    for name in names {
      let response = try await client.fetch(
        query: HeroQuery(name: .some(name)), cachePolicy: .networkOnly)
      found.append(response.data?.hero?.name)
    }
    return found
  }

  // MARK: Recording

  @Test func aCallIsThreeLines() async throws {
    let transport = try record()
    var request = OperationRequest(HeroQuery(name: "Luke"))
    request.additionalHeaders = ["Authorization": "Bearer abc", "X-Client": "test"]
    _ = try await transport.send(request)
    try transport.finish()
    let document = try #require(HeroQuery.operationDocument.definition?.queryDocument)
    #expect(
      try folder.lines == [
        #"{"format":"apollo-recording","version":1}"#,
        #"{"call":1,"ms":0,"event":"request","type":"query","operation":"Hero","variables":{"name":"Luke"},"headers":{"Authorization":"<redacted>","X-Client":"test"},"document":"\#(document)"}"#,
        #"{"call":1,"ms":0,"event":"response","body":\#(Self.luke)}"#,
        #"{"call":1,"ms":0,"event":"end"}"#,
      ])
  }

  @Test func statusHeadersAndURLOfAServerAreRecordedWithoutSecrets() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(Self.luke, headers: [("Set-Cookie", "id=letmein"), ("X-Server", "a")])
    }
    defer { server.stop() }
    let url = try #require(
      URL(string: "http://user:letmein@127.0.0.1:\(server.port)/graphql?key=letmein"))
    let transport = try RecordingTransport(HTTPNetworkTransport(url: url), file: folder.file)
    _ = try await transport.send(OperationRequest(HeroQuery()))
    try transport.finish()
    let text = try folder.lines.joined()
    #expect(!text.contains("letmein"))
    #expect(text.contains(#""status":200,"url":"http://127.0.0.1:\#(server.port)/graphql""#))
    #expect(text.contains(#""x-server":"a""#))
    let replayed = try await ReplayTransport(file: folder.file).send(OperationRequest(HeroQuery()))
    #expect(replayed.http?.statusCode == 200)
    #expect(replayed.http?.headers["x-server"] == "a")
  }

  @Test func aFileThatCannotBeWrittenIsReported() {
    #expect(throws: (any Error).self) {
      try RecordingTransport(mock, file: folder.url.appendingPathComponent("a/b.jsonl"))
    }
  }

  @Test func theAbilitiesOfTheOtherTransportArePassedOn() throws {
    let url = try #require(URL(string: "https://a.example"))
    let http = HTTPNetworkTransport(url: url)
    let transport = try RecordingTransport(http, file: folder.file)
    #expect(transport.endpointURL == url)
    #expect(transport.callTimeLimit == http.callTimeLimit)
    #expect(transport._keepsDeadlines == http._keepsDeadlines)
    #expect(transport._sendsSubscriptions == http._sendsSubscriptions)
    #expect(transport._sharesExchanges == http._sharesExchanges)
    #expect(transport._endsSubscriptions == http._endsSubscriptions)
  }

  /// The steps of 1.x, which a program has put together itself.
  private struct Steps: InterceptorProvider {
    func interceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any ApolloInterceptor] { DefaultInterceptorProvider().interceptors(for: operation) }
  }

  @Test func aCallWhoseStepsSendIsRecorded() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.luke) }
    defer { server.stop() }
    let transport = try RecordingTransport(
      RequestChainNetworkTransport(interceptorProvider: Steps(), endpointURL: server.url()),
      file: folder.file)
    #expect(try await names(transport, ["Luke"]) == ["Luke"])
    try transport.finish()
    #expect(try folder.lines.count == 4)
    #expect(try await names(ReplayTransport(file: folder.file), ["Luke"]) == ["Luke"])
  }

  // MARK: Replaying

  @Test(arguments: [ReplayTransport.Matching.strict, .lenient])
  func aSessionIsPlayedBack(_ matching: ReplayTransport.Matching) async throws {
    #expect(try await names(record(), ["Luke", "Leia", "Luke"]) == ["Luke", "Leia", "Luke"])
    let transport = try ReplayTransport(file: folder.file, matching: matching)
    #expect(transport.remaining.count == 3)
    #expect(try await names(transport, ["Luke", "Leia", "Luke"]) == ["Luke", "Leia", "Luke"])
    #expect(transport.remaining.isEmpty)
  }

  @Test func lenientMatchingAcceptsAnyOrderAndRepeatsTheLastCall() async throws {
    _ = try await names(record(), ["Luke", "Leia"])
    let transport = try ReplayTransport(file: folder.file, matching: .lenient)
    #expect(try await names(transport, ["Leia", "Leia", "Luke"]) == ["Leia", "Leia", "Luke"])
    #expect(transport.remaining.isEmpty)
  }

  @Test func theEventsOfASubscriptionArePlayedBack() async throws {
    func names(_ transport: any NetworkTransport) async throws -> [String?] {
      let client = ApolloClient(networkTransport: transport)
      var names: [String?] = []
      for try await event in client.subscribe(subscription: HeroAPI.HeroChangedSubscription()) {
        names.append(event.data?.heroChanged?.name)
      }
      return names
    }
    #expect(try await names(record()) == ["Luke", "Lars"])
    #expect(try folder.lines.count == 5)
    #expect(try await names(ReplayTransport(file: folder.file)) == ["Luke", "Lars"])
  }

  @Test func aSubscriptionThatIsLeftIsCancelledAndStaysOpenWhenPlayedBack() async throws {
    let transport = try record()
    do {
      var events = transport.responses(to: OperationRequest(HeroAPI.HeroChangedSubscription()))
        .makeAsyncIterator()
      _ = try await events.next()
    }
    #expect(try folder.lines.last == #"{"call":1,"ms":0,"event":"cancelled"}"#)
    let replay = try ReplayTransport(file: folder.file)
    let task = Task {
      var count = 0
      for try await _ in replay.responses(to: OperationRequest(HeroAPI.HeroChangedSubscription())) {
        count += 1
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return count
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func recordedDelaysAreThoseOfTheClock() async throws {
    mock.respond(to: HeroQuery.self, with: .json(Self.luke))
    let slow = MockNetworkTransport(clock: clock)
    slow.respond(to: HeroQuery.self, with: .json(Self.luke).delayed(by: .seconds(3)))
    let transport = try RecordingTransport(slow, file: folder.file, clock: clock)
    let recorded = Task { try await transport.send(OperationRequest(HeroQuery())) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(3))
    _ = try await recorded.value

    #expect(try folder.lines[2].hasPrefix(#"{"call":1,"ms":3000,"event":"response""#))
    let time = TestClock()
    let replay = try ReplayTransport(file: folder.file, timing: .recorded, clock: time)
    let task = Task { try await replay.send(OperationRequest(HeroQuery())) }
    await time.waitForSleepers()
    time.advance(by: .seconds(3))
    #expect(try await task.value.body == Data(Self.luke.utf8))
    _ = try await ReplayTransport(file: folder.file, clock: time).send(
      OperationRequest(HeroQuery()))
  }

  @Test func aSlowProgramReceivesEventsAtTheRecordedTimes() async throws {
    let name = HeroAPI.HeroChangedSubscription.operationName
    let lines: [String] =
      [
        #"{"format":"apollo-recording","version":1}"#,
        #"{"call":1,"ms":7,"event":"request","type":"subscription","operation":"\#(name)"}"#,
      ]
      + [1_007, 3_007, 5_007].map {
        #"{"call":1,"ms":\#($0),"event":"response","body":\#(Self.event("Luke"))}"#
      } + [#"{"call":1,"ms":5007,"event":"end"}"#]
    try lines.joined(separator: "\n").write(to: folder.file, atomically: true, encoding: .utf8)
    let time = JumpingClock()
    let start = time.now
    let replay = try ReplayTransport(file: folder.file, timing: .recorded, clock: time)
    var times: [Duration] = []
    for try await _ in replay.responses(to: OperationRequest(HeroAPI.HeroChangedSubscription())) {
      times.append(start.duration(to: time.now))
      time.advance(by: .seconds(1))
    }
    #expect(times == [.seconds(1), .seconds(3), .seconds(5)])
  }

  @Test func errorsOfTheNetworkAreThrownAgain() async throws {
    let port = try ClosedPort()
    let transport = try RecordingTransport(HTTPNetworkTransport(url: port.url), file: folder.file)
    let request = OperationRequest(HeroQuery())
    let error = await #expect(throws: NetworkError.self) { try await transport.send(request) }
    let again = await #expect(throws: NetworkError.self) {
      try await ReplayTransport(file: folder.file).send(request)
    }
    #expect(error?.code == .cannotConnect)
    #expect(again?.description == error?.description)
    withExtendedLifetime(port) {}
  }

  @Test func aFailedStatusIsThrownAgain() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json("Not now.", status: 503, type: "text/plain")
    }
    defer { server.stop() }
    let transport = try RecordingTransport(
      HTTPNetworkTransport(url: server.url()), file: folder.file)
    let request = OperationRequest(HeroQuery())
    let error = await #expect(throws: GraphQLHTTPResponseError.self) {
      try await transport.send(request)
    }
    let again = await #expect(throws: GraphQLHTTPResponseError.self) {
      try await ReplayTransport(file: folder.file).send(request)
    }
    #expect(again?.statusCode == 503)
    #expect(again?.descriptionWithBody == error?.descriptionWithBody)
  }

  @Test func otherErrorsKeepTheirText() async throws {
    struct Odd: Error, CustomStringConvertible { let description = "An odd error." }
    mock.respond(to: HeroQuery.self, with: .failure(Odd()))
    let transport = try record()
    await #expect(throws: Odd.self) { try await transport.send(OperationRequest(HeroQuery())) }
    let error = await #expect(throws: ReplayedError.self) {
      try await ReplayTransport(file: folder.file).send(OperationRequest(HeroQuery()))
    }
    #expect(error?.typeName == "Odd" && error?.description == "An odd error.")
  }

  /// A program that has the last part may end the proxy before the last line.
  @Test(arguments: [true, false])
  func theRawPartsOfAProxyAreMerged(hasEnd: Bool) async throws {
    let header = #"{"format":"apollo-recording","version":1}"#
    let document = try #require(
      HeroAPI.DeferredHeroQuery.operationDocument.definition?.queryDocument)
    let lines = [
      header,
      #"{"call":1,"ms":0,"event":"request","type":"query","operation":"DeferredHero","variables":{},"document":"\#(document.replacingOccurrences(of: "\"", with: "\\\""))"}"#,
      #"{"call":1,"ms":1,"event":"part","status":200,"body":{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke"}},"hasNext":true}}"#,
      #"{"call":1,"ms":2,"event":"part","status":200,"body":{"incremental":[{"path":["hero"],"label":"slow","data":{"friends":[]}}],"hasNext":false}}"#,
      #"{"call":1,"ms":3,"event":"end"}"#,
    ]
    try lines.dropLast(hasEnd ? 0 : 1).joined(separator: "\n")
      .write(to: folder.file, atomically: true, encoding: .utf8)
    var bodies: [String] = []
    let replay = try ReplayTransport(file: folder.file)
    for try await response in replay.responses(to: OperationRequest(HeroAPI.DeferredHeroQuery())) {
      bodies.append(String(decoding: response.body, as: UTF8.self))
    }
    #expect(bodies.count == 2)
    #expect(
      try JSONValue(jsonBytes: Array((bodies.last ?? "").utf8))["data"] == [
        "hero": ["__typename": "Hero", "id": "1", "name": "Luke", "friends": []]
      ])
  }

  @Test func rawPartsWithoutTheLastOneAreAnError() async throws {
    let document = try #require(
      HeroAPI.DeferredHeroQuery.operationDocument.definition?.queryDocument)
    let lines = [
      Self.header,
      #"{"call":1,"ms":0,"event":"request","type":"query","operation":"DeferredHero","variables":{},"document":"\#(document.replacingOccurrences(of: "\"", with: "\\\""))"}"#,
      #"{"call":1,"ms":1,"event":"part","status":200,"body":{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke"}},"hasNext":true}}"#,
      #"{"call":1,"ms":3,"event":"end"}"#,
    ]
    try Data(lines.joined(separator: "\n").utf8).write(to: folder.file)
    let replay = try ReplayTransport(file: folder.file)
    var count = 0
    do {
      let request = OperationRequest(HeroAPI.DeferredHeroQuery())
      for try await _ in replay.responses(to: request) { count += 1 }
      Issue.record("The response ended as if it were whole.")
    } catch {
      #expect(error is ResponseStreamError)
    }
    #expect(count == 1)
  }

  /// A proxy records both requests of a persisted query.
  @Test(arguments: [
    #""event":"response","status":200,"body":"#,
    #""event":"failure","error":"GraphQLHTTPResponseError","status":404,"body":"#,
  ])
  func aHashThatTheServerDidNotKnowIsNotPlayedBack(_ refusal: String) async throws {
    let document = try #require(HeroQuery.operationDocument.definition?.queryDocument)
    let request =
      #""event":"request","type":"query","operation":"Hero","variables":{"name":"Luke"}"#
    let lines = [
      #"{"format":"apollo-recording","version":1}"#,
      #"{"call":1,"ms":0,\#(request)}"#,
      #"{"call":1,"ms":1,\#(refusal){"errors":[{"message":"PersistedQueryNotFound"}]}}"#,
      #"{"call":1,"ms":1,"event":"end"}"#,
      #"{"call":2,"ms":2,\#(request),"document":"\#(document)"}"#,
      #"{"call":2,"ms":3,"event":"response","status":200,"body":\#(Self.luke)}"#,
      #"{"call":2,"ms":3,"event":"end"}"#,
    ]
    try Data(lines.joined(separator: "\n").utf8).write(to: folder.file)
    let replay = try ReplayTransport(file: folder.file)
    #expect(try await names(replay, ["Luke"]) == ["Luke"])
    #expect(replay.remaining.isEmpty && replay.mismatches.isEmpty)
  }

  /// The call of Luke begins with its hash. That of Leia ends before the text of the first one.
  @Test(arguments: [["Luke", "Leia"], ["Leia", "Luke"]])
  func aHashThatTheServerDidNotKnowBeginsItsCall(order: [String]) async throws {
    let document = try #require(HeroQuery.operationDocument.definition?.queryDocument)
    func request(_ call: Int, _ time: Int, _ name: String, _ document: String? = nil) -> String {
      let text = document.map { #","document":"\#($0)""# } ?? ""
      return
        #"{"call":\#(call),"ms":\#(time),"event":"request","type":"query","operation":"Hero","variables":{"name":"\#(name)"}\#(text)}"#
    }
    let lines = [
      Self.header, request(1, 0, "Luke"), request(2, 0, "Leia", document),
      response(1, #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#), end(1),
      response(2, Self.leia), end(2), request(3, 3, "Luke", document),
      #"{"call":3,"ms":5,"event":"response","body":\#(Self.luke)}"#,
      #"{"call":3,"ms":5,"event":"end"}"#,
    ]
    try Data(lines.joined(separator: "\n").utf8).write(to: folder.file)
    let replay = try ReplayTransport(file: folder.file)
    let found = try await names(replay, order).compactMap { $0 }
    #expect(found == order)
    #expect(replay.remaining.isEmpty && replay.mismatches.isEmpty)
  }

  // MARK: Mismatches

  private func mismatch(
    _ operation: any GraphQLOperation, _ matching: ReplayTransport.Matching = .strict
  ) async throws -> ReplayTransport.MismatchError? {
    let transport = try ReplayTransport(file: folder.file, matching: matching)
    return await #expect(throws: ReplayTransport.MismatchError.self) {
      try await transport.send(OperationRequest(operation))
    }
  }

  @Test func theFirstVariableThatDiffersIsNamed() async throws {
    _ = try await names(record(), ["Luke"])
    let path = folder.file.path
    for matching in [ReplayTransport.Matching.strict, .lenient] {
      let error = try #require(try await mismatch(HeroQuery(name: "Han"), matching))
      #expect(error.variable == "name" && error.line == 2)
      #expect(
        error.description
          == """
          'query Hero' was sent with 'name' = "Han", and recorded with 'name' = "Luke" in \
          '\(path):2'. Send the recorded value, or record the session again.
          """)
    }
    let missing = try await mismatch(HeroQuery(name: .none))
    #expect(missing?.description.contains("was sent with no 'name', and") == true)
  }

  @Test func anotherOperationIsNamed() async throws {
    _ = try await names(record(), ["Luke"])
    let path = folder.file.path
    let rename = HeroAPI.RenameMutation(id: "1", name: "Lars")
    #expect(
      try await mismatch(rename)?.description
        == """
        'mutation Rename' was sent, but 'query Hero' comes next in '\(path):2'. Record the session \
        again, or use lenient matching, which accepts any order.
        """)
    #expect(
      try await mismatch(rename, .lenient)?.description
        == "'mutation Rename' is not in '\(path)'. Record the session again.")
  }

  @Test func aCallAfterTheLastOneIsNamed() async throws {
    _ = try await names(record(), ["Luke"])
    let transport = try ReplayTransport(file: folder.file)
    _ = try await names(transport, ["Luke"])
    let error = await #expect(throws: ReplayTransport.MismatchError.self) {
      try await transport.send(OperationRequest(HeroQuery(name: "Luke")))
    }
    #expect(
      error?.description
        == """
        'query Hero' was sent after all 1 calls of '\(folder.file.path)' had been played. Record \
        the session again.
        """)
  }

  @Test func aChangedDocumentIsNamed() async throws {
    _ = try await names(record(), ["Luke"])
    let text = try String(contentsOf: folder.file, encoding: .utf8)
    try text.replacingOccurrences(of: "friends {", with: "allies {")
      .write(to: folder.file, atomically: true, encoding: .utf8)
    let error = try await mismatch(HeroQuery(name: "Luke"))
    #expect(error?.description.hasPrefix("The document of 'query Hero' has changed") == true)
    let lenient = try ReplayTransport(file: folder.file, matching: .lenient)
    #expect(try await names(lenient, ["Luke"]) == ["Luke"])
  }

  @Test func redactedVariablesFitEveryValue() async throws {
    let redaction = RecordingRedaction(redactsAllVariables: true)
    let transport = try RecordingTransport(mock, file: folder.file, redaction: redaction)
    _ = try await names(transport, ["Luke"])
    #expect(try folder.lines.dropFirst().first?.contains("Luke") == false)
    #expect(try await names(ReplayTransport(file: folder.file), ["Han"]) == ["Luke"])
  }

  /// Of a text with a secret in it, the rest is recorded, and must be the same.
  @Test func aPartlyRedactedVariableFitsEverySecret() async throws {
    let transport = try RecordingTransport(mock, file: folder.file)
    let recorded = try await names(transport, ["https://a/?token=1&n=2"])
    #expect(try folder.lines.dropFirst().first?.contains("token=<redacted>&n=2") == true)
    let replayed = try await names(ReplayTransport(file: folder.file), ["https://a/?token=xyz&n=2"])
    #expect(replayed == recorded)
    for other in ["https://a/?token=xyz&n=3", "https://b/?token=1&n=2", "https://a/?token="] {
      #expect(try await mismatch(HeroQuery(name: .some(other))) != nil)
    }
  }

  @Test func aRedactedVariableDoesNotFitNull() async throws {
    let redaction = RecordingRedaction(redactsAllVariables: true)
    let transport = try RecordingTransport(mock, file: folder.file, redaction: redaction)
    _ = try await names(transport, ["Luke"])
    for matching in [ReplayTransport.Matching.strict, .lenient] {
      #expect(try await mismatch(HeroQuery(name: .null), matching) != nil)
    }
  }

  @Test func eventsWithoutTheirRequestAreNamed() throws {
    let header = #"{"format":"apollo-recording","version":1}"#
    try (header + "\n" + #"{"call":7,"ms":1,"event":"end"}"#)
      .write(to: folder.file, atomically: true, encoding: .utf8)
    let error = #expect(throws: RecordingFormatError.self) {
      try ReplayTransport(file: folder.file)
    }
    #expect(error?.line == 2)
  }

  // MARK: Uploads

  // MARK: What a recording leaves out, and what a replay notices

  @Test func onlyTheUserCanReadARecording() throws {
    try Data("older".utf8).write(to: folder.file)
    _ = try record()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func anErrorResponseOfAnySizeIsRecordedWithoutSecrets() async throws {
    let padding = String(repeating: "é", count: 50_000)
    let server = try LoopbackServer { _, reply in
      reply.json(#"{"token":"letmein","ab":"\#(padding)"}"#, status: 500, type: "application/json")
    }
    let transport = try RecordingTransport(
      HTTPNetworkTransport(url: server.url()), file: folder.file)
    await #expect(throws: GraphQLHTTPResponseError.self) {
      try await transport.send(OperationRequest(HeroQuery()))
    }
    let text = try folder.lines.joined()
    let bodies = text.matches(of: /"base64":"([^"]*)"/).compactMap {
      Data(base64Encoded: String($0.output.1))
    }
    #expect(!text.contains("letmein") && text.contains(#""failure""#))
    for body in bodies { #expect(!String(decoding: body, as: UTF8.self).contains("letmein")) }
  }

  @Test func aRequestThatDoesNotFitIsReportedLater() async throws {
    _ = try await names(record(), ["Luke"])
    for matching in [ReplayTransport.Matching.strict, .lenient] {
      let transport = try ReplayTransport(file: folder.file, matching: matching)
      #expect(transport.mismatches.isEmpty)
      // A program can ignore the error.
      _ = try? await names(transport, ["Leia"])
      #expect(transport.mismatches.map(\.operationName) == [HeroQuery.operationName])
      #expect(try await names(transport, ["Luke"]) == ["Luke"])
      #expect(transport.remaining.isEmpty && transport.mismatches.count == 1)
    }
  }

  @Test func aMutationIsNotRepeated() async throws {
    let rename = OperationRequest(HeroAPI.RenameMutation(id: "1", name: "Lars"))
    _ = try await record().send(rename)
    let transport = try ReplayTransport(file: folder.file, matching: .lenient)
    _ = try await transport.send(rename)
    await #expect(throws: ReplayTransport.MismatchError.self) { try await transport.send(rename) }
    #expect(transport.mismatches.count == 1)
  }

  private static let header = #"{"format":"apollo-recording","version":1}"#

  private func line(_ call: Int, _ name: String) -> String {
    #"{"call":\#(call),"ms":1,"event":"request","type":"query","operation":"\#(HeroQuery.operationName)","variables":{"name":"\#(name)"}}"#
  }

  private func response(_ call: Int, _ body: String) -> String {
    #"{"call":\#(call),"ms":2,"event":"response","body":\#(body)}"#
  }

  private func end(_ call: Int) -> String { #"{"call":\#(call),"ms":2,"event":"end"}"# }

  /// The names of recorded calls in the order of a program, and the number of those that fit.
  @Test(arguments: [
    (["Luke", "Leia", "Han"], 3), (["Leia", "Luke", "Han"], 3), (["Luke", "Han", "Leia"], 1),
    (["Han", "Luke", "Leia"], 0),
  ])
  func callsThatWereUnderWayTogetherComeInAnyOrder(order: [String], count: Int) async throws {
    let lines = [
      Self.header, line(1, "Luke"), line(2, "Leia"), response(2, Self.leia), end(2),
      response(1, Self.luke), end(1), line(3, "Han"), response(3, Self.luke), end(3),
    ]
    try Data(lines.joined(separator: "\n").utf8).write(to: folder.file)
    let transport = try ReplayTransport(file: folder.file)
    var found = 0
    for name in order {
      guard (try? await names(transport, [name])) != nil else { break }
      found += 1
    }
    #expect(found == count)
  }

  @Test func aQueryEndsWithItsResponseIfTheRecordingEndsThere() async throws {
    let lines = [Self.header, line(1, "Luke"), response(1, Self.luke), #"{"call":1,"ms":2,"ev"#]
    try Data(lines.joined(separator: "\n").utf8).write(to: folder.file)
    let transport = try ReplayTransport(file: folder.file)
    #expect(try await names(transport, ["Luke"]) == ["Luke"])
  }

  /// A transport that sends no files.
  private final class WithoutFiles: NetworkTransport {
    func send(_ request: OperationRequest) async throws -> NetworkResponse {
      throw CancellationError()
    }
  }

  @Test func anUploadThatTheOtherTransportCannotSendIsNoCall() async throws {
    let transport = try RecordingTransport(WithoutFiles(), file: folder.file)
    let file = GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("x".utf8))
    let request = OperationRequest(HeroAPI.UploadMutation())
    #expect(try await transport._upload(request) == nil)
    await #expect(throws: UploadsUnsupportedError.self) {
      try await transport.upload(request, files: [file])
    }
    #expect(try folder.lines.count == 1)
  }

  @Test func filesAreRecordedByName() async throws {
    mock.respond(to: HeroAPI.UploadMutation.self, with: .json(#"{"data":{"upload":null}}"#))
    let transport = try record()
    let file = GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("secret".utf8))
    let request = OperationRequest(HeroAPI.UploadMutation())
    _ = try await transport.upload(request, files: [file])
    #expect(try folder.lines.dropFirst().first?.contains(#""files":["a.txt"]"#) == true)
    #expect(try !folder.lines.joined().contains("secret"))
    let replayed = try await ReplayTransport(file: folder.file).upload(request, files: [file])
    #expect(replayed.body == Data(#"{"data":{"upload":null}}"#.utf8))
  }
}
