import Apollo
import ApolloAPI
import ApolloCache
import ApolloOffline
import ApolloSQLite
import BenchmarkAPI
import Foundation

/// Adding mutations to a queue, starting with many of them, and reading through their layers.
let offlineQueue: [ExperimentMaker] = [
  { _ in try adding() },
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

  init(file: URL, optimistic: Bool = true) throws {
    var configuration = OfflineMutationQueue.Configuration()
    // The durability of a cache on disk.
    configuration.survivesPowerLoss = false
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

private func adding() throws -> Comparison {
  let cache = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: try newFile()))
  let plain = try Program(file: try newFile())
  let visible = try Program(file: try newFile())
  var number = 0
  func name() -> String {
    number += 1
    return "Somebody \(number)"
  }
  return Comparison(
    title: "Add a mutation to an offline queue",
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

private func filled(_ count: Int, isVisible: Bool) async throws -> URL {
  let file = try newFile()
  let program = try Program(file: file)
  for number in 0..<count {
    try await program.rename("c\(number)", "Somebody \(number)", isVisible: isVisible)
  }
  return file
}

private func starting() throws -> Comparison {
  let counts = [1, 100, 10_000]
  let files = counts.map { _ in Held<URL>() }
  func file(_ count: Int, _ file: Held<URL>) async throws -> URL {
    if let url = file.value { return url }
    let new = try await filled(count, isVisible: true)
    file.value = new
    return new
  }
  let query = CharacterQuery(id: "c0")
  return Comparison(
    title: "Start with waiting mutations", baseline: "1 waiting",
    workloads: zip(counts, files).flatMap { count, held in
      [
        .asynchronous("\(count) waiting") {
          keep(try Program(file: try await file(count, held)).queue.counts.total)
        },
        // The layers are computed then, which reads what each mutation shows.
        .asynchronous("\(count) waiting, and the first reading") {
          let program = try Program(file: try await file(count, held))
          keep(try? await program.client.store.load(query))
        },
      ]
    })
}

/// The memory of mutations that wait.
private struct WaitingMemory: Experiment {
  let title = "Memory of waiting mutations"

  func table() async throws -> String {
    let count = 10_000
    let file = try await filled(count, isVisible: true)
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
    title: "Read with waiting mutations", baseline: "0 layers",
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
