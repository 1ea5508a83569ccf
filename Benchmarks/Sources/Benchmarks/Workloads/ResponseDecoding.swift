import Foundation

/// Bytes of a response to typed values, against Foundation's two ways.
let responseDecoding: [@Sendable (BenchmarkData) throws -> Comparison] = [
  { try decoding("small.json", as: SmallResponse.self, from: $0) },
  { try decoding("github.json", as: GitHubResponse.self, from: $0) },
  { try decoding("friends1000.json", as: FriendsResponse.self, from: $0) },
  { try decoding("feed.json", as: FeedResponse.self, from: $0) },
]

private func decoding<Response: Decodable & SendableMetatype>(
  _ file: String, as type: Response.Type, from data: BenchmarkData
) throws -> Comparison {
  let bytes = try data.bytes(of: file)
  return Comparison(
    title: "Decode \(file)",
    byteCount: bytes.count,
    baseline: "JSONDecoder",
    workloads: [
      Workload("JSONDecoder") { keep(try JSONDecoder().decode(type, from: bytes)) },
      Workload("JSONSerialization, untyped") {
        keep(try JSONSerialization.jsonObject(with: bytes))
      },
    ])
}
