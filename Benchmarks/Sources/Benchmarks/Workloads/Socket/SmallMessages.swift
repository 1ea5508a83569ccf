#if os(Linux)
  import Apollo
  import BenchmarkAPI
  import CCurlPrograms
  import Foundation
  import FoundationNetworking

  /// Small messages from the socket to the program.
  let smallMessages: [ExperimentMaker] = [
    { _ in
      let count = 20_000
      let server = try SocketServer()
      let peer = try CurlSocket(server.url)
      let clients = SocketClients(server.url)
      let python = WebSocketsProgram(server.url)
      return Comparison(
        title: "\(count) small messages from the socket",
        requestCount: count,
        baseline: "C, libcurl",
        workloads: [
          Workload("C, libcurl") { try peer.receive(count) },
          .asynchronous("ApolloWebSocket") { try await clients.plain.receive(count) },
          .asynchronous("WebSocketTransport, undecoded") {
            try await clients.transport.receive(count)
          },
          .asynchronous("ApolloClient, typed values") {
            try await clients.receive(count, writesToCache: false)
          },
          .asynchronous("ApolloClient, typed values and the cache") {
            try await clients.receive(count, writesToCache: true)
          },
          .remote("websockets (Python)") { try python.receive(count) },
          .remote("websockets and json (Python)") { try python.receiveEvents(count) },
        ],
        note: { _ in
          withExtendedLifetime(server) {}
          return "The server writes on the same machine."
        })
    }
  ]

  /// One message there and back.
  let echoes: [ExperimentMaker] = [
    { _ in
      let count = 100
      let server = try SocketServer()
      let peer = try CurlSocket(server.url)
      let clients = SocketClients(server.url)
      let python = WebSocketsProgram(server.url)
      return Comparison(
        title: "\(count) echoes, one after the other",
        requestCount: count,
        baseline: "C, libcurl",
        workloads: [
          Workload("C, libcurl") { for _ in 0..<count { try peer.echo() } },
          .asynchronous("ApolloWebSocket") {
            for _ in 0..<count { try await clients.plain.echo() }
          },
          .remote("websockets (Python)") { try python.echo(count) },
        ],
        note: { _ in
          withExtendedLifetime(server) {}
          return nil
        })
    }
  ]

  /// A socket of the C program.
  final class CurlSocket {
    private let socket: OpaquePointer

    init(_ url: URL) throws {
      guard let socket = curl_socket_make(url.absoluteString) else { throw HTTPFailure() }
      self.socket = socket
    }

    deinit { curl_socket_free(socket) }

    func receive(_ count: Int) throws {
      let text = String(count)
      guard curl_socket_send(socket, text, text.utf8.count),
        curl_socket_receive(socket, count) >= 0
      else { throw HTTPFailure() }
    }

    func echo() throws {
      guard curl_socket_send(socket, "hello", 5), curl_socket_receive(socket, 1) >= 0 else {
        throw HTTPFailure()
      }
    }
  }

  /// The connection of ApolloWebSocket, opened when it is needed first.
  final class SocketClients {
    private let url: URL
    private var opened: (any WebSocketConnection)?
    let transport: WebSocketTransport
    private let apollo: ApolloClient

    init(_ url: URL) {
      self.url = url
      transport = .measured(url)
      apollo = ApolloClient(networkTransport: transport, store: ApolloStore())
    }

    /// Receives the events of one subscription as typed values.
    func receive(_ count: Int, writesToCache: Bool) async throws {
      var stars = 0
      let events = apollo.subscribe(
        subscription: ReviewAddedSubscription(count: count), cachePolicy: .networkOnly,
        requestConfiguration: RequestConfiguration(writeResultsToCache: writesToCache))
      for try await event in events { stars += event.data?.reviewAdded?.stars ?? 0 }
      guard stars == 5 * count else { throw HTTPFailure() }
    }

    struct Client {
      let socket: any WebSocketConnection

      func receive(_ count: Int) async throws {
        socket.enqueue(.text(String(count)))
        var total = 0
        for _ in 0..<count {
          guard case .message(let message) = try await socket.receive() else {
            throw HTTPFailure()
          }
          total += message.bytes.count
        }
        keep(total)
      }

      func echo() async throws {
        socket.enqueue(.text("hello"))
        guard case .message = try await socket.receive() else { throw HTTPFailure() }
      }
    }

    var plain: Client {
      get async throws {
        if let opened { return Client(socket: opened) }
        let socket = try await CurlWebSocketConnector(compression: .none)
          .connect(to: URLRequest(url: url), subprotocols: [])
        opened = socket
        return Client(socket: socket)
      }
    }
  }

  extension WebSocketTransport {
    /// A transport without compression that drops no event, however far it is ahead of the program.
    static func measured(_ url: URL) -> WebSocketTransport {
      var configuration = Configuration(pingInterval: nil)
      configuration.resultBuffer = ResultBufferPolicy(
        maximumCount: .max, maximumByteCount: .max)
      return WebSocketTransport(
        endpointURL: url, connector: CurlWebSocketConnector(compression: .none),
        configuration: configuration)
    }

    /// Receives the events of one subscription as bytes.
    func receive(_ count: Int) async throws {
      var received = 0
      let request = OperationRequest(ReviewAddedSubscription(count: count))
      for try await _ in responses(to: request) { received += 1 }
      guard received == count else { throw HTTPFailure() }
    }
  }

  /// A program with the package `websockets`, or nothing where that is not installed.
  final class WebSocketsProgram {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var isRunning: Bool

    init(_ url: URL) {
      let root = URL(fileURLWithPath: #filePath).pathComponents.prefix { $0 != "Benchmarks" }
        .joined(separator: "/")
      let environment = URL(fileURLWithPath: root).appendingPathComponent(".build/venv/bin/python")
      process.executableURL = environment
      process.arguments = [
        "\(root)/Benchmarks/Baselines/websockets-client.py",
        url.absoluteString.replacingOccurrences(of: "http", with: "ws"),
      ]
      process.standardInput = input
      process.standardOutput = output
      isRunning = (try? process.run()) != nil
    }

    deinit {
      try? input.fileHandleForWriting.close()  // the program ends with its input
      if isRunning { process.waitUntilExit() }
    }

    func receive(_ count: Int) throws -> Duration? { try run("receive \(count)") }

    func receiveEvents(_ count: Int) throws -> Duration? { try run("events \(count)") }

    func echo(_ count: Int) throws -> Duration? { try run("echo \(count)") }

    private func run(_ command: String) throws -> Duration? {
      guard isRunning else { return nil }
      try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
      var line = Data()
      while line.last != UInt8(ascii: "\n") {
        let bytes = output.fileHandleForReading.availableData
        if bytes.isEmpty {
          isRunning = false
          return nil
        }
        line += bytes
      }
      return Int(String(decoding: line.dropLast(), as: UTF8.self)).map { .nanoseconds($0) }
    }
  }
#endif
