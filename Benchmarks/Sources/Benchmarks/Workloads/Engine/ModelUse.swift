import ApolloAPI
import BenchmarkAPI
import Foundation

/// The use of models by a program: reading every field, comparing, hashing.
let modelUse: [ExperimentMaker] = [
  { try use(of: SmallQuery(), SmallResponse.self, "small.json", from: $0) },
  { try use(of: GitHubQuery(), GitHubResponse.self, "github.json", from: $0) },
  { try use(of: FriendsQuery(), FriendsResponse.self, "friends1000.json", from: $0) },
  { try use(of: FeedQuery(), FeedResponse.self, "feed.json", from: $0) },
]

private func use<Operation: GraphQLOperation, Response: Decodable & SendableMetatype & Walkable>(
  of operation: Operation, _ type: Response.Type, _ file: String, from data: BenchmarkData
) throws -> Comparison where Operation.Data: Walkable {
  let bytes = try data.bytes(of: file)
  let decoder = ResponseDecoder()
  guard let model = try decoder.decode(bytes, as: operation).data,
    let same = try decoder.decode(bytes, as: operation).data
  else { throw MissingData(path: file) }
  let structs = try JSONDecoder().decode(type, from: bytes)
  guard structs.digested() == model.digested(), structs.walked() == model.walked() else {
    throw DifferentContents(file: file, decoder: "JSONDecoder")
  }
  return Comparison(
    title: "Use the model of \(file)",
    baseline: "decode",
    workloads: [
      Workload("decode") { keep(try decoder.decode(bytes, as: operation)) },
      Workload("read all \(model.walked().fieldCount) fields") { keep(model.walked()) },
      Workload("the same of plain structs") { keep(structs.walked()) },
      Workload("compare with an equal one") { keep(model == same) },
      Workload("hash") { keep(model.hashValue) },
      Workload("to JSON text: `jsonBytes`") { keep(model.jsonBytes) },
      Workload("to dictionaries: `jsonObject`") { keep(model.jsonObject) },
    ])
}
