import ApolloAPI
import BenchmarkAPI
import CSimdjson
import Foundation

/// Decoding bytes into typed values: our models, Foundation's two decoders and a program in C++.
let responseDecoding: [ExperimentMaker] = [
  {
    try decoding(
      "small.json", SmallQuery(), as: SmallResponse.self, simdjson_decode_small,
      simdjson_digest_small, from: $0)
  },
  {
    try decoding(
      "github.json", GitHubQuery(), as: GitHubResponse.self, simdjson_decode_github,
      simdjson_digest_github, from: $0)
  },
  {
    try decoding(
      "friends1000.json", FriendsQuery(), as: FriendsResponse.self, simdjson_decode_friends,
      simdjson_digest_friends, from: $0)
  },
  {
    try decoding(
      "feed.json", FeedQuery(), as: FeedResponse.self, simdjson_decode_feed, simdjson_digest_feed,
      from: $0)
  },
]

private func decoding<Operation: GraphQLOperation, Response>(
  _ file: String, _ operation: Operation, as type: Response.Type,
  _ simdjson: @escaping (OpaquePointer?) -> Bool,
  _ simdjsonDigest: @escaping (OpaquePointer?) -> UInt64, from data: BenchmarkData
) throws -> Comparison
where Operation.Data: Walkable, Response: Decodable & SendableMetatype & Walkable {
  let bytes = try data.bytes(of: file)
  // What is compared has to have the same contents.
  guard let model = try ResponseDecoder().decode(bytes, as: operation).data else {
    throw DifferentContents(file: file, decoder: "Apollo")
  }
  let digest = model.digested()
  guard try JSONDecoder().decode(type, from: bytes).digested() == digest else {
    throw DifferentContents(file: file, decoder: "JSONDecoder")
  }
  guard simdjsonDigestMatches(bytes, simdjsonDigest, digest) else {
    throw DifferentContents(file: file, decoder: "C++")
  }
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

/// The error for decoders that read different contents from the same bytes. It ends the program.
struct DifferentContents: Error {
  var file: String
  var decoder: String
}
