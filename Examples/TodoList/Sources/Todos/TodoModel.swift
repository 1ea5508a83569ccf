public import ApolloObservation
public import TodoAPI

/// The to-do list of a screen: it shows the list, and adds and completes to-dos.
@MainActor
public final class TodoModel {
  private let apollo: ApolloClient
  private let query: ObservableQuery<TodosQuery>

  /// Creates a list. It is fetched when one of its properties is read.
  public init(apollo: ApolloClient) {
    self.apollo = apollo
    // The list from the last run is shown until the server's arrives.
    query = ObservableQuery(TodosQuery(), client: apollo, cachePolicy: .returnCacheDataAndFetch)
  }

  /// The to-dos, the open ones first.
  public var todos: [TodoLine] {
    let todos = query.data?.todos.map(\.fragments.todoLine) ?? []
    return todos.filter { !$0.isDone } + todos.filter(\.isDone)
  }

  /// A sentence about the latest failure, or `nil` if there was none.
  public var problem: String? {
    query.error.map { "The list cannot be updated. \($0)" } ?? query.errors.first?.message
  }

  /// A Boolean value that indicates whether the list is being fetched.
  public var isLoading: Bool { query.isLoading }

  /// Fetches the list from the server.
  public func reload() async { await query.refetch().value }

  /// Adds a to-do, and fetches the list, of which the server decides the order.
  public func add(_ title: String, due: Day? = nil) async throws {
    let response = try await apollo.perform(
      mutation: AddTodoMutation(title: title, due: .init(due)))
    try check(response.errors)
    await reload()
  }

  /// Completes or reopens a to-do. The list follows, because the cache knows its objects.
  public func setDone(_ id: ID, _ isDone: Bool = true) async throws {
    let response = try await apollo.perform(mutation: SetDoneMutation(id: id, isDone: isDone))
    try check(response.errors)
  }

  private func check(_ errors: [GraphQLError]?) throws {
    if let error = errors?.first { throw Rejection(reason: error.message) }
  }
}

/// The error of a change that the server refuses.
public struct Rejection: Error, Hashable, CustomStringConvertible {
  /// The server's explanation.
  public let reason: String

  /// Creates an error with the server's explanation.
  public init(reason: String) { self.reason = reason }

  /// The explanation as a sentence.
  public var description: String { "The server refuses: \(reason)" }
}

extension TodoLine {
  /// The to-do as a line of text, such as `[ ] Buy milk, until 2026-12-01`.
  public var text: String {
    let due = due.map { ", until \($0.description)" } ?? ""
    return "[\(isDone ? "x" : " ")] \(title)\(due)"
  }
}
