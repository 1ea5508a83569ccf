import Apollo
import ApolloTestSupport
import Foundation
import TestOperations
import Testing

/// Recordings of calls that are under way at the same time, and of calls that are cancelled.
@Suite(.timeLimit(.minutes(10))) struct RecordingMeetingTests {
  private typealias HeroQuery = HeroAPI.HeroQuery

  /// A subscription with one event. It ends without an error when its task is cancelled.
  private final class Streaming: SubscriptionNetworkTransport {
    private let source = AsyncThrowingStream<NetworkResponse, any Error>.makeStream()

    func send(_ request: OperationRequest) async throws -> NetworkResponse {
      throw CancellationError()
    }

    func responses(to request: OperationRequest) -> NetworkResponses {
      source.continuation.yield(NetworkResponse(body: Data(RecordingMeetingTests.event.utf8)))
      return NetworkResponses(source.stream)
    }
  }

  private static let luke =
    #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":null}}}"#
  private static let leia =
    #"{"data":{"hero":{"__typename":"Hero","id":"2","name":"Leia","friends":null}}}"#
  private static let uploaded = #"{"data":{"upload":null}}"#
  private static let event =
    #"{"data":{"heroChanged":{"__typename":"Hero","id":"1","name":"Luke"}}}"#

  private let folder: RecordingFolder
  private let clock = TestClock()
  private let mock: MockNetworkTransport
  private let upload = OperationRequest(HeroAPI.UploadMutation())
  private let file = GraphQLFile(
    fieldName: "file", originalName: "a.txt", data: Data("content".utf8))

  init() throws {
    folder = try RecordingFolder()
    mock = MockNetworkTransport(clock: clock)
    mock.respond(to: HeroQuery.self, with: .json(Self.luke))
    mock.respond(
      to: HeroAPI.UploadMutation.self, with: .json(Self.uploaded).delayed(by: .seconds(3)))
  }

  private func record(_ base: any NetworkTransport) throws -> RecordingTransport {
    try RecordingTransport(base, file: folder.file, clock: clock)
  }

  /// Starts an upload, and returns when it is under way.
  private func startUpload(
    _ transport: RecordingTransport
  ) async -> Task<NetworkResponse, any Error> {
    let task = Task { [upload, file] in try await transport.upload(upload, files: [file]) }
    await clock.waitForSleepers()
    return task
  }

  // MARK: Uploads

  @Test func aQueryDuringAnUploadIsPlayedBackInTheOrderOfTheProgram() async throws {
    let transport = try record(mock)
    let uploading = await startUpload(transport)
    _ = try await transport.send(OperationRequest(HeroQuery()))
    clock.advance(by: .seconds(3))
    _ = try await uploading.value
    try transport.finish()

    let replay = try ReplayTransport(file: folder.file)
    let first = try await replay.upload(upload, files: [file])
    #expect(first.body == Data(Self.uploaded.utf8))
    let second = try await replay.send(OperationRequest(HeroQuery()))
    #expect(second.body == Data(Self.luke.utf8))
    #expect(replay.remaining.isEmpty && replay.mismatches.isEmpty)
  }

  /// The second query begins after the end of the first one. Without a step of the clock, all three
  /// calls have the same time in the file.
  @Test(arguments: [Duration.zero, .seconds(1)])
  func queriesOneAfterTheOtherDuringAnUploadArePlayedBack(step: Duration) async throws {
    let transport = try record(mock)
    let uploading = await startUpload(transport)
    for _ in 0..<2 {
      clock.advance(by: step)
      _ = try await transport.send(OperationRequest(HeroQuery()))
    }
    clock.advance(by: .seconds(3))
    _ = try await uploading.value
    try transport.finish()

    let replay = try ReplayTransport(file: folder.file)
    let first = try await replay.upload(upload, files: [file])
    #expect(first.body == Data(Self.uploaded.utf8))
    for _ in 0..<2 { _ = try await replay.send(OperationRequest(HeroQuery())) }
    #expect(replay.remaining.isEmpty && replay.mismatches.isEmpty)
  }

  /// Without a step of the clock, both have the same time in the file.
  @Test func equalUploadsOneAfterTheOtherArePlayedBackInTheirOrder() async throws {
    let bodies = [Self.uploaded, #"{"data":{"upload":null},"extensions":{"number":2}}"#]
    mock.respond(to: HeroAPI.UploadMutation.self, with: .json(bodies[0]), .json(bodies[1]))
    let transport = try record(mock)
    for _ in bodies { _ = try await transport.upload(upload, files: [file]) }
    try transport.finish()

    let replay = try ReplayTransport(file: folder.file)
    for body in bodies {
      #expect(try await replay.upload(upload, files: [file]).body == Data(body.utf8))
    }
  }

  @Test func anUploadThatIsCancelledHasNoOtherEnd() async throws {
    let transport = try record(mock)
    let uploading = await startUpload(transport)
    uploading.cancel()
    await #expect(throws: CancellationError.self) { try await uploading.value }
    #expect(try folder.lines.count == 3)
    #expect(try folder.lines.last == #"{"call":1,"ms":0,"event":"cancelled"}"#)
  }

  // MARK: Cancelled calls

  @Test func aSubscriptionOfACancelledTaskIsCancelledInTheFile() async throws {
    let transport = try record(Streaming())
    let task = Task {
      let request = OperationRequest(HeroAPI.HeroChangedSubscription())
      for try await _ in transport.responses(to: request) {
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    // The other transport decides whether the sequence ends or throws.
    _ = try? await task.value
    #expect(try folder.lines.last == #"{"call":1,"ms":0,"event":"cancelled"}"#)
  }

  @Test func aQueryOfACancelledTaskIsCancelledInTheFile() async throws {
    mock.respond(to: HeroQuery.self, with: .json(Self.luke).delayed(by: .seconds(3)))
    let transport = try record(mock)
    let task = Task { try await transport.send(OperationRequest(HeroQuery())) }
    await clock.waitForSleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try folder.lines.last == #"{"call":1,"ms":0,"event":"cancelled"}"#)
  }

  // MARK: Equal requests

  @Test func equalRequestsOfTheSameTimeGetOneRecordedResponseEach() async throws {
    let request =
      #""ms":1,"event":"request","type":"query","operation":"\#(HeroQuery.operationName)","variables":{"name":"Luke"}}"#
    let lines = [
      #"{"format":"apollo-recording","version":1}"#,
      #"{"call":1,\#(request)"#, #"{"call":2,\#(request)"#,
      #"{"call":2,"ms":2,"event":"response","body":\#(Self.leia)}"#,
      #"{"call":1,"ms":2,"event":"response","body":\#(Self.luke)}"#,
      #"{"call":2,"ms":2,"event":"end"}"#, #"{"call":1,"ms":2,"event":"end"}"#,
    ]
    try Data(lines.joined(separator: "\n").utf8).write(to: folder.file)
    let replay = try ReplayTransport(file: folder.file)
    let query = OperationRequest(HeroQuery(name: "Luke"))
    var bodies: Set<Data> = []
    for _ in 0..<2 { bodies.insert(try await replay.send(query).body) }
    #expect(bodies == [Data(Self.luke.utf8), Data(Self.leia.utf8)])
    #expect(replay.remaining.isEmpty)
  }
}
