#if os(Linux)
  import Apollo
  import ApolloAPI
  import BenchmarkAPI
  import Foundation
  import FoundationNetworking

  /// Small POSTs, 64 of which are under way at any time.
  let concurrentRequests: [ExperimentMaker] = [
    { data in
      let server = try LoopbackServer(["small": data.file("small.json")])
      let body = SmallQuery().requestBody()
      let url = server.url("small")
      let crowd = try CurlCrowd(body, to: url, width: width)
      let request = URLRequest(json: body, to: url)
      let session = URLSession(configuration: .graphQL)
      let configuration = URLSessionConfiguration.graphQL
      configuration.httpMaximumConnectionsPerHost = width
      let wideSession = URLSession(configuration: configuration)
      let bare = CurlClient()
      let client = ApolloClient(url: url)
      return Comparison(
        title: "\(total) small POSTs, \(width) of them at a time",
        requestCount: total,
        baseline: "C, libcurl's multi interface",
        workloads: [
          Workload("C, libcurl's multi interface") { try crowd.send(total) },
          .asynchronous("URLSession, bytes alone") {
            try await inParallel { keep(try await session.data(for: request)) }
          },
          .asynchronous("URLSession with \(width) connections, bytes alone") {
            try await inParallel { keep(try await wideSession.data(for: request)) }
          },
          .asynchronous("CurlClient, bytes alone") {
            try await inParallel { keep(try await bare.response(to: request).body()) }
          },
          .asynchronous("ApolloClient, without the cache") {
            try await inParallel {
              keep(try await client.fetchFromServer(SmallQuery(), writesToCache: false))
            }
          },
          .asynchronous("ApolloClient, cache written") {
            try await inParallel { keep(try await client.fetchFromServer(SmallQuery())) }
          },
        ],
        note: { measurements in
          withExtendedLifetime(server) {}
          return ratios(
            of: "ApolloClient, cache written",
            to: [
              "C, libcurl's multi interface", "URLSession, bytes alone",
              "URLSession with \(width) connections, bytes alone",
            ], measurements)
        })
    }
  ]

  private let width = 64
  private let total = 1_024

  /// Does `work` as often as `total` says, in tasks that each do their part in sequence.
  private func inParallel(_ work: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<width {
        group.addTask { for _ in 0..<(total / width) { try await work() } }
      }
      try await group.waitForAll()
    }
  }
#endif
