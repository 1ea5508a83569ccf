#if os(Linux)
  import Apollo
  import BenchmarkAPI
  import Foundation
  import FoundationNetworking

  /// The first fetch of a process, over HTTP.
  let firstFetch: [ExperimentMaker] = [
    { data in
      FirstFetch(server: try LoopbackServer(["small": data.file("small.json")]))
    }
  ]

  /// The time of the first and second fetch in new processes, beside those of a bare `URLSession`
  /// with `JSONDecoder`. It begins with making the client.
  private struct FirstFetch: Experiment {
    let title = "Cold start: the first fetch of a process"
    let server: LoopbackServer

    private static let rounds = 15
    private static let ways: [FetchingProcess.Way] = [.apollo, .foundation]

    func table() async throws -> String {
      var times: [FetchingProcess.Way: [[Duration]]] = [:]
      for _ in 0..<Self.rounds {
        // They take turns, so that a slow moment affects all of them.
        for way in Self.ways {
          let command = FetchingProcess.commandLine(way, server.url("small"), count: 2)
          times[way, default: []].append(try FreshProcess.durations(of: command, count: 2))
        }
      }
      withExtendedLifetime(server) {}
      let rows = Self.ways.map { way in
        let rounds = times[way] ?? []
        return [way.rawValue] + (0..<2).map { text(FreshProcess.median(rounds, $0)) }
      }
      return markdown([["", "first", "second"]] + rows)
    }
  }

  /// A process that fetches a small response and prints how long that took each time, in
  /// nanoseconds: `Benchmarks fetch ApolloClient http://127.0.0.1:8000/small 2`.
  enum FetchingProcess {
    static let command = "fetch"

    /// The client.
    enum Way: String {
      case apollo = "ApolloClient"
      case withoutCache = "ApolloClient, without the cache"
      case bare = "CurlClient, bytes alone"
      case curl = "C, libcurl's easy interface"
      case foundation = "URLSession and JSONDecoder"
    }

    /// Takes the name of a client, a URL, and how often to fetch.
    static func run(_ arguments: [String]) async throws {
      guard arguments.count == 3, let way = Way(rawValue: arguments[0]),
        let url = URL(string: arguments[1]), let count = Int(arguments[2])
      else { throw HTTPFailure() }
      let clock = ContinuousClock()
      var start = clock.now
      let fetch = try fetcher(way, url)
      var durations: [String] = []
      for _ in 0..<count {
        try await fetch()
        durations.append("\(Int64((clock.now - start) / .nanoseconds(1)))")
        start = clock.now
      }
      print(durations.joined(separator: " "))
    }

    /// The command that ``run(_:)`` reads.
    static func commandLine(_ way: Way, _ url: URL, count: Int) -> [String] {
      [CommandLine.arguments[0], command, way.rawValue, url.absoluteString, "\(count)"]
    }

    private static func fetcher(_ way: Way, _ url: URL) throws -> () async throws -> Void {
      let body = { SmallQuery().requestBody() }
      switch way {
      case .curl:
        let post = try CurlPost(body(), to: url)
        return { keep(try post.send()) }
      case .bare:
        let client = CurlClient()
        let request = URLRequest(json: body(), to: url)
        return { keep(try await client.response(to: request).body()) }
      case .withoutCache:
        let client = ApolloClient(url: url)
        return { keep(try await client.fetchFromServer(SmallQuery(), writesToCache: false)) }
      case .apollo:
        let client = ApolloClient(url: url)
        return { keep(try await client.fetchFromServer(SmallQuery())) }
      case .foundation:
        let session = URLSession(configuration: .graphQL)
        let request = URLRequest(json: body(), to: url)
        return {
          let (bytes, _) = try await session.data(for: request)
          keep(try JSONDecoder().decode(SmallResponse.self, from: bytes))
        }
      }
    }
  }
#endif
