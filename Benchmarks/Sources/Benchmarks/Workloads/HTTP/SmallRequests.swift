#if os(Linux)
  import Apollo
  import ApolloAPI
  import BenchmarkAPI
  import Foundation
  import FoundationNetworking

  /// One small POST after the other on a kept connection.
  let smallRequests: [ExperimentMaker] = [
    { data in
      let server = try LoopbackServer(["small": data.file("small.json")])
      let body = SmallQuery().requestBody()
      let url = server.url("small")
      let post = try CurlPost(body, to: url)
      let request = URLRequest(json: body, to: url)
      let session = URLSession(configuration: .graphQL)
      let bare = CurlClient()
      let client = ApolloClient(url: url)
      return Comparison(
        title: "One small POST on a kept connection",
        baseline: "C, libcurl's easy interface",
        workloads: [
          Workload("C, libcurl's easy interface") { keep(try post.send()) },
          .asynchronous("URLSession, bytes alone") {
            keep(try await session.data(for: request))
          },
          .asynchronous("CurlClient, bytes alone") {
            keep(try await bare.response(to: request).body())
          },
          .asynchronous("ApolloClient, without the cache") {
            keep(try await client.fetchFromServer(SmallQuery(), writesToCache: false))
          },
          .asynchronous("ApolloClient, cache written") {
            keep(try await client.fetchFromServer(SmallQuery()))
          },
        ],
        note: { measurements in
          withExtendedLifetime(server) {}
          return ratios(
            of: "ApolloClient, cache written",
            to: ["C, libcurl's easy interface", "URLSession, bytes alone"], measurements)
        })
    }
  ]

  extension URLRequest {
    /// A POST of JSON, with the headers that a bare client would set.
    init(json body: [UInt8], to url: URL) {
      self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
      httpMethod = "POST"
      httpBody = Data(body)
      setValue("application/json", forHTTPHeaderField: "Content-Type")
      setValue(
        "application/graphql-response+json, application/json;q=0.9", forHTTPHeaderField: "Accept")
    }
  }

  extension ApolloClient {
    /// The data of a query, from the server.
    func fetchFromServer<Query: GraphQLQuery>(
      _ query: Query, writesToCache: Bool = true
    ) async throws -> Query.Data {
      let response = try await fetch(
        query: query, cachePolicy: .networkOnly,
        requestConfiguration: RequestConfiguration(writeResultsToCache: writesToCache))
      guard let data = response.data else { throw HTTPFailure() }
      return data
    }
  }

  /// A sentence with the time of one row as a multiple of others'.
  func ratios(of name: String, to others: [String], _ measurements: [Measurement]) -> String? {
    func median(_ name: String) -> Duration? { measurements.first { $0.name == name }?.median }
    guard let own = median(name) else { return nil }
    let ratios = others.compactMap { other in
      median(other).map { String(format: "%.2f × %@", own / $0, other) }
    }
    return "\(name): \(ratios.joined(separator: "; "))."
  }
#endif
