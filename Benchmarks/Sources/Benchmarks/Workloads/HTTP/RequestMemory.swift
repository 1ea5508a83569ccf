#if os(Linux)
  import Apollo
  import ApolloAPI
  import BenchmarkAPI
  import CCurlPrograms
  import Foundation
  import FoundationNetworking

  /// The memory that requests and clients take.
  let requestMemory: [ExperimentMaker] = [
    { try MemoryInFlight($0) },
    { try MemoryOfClients($0) },
  ]

  /// The heap for requests that wait for their response, and its rest afterwards.
  private struct MemoryInFlight: Experiment {
    let title = "Memory for each request in flight"
    private let server: LoopbackServer

    /// As many as are measured for speed.
    private static let count = 64
    private static let rounds = 5

    init(_ data: BenchmarkData) throws { server = try LoopbackServer([:]) }

    func table() async throws -> String {
      let body = SmallQuery().requestBody()
      let url = server.url("hold")
      let held = try CurlPost([], to: server.url("held"))
      let release = try CurlPost([], to: server.url("release"))
      let request = URLRequest(json: body, to: url)
      let configuration = URLSessionConfiguration.graphQL
      configuration.httpMaximumConnectionsPerHost = Self.count
      let session = URLSession(configuration: configuration)
      let client = ApolloClient(url: url)

      func crowd() throws -> Usage {
        var crowd: CurlCrowd?
        return try Usage(count: Self.count) {
          crowd = try CurlCrowd(body, to: url, width: Self.count)
          crowd?.begin()
          guard try held.number() == Self.count else { throw HTTPFailure() }
        } end: {
          _ = try release.number()
          crowd?.finish()
          crowd = nil
        }
      }
      func tasks(_ work: @escaping @Sendable () async throws -> Void) async throws -> Usage {
        var tasks: [Task<Void, any Error>] = []
        tasks.reserveCapacity(Self.count)
        return try await Usage(count: Self.count) {
          for _ in 0..<Self.count { tasks.append(Task { try await work() }) }
          while try held.number() < Self.count { try await Task.sleep(for: .milliseconds(5)) }
        } end: {
          _ = try release.number()
          for task in tasks { try await task.value }
          tasks.removeAll(keepingCapacity: true)
          try await Task.sleep(for: .milliseconds(20))
        }
      }

      var rows = [["", "each request", "left of each afterwards, round by round"]]
      func add(_ name: String, _ measure: () async throws -> Usage) async throws {
        // The first round opens the connections.
        _ = try await measure()
        var usages: [Usage] = []
        for _ in 0..<Self.rounds { usages.append(try await measure()) }
        rows.append([
          name, "\(usages.map(\.during).sorted()[Self.rounds / 2]) B",
          usages.map { "\($0.after)" }.joined(separator: ", "),
        ])
      }
      try await add("C, libcurl's multi interface") { try crowd() }
      try await add("URLSession with \(Self.count) connections") {
        try await tasks { _ = try await session.data(for: request) }
      }
      try await add("ApolloClient") {
        try await tasks {
          _ = try await client.fetch(query: SmallQuery(), cachePolicy: .networkOnly)
        }
      }
      return markdown(rows)
    }
  }

  /// The heap for clients that are kept, before and after their first request.
  private struct MemoryOfClients: Experiment {
    let title = "Memory for each idle client"
    private let server: LoopbackServer

    private static let count = 100
    private static let rounds = 5

    init(_ data: BenchmarkData) throws {
      server = try LoopbackServer(["small": data.file("small.json")])
    }

    func table() async throws -> String {
      let url = server.url("small")
      let request = URLRequest(json: SmallQuery().requestBody(), to: url)

      var rows = [["", "each client", "left of each afterwards, round by round"]]
      func add<Client>(
        _ name: String, _ make: () async throws -> Client, close: (Client) -> Void = { _ in }
      ) async throws {
        var clients: [Client] = []
        clients.reserveCapacity(Self.count)
        func measure() async throws -> Usage {
          try await Usage(count: Self.count) {
            for _ in 0..<Self.count { clients.append(try await make()) }
            try await Task.sleep(for: .milliseconds(20))
          } end: {
            for client in clients { close(client) }
            clients.removeAll(keepingCapacity: true)
            try await Task.sleep(for: .milliseconds(200))
          }
        }
        _ = try await measure()
        var usages: [Usage] = []
        for _ in 0..<Self.rounds { usages.append(try await measure()) }
        rows.append([
          name, "\(usages.map(\.during).sorted()[Self.rounds / 2]) B",
          usages.map { "\($0.after)" }.joined(separator: ", "),
        ])
      }
      try await add("C, libcurl's easy interface, one kept connection") {
        let post = try CurlPost(SmallQuery().requestBody(), to: url)
        keep(try post.send())
        return post
      }
      try await add(
        "URLSession, one kept connection",
        {
          let session = URLSession(configuration: .graphQL)
          _ = try await session.data(for: request)
          return session
        }, close: { $0.finishTasksAndInvalidate() })
      try await add("ApolloClient, unused") { ApolloClient(url: url) }
      try await add("ApolloClient, one kept connection and a record in the cache") {
        let client = ApolloClient(url: url)
        _ = try await client.fetchFromServer(SmallQuery())
        return client
      }
      return markdown(rows)
    }
  }

  /// The heap's growth by things of some number, for each.
  private struct Usage {
    /// The bytes for each while they exist.
    var during: Int
    /// The bytes that are left of each when they have ended.
    var after: Int

    init(count: Int, begin: () throws -> Void, end: () throws -> Void) rethrows {
      let before = allocated_byte_count()
      try begin()
      let middle = allocated_byte_count()
      try end()
      self.init(count: count, before, middle, allocated_byte_count())
    }

    init(
      count: Int, begin: () async throws -> Void, end: () async throws -> Void
    ) async rethrows {
      let before = allocated_byte_count()
      try await begin()
      let middle = allocated_byte_count()
      try await end()
      self.init(count: count, before, middle, allocated_byte_count())
    }

    private init(count: Int, _ before: Int, _ middle: Int, _ after: Int) {
      during = (middle - before) / count
      self.after = (after - before) / count
    }
  }
#endif
