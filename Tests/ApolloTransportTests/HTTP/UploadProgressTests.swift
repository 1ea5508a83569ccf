import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// The reports of an upload to the program.
@Suite(.timeLimit(.minutes(10)))
struct UploadProgressTests {
  private let reports = Lock<[UploadProgress]>([])

  private func upload(
    _ byteCount: Int, to server: LoopbackServer, _ kind: ClientKind = .platform,
    also report: @escaping @Sendable (UploadProgress) -> Void = { _ in }
  ) async throws {
    let transport = HTTPNetworkTransport(url: server.url(), client: kind.patient())
    var request = OperationRequest(HeroAPI.RenameMutation(id: "1", name: "placeholder"))
    request.uploadProgressHandler = UploadProgressHandler { [reports] progress in
      reports.withLock { $0.append(progress) }
      report(progress)
    }
    let file = GraphQLFile(
      fieldName: "name", originalName: "a.bin", data: Data(count: byteCount))
    _ = try await transport.upload(request, files: [file])
  }

  /// It may send requests of its own.
  @Test func theHandlerRunsOutsideOfTheUpload() async {
    for _ in 0..<100 {
      let isInside = Lock(false)
      let reporter = UploadProgressReporter { _ in
        if UploadProgressReporter.current != nil { _ = isInside.exchange(true) }
      }
      await UploadProgressReporter.$current.withValue(reporter) {
        reporter.note(1, of: 1)
        await reporter.finish()
      }
      #expect(!isInside.get())
    }
  }

  @Test(arguments: ClientKind.allCases, [10, 60_000, 1_000_000])
  func theLastReportIsTheWholeBody(_ kind: ClientKind, byteCount: Int) async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{}}"#) }
    defer { server.stop() }
    try await upload(byteCount, to: server, kind)
    let reports = reports.get()
    let total = try #require(server.requests.first).body.count
    #expect(reports.last == UploadProgress(sentByteCount: total, totalByteCount: total))
    #expect(reports.last?.fractionCompleted == 1)
    #expect(reports.count <= 101)
    #expect(reports.map(\.totalByteCount).allSatisfy { $0 == total })
    #expect(reports.map(\.sentByteCount) == reports.map(\.sentByteCount).sorted())
  }

  #if CURL
    @Test func aReportArrivesWhileTheServerHasNotReadTheBody() async throws {
      let hasReport = Signal()
      let server = try LoopbackServer(readsBodies: false) { request, reply in
        hasReport.block()
        _ = reply.drain(request) { _ in }
        reply.json(#"{"data":{}}"#)
        reply.close()
      }
      defer { server.stop() }
      try await upload(8 << 20, to: server) { _ in hasReport.fire() }
      let first = try #require(reports.get().first)
      #expect(first.sentByteCount < first.totalByteCount)
    }
  #endif

  @Test func aRedirectBeginsAnew() async throws {
    let server = try LoopbackServer { request, reply in
      if request.path == "/graphql" {
        reply.respond(307, headers: [("Location", "/other")])
      } else {
        reply.json(#"{"data":{}}"#)
      }
    }
    defer { server.stop() }
    try await upload(10, to: server)
    #expect(server.requests.count == 2)
    #expect(reports.get().last?.fractionCompleted == 1)
  }

  @Test func anUploadThatFailsWaitsForItsLastReport() async {
    struct Failure: Error {}
    let file = GraphQLFile(fieldName: "name", originalName: "a.bin", data: Data())
    for _ in 0..<100 {
      let count = Lock(0)
      var upload = OperationRequest(HeroAPI.RenameMutation(id: "1", name: "placeholder"))
        .with([file])
      upload.uploadProgressHandler = UploadProgressHandler { _ in count.withLock { $0 += 1 } }
      let request = upload
      await #expect(throws: Failure.self) {
        try await request.reportingUpload { () async throws -> Void in
          UploadProgressReporter.current?.note(1, of: 1)
          throw Failure()
        }
      }
      #expect(count.get() == 1)
    }
  }

  /// The thread of the network sends a cancelled body until it notices the cancellation.
  @Test func nothingIsReportedAfterTheEndOfAnUpload() async throws {
    let file = GraphQLFile(fieldName: "name", originalName: "a.bin", data: Data())
    var upload = OperationRequest(HeroAPI.RenameMutation(id: "1", name: "placeholder"))
      .with([file])
    upload.uploadProgressHandler = UploadProgressHandler { [reports] progress in
      reports.withLock { $0.append(progress) }
    }
    let network = Lock<UploadProgressReporter?>(nil)
    let request = upload
    await #expect(throws: CancellationError.self) {
      try await request.reportingUpload { () async throws -> Void in
        _ = network.exchange(UploadProgressReporter.current)
        throw CancellationError()
      }
    }
    let reporter = try #require(network.get())
    reporter.note(1, of: 1)
    await reporter.finish()
    #expect(reports.get().isEmpty)
  }

  @Test func aReportReplacesOneThatWaits() async {
    let reporter = UploadProgressReporter { [reports] progress in
      reports.withLock { $0.append(progress) }
    }
    reporter.note(0, of: 10 << 20)
    reporter.note(65_535, of: 10 << 20)
    await reporter.finish()
    #expect(reports.get().isEmpty)
    for percent in 1...100 { reporter.note(percent * 104_857, of: 10_485_700) }
    await reporter.finish()
    let reported = reports.get()
    #expect(reported.last?.sentByteCount == 10_485_700)
    #expect(reported.count <= 100)
    await reporter.finish()
    #expect(reports.get().count == reported.count)
  }

  @Test func theEventsOfACallHaveTheProgress() {
    let event = CallEvent.Kind.uploaded(UploadProgress(sentByteCount: 7, totalByteCount: 10))
    #expect(event.description == "uploaded 7 of 10 bytes")
    #expect(!event.isTerminal)
  }

  @Test func handlersAreEqualToTheirCopies() {
    let handler = UploadProgressHandler { _ in }
    let copy = handler
    #expect(handler == copy)
    #expect(Set([handler, copy, UploadProgressHandler { _ in }]).count == 2)
  }
}
