// A to-do list whose changes wait on disk until there is a server.
//
//   swift run TodoOffline <url> <folder> list
//   swift run TodoOffline <url> <folder> change   # until it is killed
//   swift run TodoOffline <url> <folder> synchronize
//
// `scripts/examples` runs them, kills the second one, and lets someone else change the list.

import ApolloOffline
import ApolloSQLite
import Foundation
import TodoAPI

let arguments = CommandLine.arguments
guard arguments.count == 4, let url = URL(string: arguments[1]) else {
  print("Usage: TodoOffline <url> <folder> list|change|synchronize")
  exit(64)
}
let folder = URL(fileURLWithPath: arguments[2])

// The list as the server has sent it, and the changes that it has not seen.
let store = ApolloStore(
  cache: try SQLiteNormalizedCache(fileURL: folder.appendingPathComponent("cache.sqlite")))
let apollo = ApolloClient(networkTransport: HTTPNetworkTransport(url: url), store: store)
let changes = try OfflineMutationQueue(fileURL: folder.appendingPathComponent("changes.sqlite"))

// Types, handlers and updaters are registered before the client uses the queue, since its file may
// have mutations of an earlier run.
changes.register(AddTodoMutation.self)
changes.register(SetDoneMutation.self) { conflict in
  say("A conflict: \(conflict.failure.messages.joined(separator: " "))")
  return .skip  // the change of the other one is the newer one
}
changes.registerUpdater("append") { transaction, argument in
  guard let id = argument["id"]?.stringValue, let title = argument["title"]?.stringValue else {
    return
  }
  try transaction.update(ListInCacheLocalCacheMutation()) { list in
    list.todos.append(.init(id: id, title: title, isDone: false))
  }
}
apollo.use(changes)

/// Prints a line at once, since the program may be killed.
@Sendable func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Prints the list as the cache has it, with the changes that wait.
func show(_ title: String) async throws {
  say("\(title):")
  for todo in try await store.load(TodosQuery()).data?.todos.map(\.fragments.todoLine) ?? [] {
    say("  [\(todo.isDone ? "x" : " ")] \(todo.title)")
  }
  say("  (\(changes.counts))")
}

/// Adds a to-do, which is in the list at once.
///
/// - Returns: An identifier for it, which later changes can use before the server has given one.
func add(_ title: String) async throws -> ID {
  let id = "new-\(UUID().uuidString)"
  _ = try await apollo.perform(
    mutation: AddTodoMutation(title: title),
    updating: OfflineUpdate("append", argument: ["id": .string(id), "title": .string(title)]),
    offline: .enqueue(key: .automatic, creates: [id: ["addTodo", "id"]]))
  return id
}

func complete(_ id: ID, _ title: String) async throws {
  let expected = try SetDoneMutation.Data(jsonObject: [
    "setDone": [
      "__typename": "Todo", "id": id, "title": title, "isDone": true, "due": NSNull(),
    ] as [String: Any]
  ])
  _ = try await apollo.perform(
    mutation: SetDoneMutation(id: id, isDone: true), optimistic: expected,
    offline: .enqueue(key: .automatic, conflict: .handler))
}

switch arguments[3] {
case "list":
  _ = try? await apollo.fetch(query: TodosQuery(), cachePolicy: .networkOnly)
  try await show("The list")
case "change":
  try await show("After the start")
  let new = try await add("Write a test")
  try await complete(new, "Write a test")
  try await complete("1", "Buy milk")
  try await show("With changes")
  // Until the program is killed.
  for await _ in changes.states {}
case "synchronize":
  try await show("After the restart")
  for await counts in changes.countUpdates where counts.total == 0 { break }
  _ = try await apollo.fetch(query: TodosQuery(), cachePolicy: .networkOnly)
  try await show("Synchronized")
default: exit(64)
}
