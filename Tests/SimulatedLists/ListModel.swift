import TestOperations

/// The rules of merged lists, written a second time.
///
/// The pages are those of two lists. Of an item, the model knows only whether the cache has it.
struct ListModel {
  static let items = "abcdefghijkl".map(String.init)
  static let categories = ["toys", "food"]

  /// A list that readers see.
  struct List: Equatable {
    var items: [String]
    var end: String?
    var hasNext: Bool
  }

  /// A change of lists by the directives of a mutation.
  enum Edit {
    /// `isWhole`: Whether the mutation selects all of the item that the list does.
    case insert(String, atEnd: Bool, isWhole: Bool)
    case deleteEdges([String])
    /// `isListed`: Whether the directive names the list.
    case deleteRecord(String, isListed: Bool)
  }

  /// Optimistic data.
  enum Layer {
    case page(ShopPage, behind: String?, category: String)
    case edit(Edit, category: String)
  }

  private struct Page {
    var page: ShopPage
    /// When it was requested, or edited.
    var time: Int
    /// The items that a mutation has inserted. If something of them is missing, they are left out
    /// of a later page.
    var inserted: Set<String> = []
  }

  private var pages: [String: [String?: Page]] = [:]
  /// The items that the cache does not have, and those of which it lacks something.
  private var absent = Set(items)
  private var incomplete: Set<String> = []
  private var removalTimes: [String: Int] = [:]
  /// The times at which directives have deleted items from the lists.
  private var deletionTimes: [String: [String: Int]] = [:]
  /// The number of the step.
  var time = 0
  /// The optimistic data, the latest last.
  var layers: [Layer] = []

  // MARK: - Changes

  /// Takes a page, unless a newer one is known for its place. What was asked for later is newer. It
  /// does not have the items that directives have deleted from the list since it was asked for.
  mutating func publish(
    _ page: ShopPage, behind cursor: String?, _ category: String, askedFor time: Int? = nil
  ) {
    let time = time ?? self.time
    bring(page.items, askedFor: time)
    var page = page
    page.end = page.end ?? page.items.last
    page.items.removeAll { (deletionTimes[category]?[$0] ?? 0) > time }
    let known = pages[category]?[cursor]
    if let known, known.time > time { return }
    // What a mutation had inserted is the server's now.
    pages[category, default: [:]][cursor] = Page(page: page, time: time)
  }

  /// Takes items, unless they were removed later.
  mutating func bring(_ items: [String], askedFor time: Int, isWhole: Bool = true) {
    let new = items.filter { (removalTimes[$0] ?? 0) <= time }
    if isWhole {
      incomplete.subtract(new)
    } else {
      incomplete.formUnion(absent.intersection(new))
    }
    absent.subtract(new)
  }

  /// Removes an item from the cache. Requests that were sent before do not bring it back if they
  /// are of the same program.
  mutating func remove(_ item: String, byAnotherProgram: Bool = false) {
    absent.insert(item)
    incomplete.remove(item)
    if !byAnotherProgram { removalTimes[item] = time }
  }

  mutating func apply(_ edit: Edit, _ category: String) {
    switch edit {
    case .insert(let item, let atEnd, let isWhole): insert(item, atEnd, isWhole, category)
    case .deleteEdges(let items): delete(items, category)
    case .deleteRecord(let item, let isListed):
      if isListed { delete([item], category) }
      remove(item)
    }
  }

  /// Inserts an item into the first or the last page, unless one of the pages has it. Of an item
  /// that the cache does not have, the page into which it is inserted counts alone.
  private mutating func insert(
    _ item: String, _ atEnd: Bool, _ isWhole: Bool, _ category: String
  ) {
    let isKnown = !absent.contains(item)
    bring([item], askedFor: time, isWhole: isWhole)
    let chain = chain(category)
    guard let cursor = atEnd ? chain.last : chain.first, var page = pages[category]?[cursor] else {
      return
    }
    // The page that has the item already is as new as the mutation.
    let known = (isKnown ? chain : [cursor]).first {
      pages[category]?[$0]?.page.items.contains(item) ?? false
    }
    if let known {
      pages[category]?[known]?.time = time
      return
    }
    page.page.items.insert(item, at: atEnd ? page.page.items.count : 0)
    page.inserted.insert(item)
    page.time = time
    pages[category, default: [:]][cursor] = page
  }

  /// Removes items from all pages.
  private mutating func delete(_ items: [String], _ category: String) {
    for item in items { deletionTimes[category, default: [:]][item] = time }
    for cursor in chain(category) {
      guard var page = pages[category]?[cursor], page.page.items.contains(where: items.contains)
      else { continue }
      page.page.items.removeAll(where: items.contains)
      page.inserted.subtract(items)
      page.time = time
      pages[category, default: [:]][cursor] = page
    }
  }

  /// The cursors of the pages that follow each other, whether or not their items are there.
  private func chain(_ category: String) -> [String?] {
    guard let pages = pages[category], var page = pages[nil]?.page else { return [] }
    var cursors: [String?] = [nil]
    while page.hasNext, let end = page.end, !cursors.contains(end), let next = pages[end]?.page {
      cursors.append(end)
      page = next
    }
    return cursors
  }

  // MARK: - Reading

  /// The list of a category that readers see, or `nil` if its first page is not whole.
  func list(_ category: String) -> List? {
    var visible = self
    visible.layers = []
    for layer in layers {
      switch layer {
      case .page(let page, let cursor, let category):
        visible.publish(page, behind: cursor, category, askedFor: .max)
      case .edit(let edit, let category): visible.apply(edit, category)
      }
    }
    return visible.listInCache(category)
  }

  /// The list of a category without optimistic data.
  func listInCache(_ category: String) -> List? {
    let missing = absent.union(incomplete)
    guard let pages = pages[category], var page = pages[nil]?.page,
      missing.isDisjoint(with: page.items)
    else { return nil }
    var items = page.items
    var seen: Set<String> = []
    while page.hasNext, let end = page.end, seen.insert(end).inserted, let next = pages[end] {
      // Inserted items that are not whole are left out.
      var rest = next.page
      rest.items.removeAll { missing.contains($0) && next.inserted.contains($0) }
      guard missing.isDisjoint(with: rest.items) else { break }
      items += rest.items.filter { !items.contains($0) }
      page = rest
    }
    return List(items: items, end: page.end, hasNext: page.hasNext)
  }
}
