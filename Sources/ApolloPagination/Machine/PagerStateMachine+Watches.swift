import ApolloAPI

// The events of watches.

extension PagerStateMachine {
  /// Handles a result of the initial page's watch.
  ///
  /// - Parameters:
  ///   - result: The result, or `nil` if only the fetch has begun or ended.
  ///   - isFetching: Whether the page is being fetched.
  ///   - isResponse: Whether the result is a response to that, rather than a change of the cache.
  ///   - number: The page.
  /// - Returns: The actions to perform.
  mutating func received(
    _ result: Result<Initial, any Error>?, isFetching: Bool, isResponse: Bool = true,
    initialPage number: Int
  ) -> [Action] {
    guard var page = initial, page.number == number else { return [] }
    var actions: [Action] = []
    switch result {
    case .success(let response):
      let beginsList = page.isRefetched && (isResponse || !isFetching) && response.data != nil
      if !beginsList, response.data != nil { actions += willChange(number) }
      page.errorsAlone = response.errorsAlone
      page.response = response.keepingData(of: page.response)
      page.failure = nil
      initial = page
      if beginsList { actions += beginList() }
      actions += deliver(
        makeOutput(updated: page.response.map { .initial($0) }), errorsAlone: page.errorsAlone)
    case .failure(let error):
      page.failure = error
      initial = page
      actions += fail(error)
    case nil: break
    }
    guard !isFetching, !page.loads.isEmpty else { return actions }
    initial?.loads = []
    let (changes, end) =
      initial?.isRefetched == true
      ? refetchEnded(page) : ([], outcome(page.failure, page.response))
    return actions + changes + page.loads.map { .end(load: $0, end) }
  }

  /// Ends a refetch that has brought no other data.
  private mutating func refetchEnded(_ page: InitialPage) -> ([Action], LoadOutcome) {
    initial?.isRefetched = false
    if let error = page.failure { return ([], .failed(error)) }
    if let errors = page.errorsAlone { return ([], .withoutData(errors)) }
    return (beginList() + deliver(makeOutput(updated: nil)), .loaded)
  }

  /// Handles a result of another page's watch.
  mutating func received(
    _ result: Result<Paginated, any Error>?, isFetching: Bool, page number: Int
  ) -> [Action] {
    if prefetched?.number == number { return receivedPrefetched(result, isFetching) }
    var actions: [Action] = []
    switch result {
    case .success(let response)?:
      if incoming?.number == number {
        actions += receivedIncoming(response, isFetching: isFetching)
      } else {
        actions += replace(number, by: response)
      }
    case .failure(let error)?:
      guard isKnown(number) else { return [] }
      setFailure(error, of: number)
      actions += fail(error)
    case nil: break
    }
    return isFetching ? actions : actions + fetchEnded(number)
  }

  private mutating func receivedPrefetched(
    _ result: Result<Paginated, any Error>?, _ isFetching: Bool
  ) -> [Action] {
    guard var page = prefetched else { return [] }
    page.isFetching = isFetching
    switch result {
    case .success(let response)? where response.data != nil: page.response = response
    case .success?, .failure?:
      // The load of the page fetches it again, and reports the error of that.
      prefetched = nil
      return [.retire(page: page.number)]
    case nil: break
    }
    prefetched = page
    return []
  }

  /// Handles a response of the page of the current load, which is not shown yet.
  mutating func receivedIncoming(
    _ response: Paginated, isFetching: Bool
  ) -> [Action] {
    guard let page = incoming else { return [] }
    if page.ignoresCache, isFetching, response.source == .cache {
      incoming?.response = response
      return []
    }
    return show(response, of: page)
  }

  /// Shows the page of the current load, in place of pages without data that are at its end, and of
  /// one with the same query, for which the cache has had data in the meantime.
  private mutating func show(_ response: Paginated, of page: Page) -> [Action] {
    incoming = nil
    var page = page
    page.response = response
    page.failure = nil
    var actions: [Action] = []
    while let last = pages(page.direction).last,
      last.response?.data == nil || last.query == page.query
    {
      page.response = page.response?.keepingData(of: last.response)
      actions.append(.retire(page: last.number))
      change(page.direction) { _ = $0.removeLast() }
    }
    change(page.direction) { $0.append(page) }
    return actions
      + deliver(
        makeOutput(updated: page.response.map { .paginated($0) }),
        errorsAlone: response.errorsAlone)
  }

  mutating func replace(_ number: Int, by response: Paginated) -> [Action] {
    for direction in [PaginationDirection.next, .previous] {
      guard let index = pages(direction).lastIndex(where: { $0.number == number }) else { continue }
      let check = response.data == nil ? [] : willChange(number)
      let new = response.keepingData(of: pages(direction)[index].response)
      change(direction) {
        $0[index].response = new
        $0[index].failure = nil
      }
      return check
        + deliver(makeOutput(updated: .paginated(new)), errorsAlone: response.errorsAlone)
    }
    return []
  }

  /// Ends the load of a page, if it is the current one.
  mutating func fetchEnded(_ number: Int) -> [Action] {
    guard case .page(let load, number) = loading else { return [] }
    loading = .none
    var actions: [Action] = []
    if let page = incoming {
      incoming = nil
      guard page.failure == nil, let response = page.response else {
        return [.retire(page: number), .end(load: load, outcome(page.failure, page.response))]
      }
      actions += show(response, of: page)  // the server has the same data
    }
    let page = (next + previous).last { $0.number == number }
    return actions + [.end(load: load, outcome(page?.failure, page?.response))]
  }

  private func outcome<Query>(
    _ failure: (any Error)?, _ response: GraphQLResponse<Query>?
  ) -> LoadOutcome {
    if let failure { return .failed(failure) }
    return response?.data == nil ? .withoutData(response?.errors ?? []) : .loaded
  }

  private mutating func setFailure(_ error: any Error, of number: Int) {
    if incoming?.number == number { incoming?.failure = error }
    for direction in [PaginationDirection.next, .previous] {
      if let index = pages(direction).lastIndex(where: { $0.number == number }) {
        change(direction) { $0[index].failure = error }
      }
    }
  }

  func isKnown(_ number: Int) -> Bool {
    incoming?.number == number || next.contains { $0.number == number }
      || previous.contains { $0.number == number }
  }
}

extension GraphQLResponse {
  /// The errors, if there is no data.
  fileprivate var errorsAlone: [GraphQLError]? { data == nil ? errors ?? [] : nil }

  /// Returns this response or, if it has no data, the earlier data with the errors of this
  /// response.
  fileprivate func keepingData(of earlier: GraphQLResponse?) -> GraphQLResponse {
    guard data == nil, var kept = earlier, kept.data != nil else { return self }
    kept.errors = errors
    return kept
  }
}
