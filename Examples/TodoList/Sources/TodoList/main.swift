// A to-do list that is still there when the server is not.
//
//   swift run TodoList http://127.0.0.1:8000/graphql
//
// `python3 Server/server.py` starts a server. `scripts/examples` runs all of this.

import ApolloObservation
import ApolloSQLite
import Foundation
import Observation
import TodoAPI
import Todos

guard let argument = CommandLine.arguments.dropFirst().first, let url = URL(string: argument) else {
  print("Usage: TodoList URL")
  exit(64)
}

// The cache on disk keeps the list between runs.
let file = FileManager.default.temporaryDirectory.appendingPathComponent("todos.sqlite")

/// Returns a client for a server, as if the program had just been started.
@MainActor func makeModel(_ url: URL) throws -> TodoModel {
  let store = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
  return TodoModel(
    apollo: ApolloClient(networkTransport: HTTPNetworkTransport(url: url), store: store))
}

/// Suspends until a condition on observed properties holds. A SwiftUI view needs no such function:
/// it is updated whenever a property that it reads changes.
@MainActor func wait(until condition: () -> Bool) async {
  while !condition() {
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = condition()
      } onChange: {
        continuation.resume()
      }
    }
    await Task.yield()
  }
}

@MainActor func show(_ title: String, _ model: TodoModel) {
  print("\(title):")
  for todo in model.todos { print("  \(todo.text)") }
}

var model = try makeModel(url)
await wait { !model.isLoading && !model.todos.isEmpty }
show("The list of the server", model)

try await model.add("Write a test", due: Day("2026-12-01"))
show("With a new to-do", model)

let first = model.todos[0]
try await model.setDone(first.id)
await wait { model.todos.contains { $0.id == first.id && $0.isDone } }
show("With a completed to-do", model)

do {
  try await model.add("")
} catch {
  print(error)
}

// No program listens at port 1. The list comes from the cache on disk.
model = try makeModel(URL(string: "http://127.0.0.1:1/graphql")!)
await wait { model.problem != nil }
show("Without a server", model)
print(model.problem == nil ? "No problem." : "There is a problem, too.")
