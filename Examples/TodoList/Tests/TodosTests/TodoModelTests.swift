import ApolloObservation
import ApolloTestSupport
import Observation
import Testing
import TodoAPI
import TodoAPITestMocks
import Todos

/// The to-do list without a server.
@MainActor @Suite struct TodoModelTests {
  private typealias Query = TodoAPITestMocks.Query
  private typealias Mutation = TodoAPITestMocks.Mutation
  private typealias Todo = TodoAPITestMocks.Todo

  let transport = MockNetworkTransport()
  let model: TodoModel

  init() { model = TodoModel(apollo: ApolloClient(networkTransport: transport)) }

  /// Suspends until a condition on observed properties holds.
  private func wait(until condition: () -> Bool) async {
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

  @Test func openTodosComeFirst() async {
    transport.respond(
      to: TodosQuery.self,
      with: .data(
        Mock<Query>(todos: [
          Mock<Todo>(id: "1", isDone: true, title: "Sleep"), Mock<Todo>(id: "2", title: "Eat"),
        ])))
    await wait { !model.isLoading }
    #expect(model.todos.map(\.text) == ["[ ] Eat", "[x] Sleep"])
  }

  @Test func aCompletedTodoMovesInTheList() async throws {
    let todos = [Mock<Todo>(id: "1", title: "Sleep"), Mock<Todo>(id: "2", title: "Eat")]
    transport.respond(to: TodosQuery.self, with: .data(Mock<Query>(todos: todos)))
    let done = Mock<Todo>(id: "1", isDone: true, title: "Sleep")
    transport.respond(to: SetDoneMutation.self, with: .data(Mock<Mutation>(setDone: done)))
    await wait { !model.isLoading }
    try await model.setDone("1")
    await wait { model.todos.last?.isDone == true }
    #expect(model.todos.map(\.text) == ["[ ] Eat", "[x] Sleep"])
    #expect(transport.operations(TodosQuery.self).count == 1, "The list is not fetched again.")
  }

  @Test func aRefusedTodoIsAnError() async {
    transport.respond(to: AddTodoMutation.self, with: .errors("A to-do needs a title."))
    await #expect(throws: Rejection(reason: "A to-do needs a title.")) { try await model.add("") }
  }

  @Test func aFailureIsShownWithoutAList() async {
    transport.respond(to: TodosQuery.self, with: .errors("The list is away."))
    await wait { !model.isLoading }
    #expect(model.problem == "The list is away." && model.todos.isEmpty)
  }
}
