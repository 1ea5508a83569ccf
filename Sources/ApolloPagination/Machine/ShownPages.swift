import ApolloAPI

extension PagerStateMachine {
  struct InitialPage {
    let number: Int
    var response: Initial?
    /// The loads that wait for the page.
    var loads: [Int] = []
    var failure: (any Error)?
    /// `true` from a refetch to its first response with data, before which the other pages stay.
    var isRefetched = false
    /// The errors of the latest response, if it had no data.
    var errorsAlone: [GraphQLError]?
  }

  struct Page {
    let number: Int
    let query: PaginatedQuery
    let direction: PaginationDirection
    /// `true` if the page is fetched whether or not a load waits for it.
    var isPrefetched = false
    /// `true` if the page is not shown before the server has responded.
    var ignoresCache = false
    var response: Paginated?
    var isFetching = true
    var failure: (any Error)?
  }

  /// A run of `loadAll`, and the results that it holds back.

  /// The pages that are shown, from the initial one in both directions.
  struct Shown {
    let initial: InitialPage?
    let next: [Page]
    let previous: [Page]

    func pages(_ direction: PaginationDirection) -> [Page] {
      direction == .next ? next : previous
    }

    /// Returns the page from which the one at an index is found: the last one before it with data.
    private func page(before index: Int, _ direction: PaginationDirection) -> Page? {
      pages(direction).prefix(index).last { $0.response?.data != nil }
    }

    /// Returns the number of the page from which the one at an index is found.
    func number(before index: Int, _ direction: PaginationDirection) -> Int? {
      page(before: index, direction)?.number ?? initial?.number
    }

    /// Returns the page from which the one at an index is found, with all pages before that index.
    func end(before index: Int, _ direction: PaginationDirection) -> Extraction? {
      let shown =
        direction == .next
        ? Shown(initial: initial, next: Array(next.prefix(index)), previous: previous)
        : Shown(initial: initial, next: next, previous: Array(previous.prefix(index)))
      let output = shown.output(updated: nil)
      if let data = page(before: index, direction)?.response?.data {
        return .paginated(data, output)
      }
      return initial?.response?.data.map { .initial($0, output) }
    }

    /// Returns the output, or `nil` before the initial page.
    ///
    /// Without `updated`, the initial page stands for the page whose change led to the output.
    func output(updated: Output.QueryWrapper?) -> Output? {
      guard let response = initial?.response else { return nil }
      return Output(
        previousPages: previous.reversed().compactMap(\.response), initialPage: response,
        nextPages: next.compactMap(\.response), lastUpdatedPage: updated ?? .initial(response))
    }
  }
}
