import Apollo
import ApolloAPI
import ApolloCache
import ApolloOffline
import ApolloSQLite
import BenchmarkAPI
import Foundation

/// Adding mutations to a queue, starting with many of them, and reading through their layers.
let offlineQueue: [ExperimentMaker] = [
  { _ in try adding(survivesPowerLoss: false) },
  { _ in try adding(survivesPowerLoss: true) },
  { _ in try starting() },
  { _ in WaitingMemory() },
  { _ in try readingThroughLayers() },
]

/// A mutation of the benchmark's schema, written by hand.
private struct RenameMutation: GraphQLMutation {
  static let operationName = "Rename"
  static let operationDocument = OperationDocument(
    definition: OperationDefinition(
      "mutation Rename($id: ID!, $name: String!) { rename(id: $id, name: $name) { __typename id name } }"
    ))
  static let __selections = GeneratedCode.Selections(
    #"Mutation {rename(id: $id, name: $name) Character {__typename String! id ID! name String!}}"#)

  var id: String
  var name: String
  var __variables: Variables? { ["id": id, "name": name] }

  struct Data: BenchmarkAPI.SelectionSet {
    private let __storage: GeneratedCode.ResponseObject
    static let __layout = RenameMutation.__selections[0]
  }
}

private struct Program {
  let client: ApolloClient
  let queue: OfflineMutationQueue

  /// Without `survivesPowerLoss`, it has the durability of a cache on disk.
  init(file: URL, survivesPowerLoss: Bool = false) throws {
    var configuration = OfflineMutationQueue.Configuration()
    configuration.survivesPowerLoss = survivesPowerLoss
    queue = try OfflineMutationQueue(fileURL: file, configuration: configuration)
    queue.register(RenameMutation.self)
    queue.networkChanged(isAvailable: false)
    client = ApolloClient(url: URL(string: "http://127.0.0.1:9/")!)
    client.use(queue)
  }

  func rename(_ id: String, _ name: String, isVisible: Bool, subject: String? = nil) async throws {
    let data =
      try isVisible
      ? RenameMutation.Data(jsonObject: [
        "rename": ["__typename": "Character", "id": id, "name": name]
      ]) : nil
    _ = try await client.perform(
      mutation: RenameMutation(id: id, name: name), optimistic: data,
      offline: .enqueue(
        key: .automatic, superseding: subject.map(OfflineSuperseding.replace) ?? .none))
  }
}

/// A value that the first run of a workload makes.
private final class Held<Value> {
  var value: Value?
}

private func newFile() throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "apollo-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder.appendingPathComponent("queue.sqlite")
}

/// Both sides of each table wait for the disk, or neither does.
private func adding(survivesPowerLoss: Bool) throws -> Comparison {
  var configuration = SQLiteNormalizedCache.Configuration()
  // A cache waits for the disk at each commit in every mode but this one.
  configuration.journalMode = survivesPowerLoss ? .truncate : .wal
  let cache = ApolloStore(
    cache: try SQLiteNormalizedCache(fileURL: try newFile(), configuration: configuration))
  let plain = try Program(file: try newFile(), survivesPowerLoss: survivesPowerLoss)
  let visible = try Program(file: try newFile(), survivesPowerLoss: survivesPowerLoss)
  var number = 0
  func name() -> String {
    number += 1
    return "Somebody \(number)"
  }
  let durability = survivesPowerLoss ? "that survives a power loss" : "that survives the program"
  return Comparison(
    title: "Add a mutation to an offline queue \(durability)",
    baseline: "write a record of the same size to a cache on disk",
    workloads: [
      .asynchronous("write a record of the same size to a cache on disk") {
        try await cache.publish([
          "Character:c7": ["__typename": "Character", "id": "c7", "name": .string(name())]
        ])
      },
      .asynchronous("add") { try await plain.rename("c7", name(), isVisible: false) },
      .asynchronous("add with expected data, in place of an earlier one") {
        try await visible.rename("c7", name(), isVisible: true, subject: "c7")
      },
    ])
}

/// Files with waiting mutations, which take a while to make.
private actor Files {
  static let shared = Files()
  private var files: [Int: Task<URL, any Error>] = [:]

  func file(_ count: Int) async throws -> URL {
    let making =
      files[count]
      ?? Task {
        let file = try newFile()
        let program = try Program(file: file)
        for number in 0..<count {
          try await program.rename("c\(number)", "Somebody \(number)", isVisible: true)
        }
        return file
      }
    files[count] = making
    return try await making.value
  }
}

private func starting() throws -> Comparison {
  let query = CharacterQuery(id: "c0")
  return Comparison(
    title: "Start an offline queue with waiting mutations", baseline: "1 waiting",
    workloads: [1, 100, 10_000].flatMap { count in
      [
        .asynchronous("\(count) waiting") {
          keep(try Program(file: try await Files.shared.file(count)).queue.counts.total)
        },
        // The layers are computed then, which reads what each mutation shows.
        .asynchronous("\(count) waiting, and the first reading") {
          let program = try Program(file: try await Files.shared.file(count))
          keep(try? await program.client.store.load(query))
        },
      ]
    })
}

/// The memory of mutations that wait.
private struct WaitingMemory: Experiment {
  let title = "Memory of the waiting mutations of an offline queue"

  func table() async throws -> String {
    let count = 10_000
    let file = try await Files.shared.file(count)
    let before = residentByteCount()
    let program = try Program(file: file)
    let opened = residentByteCount()
    _ = try? await program.client.store.load(CharacterQuery(id: "c0"))
    let read = residentByteCount()
    func each(_ after: Int?) -> String {
      after.flatMap { after in before.map { "\((after - $0) / count) B" } } ?? "unknown"
    }
    withExtendedLifetime(program) {}
    return markdown([
      ["resident, for each of \(count)", ""],
      ["after the start", each(opened)],
      ["after the first reading, with what the layers show", each(read)],
    ])
  }
}

private func readingThroughLayers() throws -> Comparison {
  let counts = [0, 1, 100]
  let programs = counts.map { _ in Held<Program>() }
  let query = CharacterQuery(id: "c0")
  return Comparison(
    title: "Read with waiting mutations of an offline queue", baseline: "0 layers",
    workloads: zip(counts, programs).map { count, program in
      .asynchronous("\(count) layers") {
        if program.value == nil {
          let new = try Program(file: try newFile())
          let body =
            #"{"data":{"character":{"__typename":"Character","id":"c0","name":"A","age":1}}}"#
          try await new.client.store.publish(body: Data(body.utf8), of: query)
          for number in 0..<count {
            try await new.rename("c\(number)", "B", isVisible: true)
          }
          program.value = new
        }
        guard let client = program.value?.client else { return }
        keep(try await client.store.load(query))
      }
    })
}
