import ApolloAPI
import BenchmarkAPI
import Foundation

/// The use of models by a program: reading every field, comparing, hashing.
let modelUse: [ExperimentMaker] = [
  { try use(of: SmallQuery(), "small.json", from: $0) },
  { try use(of: GitHubQuery(), "github.json", from: $0) },
  { try use(of: FriendsQuery(), "friends1000.json", from: $0) },
  { try use(of: FeedQuery(), "feed.json", from: $0) },
]

private func use<Operation: GraphQLOperation>(
  of operation: Operation, _ file: String, from data: BenchmarkData
) throws -> Comparison where Operation.Data: Walkable {
  let bytes = try data.bytes(of: file)
  let decoder = ResponseDecoder()
  guard let model = try decoder.decode(bytes, as: operation).data,
    let same = try decoder.decode(bytes, as: operation).data
  else { throw MissingData(path: file) }
  return Comparison(
    title: "Use the model of \(file)",
    baseline: "decode",
    workloads: [
      Workload("decode") { keep(try decoder.decode(bytes, as: operation)) },
      Workload("read all \(model.walked().fieldCount) fields") { keep(model.walked()) },
      Workload("compare with an equal one") { keep(model == same) },
      Workload("hash") { keep(model.hashValue) },
      Workload("to JSON text") { keep(model.jsonBytes) },
    ])
}
