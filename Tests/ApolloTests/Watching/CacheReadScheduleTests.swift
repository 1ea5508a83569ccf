import Apollo
import Testing

struct CacheReadScheduleTests {
  private enum Event: CaseIterable {
    case change, changeAfterTwoRefetches, begin
  }

  /// Every sequence of up to seven events, compared with two variables: the pending count, and
  /// whether a task runs.
  @Test func startsOneTaskAndReadsAfterEveryChange() {
    for length in 0...7 {
      for number in 0..<power(Event.allCases.count, length) {
        let events = sequence(number, length)
        var schedule = CacheReadSchedule()
        var pending: Int?
        var isRunning = false
        for event in events {
          switch event {
          case .change, .changeAfterTwoRefetches:
            let refetchCount = event == .change ? 0 : 2
            let startsTask = schedule.schedule(refetchCount: refetchCount)
            #expect(startsTask == !isRunning, "\(events)")
            pending = min(pending ?? refetchCount, refetchCount)
            isRunning = true
          case .begin where isRunning:
            let refetchCount = schedule.beginReading()
            #expect(refetchCount == pending, "\(events)")
            isRunning = pending != nil
            pending = nil
          case .begin: break
          }
        }
      }
    }
  }

  @Test(arguments: 0...4)
  func readsNothingAfterItWasCancelled(eventCount: Int) {
    for number in 0..<power(Event.allCases.count, eventCount) {
      var schedule = CacheReadSchedule()
      for event in sequence(number, eventCount) {
        switch event {
        case .change: _ = schedule.schedule(refetchCount: 0)
        case .changeAfterTwoRefetches: _ = schedule.schedule(refetchCount: 2)
        case .begin: _ = schedule.beginReading()
        }
      }
      #expect(!schedule.isCancelled)
      schedule.cancel()
      #expect(schedule.isCancelled)
      let startsTask = schedule.schedule(refetchCount: 0)
      #expect(!startsTask)
      let refetchCount = schedule.beginReading()
      #expect(refetchCount == nil)
      #expect(schedule.isCancelled)
    }
  }

  /// The digits of `number` as events.
  private func sequence(_ number: Int, _ length: Int) -> [Event] {
    let events = Event.allCases
    return (0..<length).map { events[number / power(events.count, $0) % events.count] }
  }

  private func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { result, _ in result * base }
  }
}

struct DuplicateFilterTests {
  @Test func acceptsAValueUntilAnEqualOneFollows() {
    var filter = DuplicateFilter<Int?>(areEqual: ==)
    #expect(!filter.hasDelivered)
    let isAccepted = [nil, nil, 1, 1, 2, 1].map { filter.accept($0) }
    #expect(isAccepted == [true, false, true, false, true, true])
    #expect(filter.hasDelivered)
  }

  @Test func acceptsAnEqualValueAfterAReset() {
    var filter = DuplicateFilter<Int>(areEqual: ==)
    _ = filter.accept(1)
    filter.reset()
    #expect(!filter.hasDelivered)
    let isAccepted = filter.accept(1)
    #expect(isAccepted)
  }
}
