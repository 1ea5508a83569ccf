import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

#if CURL
  /// Uploads of files that are read while they are sent.
  @Suite(.timeLimit(.minutes(10)))
  struct StreamedUploadTests {
    private let mutation = HeroAPI.RenameMutation(id: "1", name: "placeholder")

    private func upload(
      _ files: [GraphQLFile], to server: LoopbackServer, client: CurlClient = .patient()
    ) async throws -> NetworkResponse {
      let transport = HTTPNetworkTransport(url: server.url(), client: client)
      return try await transport.upload(OperationRequest(mutation), files: files)
    }

    // MARK: Whole files

    #if compiler(>=6.2)
      /// In a process of its own, whose memory no other test takes.
      @Test func aLargeFileTakesLittleMemory() async {
        await #expect(processExitsWith: .success) {
          let file = try TemporaryFile(byteCount: 512 << 20)
          let before = try residentByteCount()
          let growth = Lock(0)
          let server = try LoopbackServer(readsBodies: false) { request, reply in
            let isWhole = reply.drain(request) { _ in
              guard let now = try? residentByteCount() else { return }
              growth.withLock { $0 = max($0, now - before) }
            }
            reply.json(#"{"data":{"whole":\#(isWhole)}}"#)
            reply.close()
          }
          defer { server.stop() }
          let response = try await StreamedUploadTests().upload(
            [file.graphQLFile("name")], to: server)
          #expect(response.body == Data(#"{"data":{"whole":true}}"#.utf8))
          let announced = server.requests.first.flatMap { $0.headers["content-length"] }
          #expect(try #require(announced.flatMap { Int($0) }) > 512 << 20)
          #expect(growth.withLock { $0 } < 128 << 20)
        }
      }
    #endif

    /// Two pieces in memory, a file that is larger than any buffer, and one that is empty.
    @Test func filesOfEachSizeArriveAsTheyAre() async throws {
      let server = try LoopbackServer { _, reply in reply.json(#"{"data":{}}"#) }
      defer { server.stop() }
      let bytes = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let (large, empty) = (try TemporaryFile(bytes), try TemporaryFile([]))
      let mutation = HeroAPI.RenameMutation(id: "1", name: "placeholder")
      let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
      let files = [try large.graphQLFile("id"), try empty.graphQLFile("name")]
      for _ in 0..<2 {
        _ = try await transport.upload(OperationRequest(mutation), files: files)
      }
      #expect(server.requests.count == 2)
      for request in server.requests {
        #expect(request.headers["content-length"] == "\(request.body.count)")
        #expect(request.headers["transfer-encoding"] == nil)
        let start = try #require(request.body.firstRange(of: bytes)?.lowerBound)
        let head = String(decoding: request.body[..<start], as: UTF8.self)
        #expect(head.contains(#"{"0":["variables.id"],"1":["variables.name"]}"#))
        let tail = String(decoding: request.body[(start + bytes.count)...], as: UTF8.self)
        #expect(tail.contains("Content-Type: application/octet-stream\r\n\r\n\r\n--"))
      }
    }

    @Test func aFileAtTwoPlacesIsSentOnce() async throws {
      let server = try LoopbackServer { _, reply in reply.json(#"{"data":{}}"#) }
      defer { server.stop() }
      let file = try TemporaryFile(byteCount: 200_000)
      _ = try await upload(
        [try file.graphQLFile("id"), try file.graphQLFile("name")], to: server)
      let body = try #require(server.requests.first?.body)
      #expect((200_000..<202_000).contains(body.count))
    }

    // MARK: Sending again

    @Test func aRedirectSendsTheFileAgain() async throws {
      let server = try LoopbackServer { request, reply in
        if request.path == "/graphql" {
          reply.respond(307, headers: [("Location", "/other")])
        } else {
          reply.json(#"{"data":{}}"#)
        }
      }
      defer { server.stop() }
      let file = try TemporaryFile((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      _ = try await upload([try file.graphQLFile("name")], to: server)
      #expect(server.requests.map(\.path) == ["/graphql", "/other"])
      #expect(server.requests.first?.body == server.requests.last?.body)
    }

    @Test(arguments: [false, true])
    func aLostConnectionIsNotRetried(_ isKeptConnection: Bool) async throws {
      let server = try LoopbackServer { request, reply in
        request.body.count < 1_000 ? reply.json(#"{"data":{}}"#) : reply.reset()
      }
      defer { server.stop() }
      let client = CurlClient.patient()
      let transport = HTTPNetworkTransport(url: server.url(), client: client)
      if isKeptConnection { _ = try await transport.send(OperationRequest(mutation)) }
      let file = try TemporaryFile(byteCount: 1 << 20)
      let error = await #expect(throws: NetworkError.self) {
        try await upload([try file.graphQLFile("name")], to: server, client: client)
      }
      #expect(error?.code == .connectionLost)
      #expect(server.requests.count == (isKeptConnection ? 2 : 1))
    }

    // MARK: Files that change

    enum Change: CaseIterable {
      case truncated, grown, rewritten, removed

      func apply(to file: TemporaryFile) throws {
        switch self {
        case .removed: try FileManager.default.removeItem(at: file.url)
        case .truncated: truncate(file.url.path, 1 << 20)
        case .grown: truncate(file.url.path, off_t(file.byteCount) + 1)
        case .rewritten:
          let handle = try FileHandle(forWritingTo: file.url)
          try handle.write(contentsOf: Data([1]))
          try handle.close()
        }
      }

      /// The error's clause. A file that is open can be removed without harm.
      func reason(_ byteCount: Int) -> String? {
        switch self {
        case .truncated: "it had \(byteCount) bytes and now has \(1 << 20)"
        case .grown: "it had \(byteCount) bytes and now has \(byteCount + 1)"
        case .rewritten: "it was written to"
        case .removed: nil
        }
      }
    }

    @Test(arguments: Change.allCases)
    func aFileThatChangesEndsTheUpload(_ change: Change) async throws {
      let file = try TemporaryFile(byteCount: 64 << 20)
      let isWhole = Lock<Bool?>(nil)
      let server = try LoopbackServer(readsBodies: false) { request, reply in
        guard request.method == "POST" else { return reply.json(#"{"data":{}}"#) }
        var isChanged = false
        let hasArrived = reply.drain(request) { _ in
          if !isChanged { try? change.apply(to: file) }
          isChanged = true
        }
        isWhole.withLock { $0 = hasArrived }
        if hasArrived { reply.json(#"{"data":{}}"#) }
        reply.close()
      }
      defer { server.stop() }
      let graphQLFile = try file.graphQLFile("name")
      if let reason = change.reason(64 << 20) {
        await #expect(throws: GraphQLHTTPRequestError.changedFile(name: "a.bin", reason: reason)) {
          try await upload([graphQLFile], to: server)
        }
      } else {
        _ = try await upload([graphQLFile], to: server)
      }
      await server.wait { $0.openConnectionCount == 0 }
      #expect(isWhole.withLock { $0 } == (change == .removed))
      #expect(try !file.isOpenInThisProcess())
    }

    @Test func aFileThatHasGoneSendsNothing() async throws {
      let server = try LoopbackServer { _, reply in reply.json("{}") }
      defer { server.stop() }
      let file = try TemporaryFile(byteCount: 200_000)
      let graphQLFile = try file.graphQLFile("name")
      try FileManager.default.removeItem(at: file.url)
      await #expect(
        throws: GraphQLHTTPRequestError.unreadableFile(
          name: "a.bin", reason: "No such file or directory.")
      ) { try await upload([graphQLFile], to: server) }
      #expect(server.requests.isEmpty)
    }

    @Test func aFileThatGoesBeforeItsTurnEndsTheUpload() async throws {
      let (first, second) = (
        try TemporaryFile(byteCount: 64 << 20), try TemporaryFile(byteCount: 10)
      )
      let server = try LoopbackServer(readsBodies: false) { request, reply in
        _ = reply.drain(request) { _ in try? FileManager.default.removeItem(at: second.url) }
        reply.close()
      }
      defer { server.stop() }
      let files = [try first.graphQLFile("id"), try second.graphQLFile("name", "b.bin")]
      await #expect(
        throws: GraphQLHTTPRequestError.unreadableFile(
          name: "b.bin", reason: "No such file or directory.")
      ) { try await upload(files, to: server) }
    }

    /// Opening a pipe would wait for a writer.
    @Test func aPipeIsNoFile() throws {
      let file = try TemporaryFile([])
      try FileManager.default.removeItem(at: file.url)
      #expect(mkfifo(file.url.path, 0o600) == 0)
      #expect(
        throws: GraphQLHTTPRequestError.unreadableFile(
          name: "a.bin", reason: "It is not a regular file.")
      ) { try file.graphQLFile("name") }
    }

    // MARK: Ends before the body's

    @Test func cancellingClosesTheConnectionAndTheFile() async throws {
      let file = try TemporaryFile(byteCount: 64 << 20)
      let isOver = Signal()
      let server = try LoopbackServer(readsBodies: false) { _, reply in
        // Meanwhile full buffers stop the client.
        isOver.block()
        reply.waitForClientToClose()
      }
      defer { server.stop() }
      let graphQLFile = try file.graphQLFile("name")
      let task = Task { try await upload([graphQLFile], to: server) }
      await server.wait { $0.requests.count == 1 }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      isOver.fire()
      await server.wait { $0.openConnectionCount == 0 }
      #expect(try !file.isOpenInThisProcess())
    }

    @Test func aRejectionBeforeTheFileHasBeenSentIsTheResponse() async throws {
      let file = try TemporaryFile(byteCount: 64 << 20)
      let isOver = Signal()
      let server = try LoopbackServer(readsBodies: false) { _, reply in
        reply.json("{}", status: 413, headers: [("Connection", "close")])
        isOver.block()
        reply.close()
      }
      defer { server.stop() }
      let graphQLFile = try file.graphQLFile("name")
      let error = await #expect(throws: GraphQLHTTPResponseError.self) {
        try await upload([graphQLFile], to: server)
      }
      isOver.fire()
      #expect(error?.statusCode == 413)
      #expect(server.requests.count == 1)
      #expect(try !file.isOpenInThisProcess())
    }
  }

  extension Reply {
    /// Reads the rest of a body whose head has arrived. Returns whether it is as long as announced.
    func drain(_ request: ReceivedRequest, _ progress: (Int) -> Void) -> Bool {
      let announced = request.headers["content-length"].flatMap { Int($0) } ?? 0
      var count = request.body.count
      while count < announced {
        let bytes = receive()
        if bytes.isEmpty { return false }
        count += bytes.count
        progress(count)
      }
      return count == announced
    }
  }

  /// The memory of this process that is in use.
  private func residentByteCount() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    return try #require(Int(pages[1])) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// A file that is removed with this object.
  final class TemporaryFile: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let byteCount: Int

    init(_ bytes: [UInt8]) throws {
      byteCount = bytes.count
      try Data(bytes).write(to: url)
    }

    /// Zeros, which take no space, from a time that is past.
    init(byteCount: Int) throws {
      self.byteCount = byteCount
      try Data().write(to: url)
      try #require(truncate(url.path, off_t(byteCount)) == 0)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: url.path)
    }

    deinit { try? FileManager.default.removeItem(at: url) }  // A test may have removed it.

    func graphQLFile(_ fieldName: String, _ name: String = "a.bin") throws -> GraphQLFile {
      try GraphQLFile(fieldName: fieldName, originalName: name, contentsOf: url)
    }

    func isOpenInThisProcess() throws -> Bool {
      let files = FileManager.default
      return try files.contentsOfDirectory(atPath: "/proc/self/fd").contains {
        // The descriptor of the listing itself has gone.
        (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
          .hasPrefix(url.path) ?? false
      }
    }
  }
#endif
