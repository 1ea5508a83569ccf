import ApolloAPI
import BenchmarkAPI
import CSimdjson
import Foundation

/// The measured responses in the forms in which other servers send the same data.
let responseShapes: [ExperimentMaker] = [
  { try shapes("small.json", SmallQuery(), SmallResponse.self, simdjson_decode_small, from: $0) },
  {
    try shapes("github.json", GitHubQuery(), GitHubResponse.self, simdjson_decode_github, from: $0)
  },
  {
    try shapes(
      "friends1000.json", FriendsQuery(), FriendsResponse.self, simdjson_decode_friends, from: $0)
  },
  { try shapes("feed.json", FeedQuery(), FeedResponse.self, simdjson_decode_feed, from: $0) },
]

private func shapes<Operation: GraphQLOperation, Response: Decodable & SendableMetatype>(
  _ file: String, _ operation: Operation, _ type: Response.Type,
  _ simdjson: @escaping (OpaquePointer) -> Bool, from data: BenchmarkData
) throws -> ResponseShapes {
  let sent = try data.bytes(of: file)
  let model = try ResponseDecoder().decode(sent, as: operation).data
  let rows = try ResponseShape.allCases.map { shape in
    let bytes = shape.applied(to: sent)
    guard try ResponseDecoder().decode(bytes, as: operation).data == model else {
      throw OtherData(file: file, shape: shape)
    }
    return ResponseShapes.Row(
      name: shape.rawValue, byteCount: bytes.count,
      apollo: Workload("Apollo") { keep(try ResponseDecoder().decode(bytes, as: operation)) },
      codable: Workload("JSONDecoder") { keep(try JSONDecoder().decode(type, from: bytes)) },
      simdjson: Workload.simdjson(bytes, simdjson))
  }
  return ResponseShapes(title: "Shapes of \(file)", rows: rows)
}

/// A form of the same data.
private enum ResponseShape: String, CaseIterable {
  case sent = "as sent"
  case alphabetical = "keys in alphabetical order"
  case typenameLast = "`__typename` last"
  case blanks = "blanks after colons"
  case pretty = "pretty-printed"
  case unknown = "three unknown fields in each object"

  func applied(to sent: Data) -> Data {
    let tree = OrderedJSON(sent)
    switch self {
    case .sent: return sent
    case .alphabetical:
      return tree.mapObjects { members in
        members.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      }.bytes()
    case .typenameLast:
      return tree.mapObjects { members in
        members.filter { !Self.isTypename($0) } + members.filter(Self.isTypename)
      }.bytes()
    case .blanks: return tree.bytes(JSONLayout(afterColon: " "))
    case .pretty: return tree.bytes(JSONLayout(afterColon: " ", indentation: 2))
    case .unknown:
      return tree.mapObjects { members in
        guard members.contains(where: Self.isTypename) else { return members }
        let middle = members.count / 2
        return [Self.unknownText] + members[..<middle] + [Self.unknownNumber] + members[middle...]
          + [Self.unknownObject]
      }.bytes()
    }
  }

  private static func isTypename(_ member: OrderedJSON.Member) -> Bool {
    member.key == Array(#""__typename""#.utf8)
  }

  private static let unknownText = member("etag", #""a8b1c2d3e4f5""#)
  private static let unknownNumber = member("revision", "1048576")
  private static let unknownObject = member("links", #"{"self":"/a/b","related":["/c","/d"]}"#)

  private static func member(_ key: String, _ value: String) -> OrderedJSON.Member {
    (Array("\"\(key)\"".utf8), OrderedJSON(Data(value.utf8)))
  }
}

/// One table for each response: a row for each of its forms.
private struct ResponseShapes: Experiment {
  struct Row {
    var name: String
    var byteCount: Int
    var apollo: Workload
    var codable: Workload
    var simdjson: Workload?
  }

  var title: String
  var rows: [Row]

  func table() async throws -> String {
    // The shapes take turns too, so that their rows can be compared.
    let workloads = rows.flatMap { [$0.apollo, $0.codable, $0.simdjson].compactMap(\.self) }
    let comparison = Comparison(title: title, baseline: "", workloads: workloads)
    var measurements = try await comparison.measure(
      Effort(sampleCounts: 7...60, budget: .milliseconds(400)))[...]
    var table = [
      ["", "bytes", "Apollo", "`JSONDecoder`", "faster", "C++, simdjson", "allocations"]
    ]
    for row in rows {
      let apollo = measurements.removeFirst()
      let codable = measurements.removeFirst()
      let simdjson = row.simdjson.map { _ in measurements.removeFirst() }
      table.append([
        row.name, "\(row.byteCount)", text(apollo.median), text(codable.median),
        String(format: "%.1f×", codable.median / apollo.median),
        simdjson.map { text($0.median) } ?? "not installed",
        apollo.allocations.map { "\($0)" } ?? "not counted",
      ])
    }
    return markdown(table)
  }
}

/// The error for a form that decodes to another model.
private struct OtherData: Error {
  var file: String
  var shape: ResponseShape
}
