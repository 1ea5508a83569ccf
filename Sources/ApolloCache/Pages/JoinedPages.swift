internal import ApolloAPI

// A list that a local cache mutation changes becomes one page: the model shows all of its pages as
// one. What the model does not select of the elements is on the pages that the cache has. A page
// with an offset or number that begins where the list ends now, but did not end before, becomes
// empty: it would follow otherwise, and elements that were removed would come back. No page behind
// a cursor does: the last cursor of the list stays.

extension FieldMap {
  /// Returns empty pages for those that would follow the lists that a change has changed.
  ///
  /// Also of a longer list: it can end where a page begins that an earlier change has left behind.
  /// And of a list of the same length if its pages repeat items: it has shown fewer items than they
  /// have, so that one of them begins where its only page ends now.
  ///
  /// - Parameters:
  ///   - lists: The lists that the model selects, by the keys of their pages.
  ///   - known: The fields as the model has shown them before the change.
  ///   - stored: Returns a field of the stored object.
  /// - Returns: The pages, in the embedded objects that have them.
  func endsOfLists(
    _ lists: [FieldKey: ListPages], from known: FieldMap,
    _ stored: (FieldKey) throws -> CacheValue?
  ) rethrows -> FieldMap {
    var ends = FieldMap()
    for (field, value) in self {
      guard let old = known[field], value != old else { continue }
      switch (value, old, lists[field]) {
      case (.list(let new), .list(let old), let pages?):
        // Nothing follows an empty page.
        guard !new.isEmpty, let next = pages.key(behind: new.count),
          case .list(let elements)? = try stored(next), !elements.isEmpty,
          new.count != old.count || elements.areShown(in: old)
        else { continue }
        ends[next] = .list([])
      case (.object, .object, _), (.list, .list, nil):
        guard let own = try stored(field) else { continue }
        if let inner = value.endsOfLists(lists, from: old, in: own) { ends[field] = inner }
      default: continue
      }
    }
    return ends
  }
}

extension CacheValue {
  /// Returns the empty pages of the objects in a field, or `nil` if there are none. Other objects
  /// of the same list have no fields, so that those of the stored ones stay.
  fileprivate func endsOfLists(
    _ lists: [FieldKey: ListPages], from known: CacheValue, in stored: CacheValue
  ) -> CacheValue? {
    switch (self, known, stored) {
    case (.object(let new), .object(let known), .object(let stored)):
      let ends = new.endsOfLists(lists, from: known) { stored[$0] }
      return ends.isEmpty ? nil : .object(ends)
    case (.list(let new), .list(let known), .list(let stored))
    where new.count == known.count && new.count == stored.count:
      let ends = new.indices.map { new[$0].endsOfLists(lists, from: known[$0], in: stored[$0]) }
      guard ends.contains(where: { $0 != nil }) else { return nil }
      return .list(zip(ends, stored).map { $0 ?? $1.withoutFields })
    default: return nil
    }
  }

  /// An object without fields in place of an object. Other values are as they are.
  private var withoutFields: CacheValue {
    if case .object = self { .object(FieldMap()) } else { self }
  }
}

extension CacheValue {
  /// Returns a stored field with each list in it that a change concerns as one page, or `nil` if no
  /// pages follow those that it has.
  ///
  /// - Parameters:
  ///   - lists: The lists that the model selects, by the keys of their pages.
  ///   - field: The key of the field.
  ///   - known: The field as the model has shown it before the change.
  ///   - new: The field after the change.
  ///   - page: Returns another field of the same object.
  /// - Returns: The stored field, or `nil`.
  func joiningPages(
    of lists: [FieldKey: ListPages], in field: FieldKey, from known: CacheValue,
    to new: CacheValue, _ page: (FieldKey) throws -> CacheValue?
  ) rethrows -> CacheValue? {
    guard !lists.isEmpty, new != known else { return nil }
    if let list = lists[field] { return try list.joined(self, as: known, page) }
    return joiningPages(of: lists, from: known, to: new)
  }

  /// Returns the value with the lists of the objects that are embedded in it.
  private func joiningPages(
    of lists: [FieldKey: ListPages], from known: CacheValue, to new: CacheValue
  ) -> CacheValue? {
    switch (self, known, new) {
    case (.object(let stored), .object(let known), .object(let new)):
      var joined: FieldMap?
      for (field, value) in new {
        guard let own = stored[field], let old = known[field],
          let page = own.joiningPages(of: lists, in: field, from: old, to: value, { stored[$0] })
        else { continue }
        var fields = joined ?? stored
        fields[field] = page
        joined = fields
      }
      return joined.map(CacheValue.object)
    case (.list(let stored), .list(let known), .list(let new))
    where stored.count == known.count && known.count == new.count:
      let joined = stored.indices.map {
        stored[$0].joiningPages(of: lists, from: known[$0], to: new[$0])
      }
      guard joined.contains(where: { $0 != nil }) else { return nil }
      return .list(zip(stored, joined).map { $1 ?? $0 })
    default: return nil
    }
  }
}

