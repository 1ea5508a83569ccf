internal import ApolloAPI

// Items that directives have deleted from lists, such as `@deleteEdge`, or that were there already.
//
// A page is a field, so a change makes it newer than the queries that were sent before. But a page
// that is not in the cache yet has no such field: its response may still bring a deleted item. So
// the deletion itself is noted. The item is left out of each page of the list that was requested
// before, and a mutation that was sent before does not insert it again, also after a deletion by an
// event.
//
// An insertion by a mutation is noted as well: a mutation that was sent before does not delete the
// item any more, and neither does an event that had arrived before. That of an event is not noted,
// because it may be from before the deletion.

/// The items of each list.
typealias ItemsOfLists = [ListLocation: Set<RecordKey>]

extension SettledResponse {
  /// Returns what the response changes in lists, although the commit does not write it: pages that
  /// have an item already or are newer, and pages that are not in the cache.
  func unwrittenEdits(at position: UInt64) -> [OrderedWrite] {
    var edits: [OrderedWrite] = []
    let (confirmed, deleted) = (self.confirmed, items(of: \.deletedKeys))
    let inserted = moment?.isMutation ?? false ? items(of: \.insertedKeys) : [:]
    if !confirmed.isEmpty {
      edits.append(
        OrderedWrite(at: position, from: moment, isEdit: true) { .fields(confirmed.written) })
    }
    // No edit: an item is deleted as a value is written.
    if !deleted.isEmpty {
      edits.append(
        OrderedWrite(at: position, from: moment, isOnTop: true) { .deletion(deleted) })
    }
    if !inserted.isEmpty {
      edits.append(
        OrderedWrite(at: position, from: moment, isOnTop: true) { .insertion(inserted) })
    }
    return edits
  }

  /// Returns the changes of lists without the insertions of items that something newer has deleted,
  /// and without the deletions of items that later mutations have inserted.
  func listChanges(after order: RequestOrder) -> [ListChange] {
    guard let moment, !listChanges.isEmpty else { return listChanges }
    let deleted = order.deleted({ items(of: \.insertedKeys) }, since: moment)
    let inserted = order.inserted({ Set(listChanges.flatMap(\.deletedKeys)) }, after: moment)
    guard !deleted.isEmpty || !inserted.isEmpty else { return listChanges }
    return listChanges.flatMap { $0.excluding(deleted: deleted, inserted: inserted) }
      .filter { !$0.values.isEmpty }
  }

  private func items(of keys: (ListChange) -> [RecordKey]) -> ItemsOfLists {
    var items: ItemsOfLists = [:]
    for change in listChanges {
      let keys = keys(change)
      for list in change.lists where !keys.isEmpty { items[list, default: []].formUnion(keys) }
    }
    return items
  }
}

extension ListEdit.Action {
  fileprivate var isInsertion: Bool { if case .delete = self { false } else { true } }
}

extension ListChange {
  fileprivate var deletedKeys: [RecordKey] {
    edit.action.isInsertion ? [] : values.compactMap(\.value.referencedKey)
  }

  fileprivate var insertedKeys: [RecordKey] {
    edit.action.isInsertion ? values.compactMap { itemKey($0.value) } : []
  }

  /// Returns the record of an object that is inserted or deleted, or of the node of an edge that
  /// its page embeds. One of an edge with a record of its own is not known here.
  private func itemKey(_ value: CacheValue) -> RecordKey? {
    guard case .insertEdges = edit.action else { return value.referencedKey }
    guard case .object(let edge) = value else { return nil }
    return edge[.node]?.referencedKey
  }

  /// Returns the change without the insertions of items that were deleted from their lists, or
  /// without the deletions of items that were inserted into them.
  ///
  /// A record that is in any list again is not removed. Its item is deleted from the other lists.
  fileprivate func excluding(deleted: ItemsOfLists, inserted: ItemsOfLists) -> [ListChange] {
    guard case .delete(_, let alsoRecords) = edit.action else {
      return lists.map { list in changing([list]) { !(deleted[list]?.contains($0) ?? false) } }
    }
    let again = inserted.values.reduce(into: Set<RecordKey>()) { $0.formUnion($1) }
    let others = lists.map { list in
      var change = changing([list]) {
        again.contains($0) && !(inserted[list]?.contains($0) ?? false)
      }
      change.keepsRecords = alsoRecords
      return change
    }
    return [changing(lists) { !again.contains($0) }] + others
  }

  /// Returns the change of some lists, without the items that do not fulfill a condition.
  private func changing(
    _ lists: [ListLocation], where isIncluded: (RecordKey) -> Bool
  ) -> ListChange {
    var change = self
    change.lists = lists
    change.values.removeAll { value in itemKey(value.value).map { !isIncluded($0) } ?? false }
    return change
  }
}

