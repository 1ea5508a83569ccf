import CSimdjson
import Foundation

/// Bytes of a response to typed values, against Foundation's two ways and a native program's.
let responseDecoding: [@Sendable (BenchmarkData) throws -> Comparison] = [
  { try decoding("small.json", as: SmallResponse.self, simdjson_decode_small, from: $0) },
  { try decoding("github.json", as: GitHubResponse.self, simdjson_decode_github, from: $0) },
  { try decoding("friends1000.json", as: FriendsResponse.self, simdjson_decode_friends, from: $0) },
  { try decoding("feed.json", as: FeedResponse.self, simdjson_decode_feed, from: $0) },
]

private func decoding<Response: Decodable & SendableMetatype>(
  _ file: String, as type: Response.Type, _ simdjson: @escaping (OpaquePointer?) -> Bool,
  from data: BenchmarkData
) throws -> Comparison {
  let bytes = try data.bytes(of: file)
  let workloads = [
    Workload("JSONDecoder") { keep(try JSONDecoder().decode(type, from: bytes)) },
    Workload("JSONSerialization, untyped") { keep(try JSONSerialization.jsonObject(with: bytes)) },
    Workload.simdjson(bytes, simdjson),
  ]
  return Comparison(
    title: "Decode \(file)",
    byteCount: bytes.count,
    baseline: "JSONDecoder",
    workloads: workloads.compactMap(\.self))
}