extension ListPages {
  /// Returns the page at the beginning of a list with the elements of those that follow it, or
  /// `nil` if the model shows no more than that page.
  ///
  /// - Parameters:
  ///   - first: The page, as it is stored.
  ///   - shown: The list, as the model shows it.
  ///   - page: Returns another page.
  /// - Returns: The page, or `nil`.
  fileprivate func joined(
    _ first: CacheValue, as shown: CacheValue, _ page: (FieldKey) throws -> CacheValue?
  ) rethrows -> CacheValue? {
    switch (first, shown) {
    case (.object(let fields), .object(let shown)):
      return try joined(fields, as: shown, page).map(CacheValue.object)
    case (.list(let elements), .list(let shown)):
      var all = elements
      while !all.isEmpty, let next = key(behind: all.count), case .list(let more)? = try page(next),
        !more.isEmpty
      { all += more }
      let joined = shown.stored(among: all)
      return all.count == elements.count || joined == elements ? nil : .list(joined)
    default: return nil
    }
  }

  private func joined(
    _ first: FieldMap, as shown: FieldMap, _ page: (FieldKey) throws -> CacheValue?
  ) rethrows -> FieldMap? {
    guard let direction else { return nil }
    var pages = [first]
    var visited: Set<FieldKey> = [key]  // a server may send a cursor again
    while let cursor = pages[pages.count - 1].cursor(direction),
      visited.insert(key(direction, cursor)).inserted,
      case .object(let next)? = try page(key(direction, cursor))
    { pages.append(next) }
    guard pages.count > 1 else { return nil }
    if direction == .backward { pages.reverse() }
    var joined = first
    for field in [FieldKey.edges, .nodes] {
      guard case .list? = first[field] else { continue }
      let all = pages.flatMap { $0.elements(of: field) }
      // The mutation may not select the list.
      guard case .list(let elements)? = shown[field] else {
        joined[field] = .list(all)
        continue
      }
      joined[field] = .list(elements.stored(among: all, direction))
    }
    if let info = first["pageInfo"], let latest = shown["pageInfo"] {
      joined["pageInfo"] = info.merging(latest) ?? latest
    }
    return joined == first ? nil : joined
  }
}

extension [CacheValue] {
  /// Returns whether a list shows all elements of this page, as it does of its own pages. It ends
  /// before any other page because something of that one is missing.
  fileprivate func areShown(in list: [CacheValue]) -> Bool {
    let shown = Set(list)
    return allSatisfy(shown.contains)
  }

  /// Returns the elements that a model shows as the pages of the list have them, in the same order.
  ///
  /// Of an item on two pages, the model shows the edge of the page that is read first: of a list
  /// that is read from its end, the last one.
  ///
  /// - Complexity: O(*n*) in the elements of the pages.
  fileprivate func stored(
    among all: [CacheValue], _ direction: ListPages.Direction
  ) -> [CacheValue] {
    switch direction {
    case .forward: return stored(among: all)
    case .backward:
      let fromEnd: [CacheValue] = self.reversed()
      return fromEnd.stored(among: all.reversed()).reversed()
    }
  }

  /// Returns the elements that a model shows as the pages of the list have them, in the same order.
  /// From the first one that they do not have, it is what the model shows.
  ///
  /// - Complexity: O(*n*) in the elements of the pages.
  fileprivate func stored(among all: [CacheValue]) -> [CacheValue] {
    var rest = all[...]
    return map { element in
      guard let index = rest.firstIndex(where: { $0.isShown(as: element) }) else {
        rest = []
        return element
      }
      defer { rest = rest[(index + 1)...] }
      return rest[index]
    }
  }
}

extension CacheValue {
  /// Returns whether a model shows this element of a page as another value, which has the fields
  /// that the model selects.
  fileprivate func isShown(as element: CacheValue) -> Bool {
    if self == element { return true }
    if let node, let shown = element.node { return node == shown }
    let sent = isInsertedEdge ? asSentEdge : self  // no model selects the mark
    let element = element.keepingFailures(of: sent, shownAs: element)
    return sent == element || sent.merging(element) == sent
  }
}
