#if os(Linux)
  import Apollo
  import ApolloAPI
  import ApolloCache
  import BenchmarkAPI
  import Foundation
  import FoundationNetworking

  /// A response of 8.4 MB from the socket to models, against the same from memory.
  let largeResponses: [ExperimentMaker] = [
    { data in
      let server = try LoopbackServer(["feed": data.file("feed.json")])
      let bytes = try data.bytes(of: "feed.json")
      let body = FeedQuery().requestBody()
      let url = server.url("feed")
      let post = try CurlPost(body, to: url)
      let request = URLRequest(json: body, to: url)
      let session = URLSession(configuration: .graphQL)
      let bare = CurlClient()
      let client = ApolloClient(url: url)
      let store = ApolloStore()
      return Comparison(
        title: "feed.json from the socket",
        byteCount: bytes.count,
        baseline: "decode from memory",
        workloads: [
          Workload("decode from memory") {
            keep(try ResponseDecoder().decode(bytes, as: FeedQuery()))
          },
          .asynchronous("decode from memory and write to the cache") {
            keep(try await store.publish(body: bytes, of: FeedQuery()))
          },
          Workload("C, libcurl's easy interface, bytes alone") { keep(try post.send()) },
          .asynchronous("URLSession, bytes alone") {
            keep(try await session.data(for: request))
          },
          .asynchronous("CurlClient, bytes alone") {
            keep(try await bare.response(to: request).body())
          },
          .asynchronous("ApolloClient, without the cache") {
            keep(try await client.fetchFromServer(FeedQuery(), writesToCache: false))
          },
          .asynchronous("ApolloClient, cache written") {
            keep(try await client.fetchFromServer(FeedQuery()))
          },
        ],
        note: { measurements in
          withExtendedLifetime(server) {}
          return [
            ratios(
              of: "ApolloClient, without the cache", to: ["decode from memory"], measurements),
            ratios(
              of: "ApolloClient, cache written",
              to: ["decode from memory and write to the cache"], measurements),
          ].compactMap(\.self).joined(separator: " ")
        })
    }
  ]
#endif
