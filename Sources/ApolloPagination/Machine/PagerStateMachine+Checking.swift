import ApolloAPI

extension PagerStateMachine {
  /// A check of whether pages still follow each other, and the results that it holds back.
  struct Check {
    /// The pages before the first of the changes.
    let before: Shown
    /// The latest number that a page could have then.
    let lastNumber: Int
    /// The numbers of the pages that have changed.
    var changed: Set<Int>
    /// `false` from the taking of the links to the next change of a page. A check whose links were
    /// not taken yet can meet the end of an earlier one, which a new list has dropped.
    var isOutdated = true
    var output: Output?
    var errorsAlone: [GraphQLError]?
    /// A failure before the held result. Nothing else would report it.
    var earlierFailure: (any Error)?
    /// A failure after the held result.
    var failure: (any Error)?
  }

  /// A page, and the changed one from which it was found.
  struct Link {
    let page: Int
    let query: PaginatedQuery
    let direction: PaginationDirection
    /// The page from which it was found.
    let now: Extraction
    /// The same before the change; `nil` if the page behind it was found later.
    let before: Extraction?
  }
}

extension PagerStateMachine {
  /// Lets a check follow the change of a page, if there are other pages.
  mutating func willChange(_ number: Int) -> [Action] {
    guard mergesLists else { return [] }
    if case .reserved(let load, _) = loading {
      loading = .reserved(load: load, isOutdated: true)
    }
    if check != nil {
      check?.changed.insert(number)
      check?.isOutdated = true
      return []
    }
    guard !next.isEmpty || !previous.isEmpty || incoming != nil || prefetched != nil else {
      return []
    }
    check = Check(before: shown, lastNumber: lastNumber, changed: [number])
    return [.check]
  }

  /// Returns the pages that may not follow any more, or `nil` if there is nothing to check.
  ///
  /// Pages whose fetch has only begun, and prefetched ones, are among them. A page behind one that
  /// has not changed still follows.
  mutating func takeLinks() -> [Link]? {
    guard let check else { return nil }
    self.check?.isOutdated = false
    let now = shown
    var links: [Link] = []
    for direction in [PaginationDirection.next, .previous] {
      for (index, page) in (now.pages(direction) + unshown(direction)).enumerated() {
        guard let front = now.number(before: index, direction), check.changed.contains(front),
          let end = now.end(before: index, direction)
        else { continue }
        // Otherwise the query of the page was not chosen from what was before.
        let isSame =
          page.number <= check.lastNumber
          && check.before.number(before: index, direction) == front
        links.append(
          Link(
            page: page.number, query: page.query, direction: direction, now: end,
            before: isSame ? check.before.end(before: index, direction) : nil))
      }
    }
    return links
  }

  /// Removes the pages that do not follow with those behind them, ends the load of one of them, and
  /// delivers what was held back.
  ///
  /// - Parameter broken: The numbers of the pages that do not follow.
  /// - Returns: The actions, or `nil` if a page has changed or another list has begun since
  ///   ``takeLinks()``, and the check has to be repeated.
  mutating func endCheck(_ broken: Set<Int>) -> [Action]? {
    guard let check else { return [] }
    guard !check.isOutdated else { return nil }
    self.check = nil
    let count = next.count + previous.count
    let removed =
      removePages(.next, fromFirstOf: broken) + removePages(.previous, fromFirstOf: broken)
    var actions = removed.map { Action.retire(page: $0) }
    if next.count + previous.count < count { actions.append(.shortenList) }
    if let error = check.earlierFailure { actions += fail(error) }
    if let output = check.output {
      actions += deliver(
        makeOutput(updated: output.lastUpdatedPage), errorsAlone: check.errorsAlone)
    }
    if let error = check.failure { actions += fail(error) }
    if case .page(let load, let number) = loading, removed.contains(number) {
      loading = .none
      actions.append(.end(load: load, .outdated))
    }
    return actions
  }

  /// Removes the pages in a direction from the first one that does not follow.
  ///
  /// - Returns: Their numbers.
  private mutating func removePages(
    _ direction: PaginationDirection, fromFirstOf broken: Set<Int>
  ) -> [Int] {
    let numbers = (pages(direction) + unshown(direction)).map(\.number)
    guard let first = numbers.firstIndex(where: broken.contains) else { return [] }
    change(direction) { $0 = Array($0.prefix(first)) }
    if incoming?.direction == direction { incoming = nil }
    if prefetched?.direction == direction { prefetched = nil }
    return Array(numbers[first...])
  }

  /// The pages beyond an end of the list that are not shown: one that is loaded or prefetched.
  private func unshown(_ direction: PaginationDirection) -> [Page] {
    [incoming, prefetched].compactMap { $0 }.filter { $0.direction == direction }
  }
}
