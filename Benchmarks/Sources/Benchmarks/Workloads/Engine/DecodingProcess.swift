import ApolloAPI
import BenchmarkAPI
import Foundation

/// A process that decodes a response and prints how long that took each time, in nanoseconds:
/// `Benchmarks decode Apollo feed.json 1`.
enum DecodingProcess {
  static let command = "decode"

  /// The decoder for the bytes.
  enum Way: String, CaseIterable {
    case nothing
    case apollo = "Apollo"
    case codable = "JSONDecoder"
  }

  /// Takes the name of a decoder, that of a file, and how often to decode.
  static func run(_ arguments: [String], _ data: BenchmarkData) throws {
    guard arguments.count == 3, let way = Way(rawValue: arguments[0]),
      let count = Int(arguments[2])
    else { throw WrongArguments() }
    let bytes = try data.bytes(of: arguments[1])
    let clock = ContinuousClock()
    var durations: [String] = []
    for _ in 0..<count {
      let duration = try clock.measure { try decode(bytes, of: arguments[1], way) }
      durations.append("\(Int64(duration / .nanoseconds(1)))")
    }
    print(durations.joined(separator: " "))
  }

  /// The command that ``run(_:_:)`` reads.
  static func commandLine(_ way: Way, _ file: String, count: Int) -> [String] {
    [CommandLine.arguments[0], command, way.rawValue, file, "\(count)"]
  }

  private static func decode(_ bytes: Data, of file: String, _ way: Way) throws {
    switch file {
    case "small.json": try decode(bytes, SmallQuery(), SmallResponse.self, way)
    case "github.json": try decode(bytes, GitHubQuery(), GitHubResponse.self, way)
    case "friends1000.json": try decode(bytes, FriendsQuery(), FriendsResponse.self, way)
    case "feed.json": try decode(bytes, FeedQuery(), FeedResponse.self, way)
    default: throw WrongArguments()
    }
  }

  private static func decode<Operation: GraphQLOperation, Response: Decodable & SendableMetatype>(
    _ bytes: Data, _ operation: Operation, _ type: Response.Type, _ way: Way
  ) throws {
    switch way {
    case .nothing: keep(bytes)
    case .apollo: keep(try ResponseDecoder().decode(bytes, as: operation))
    case .codable: keep(try JSONDecoder().decode(type, from: bytes))
    }
  }

  private struct WrongArguments: Error {}
}