extension RequestOrder {
  /// Returns which items were deleted from lists after a request was sent, also by commits under
  /// way.
  ///
  /// - Parameters:
  ///   - items: Returns the items of the response's lists. It is called if any could be deleted.
  ///   - moment: The request.
  ///   - resolve: Returns the place of a list as `items` has it.
  /// - Returns: The deleted items.
  func deleted(
    _ items: () -> ItemsOfLists, since moment: RequestMoment,
    _ resolve: (ListLocation) -> ListLocation = { $0 }
  ) -> ItemsOfLists {
    let writes = writes { $0.hasDeletions && $0.mayOvertake(moment) }
    guard !writes.isEmpty else { return [:] }
    let items = items()
    return writes.reduce(into: [:]) { found, writes in
      found.merge(writes.deleted(items, since: moment, resolve)) { $0.union($1) }
    }
  }

  /// Returns the items that later mutations than a request have inserted into lists, also by
  /// commits under way.
  ///
  /// - Parameters:
  ///   - items: Returns the items that matter. It is called if any could be inserted.
  ///   - moment: The request.
  /// - Returns: The inserted items, by their lists.
  func inserted(_ items: () -> Set<RecordKey>, after moment: RequestMoment) -> ItemsOfLists {
    let writes = writes { $0.mayHaveInserted(after: moment) }
    guard !writes.isEmpty else { return [:] }
    let items = items()
    return writes.reduce(into: [:]) { found, writes in
      found.merge(writes.inserted(items, after: moment)) { $0.union($1) }
    }
  }
}

extension NormalizedResponse {
  /// Returns the items of the pages of lists.
  private func items(_ merged: [RecordKey: FieldMap]) -> ItemsOfLists {
    var items: ItemsOfLists = [:]
    forEachPage(merged) { list, page, _, _ in
      for (_, keys) in page.itemLists(merged) {
        items[list, default: []].formUnion(keys.lazy.compactMap { $0 })
      }
    }
    return items
  }

  /// Leaves out the items of pages that were deleted from their lists after the request was sent.
  ///
  /// - Returns: Whether there were any.
  mutating func removeDeletedItems(by order: RequestOrder, of moment: RequestMoment) -> Bool {
    // Made only if there are deletions. An edge with a record can have its node at another path.
    var merged: [RecordKey: FieldMap] = [:]
    let deleted = order.deleted(
      {
        merged = RecordSet(objects.lazy.map(\.record)).merged
        return items(merged)
      }, since: moment
    ) { list in
      // When the item was deleted, a record on the way to the list may have been unknown.
      list.way.isEmpty ? list : list.resolved { key, _ in merged[key] }
    }
    guard !deleted.isEmpty else { return false }
    var removed: [RecordKey: [[FieldKey]: Set<RecordKey>]] = [:]
    forEachPage(merged) { list, _, record, way in
      if let items = deleted[list] {
        removed[record, default: [:]][way, default: []].formUnion(items)
      }
    }
    update { record in
      for (way, items) in removed[record.key] ?? [:] {
        guard let page = record.fields.object(at: way) else { continue }
        record.fields = record.fields.replacingObject(
          at: way, by: page.removing(items, merged))
      }
    }
    return true
  }

  /// Calls a function with each page, the record that embeds it or that it is, and the fields that
  /// lead to it there.
  ///
  /// `merged`: The fields of pages with records of their own.
  private func forEachPage(
    _ merged: [RecordKey: FieldMap],
    _ body: (ListLocation, FieldMap, RecordKey, _ way: [FieldKey]) -> Void
  ) {
    for object in objects {
      let record = object.record.fields
      var pending = [(object: object.object, layout: object.layout, way: [FieldKey]())]
      while let (embedded, layout, way) = pending.popLast() {
        for (index, field) in layout.fields.enumerated() {
          let inner = way + [field.key]
          guard case .object(let child) = embedded.contents(ofField: index) else { continue }
          let list = field.pages?.location(in: object.key)?.inside(way)
          if let list, case .reference(let key)? = record.object(at: way)?[field.key] {
            if let fields = merged[key] { body(list, fields, key, []) }
          }
          guard let fields = record.object(at: inner) else { continue }
          if let list { body(list, fields, object.key, inner) }
          // An object that is a page can have lists besides its items.
          pending.append((child, layout.layout(ofEmbedded: child), inner))
        }
      }
    }
  }
}

extension FieldMap {
  /// Returns the lists of items of a page, with the records of the items, or `nil` for an item
  /// without one.
  ///
  /// `records`: The fields of edges with records of their own.
  fileprivate func itemLists(
    _ records: [RecordKey: FieldMap]
  ) -> [(field: FieldKey, keys: [RecordKey?])] {
    [FieldKey.edges, .nodes].compactMap { field in
      guard case .list(let elements)? = self[field] else { return nil }
      let keys = elements.map { element -> RecordKey? in
        if field == .nodes { return element.referencedKey }
        switch element {
        case .object(let edge): return edge[.node]?.referencedKey
        case .reference(let key): return records[key]?[.node]?.referencedKey
        default: return nil
        }
      }
      return (field, keys)
    }
  }

  /// Returns a page without some items.
  fileprivate func removing(
    _ items: Set<RecordKey>, _ records: [RecordKey: FieldMap]
  ) -> FieldMap {
    var page = self
    for (field, keys) in itemLists(records) {
      guard case .list(let elements)? = self[field] else { continue }
      page[field] = .list(
        zip(elements, keys).filter { $1.map { !items.contains($0) } ?? true }.map(\.0))
    }
    return page
  }
}
