import ApolloCache
import Testing

/// The decisions of the write queue, driven step by step.
struct WriteLineTests {
  /// A line with a reference, because expectations cannot call mutating methods.
  private final class Line {
    private var line = WriteLine<Int>()

    var isIdle: Bool { line.isIdle }
    func enter() -> WriteLine<Int>.Ticket? { line.enter() }
    func wait(_ ticket: WriteLine<Int>.Ticket, _ waiter: Int) -> WriteLine<Int>.Outcome {
      line.wait(ticket, waiter)
    }
    func cancel(_ ticket: WriteLine<Int>.Ticket) -> Int? { line.cancel(ticket) }
    func leave() -> Int? { line.leave() }
    func forget(_ ticket: WriteLine<Int>.Ticket) { line.forget(ticket) }
  }

  @Test func admitsTheFirstWriterAndThenTheOthersInOrder() throws {
    let line = Line()
    #expect(line.enter() == nil)
    let second = try #require(line.enter())
    let third = try #require(line.enter())
    #expect(line.wait(second, 2) == .waits)
    #expect(line.wait(third, 3) == .waits)
    #expect(line.leave() == 2)
    #expect(line.leave() == 3)
    #expect(line.leave() == nil)
    #expect(line.isIdle)
  }

  @Test func aCancelledWaiterLeavesTheLine() throws {
    let line = Line()
    _ = line.enter()
    let second = try #require(line.enter())
    let third = try #require(line.enter())
    _ = line.wait(second, 2)
    _ = line.wait(third, 3)
    #expect(line.cancel(second) == 2)
    #expect(line.leave() == 3)
    #expect(line.leave() == nil)
    #expect(line.isIdle)
  }

  @Test func aWriterThatIsCancelledBeforeItWaitsIsNotAdmitted() throws {
    let line = Line()
    _ = line.enter()
    let second = try #require(line.enter())
    #expect(line.cancel(second) == nil)
    #expect(line.leave() == nil)
    #expect(line.wait(second, 2) == .isCancelled)
    #expect(line.isIdle)
  }

  @Test func aWriterWaitsNoLongerIfTheLineIsFreeByThen() throws {
    let line = Line()
    _ = line.enter()
    let second = try #require(line.enter())
    #expect(line.leave() == nil)
    #expect(line.wait(second, 2) == .isAdmitted)
    #expect(line.enter() != nil, "The second writes.")
  }

  @Test func aCancellationAfterTheAdmissionIsForgotten() throws {
    let line = Line()
    _ = line.enter()
    let second = try #require(line.enter())
    _ = line.wait(second, 2)
    #expect(line.leave() == 2)
    #expect(line.cancel(second) == nil)
    line.forget(second)
    #expect(line.leave() == nil)
    #expect(line.isIdle)
  }

  // MARK: - Every order of events

  /// One writer's progress in a schedule.
  private enum Progress: Hashable {
    case outside, hasTicket(WriteLine<Int>.Ticket), waiting, writing, done
  }

  private struct World {
    var line = WriteLine<Int>()
    var progress: [Progress]
    var tickets: [Int: WriteLine<Int>.Ticket] = [:]
    var wasCancelled: Set<Int> = []
  }

  /// Explores every order in which three writers enter, wait, are cancelled and leave.
  @Test func admitsOneWriterAtATimeInEveryOrderOfEvents() {
    var endCount = 0
    explore(World(progress: [.outside, .outside, .outside]), &endCount)
    #expect(endCount > 1_000)
  }

  private func explore(_ world: World, _ endCount: inout Int) {
    #expect(world.progress.count { $0 == .writing } <= 1)
    var isEnd = true
    for writer in world.progress.indices {
      for step in [Self.proceed, Self.cancel] {
        var next = world
        guard step(writer, &next) else { continue }
        isEnd = false
        explore(next, &endCount)
      }
    }
    guard isEnd else { return }
    endCount += 1
    #expect(world.progress.allSatisfy { $0 == .done })
    #expect(world.line.isIdle)
  }

  /// Lets a writer take its next step. Returns `false` if it has none.
  private static func proceed(_ writer: Int, _ world: inout World) -> Bool {
    switch world.progress[writer] {
    case .outside:
      let ticket = world.line.enter()
      world.tickets[writer] = ticket
      world.progress[writer] = ticket.map(Progress.hasTicket) ?? .writing
    case .hasTicket(let ticket):
      switch world.line.wait(ticket, writer) {
      case .isAdmitted: world.progress[writer] = .writing
      case .isCancelled: finish(writer, &world)
      case .waits: world.progress[writer] = .waiting
      }
    case .writing:
      finish(writer, &world)
      if let admitted = world.line.leave() {
        #expect(world.progress[admitted] == .waiting)
        world.progress[admitted] = .writing
      }
    case .waiting, .done: return false
    }
    return true
  }

  /// Cancels a writer that has a ticket, once. Returns `false` if there is nothing to cancel.
  private static func cancel(_ writer: Int, _ world: inout World) -> Bool {
    guard let ticket = world.tickets[writer], world.progress[writer] != .done,
      world.wasCancelled.insert(writer).inserted
    else { return false }
    if let waiter = world.line.cancel(ticket) {
      #expect(waiter == writer && world.progress[writer] == .waiting)
      finish(writer, &world)
    }
    return true
  }

  /// The end of `WriteQueue.enter()` and of the write.
  private static func finish(_ writer: Int, _ world: inout World) {
    if let ticket = world.tickets[writer] { world.line.forget(ticket) }
    world.progress[writer] = .done
  }
}
