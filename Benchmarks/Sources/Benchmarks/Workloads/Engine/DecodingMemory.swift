import ApolloAPI
import BenchmarkAPI
import CAllocationCounter
import Foundation

/// The allocations of decoding, and its peak memory.
let decodingMemory: [ExperimentMaker] = [
  { try DecodingAllocations($0) },
  { try DecodingPeaks(file: "feed.json", $0) },
]

/// The allocations of decoding, beside the necessary ones: objects, and strings that do not
/// fit into their slots.
private struct DecodingAllocations: Experiment {
  let title = "Allocations of decoding"
  private let responses: [(file: String, bytes: Data, decode: (Data) throws -> Void)]

  init(_ data: BenchmarkData) throws {
    func response<Operation: GraphQLOperation>(
      _ file: String, _ operation: Operation
    ) throws -> (String, Data, (Data) throws -> Void) {
      let bytes = try data.bytes(of: file)
      return (file, bytes, { keep(try ResponseDecoder().decode($0, as: operation)) })
    }
    responses = [
      try response("small.json", SmallQuery()), try response("github.json", GitHubQuery()),
      try response("friends1000.json", FriendsQuery()), try response("feed.json", FeedQuery()),
    ]
  }

  func table() async throws -> String {
    guard allocation_counter_is_available() else {
      return "Allocations cannot be counted on this platform."
    }
    var rows = [
      ["", "objects", "strings over 15 bytes", "allocations", "for each object, beside strings"]
    ]
    for (file, bytes, decode) in responses {
      try decode(bytes)  // warms up
      allocation_counter_start()
      defer { _ = allocation_counter_stop() }
      try decode(bytes)
      let allocations = Int(allocation_counter_stop().allocations)
      let contents = Contents(of: try JSONValue(jsonBytes: bytes))
      rows.append([
        file, "\(contents.objectCount)", "\(contents.longStringCount)", "\(allocations)",
        String(
          format: "%.2f",
          Double(allocations - contents.longStringCount) / Double(contents.objectCount)),
      ])
    }
    return markdown(rows)
  }

  /// The number of objects and strings in a response.
  private struct Contents {
    var objectCount = 0
    var longStringCount = 0

    init(of value: JSONValue) { add(value) }

    private mutating func add(_ value: JSONValue) {
      switch value {
      case .object(let members):
        objectCount += 1
        for member in members.values { add(member) }
      case .array(let elements): for element in elements { add(element) }
      case .string(let text): if text.utf8.count > 15 { longStringCount += 1 }
      default: break
      }
    }
  }
}

/// The peak memory of processes that decode one response once, above one that only reads its bytes.
private struct DecodingPeaks: Experiment {
  let title: String
  private let file: String

  private static let rounds = 5

  init(file: String, _ data: BenchmarkData) throws {
    title = "Peak memory of decoding \(file)"
    self.file = file
    _ = try data.file(file)
  }

  func table() async throws -> String {
    let idle = try peak(of: .nothing)
    var rows = [["", "peak over a process with the bytes alone"]]
    for way in DecodingProcess.Way.allCases where way != .nothing {
      let bytes = try peak(of: way) - idle
      rows.append([way.rawValue, String(format: "%.1f MB", Double(bytes) / 1e6)])
    }
    return markdown(rows)
  }

  /// The median of several processes.
  private func peak(of way: DecodingProcess.Way) throws -> Int {
    let command = DecodingProcess.commandLine(way, file, count: 1)
    let peaks = try (0..<Self.rounds).compactMap { _ in try ProcessMeter.run(command)?.peakBytes }
    guard peaks.count == Self.rounds else { throw MissingData(path: command[0]) }
    return peaks.sorted()[Self.rounds / 2]
  }
}
