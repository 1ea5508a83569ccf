import ApolloAPI
import ApolloPagination
import CatalogAPI
import SeededRandom
import Testing

@testable import ApolloPagination

/// Random lists, edits of the user and of another one, loads in both directions, failures and
/// refetches, compared with a model of the list that is written a second time.
///
/// The model: a page shows the products that the server had in its range when the page was loaded,
/// with the names that this client knows best. An edit of another user is seen by the next load of
/// a page that has the product.
@Suite(.timeLimit(.minutes(10))) struct PagesSimulationTests {
  private struct Model {
    /// The pages in the order of the list, and the place of the initial one.
    var pages: [[String]] = []
    var initial = 0
    var names: [String: String] = [:]
    /// The products beyond both ends, as the page at that end said when it was loaded.
    var hasNext = false
    var hasPrevious = false

    var shown: [String] { pages.flatMap { $0 }.map { names[$0] ?? "" } }
  }

  @Test(arguments: 0..<60)
  func thePagerShowsWhatTheModelShows(_ number: Int) async throws {
    let seed = freshSeed &+ UInt64(number)
    var random = SeededGenerator(seed: seed)
    let size = Int.random(in: 1...4, using: &random)
    let server = CatalogServer(count: Int.random(in: 5...30, using: &random))
    // Another user's copy of the list, to know what the server has.
    var items: [CatalogServer.Item] = []
    var newNumber = 0
    let start = "\(Int.random(in: 0..<4, using: &random))"
    let pager = server.bidirectionalPager(size: size, after: start)
    var model = Model()
    var log: [String] = []

    func note(_ ids: ArraySlice<CatalogServer.Item>) -> [String] {
      for item in ids { model.names[item.id] = item.name }
      return ids.map(\.id)
    }

    for step in 0..<40 {
      server.edit { items = $0 }
      let failure: CatalogServer.Failure? =
        Int.random(in: 0..<8, using: &random) == 0 ? .connection : nil
      switch Int.random(in: 0..<9, using: &random) {
      case 0:
        log.append("refetch \(failure.map { "\($0)" } ?? "")")
        if let failure { server.fail(with: failure) }
        await pager.refetch()
        if failure != nil { break }
        let first = (items.firstIndex { $0.id == start } ?? -1) + 1
        let end = min(first + size, items.count)
        model.pages = [note(items[first..<end])]
        model.hasNext = end < items.count
        model.hasPrevious = first > 0
      case 1, 2, 3:
        guard model.hasNext, let cursor = model.pages.last?.last else {
          let error = await paginationError { try await pager.loadNext(cachePolicy: .networkOnly) }
          #expect(error != nil, "seed \(seed): \(log)")
          break
        }
        log.append("next after \(cursor) \(failure.map { "\($0)" } ?? "")")
        if let failure { server.fail(with: failure) }
        try await pager.loadNext(cachePolicy: .networkOnly)
        if failure != nil { break }
        let first = (items.firstIndex { $0.id == cursor } ?? -1) + 1
        let end = min(first + size, items.count)
        model.pages.append(note(items[first..<end]))
        model.hasNext = end < items.count && first < end
      case 4, 5:
        guard model.hasPrevious, let cursor = model.pages.first?.first else { break }
        log.append("previous before \(cursor) \(failure.map { "\($0)" } ?? "")")
        if let failure { server.fail(with: failure) }
        try await pager.loadPrevious(cachePolicy: .networkOnly)
        if failure != nil { break }
        let end = items.firstIndex { $0.id == cursor } ?? items.count
        let first = max(0, end - size)
        model.pages.insert(note(items[first..<end]), at: 0)
        model.hasPrevious = first > 0 && first < end
      case 6:
        guard let id = model.pages.joined().randomElement(using: &random),
          items.contains(where: { $0.id == id })
        else { break }
        log.append("rename \(id)")
        model.names[id] = "Name \(step)"
        _ = try await server.client.perform(
          mutation: RenameProductMutation(id: id, name: "Name \(step)"))
        if !model.pages.isEmpty {
          let expected = model.shown
          _ = await pager.result { $0.names == expected }
        }
      case 7:
        newNumber += 1
        let place = Int.random(in: 0...items.count, using: &random)
        log.append("insert at \(place)")
        server.edit { $0.insert(.init(id: "n\(newNumber)", name: "New \(newNumber)"), at: place) }
      default:
        // The products at the ends of pages are cursors: a server with cursors of items says
        // nothing about pages beyond a removed one.
        let cursors = Set(model.pages.flatMap { [$0.first, $0.last] }.compactMap { $0 } + [start])
        let removable = items.indices.filter { !cursors.contains(items[$0].id) }
        guard let place = removable.randomElement(using: &random) else { break }
        log.append("remove \(items[place].id)")
        server.edit { _ = $0.remove(at: place) }
      }
      if !model.pages.isEmpty {
        #expect(pager.latest?.names == model.shown, "seed \(seed), after \(log)")
        #expect(pager.canLoadNext == model.hasNext, "seed \(seed), after \(log)")
        #expect(pager.canLoadPrevious == model.hasPrevious, "seed \(seed), after \(log)")
      } else {
        #expect(!pager.canLoadNext && !pager.canLoadPrevious, "seed \(seed), after \(log)")
      }
    }
  }

  /// Loads, refetches, cancellations and late responses in any order: afterwards the pager is as
  /// good as new.
  @Test(arguments: 0..<60)
  func afterAnyScheduleAFetchShowsTheList(_ number: Int) async throws {
    let seed = freshSeed &+ UInt64(number)
    var random = SeededGenerator(seed: seed)
    let server = CatalogServer(count: 12)
    let pager = server.bidirectionalPager(size: 3, after: "4")
    var tasks: [Task<Void, Never>] = []
    for _ in 0..<30 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: tasks.append(Task { await pager.fetch() })
      case 1: tasks.append(Task { await pager.refetch() })
      case 2, 3: tasks.append(Task { _ = await paginationError { try await pager.loadNext() } })
      case 4: tasks.append(Task { _ = await paginationError { try await pager.loadPrevious() } })
      case 5: tasks.append(Task { _ = await paginationError { try await pager.loadAll() } })
      case 6: pager.prefetchNext()
      case 7: tasks.randomElement(using: &random)?.cancel()
      case 8: if Bool.random(using: &random) { server.hold() } else { server.release() }
      default: if Int.random(in: 0..<3, using: &random) == 0 { pager.reset() }
      }
      if Bool.random(using: &random) { await Task.yield() }
    }
    // What is held would be waited for.
    server.release()
    pager.reset()
    for task in tasks { await task.value }
    try await pager.loadAll()
    #expect(pager.latest?.ids == (0..<12).map(String.init), "seed \(seed)")
  }
}
