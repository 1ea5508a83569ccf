import ApolloAPI
import BenchmarkAPI
import CSimdjson
import Foundation

/// Decoding bytes into typed values: our models, Foundation's two decoders and a program in C++.
let responseDecoding: [ExperimentMaker] = [
  {
    try decoding(
      "small.json", SmallQuery(), as: SmallResponse.self, simdjson_decode_small, from: $0)
  },
  {
    try decoding(
      "github.json", GitHubQuery(), as: GitHubResponse.self, simdjson_decode_github, from: $0)
  },
  {
    try decoding(
      "friends1000.json", FriendsQuery(), as: FriendsResponse.self, simdjson_decode_friends,
      from: $0)
  },
  { try decoding("feed.json", FeedQuery(), as: FeedResponse.self, simdjson_decode_feed, from: $0) },
]

private func decoding<Operation: GraphQLOperation, Response: Decodable & SendableMetatype>(
  _ file: String, _ operation: Operation, as type: Response.Type,
  _ simdjson: @escaping (OpaquePointer?) -> Bool, from data: BenchmarkData
) throws -> Comparison {
  let bytes = try data.bytes(of: file)
  let workloads = [
    Workload("Apollo") { keep(try ResponseDecoder().decode(bytes, as: operation)) },
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
