import Apollo
import ApolloAPI
import ApolloOffline
import Foundation
import TestOperations

/// Changes data offline until it is killed, or sends what such programs have left.
///
///     offline-stress change <queue> <URL> <run> <acknowledgements>
///     offline-stress share <queue> <URL> <run> <acknowledgements>
///     offline-stress add <queue> <URL> <run> <acknowledgements>
///     offline-stress drain <queue> <URL>
///
/// A mutation renames the hero of its lane to `<run>.<number>`, or adds a to-do with the title
/// `<lane> <run>.<number>` (the server of `Examples/TodoList`). When the call has returned,
/// `<lane> <run>.<number>` is appended to the acknowledgements and printed. `share` does the same
/// as `change` while other processes use the file, and appends the number of the mutation in it.
/// `drain` prints `drained` when the queue is empty.
@main
struct OfflineStress {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4, let url = URL(string: arguments[3]) else {
      return fail(
        "usage: offline-stress change|share|add|drain <queue> <URL> [<run> <acknowledgements>]")
    }
    let mode = arguments[1]
    var configuration = OfflineMutationQueue.Configuration()
    configuration.survivesPowerLoss = false
    configuration.busyTimeout = .seconds(300)
    configuration.baseDelay = .milliseconds(1)
    configuration.maximumDelay = .milliseconds(20)
    configuration.isShared = mode == "share"
    // One that is too slow loses its right to send, and another process takes it over.
    configuration.leaseTime = .seconds(mode == "share" ? 2 : 300)
    configuration.onFailure = { fail("the queue fails: \($0)") }
    let queue = try OfflineMutationQueue(
      fileURL: URL(fileURLWithPath: arguments[2]), configuration: configuration)
    queue.register(HeroAPI.RenameMutation.self)
    queue.register(AddTodoMutation.self)
    let client = ApolloClient(url: url)
    client.use(queue)
    switch mode {
    case "change", "share", "add":
      guard arguments.count == 6 else { return fail("'\(mode)' needs a run and a file") }
      try await change(client, queue, arguments[4], URL(fileURLWithPath: arguments[5]), mode)
    case "drain":
      for await counts in queue.countUpdates where counts.total == 0 { break }
      print("drained")
    default: fail("say change, share, add or drain")
    }
    withExtendedLifetime(client) {}
  }

  private static func change(
    _ client: ApolloClient, _ queue: OfflineMutationQueue, _ run: String, _ file: URL,
    _ mode: String
  ) async throws {
    // Each line is one write to the end of the file, also beside other processes.
    let descriptor = open(file.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return fail("cannot open \(file.path)") }
    let acknowledgements = FileHandle(fileDescriptor: descriptor)
    var number = 0
    while true {
      number += 1
      let (lane, name) = ("\(number % 3)", "\(run).\(number)")
      let rules = OfflineRules.enqueue(key: .automatic, lane: lane)
      let id: OfflineID
      if mode == "add" {
        id = try await client.perform(
          mutation: AddTodoMutation(title: "\(lane) \(name)"), offline: rules
        ).id
      } else {
        let expected = try HeroAPI.RenameMutation.Data(jsonObject: [
          "rename": ["__typename": "Hero", "id": lane, "name": name]
        ])
        id = try await client.perform(
          mutation: HeroAPI.RenameMutation(id: lane, name: name), optimistic: expected,
          offline: rules
        ).id
      }
      let line = Data("\(lane) \(name)\(mode == "share" ? " \(id.rawValue)" : "")\n".utf8)
      try acknowledgements.write(contentsOf: line)
      try FileHandle.standardOutput.write(contentsOf: line)
      if mode == "share" {
        // The others have their turns as well, however fast this one is.
        guard number.isMultiple(of: 10) else { continue }
        for await _ in queue.countUpdates where !queue.entries.contains(where: { $0.id == id }) {
          break
        }
      } else if queue.counts.total > 60 {
        for await counts in queue.countUpdates where counts.total < 20 { break }
      }
    }
  }

  private static func fail(_ message: String) {
    FileHandle.standardError.write(Data("offline-stress: \(message)\n".utf8))
    exit(1)
  }
}

/// A mutation of `Examples/TodoList`, written by hand.
private struct AddTodoMutation: GraphQLMutation {
  static let operationName = "AddTodo"
  static let operationDocument = OperationDocument(
    definition: OperationDefinition(
      "mutation AddTodo($title: String!) { addTodo(title: $title) { __typename id title } }"))
  static let __selections = GeneratedCode.Selections(
    "Mutation {addTodo(title: $title) Hero {__typename String! id ID! title String!}}")

  var title: String
  var __variables: Variables? { ["title": title] }

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: GeneratedCode.ResponseObject
    static let __layout = AddTodoMutation.__selections[0]
  }
}
