import ApolloAPI

/// The items of the pages of the last output, so that an update calls the program's closure for the
/// pages that have changed, and not for the whole list.
///
/// A page has not changed if its data is the same object. Pages are compared by their distance from
/// the initial one, on both sides.
///
/// Isolation: the task of a pager calls it, one output after the other. The lock is not held while
/// the program's closures run.
final class ItemMemo<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Items>: Sendable
where Items: RangeReplaceableCollection & Sendable {
  private typealias Page = (object: GeneratedCode.ResponseObject, items: Items)

  private struct Pages: Sendable {
    var previous: [Page] = []
    var initial: [Page] = []
    var next: [Page] = []
  }

  private let known = Lock(Pages())

  /// Returns the items of all pages that have data.
  func items(
    of output: PaginationOutput<InitialQuery, PaginatedQuery>,
    _ initialTransform: (InitialQuery.Data) throws -> Items,
    _ pageTransform: (PaginatedQuery.Data) throws -> Items
  ) throws -> Items {
    let old = known.get()
    let new = Pages(
      previous: try pages(
        output.previousPages.reversed().compactMap(\.data), old.previous, pageTransform),
      initial: try pages(
        [output.initialPage?.data].compactMap { $0 }, old.initial, initialTransform),
      next: try pages(output.nextPages.compactMap(\.data), old.next, pageTransform))
    known.withLock { $0 = new }
    var items = Items()
    for page in new.previous.reversed() + new.initial + new.next { items += page.items }
    return items
  }

  private func pages<Data: RootSelectionSet>(
    _ data: [Data], _ old: [Page], _ transform: (Data) throws -> Items
  ) throws -> [Page] {
    try data.enumerated().map { index, data in
      if old.indices.contains(index), old[index].object === data.__object { return old[index] }
      return (data.__object, try transform(data))
    }
  }
}
