import ApolloAPI
import BenchmarkAPI
import Foundation

/// Lists of leaves: 1,000 objects with one list of eight elements each.
let leafLists: [ExperimentMaker] = [
  { _ in
    let names = ["HUMAN", "DROID", "WOOKIEE", "EWOK"]
    return try comparison(
      "enums", SpeciesListsQuery(), of: SpeciesSample.self, field: "species",
      element: { "\"\(names[$0 % 4])\"" })
  },
  { _ in
    try comparison(
      "Int", CountListsQuery(), of: CountSample.self, field: "counts", element: { "\($0)" })
  },
  { _ in
    try comparison(
      "[Int]", GridsQuery(), of: GridSample.self, field: "grid",
      element: { "[\($0),\($0 + 1),\($0 + 2)]" })
  },
  { _ in
    try comparison(
      "Double", RatioListsQuery(), of: RatioSample.self, field: "ratios",
      element: { "\($0).25" })
  },
  { _ in
    try comparison(
      "Int?", OptionalCountListsQuery(), of: OptionalCountSample.self, field: "optionalCounts",
      element: { $0 % 4 == 0 ? "null" : "\($0)" })
  },
  { _ in
    try comparison(
      "ID", IDListsQuery(), of: IDSample.self, field: "ids", element: { "\"node-\($0)\"" })
  },
]

private func comparison<Operation: GraphQLOperation, Sample: Decodable & SendableMetatype>(
  _ name: String, _ operation: Operation, of _: Sample.Type, field: String,
  element: (Int) -> String
) throws -> Comparison {
  let samples = (0..<1_000).map { sample in
    let elements = (0..<8).map { element(sample * 8 + $0) }.joined(separator: ",")
    return #"{"__typename":"Sample","\#(field)":[\#(elements)]}"#
  }
  let bytes = Data(#"{"data":{"samples":[\#(samples.joined(separator: ","))]}}"#.utf8)
  return Comparison(
    title: "Decode lists of \(name)",
    byteCount: bytes.count,
    baseline: "JSONDecoder",
    workloads: [
      Workload("Apollo") { keep(try ResponseDecoder().decode(bytes, as: operation)) },
      Workload("JSONDecoder") {
        keep(try JSONDecoder().decode(SamplesResponse<Sample>.self, from: bytes))
      },
    ])
}

// MARK: - What a program without a GraphQL client would write by hand

private struct SamplesResponse<Sample: Decodable & SendableMetatype>: Decodable {
  struct Payload: Decodable { var samples: [Sample] }
  var data: Payload
}

private enum SpeciesName: String, Decodable {
  case human = "HUMAN"
  case droid = "DROID"
  case wookiee = "WOOKIEE"
  case ewok = "EWOK"
}

private struct SpeciesSample: Decodable {
  var __typename: String
  var species: [SpeciesName]
}

private struct CountSample: Decodable {
  var __typename: String
  var counts: [Int]
}

private struct GridSample: Decodable {
  var __typename: String
  var grid: [[Int]]
}

private struct RatioSample: Decodable {
  var __typename: String
  var ratios: [Double]
}

private struct OptionalCountSample: Decodable {
  var __typename: String
  var optionalCounts: [Int?]
}

private struct IDSample: Decodable {
  var __typename: String
  var ids: [String]
}
