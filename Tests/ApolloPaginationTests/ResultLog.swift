import ApolloAPI
@testable import ApolloPagination

/// The results of a pager, which are complete when a call of the pager returns.
final class ResultLog<Model: Sendable>: Sendable {
  private let results = Lock<[Result<Model, any Error>]>([])

  init(_ pager: GraphQLQueryPager<Model>) {
    _ = pager.core.deliveries.subscribe(
      { [results] delivery in results.withLock { $0.append(delivery.result) } }, finish: {})
  }

  var all: [Result<Model, any Error>] { results.get() }
  var values: [Model] { all.compactMap { try? $0.get() } }
  var last: Model? { values.last }
  var errors: [any Error] {
    all.compactMap { result in
      if case .failure(let error) = result { error } else { nil }
    }
  }
}

extension GraphQLQueryPager {
  /// The pages or the model that the pager delivered last.
  var latest: Model? { core.deliveries.latest }

  /// Returns the first result from now on that satisfies a condition.
  func result(where condition: (Model) -> Bool) async -> Model? {
    for await case .success(let model) in updates where condition(model) { return model }
    return nil
  }
}

/// Returns the error of a call of a pager.
func paginationError(_ body: () async throws -> Void) async -> PaginationError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? PaginationError
  }
}

extension PaginationError {
  /// The name of the case, so that errors can be compared.
  var name: String {
    switch self {
    case .missingInitialPage: "missingInitialPage"
    case .pageHasNoMoreContent: "pageHasNoMoreContent"
    case .loadInProgress: "loadInProgress"
    case .noQuery: "noQuery"
    case .cancellation: "cancellation"
    case .unknown: "unknown"
    }
  }
}
