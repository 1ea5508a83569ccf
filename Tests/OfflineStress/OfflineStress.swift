import Apollo
import ApolloOffline
import Foundation
import TestOperations

/// Changes data offline until it is killed, or sends what such programs have left.
///
///     offline-stress change <queue> <port> <run> <acknowledgements>
///     offline-stress drain <queue> <port>
///
/// A mutation renames the hero of its lane to `<run>.<number>`. When the call has returned,
/// `<lane> <run>.<number>` is appended to the acknowledgements and printed. `drain` prints
/// `drained` when the queue is empty.
@main
struct OfflineStress {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4, let port = UInt16(arguments[3]) else {
      return fail("usage: offline-stress change|drain <queue> <port> [<run> <acknowledgements>]")
    }
    var configuration = OfflineMutationQueue.Configuration()
    configuration.survivesPowerLoss = false
    configuration.busyTimeout = .seconds(300)
    configuration.baseDelay = .milliseconds(1)
    configuration.maximumDelay = .milliseconds(20)
    configuration.leaseTime = .seconds(300)
    configuration.onFailure = { fail("the queue fails: \($0)") }
    let queue = try OfflineMutationQueue(
      fileURL: URL(fileURLWithPath: arguments[2]), configuration: configuration)
    queue.register(HeroAPI.RenameMutation.self)
    guard let url = URL(string: "http://127.0.0.1:\(port)/") else { return fail("no port") }
    let client = ApolloClient(url: url)
    client.use(queue)
    switch arguments[1] {
    case "change" where arguments.count == 6:
      try await change(client, queue, arguments[4], URL(fileURLWithPath: arguments[5]))
    case "drain":
      for await counts in queue.countUpdates where counts.total == 0 { break }
      print("drained")
    default: fail("say change or drain")
    }
    withExtendedLifetime(client) {}
  }

  private static func change(
    _ client: ApolloClient, _ queue: OfflineMutationQueue, _ run: String, _ file: URL
  ) async throws {
    if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
    let acknowledgements = try FileHandle(forWritingTo: file)
    try acknowledgements.seekToEnd()
    var number = 0
    while true {
      number += 1
      let (lane, name) = ("\(number % 3)", "\(run).\(number)")
      let expected = try HeroAPI.RenameMutation.Data(jsonObject: [
        "rename": ["__typename": "Hero", "id": lane, "name": name]
      ])
      _ = try await client.perform(
        mutation: HeroAPI.RenameMutation(id: lane, name: name), optimistic: expected,
        offline: .enqueue(key: .automatic, lane: lane))
      let line = Data("\(lane) \(name)\n".utf8)
      try acknowledgements.write(contentsOf: line)
      try FileHandle.standardOutput.write(contentsOf: line)
      if queue.counts.total > 60 {
        for await counts in queue.countUpdates where counts.total < 20 { break }
      }
    }
  }

  private static func fail(_ message: String) {
    FileHandle.standardError.write(Data("offline-stress: \(message)\n".utf8))
    exit(1)
  }
}
