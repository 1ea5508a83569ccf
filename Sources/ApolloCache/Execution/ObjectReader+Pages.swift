internal import ApolloAPI

// Reading the pages of lists that a policy merges.

extension ObjectReader {
  /// Returns an object of a record with the pages that follow those in its fields.
  ///
  /// The reading depends on the page that is missing, so that a watch notices when it arrives.
  mutating func merged(_ object: ResponseObject, of key: RecordKey) throws -> ResponseObject {
    let layout = plan.layout(of: object)
    guard !layout.listFields.isEmpty else { return object }
    let outer = place
    defer { place = outer }
    record = key
    field = nil
    var newer: [(index: Int, contents: SlotContents)] = []
    for index in layout.listFields {
      let field = layout.fields[index]
      guard let pages = field.pages,
        let contents = try merged(object.contents(ofField: index), field, pages, of: key)
      else { continue }
      newer.append((index, contents))
    }
    return newer.isEmpty ? object : object.replacing(newer) ?? object
  }

  private mutating func merged(
    _ first: SlotContents, _ field: RecordField, _ pages: ListPages, of key: RecordKey
  ) throws -> SlotContents? {
    // The paths of issues count the items of the page at the beginning.
    guard issues.count == 0 || pages.direction == .forward,
      var list = MergedPages(first, pages, plan)
    else { return nil }
    // A server may send a cursor again.
    var visited: Set<FieldKey> = [field.key]
    while let next = list.nextKey, visited.insert(next).inserted {
      dependencies.insert(.of([next]), of: key)
      guard let value = try records.fields(of: key, among: [next])?[next],
        let page = try page(value, field), list.append(page)
      else { break }
    }
    return list.isExtended ? list.contents : nil
  }

  /// Reads a further page. Returns `nil` if something of it is missing or has failed: the list ends
  /// before it, and its age does not depend on that page.
  private mutating func page(_ value: CacheValue, _ field: RecordField) throws -> SlotContents? {
    guard let position = field.position else { return nil }
    let counts = (issues.misses.count, issues.served.count)
    let dependencyCount = dependencies.count
    let contents = try objects(of: value, at: position, field)
    guard issues.count == counts.0 + counts.1 else {
      issues.removeAll(since: counts)
      dependencies.removeLayouts(from: dependencyCount)
      return nil
    }
    return contents
  }
}
