import Apollo
import ApolloCache
import Foundation
import Testing

/// Scripts of events for the state machine of a query watch, step by step.
struct QueryWatchStateMachineTests {
  // MARK: Delivering

  @Test func deliversAResponseAndObservesItsDependencies() {
    let watch = Watch()
    #expect(watch.fetch() == ["start 1 .cacheFirst"])
    #expect(watch.fetchDelivered("A", at: 1, fetch: 1) == ["observe 1", "deliver A"])
    #expect(watch.fetchEnded(1) == [])
    #expect(watch.cacheDelivered("B", at: 2) == ["observe 2", "deliver B"])
  }

  @Test func deliversEqualDataOnceButObservesItsNewDependencies() {
    let watch = Watch()
    _ = watch.fetch()
    _ = watch.fetchDelivered("A", at: 1, fetch: 1)
    #expect(watch.cacheDelivered("A", at: 2) == ["observe 2"])
    #expect(watch.cacheDelivered("A", at: 3) == ["observe 3"])
    #expect(watch.cacheDelivered("B", at: 4) == ["observe 4", "deliver B"])
    #expect(watch.cacheDelivered("A", at: 5) == ["observe 5", "deliver A"])
  }

  @Test func deliversAPartAndFetchesTheRest() {
    let watch = Watch()
    _ = watch.fetch()
    _ = watch.fetchDelivered("A", at: 1, fetch: 1)
    #expect(
      watch.cacheDeliveredPart("B", at: 2) == ["observe 2", "deliver B", "observe 2"],
      "The fetch under way may bring the rest.")
    #expect(watch.fetchFailed("offline", at: nil, fetch: 1) == ["fail offline"])
    #expect(watch.fetchEnded(1) == ["read"])
    #expect(
      watch.cacheDeliveredPart("C", at: 3)
        == ["observe 3", "deliver C", "observe 3", "start 2 .networkOnly after 1"])
    #expect(watch.cacheDeliveredPart("B", at: 2) == [], "It is outdated.")
  }

  @Test func doesNotFetchWhatOptimisticDataHides() {
    let watch = Watch()
    _ = watch.fetch()
    _ = watch.fetchDelivered("A", at: 1, fetch: 1)
    _ = watch.fetchEnded(1)
    #expect(
      watch.cacheDeliveredPart("B", at: 2, isOptimistic: true) == ["observe 2", "deliver B"],
      "It returns when the mutation ends.")
  }

  /// As without a network: the data of the cache is shown, the fetch fails, and the user deletes an
  /// object.
  @Test func doesNotFetchWhatOptimisticDataHidesAfterAnError() {
    let watch = Watch()
    _ = watch.fetch()
    _ = watch.fetchDelivered("A", at: 1, fetch: 1)
    #expect(watch.fetchFailed("offline", at: nil, fetch: 1) == ["fail offline"])
    _ = watch.fetchEnded(1)
    #expect(watch.cacheMissed(at: 2, isOptimistic: true) == ["observe 2"])
    #expect(watch.cacheDelivered("B", at: 3) == ["observe 3", "deliver B"])
  }

  /// The response of the second fetch ends the error, although a part of it is not in the cache.
  @Test func deliversAResponseAfterAnErrorAlthoughOptimisticDataHidesAPart() {
    let watch = Watch(refetches: false)
    _ = watch.fetch()
    _ = watch.fetchDelivered("A", at: 1, fetch: 1)
    #expect(watch.fetchFailed("offline", at: nil, fetch: 1) == ["fail offline"])
    _ = watch.fetchEnded(1)
    _ = watch.fetch()
    #expect(watch.fetchNotKept("B", at: 2, fetch: 2) == ["observe 2"])
    #expect(watch.fetchEnded(2) == ["read"])
    #expect(watch.cacheMissed(at: 2, isOptimistic: true) == ["observe 2", "deliver B"])
  }

  @Test func fetchesWhatOptimisticDataHidesIfNothingWasShown() {
    let watch = Watch()
    _ = watch.fetch()
    #expect(watch.fetchFailed("offline", at: nil, fetch: 1) == ["fail offline"])
    _ = watch.fetchEnded(1)
    #expect(
      watch.cacheMissed(at: 2, isOptimistic: true)
        == ["observe 2", "start 2 .networkOnly after 1"])
  }

  @Test func deliversEqualDataAgainAfterAnError() {
    let watch = Watch()
    _ = watch.fetch()
    _ = watch.fetchDelivered("A", at: 1, fetch: 1)
    #expect(watch.cacheFailed("broken") == ["fail broken"])
    #expect(watch.cacheFailed("broken") == ["fail broken"])
    #expect(watch.cacheDelivered("A", at: 1) == ["observe 1", "deliver A"])
  }

  @Test func deliversAResponseWithoutDependencies() {
    let watch = Watch()
    _ = watch.fetch()
    #expect(watch.fetchDelivered("A", at: nil, fetch: 1) == ["deliver A"])
    #expect(watch.fetchDelivered("A", at: nil, fetch: 1) == [])
    #expect(watch.cacheDelivered("B", at: 0) == ["observe 0", "deliver B"])
  }

  @Test func readsWhatItHasWrittenIfTheResponseIsNotDelivered() {
    let watch = Watch()
    _ = watch.fetch()
    #expect(watch.ownChange() == [])
    #expect(watch.fetchDelivered("A", at: 1, fetch: 1) == ["observe 1", "deliver A"])
    #expect(watch.fetchEnded(1) == [])
    _ = watch.fetch()
    _ = watch.ownChange()
    #expect(watch.fetch() == ["read", "start 3 .cacheFirst"], "It was replaced.")
    _ = watch.ownChange()
    #expect(watch.cancelFetch(3) == ["stop", "read"])
    _ = watch.fetch()
    _ = watch.ownChange()
    #expect(watch.fetchFailed("offline", at: nil, fetch: 4) == ["fail offline"])
    #expect(watch.fetchEnded(4) == ["read"])
    #expect(watch.fetch() == ["start 5 .cacheFirst"])
    _ = watch.cancelFetch(5)
    #expect(watch.ownChange() == ["read"], "It was being written as the fetch was cancelled.")
  }

  @Test func observesTheMissingFieldsOfAFailedFetch() {
    let watch = Watch()
    _ = watch.fetch(.cacheOnly)
    #expect(watch.fetchFailed("missing", at: 1, fetch: 1) == ["observe 1", "fail missing"])
    #expect(watch.fetchEnded(1) == [])
    _ = watch.fetch()
    #expect(watch.fetchFailed("offline", at: nil, fetch: 2) == ["fail offline"])
  }

  @Test func observesEverythingAfterAFetchWhoseCacheCannotBeRead() {
    let watch = Watch()
    _ = watch.fetch(.cacheOnly)
    #expect(
      watch.fetchFailed("broken", at: nil, unreadableAt: 3, fetch: 1)
        == ["observe everything since 3", "fail broken"])
  }

  // MARK: The end of a fetch

  /// Otherwise a page of a list would be given up although its refetch brings it.
  @Test func aFetchGoesOnUntilTheReadingOfWhatIsMissing() {
    let watch = Watch()
    _ = watch.fetch()
    #expect(watch.fetchNotKept("A", at: 1, fetch: 1) == ["observe 1"])
    #expect(watch.fetchEnded(1) == ["read"])
    #expect(watch.machine.isRunning)
    #expect(
      watch.cacheMissed(at: 1, begunAt: 0) == ["observe 1"],
      "The reading began before the fetch ended.")
    #expect(watch.machine.isRunning)
    #expect(watch.cacheMissed(at: 1) == ["observe 1", "start 2 .networkOnly after 1"])
    #expect(watch.machine.isRunning && watch.machine.latestRequest == 1)
    #expect(watch.fetchDelivered("B", at: 2, fetch: 2) == ["observe 2 after 1", "deliver B"])
    #expect(watch.fetchEnded(2) == [])
    #expect(!watch.machine.isRunning)
  }

  @Test func cancellingARequestCancelsTheFetchThatFollowsFromIt() {
    let watch = Watch()
    _ = watch.fetch()
    _ = watch.fetchNotKept("A", at: 1, fetch: 1)
    _ = watch.fetchEnded(1)
    _ = watch.cacheMissed(at: 1)
    #expect(watch.cancelFetch(1) == ["stop"])
    #expect(!watch.machine.isRunning)
    #expect(watch.fetchDelivered("B", at: 2, fetch: 2) == [])
  }

  @Test(arguments: ["found", "failed", "outdated", "cancelled"])
  func theReadingOfWhatIsMissingEndsAFetch(_ event: String) {
    let watch = Watch()
    _ = watch.fetch()
    _ = watch.fetchDelivered("A", at: 2, fetch: 1)
    _ = watch.cacheMissed(at: 3)
    _ = watch.fetchEnded(1)
    #expect(watch.machine.isRunning)
    switch event {
    case "found": #expect(watch.cacheDelivered("B", at: 4) == ["observe 4", "deliver B"])
    case "failed": #expect(watch.cacheFailed("broken") == ["fail broken"])
    case "outdated": #expect(watch.cacheMissed(at: 1) == [])
    default: #expect(watch.cancelFetch(1) == ["stop"])
    }
    #expect(!watch.machine.isRunning)
  }

  // MARK: Sessions

  @Test func doesNothingAfterTheEndOfASessionUntilItIsAsked() {
    let watch = Watch.idle()
    #expect(watch.endSession() == ["pause"])
    #expect(watch.endSession() == [])
    #expect(watch.ownChange() == [])
    #expect(watch.cacheDelivered("B", at: 2) == [])
    #expect(watch.cacheMissed(at: 2) == [])
    #expect(watch.cacheFailed("broken") == [])
    #expect(watch.fetch() == ["resume, observing everything", "start 2 .cacheFirst"])
    #expect(watch.cacheMissed(at: 2) == ["observe 2"], "The fetch is in progress.")
    #expect(watch.fetchDelivered("A", at: 0, fetch: 2) == ["observe 0", "deliver A"])
    #expect(watch.fetchEnded(2) == ["read"])
  }

  @Test func ignoresAFetchWhoseSessionHasEnded() {
    let watch = Watch()
    _ = watch.fetch()
    #expect(watch.endSession() == ["stop", "pause"])
    #expect(!watch.machine.isRunning)
    #expect(watch.fetchDelivered("A", at: 1, fetch: 1) == [])
    #expect(watch.fetch() == ["resume", "start 2 .cacheFirst"])
    #expect(watch.fetchFailed("cancelled", at: nil, fetch: 1) == [])
    #expect(watch.fetchEnded(1) == [])
    #expect(watch.machine.isRunning)
  }

  @Test func doesNotFetchExpiredDataOfAnEndedSession() {
    let watch = Watch.idle()
    let expiry = Date(timeIntervalSince1970: 60)
    watch.machine.refreshesOnExpiry = true
    watch.machine.dataArrived(expiring: expiry, isNew: true, fetch: 1, at: .distantPast)
    #expect(watch.machine.alarmDelay(at: expiry) != nil)
    _ = watch.endSession()
    #expect(watch.machine.alarmDelay(at: expiry) == nil)
    #expect(!watch.alarmRang(for: expiry))
    #expect(watch.dataNotRenewed(expiry) == [])
    watch.machine.dataArrived(expiring: expiry, isNew: false, fetch: nil, at: .distantPast)
    #expect(watch.machine.latestExpiry == nil)
  }

  @Test func aCancelledWatchStaysCancelled() {
    let watch = Watch.idle()
    _ = watch.endSession()
    watch.machine.cancelRequested()
    #expect(watch.endSession() == [])
    #expect(watch.fetch() == [])
  }

  // MARK: Outdated events

  @Test func ignoresReadingsOlderThanTheDeliveredData() {
    let watch = Watch()
    _ = watch.fetch()
    _ = watch.fetchDelivered("C", at: 3, fetch: 1)
    #expect(watch.cacheDelivered("B", at: 2) == [])
    #expect(watch.cacheMissed(at: 2) == [])
    #expect(watch.fetchDelivered("B", at: 2, fetch: 1) == [])
    #expect(watch.cacheDelivered("D", at: 3) == ["observe 3", "deliver D"], "of the same age")
  }

  @Test func ignoresReadingsOlderThanALoss() {
    let watch = Watch(refetches: false)
    _ = watch.fetch()
    _ = watch.fetchDelivered("A", at: 1, fetch: 1)
    _ = watch.fetchEnded(1)
    #expect(watch.cacheMissed(at: 3) == ["observe 3", "fail missing"])
    #expect(watch.cacheDelivered("A", at: 2) == [])
    #expect(watch.cacheDelivered("A", at: 3) == ["observe 3", "deliver A"])
  }

  @Test func ignoresTheEventsOfAReplacedFetch() {
    let watch = Watch()
    _ = watch.fetch()
    #expect(watch.fetch(.networkOnly) == ["start 2 .networkOnly"])
    #expect(watch.fetchDelivered("A", at: 1, fetch: 1) == [])
    #expect(watch.fetchFailed("cancelled", at: 1, fetch: 1) == [])
    #expect(watch.fetchEnded(1) == [])
    #expect(watch.cacheMissed(at: 1) == ["observe 1"], "The second fetch is in progress.")
    #expect(watch.fetchDelivered("B", at: 2, fetch: 2) == ["observe 2", "deliver B"])
    #expect(watch.fetchEnded(2) == ["read"])
  }

  @Test func aReplacedFetchLeavesNoMissBehind() {
    let watch = Watch()
    _ = watch.fetch()
    _ = watch.cacheMissed(at: 1)
    _ = watch.fetch()
    #expect(watch.fetchEnded(2) == [])
  }

  @Test func ignoresAMissThatWasReadBeforeTheDeliveredData() {
    let watch = Watch(refetches: false)
    _ = watch.fetch(.cacheOnly)
    #expect(watch.cacheDelivered("7", at: 2) == ["observe 2", "deliver 7"])
    #expect(watch.fetchFailed("missing", at: 1, fetch: 1) == [])
    #expect(watch.fetchEnded(1) == [])
  }

  @Test func reportsTheFailureOfARequestAlthoughItsMissIsOutdated() {
    let watch = Watch()
    _ = watch.fetch()
    _ = watch.cacheDelivered("7", at: 2)
    #expect(watch.fetchFailed("offline", at: 1, fetch: 1) == ["fail offline"])
  }

  /// Another store's commit is visible before this store's generation grows.
  @Test func ordersReadingsOfOneGenerationByTheVersionOfTheCache() {
    let watch = Watch(refetches: false)
    _ = watch.fetch(.cacheOnly)
    var newer = ReadingTrace(dependencies: Dependencies(), generation: ChangeLog().current)
    var older = newer
    newer.version = 1
    older.version = 0
    #expect(watch.machine.fetchDelivered("7", dependencies: newer, fetch: 1).count == 2)
    #expect(
      watch.machine.cacheMissed(Watch.Problem(name: "missing"), readFrom: older, refetchCount: 0)
        .isEmpty)
  }

  // MARK: Overtaken responses

  @Test func observesAnOvertakenResponseWithoutDeliveringIt() {
    let watch = Watch.idle()
    _ = watch.fetch(.networkOnly)
    #expect(watch.fetchOvertaken(at: 2, fetch: 2) == ["observe 2"])
    #expect(watch.cacheDelivered("C", at: 3) == ["observe 3", "deliver C"])
    #expect(watch.fetchEnded(2) == ["read"])
  }

  /// A caller that awaits the fetch, such as a list of pages, receives its data.
  @Test(arguments: [FetchBehavior.networkOnly, .cacheOnly])
  func aFetchWhoseResponseIsOvertakenEndsWithTheReading(_ behavior: FetchBehavior) {
    let watch = Watch.idle()
    _ = watch.fetch(behavior)
    #expect(watch.fetchOvertaken(at: 2, fetch: 2) == ["observe 2"])
    #expect(watch.fetchEnded(2) == ["read"])
    #expect(watch.machine.isRunning)
    #expect(watch.cacheDelivered("C", at: 3) == ["observe 3", "deliver C"])
    #expect(!watch.machine.isRunning)
  }

  @Test func fetchesAgainWhatTheCacheDoesNotKeep() {
    let watch = Watch.idle()
    _ = watch.fetch(.networkOnly)
    #expect(watch.fetchNotKept("B", at: 2, fetch: 2) == ["observe 2"])
    #expect(watch.fetchEnded(2) == ["read"])
    #expect(watch.cacheMissed(at: 2) == ["observe 2", "start 3 .networkOnly after 1"])
  }

  @Test func deliversWhatTheCacheDoesNotKeepIfItMayNotFetchAgain() {
    let watch = Watch.idle(refetches: false)
    _ = watch.fetch(.networkOnly)
    #expect(watch.fetchNotKept("B", at: 2, fetch: 2) == ["observe 2"])
    #expect(watch.cacheMissed(at: 2) == ["observe 2"], "The fetch is in progress.")
    #expect(watch.fetchEnded(2) == ["read"])
    #expect(watch.cacheMissed(at: 2) == ["observe 2", "deliver B"])
    #expect(!watch.machine.isRunning)
    #expect(watch.cacheDelivered("C", at: 3) == ["observe 3", "deliver C"])
    #expect(watch.cacheMissed(at: 4) == ["observe 4", "fail missing"], "only once")
  }

  @Test func doesNotReturnToAResponseThatTheCacheDoesNotKeep() {
    let watch = Watch.idle(refetches: false)
    _ = watch.fetch(.networkOnly)
    #expect(watch.cacheDelivered("C", at: 2) == ["observe 2", "deliver C"])
    #expect(watch.fetchNotKept("B", at: 3, fetch: 2) == ["observe 3"])
    #expect(watch.fetchEnded(2) == ["read"])
    #expect(watch.cacheMissed(at: 3) == ["observe 3", "fail missing"])
    #expect(watch.cacheDelivered("D", at: 4) == ["observe 4", "deliver D"])
  }

  @Test func prefersTheCacheToAResponseThatItDoesNotKeep() {
    let watch = Watch.idle(refetches: false)
    _ = watch.fetch(.networkOnly)
    _ = watch.fetchNotKept("B", at: 2, fetch: 2)
    _ = watch.fetchEnded(2)
    #expect(watch.cacheDelivered("C", at: 3) == ["observe 3", "deliver C"])
    #expect(watch.cacheMissed(at: 4) == ["observe 4", "fail missing"])
  }

  @Test(arguments: ["cancelled", "failed", "replaced"])
  func forgetsWhatItHasNotDeliveredWithItsFetch(_ event: String) {
    let watch = Watch.idle(refetches: false)
    _ = watch.fetch(.networkOnly)
    _ = watch.fetchNotKept("B", at: 2, fetch: 2)
    switch event {
    case "cancelled": _ = watch.cancelFetch(2)
    case "failed":
      #expect(watch.fetchFailed("offline", at: nil, fetch: 2) == ["fail offline"])
      _ = watch.fetchEnded(2)
      #expect(watch.cacheMissed(at: 2) == ["observe 2"])
      return
    default:
      _ = watch.fetch(.networkOnly)
      _ = watch.fetchEnded(3)
    }
    #expect(watch.cacheMissed(at: 2) == ["observe 2", "fail missing"])
  }

  @Test func reportsTheLossOfAResponseThatWasOvertaken() {
    let watch = Watch(refetches: false)
    _ = watch.fetch(.networkOnly)
    #expect(watch.fetchOvertaken(at: 2, fetch: 1) == ["observe 2"])
    #expect(watch.fetchEnded(1) == ["read"])
    #expect(watch.cacheMissed(at: 3) == ["observe 3", "fail missing"])
  }

  @Test func observesTheCacheAfterARequestThatFailedFirst() {
    let watch = Watch()
    _ = watch.fetch(.networkOnly)
    #expect(
      watch.fetchFailed("offline", at: nil, startedAt: 4, fetch: 1)
        == ["look since 4", "fail offline"])
    _ = watch.fetchEnded(1)
    #expect(watch.cacheDelivered("B", at: 5) == ["observe 5", "deliver B"])
    _ = watch.fetch(.networkOnly)
    #expect(watch.fetchFailed("offline", at: nil, startedAt: 6, fetch: 2) == ["fail offline"])
  }

  @Test func observesTheCacheAfterTheCancellationOfTheFirstFetch() {
    let watch = Watch()
    _ = watch.fetch(.networkOnly)
    #expect(watch.cancelFetch(1, startedAt: 3) == ["stop", "look since 3"])
    #expect(watch.cacheDelivered("A", at: 4) == ["observe 4", "deliver A"])
  }

  @Test func goesOnAfterTheCancellationOfAFetch() {
    let watch = Watch.idle()
    _ = watch.fetch(.networkOnly)
    #expect(watch.machine.isRunning)
    _ = watch.cacheMissed(at: 2)
    #expect(watch.cancelFetch(2) == ["stop", "read"])
    #expect(!watch.machine.isRunning && !watch.machine.isFetching)
    #expect(watch.fetchDelivered("B", at: 3, fetch: 2) == [], "It was cancelled.")
    #expect(watch.cancelFetch(2) == [])
    #expect(watch.cacheDelivered("C", at: 3) == ["observe 3", "deliver C"])
  }

  // MARK: Failed writes

  @Test func neverReturnsToDataBeforeAResponseThatCouldNotBeWritten() {
    let watch = Watch.idle()
    _ = watch.fetch(.networkOnly)
    #expect(
      watch.fetchDelivered("B", at: 1, isUnwritten: true, fetch: 2) == ["observe 1", "deliver B"])
    #expect(watch.cacheDelivered("A", at: 2) == ["observe 2"], "The fetch is in progress.")
    #expect(watch.fetchEnded(2) == ["read"])
    #expect(watch.cacheDelivered("A", at: 2) == ["observe 2", "start 3 .networkOnly after 1"])
    #expect(watch.fetchDelivered("C", at: 3, fetch: 3) == ["observe 3 after 1", "deliver C"])
    #expect(watch.fetchEnded(3) == [])
    #expect(watch.cacheDelivered("D", at: 4) == ["observe 4", "deliver D"])
  }

  @Test func deliversNothingAfterAFailedWriteIfItMayNotRefetch() {
    let watch = Watch.idle(refetches: false)
    _ = watch.fetch(.networkOnly)
    _ = watch.fetchDelivered("B", at: 1, isUnwritten: true, fetch: 2)
    _ = watch.fetchEnded(2)
    #expect(watch.cacheDelivered("A", at: 2) == ["observe 2"])
    #expect(watch.cacheMissed(at: 3) == ["observe 3"])
  }

  @Test func fetchesAgainIfAnOvertakenResponseCouldNotBeWritten() {
    let watch = Watch.idle()
    _ = watch.fetch(.networkOnly)
    #expect(watch.fetchUnwritten("B", at: 2, isOvertaken: true, fetch: 2) == ["observe 2"])
    #expect(watch.fetchEnded(2) == ["read"])
    #expect(watch.cacheDelivered("A", at: 2) == ["observe 2", "start 3 .networkOnly after 1"])
    #expect(watch.machine.latestRequest == 2)
  }

  @Test func readsTheCacheIfAnOvertakenResponseCouldNotBeWrittenAndItMayNotFetchAgain() {
    let watch = Watch.idle(refetches: false)
    _ = watch.fetch(.networkOnly)
    #expect(watch.fetchUnwritten("B", at: 2, isOvertaken: true, fetch: 2) == ["observe 2"])
    #expect(watch.fetchEnded(2) == ["read"])
    #expect(watch.cacheDelivered("C", at: 3) == ["observe 3", "deliver C"])
  }

  @Test func anUnwrittenResponseDoesNotReplaceOptimisticData() {
    let watch = Watch.idle()
    _ = watch.fetch(.networkOnly)
    #expect(watch.fetchUnwritten("B", at: 2, isHidden: true, fetch: 2) == ["observe 2"])
    #expect(watch.fetchEnded(2) == ["read"])
    #expect(watch.cacheDelivered("A", at: 2) == ["observe 2"])
    let new = Watch()
    _ = new.fetch(.networkOnly)
    #expect(
      new.fetchUnwritten("B", at: 2, isHidden: true, fetch: 1) == ["observe 2", "deliver B"],
      "There is nothing else to show.")
  }

  @Test(arguments: [true, false])
  func followsTheCacheAfterAWrittenResponseThatOptimisticDataHides(refetches: Bool) {
    let watch = Watch.idle(refetches: refetches)
    _ = watch.fetch(.networkOnly, writesToCache: false)
    _ = watch.fetchUnrecorded("B", fetch: 2)
    _ = watch.fetchEnded(2)
    _ = watch.fetch(.networkOnly)
    _ = watch.ownChange()
    #expect(watch.fetchDelivered("C", at: 2, hiddenAt: 3, fetch: 3) == ["observe 3"])
    #expect(watch.fetchEnded(3) == [])
    #expect(watch.cacheDelivered("C", at: 4) == ["observe 4", "deliver C"])
  }

  @Test func readsTheCacheIfItHasChangedDuringAFetchThatDoesNotWrite() {
    let watch = Watch.idle()
    _ = watch.fetch(.networkOnly, writesToCache: false)
    #expect(watch.fetchUnrecorded("B", isOvertaken: true, fetch: 2) == ["observe 1"])
    #expect(watch.fetchEnded(2) == ["read"])
    #expect(watch.cacheDelivered("C", at: 2) == ["observe 2", "deliver C"])
    #expect(!watch.machine.isRunning)
  }

  @Test func neverReturnsToDataBeforeTheResponseOfAFetchThatDoesNotWrite() {
    let watch = Watch.idle()
    _ = watch.fetch(.networkOnly, writesToCache: false)
    #expect(watch.fetchUnrecorded("B", fetch: 2) == ["deliver B"])
    #expect(watch.fetchEnded(2) == [])
    #expect(watch.cacheDelivered("A", at: 2) == ["observe 2", "start 3 .networkOnly after 1"])
  }

  @Test func followsTheCacheAfterEqualDataOfAFetchThatDoesNotWrite() {
    let watch = Watch.idle()
    _ = watch.fetch(.networkOnly, writesToCache: false)
    #expect(watch.fetchUnrecorded("A", fetch: 2) == [])
    _ = watch.fetchEnded(2)
    #expect(watch.cacheDelivered("B", at: 2) == ["observe 2", "deliver B"])
  }

  @Test func deliversTheResponseOfAFetchThatDoesNotWriteIfNothingIsObserved() {
    let watch = Watch()
    _ = watch.fetch(.networkOnly, writesToCache: false)
    #expect(watch.fetchUnrecorded("B", isOvertaken: true, fetch: 1) == ["deliver B"])
    #expect(watch.fetchEnded(1) == [])
  }

  @Test func neverReturnsToTheCacheAfterAFirstFetchThatDoesNotWrite() {
    let watch = Watch()
    _ = watch.fetch(.networkOnly, writesToCache: false)
    #expect(watch.fetchUnrecorded("B", fetch: 1) == ["deliver B"])
    #expect(watch.fetchEnded(1) == [])
    #expect(watch.cacheDelivered("A", at: 1) == ["observe 1", "start 2 .networkOnly after 1"])
  }

  // MARK: Missing data

  @Test func readsAgainWhatWentMissingDuringAFetchAtItsEnd() {
    let watch = Watch()
    _ = watch.fetch()
    #expect(watch.cacheMissed(at: 1, refetchCount: 5) == ["observe 1 after 5"])
    #expect(watch.cacheMissed(at: 2, refetchCount: 3) == ["observe 2 after 3"])
    #expect(watch.cacheMissed(at: 3, refetchCount: 4) == ["observe 3 after 4"])
    #expect(watch.fetchEnded(1) == ["read after 3"], "the lowest count of all")
    #expect(watch.fetchEnded(1) == [], "only once")
  }

  @Test func readsAgainAfterAFailedFetchToo() {
    let watch = Watch()
    _ = watch.fetch()
    _ = watch.cacheMissed(at: 1)
    _ = watch.fetchFailed("offline", at: nil, fetch: 1)
    #expect(watch.fetchEnded(1) == ["read"])
    #expect(watch.cacheMissed(at: 1) == ["observe 1", "start 2 .networkOnly after 1"])
  }

  @Test func refetchesWhatWentMissing() {
    let watch = Watch.idle()
    #expect(watch.cacheMissed(at: 2) == ["observe 2", "start 2 .networkOnly after 1"])
    #expect(watch.cacheMissed(at: 3) == ["observe 3"], "The refetch is in progress.")
    #expect(watch.fetchDelivered("B", at: 4, fetch: 2) == ["observe 4 after 1", "deliver B"])
    #expect(watch.fetchEnded(2) == ["read"])
    #expect(watch.cacheDelivered("B", at: 4) == ["observe 4"])
  }

  @Test func aRefetchWritesToTheCacheThoughTheFirstFetchDidNot() {
    let watch = Watch()
    #expect(watch.fetch(.networkOnly, writesToCache: false) == ["start 1 .networkOnly unwritten"])
    _ = watch.fetchEnded(1)
    #expect(watch.cacheMissed(at: 1) == ["observe 1", "start 2 .networkOnly after 1"])
  }

  /// Two watches that evict each other's data: each fetch of one makes the other one miss its data.
  @Test func failsAfterTenConsecutiveRefetches() {
    let watch = Watch.idle()
    for refetch in 1...10 {
      let fetch = refetch + 1
      #expect(
        watch.cacheMissed(at: 2 * refetch, refetchCount: refetch - 1).last
          == "start \(fetch) .networkOnly after \(refetch)")
      #expect(
        watch.fetchDelivered("\(refetch)", at: 2 * refetch + 1, fetch: fetch).last
          == "deliver \(refetch)")
      #expect(watch.fetchEnded(fetch) == [])
    }
    #expect(watch.cacheMissed(at: 22, refetchCount: 10) == ["observe 22 after 10", "fail missing"])
    #expect(
      watch.cacheMissed(at: 23, refetchCount: 10) == ["observe 23 after 10"], "It fails once.")
    #expect(watch.cacheMissed(at: 24, refetchCount: 11) == ["observe 24 after 11"])
    #expect(
      watch.cacheMissed(at: 25) == ["observe 25", "start 12 .networkOnly after 1"],
      "A change by the program starts anew.")
  }

  @Test func aFetchByTheProgramStartsTheCountAnew() {
    let watch = Watch.idle()
    _ = watch.cacheMissed(at: 2, refetchCount: 10)
    #expect(watch.fetch(.networkOnly) == ["start 2 .networkOnly"])
    #expect(watch.fetchDelivered("B", at: 3, fetch: 2) == ["observe 3", "deliver B"])
  }

  @Test func aWatchThatMayNotRefetchFailsOnceAndContinues() {
    let watch = Watch.idle(refetches: false)
    #expect(watch.cacheMissed(at: 2) == ["observe 2", "fail missing"])
    #expect(watch.cacheMissed(at: 3) == ["observe 3"])
    #expect(watch.cacheDelivered("A", at: 4) == ["observe 4", "deliver A"])
    #expect(watch.cacheMissed(at: 5) == ["observe 5", "fail missing"])
  }

  @Test func aWatchOfTheCacheAloneNeverFetches() {
    let watch = Watch()
    #expect(watch.fetch(.cacheOnly) == ["start 1 .cacheOnly"])
    #expect(watch.cacheMissed(at: 1) == ["observe 1"], "There was no data to lose.")
    _ = watch.fetchFailed("missing", at: 1, fetch: 1)
    _ = watch.fetchEnded(1)
    #expect(watch.cacheDelivered("A", at: 2) == ["observe 2", "deliver A"])
    #expect(watch.cacheMissed(at: 3) == ["observe 3", "fail missing"])
  }

  @Test func aWatchThatHasNotFetchedYetDoesNotRefetch() {
    let watch = Watch()
    #expect(watch.cacheMissed(at: 1) == ["observe 1"])
  }

  // MARK: Cancelling

  @Test(arguments: ["new", "idle", "fetching", "fetchingBeforeReading"])
  func aCancelledWatchIgnoresEveryEvent(state: String) {
    let watch = state == "new" ? Watch() : .idle()
    if state.hasPrefix("fetching") { _ = watch.fetch() }
    if state.hasSuffix("AfterMiss") { _ = watch.cacheMissed(at: 1) }
    #expect(!watch.machine.isCancelled)
    for _ in 0..<2 {
      watch.machine.cancelRequested()
      #expect(watch.machine.isCancelled)
      #expect(watch.fetch() == [])
      for fetch in 1...3 {
        #expect(watch.fetchDelivered("B", at: 9, fetch: fetch) == [])
        #expect(watch.fetchFailed("offline", at: 9, fetch: fetch) == [])
        #expect(watch.fetchEnded(fetch) == [])
      }
      #expect(watch.cacheDelivered("B", at: 9) == [])
      #expect(watch.cacheMissed(at: 9) == [])
      #expect(watch.cacheFailed("broken") == [])
      #expect(watch.machine.isCancelled)
    }
  }
}

// MARK: - Support

/// A state machine whose actions are lines of text. Generations are numbers.
private final class Watch {
  typealias Machine = QueryWatchStateMachine<String>

  struct Problem: Error {
    var name: String
  }

  var machine: Machine

  init(refetches: Bool = true) {
    machine = Machine(mayRefetch: refetches, areEqual: ==)
  }

  /// A watch that has delivered "A", as of generation 1.
  static func idle(refetches: Bool = true) -> Watch {
    let watch = Watch(refetches: refetches)
    _ = watch.fetch()
    _ = watch.fetchDelivered("A", at: 1, fetch: 1)
    _ = watch.fetchEnded(1)
    return watch
  }

  func fetch(
    _ behavior: FetchBehavior = .cacheFirst, writesToCache: Bool = true
  ) -> [String] {
    lines(machine.fetchRequested(behavior, writesToCache: writesToCache))
  }

  func fetchDelivered(
    _ value: String, at generation: Int?, isUnwritten: Bool = false, fetch: Int
  ) -> [String] {
    lines(
      machine.fetchDelivered(
        value, dependencies: generation.map(trace), isUnwritten: isUnwritten, fetch: fetch))
  }

  func fetchDelivered(
    _ value: String, at generation: Int, hiddenAt hiding: Int, fetch: Int
  ) -> [String] {
    lines(
      machine.fetchDelivered(
        value, dependencies: trace(generation), hiddenBy: trace(hiding), fetch: fetch))
  }

  func fetchUnwritten(
    _ value: String, at generation: Int, isOvertaken: Bool = false, isHidden: Bool = false,
    fetch: Int
  ) -> [String] {
    lines(
      machine.fetchDelivered(
        unwritten: value, dependencies: trace(generation), isOvertaken: isOvertaken,
        isHidden: isHidden, fetch: fetch))
  }

  func fetchUnrecorded(_ value: String, isOvertaken: Bool = false, fetch: Int) -> [String] {
    lines(machine.fetchDelivered(unrecorded: value, fetch: fetch) { _ in isOvertaken })
  }

  func fetchFailed(
    _ name: String, at generation: Int?, unreadableAt unreadable: Int? = nil,
    startedAt start: Int? = nil, fetch: Int
  ) -> [String] {
    lines(
      machine.fetchFailed(
        Problem(name: name), dependencies: generation.map(trace),
        unreadableSince: unreadable.map { trace($0).generation },
        startedAt: start.map { trace($0).generation }, fetch: fetch))
  }

  func fetchOvertaken(at generation: Int, fetch: Int) -> [String] {
    lines(machine.fetchOvertaken(trace(generation), fetch: fetch))
  }

  func fetchNotKept(_ value: String, at generation: Int, fetch: Int) -> [String] {
    lines(machine.fetchNotKept(value, missing: trace(generation), fetch: fetch))
  }

  func cancelFetch(_ fetch: Int, startedAt start: Int? = nil) -> [String] {
    lines(machine.fetchCancelled(fetch, startedAt: start.map { trace($0).generation }))
  }

  func fetchEnded(_ fetch: Int) -> [String] { lines(machine.fetchEnded(fetch)) }

  func alarmRang(for expiry: Date) -> Bool { machine.alarmRang(for: expiry) }

  func dataNotRenewed(_ expiry: Date) -> [String] { lines(machine.dataNotRenewed(expiry)) }

  func endSession() -> [String] { lines(machine.sessionEnded()) }

  func ownChange() -> [String] { lines(machine.ownChangeOccurred()) }

  func cacheDelivered(_ value: String, at generation: Int) -> [String] {
    lines(machine.cacheDelivered(value, readFrom: trace(generation), refetchCount: 0))
  }

  func cacheDeliveredPart(
    _ value: String, at generation: Int, isOptimistic: Bool = false
  ) -> [String] {
    lines(
      machine.cacheDelivered(
        value, isPartial: true, isOptimistic: isOptimistic, readFrom: trace(generation),
        refetchCount: 0))
  }

  func cacheMissed(
    at generation: Int, isOptimistic: Bool = false, refetchCount: Int = 0,
    begunAt count: Int = .max
  ) -> [String] {
    lines(
      machine.cacheMissed(
        Problem(name: "missing"), readFrom: trace(generation), isOptimistic: isOptimistic,
        refetchCount: refetchCount, begunAt: count))
  }

  func cacheFailed(_ name: String) -> [String] {
    lines(machine.cacheFailed(Problem(name: name)))
  }

  private func trace(_ number: Int) -> ReadingTrace {
    let generation = (0..<number).reduce(ChangeLog().current) { generation, _ in generation.next }
    return ReadingTrace(dependencies: Dependencies(), generation: generation)
  }

  private func number(of generation: Generation) -> Int {
    var (number, other) = (0, ChangeLog().current)
    while other < generation { (number, other) = (number + 1, other.next) }
    return number
  }

  private func lines(_ actions: [Machine.Action]) -> [String] { actions.map(line) }

  private func line(_ action: Machine.Action) -> String {
    switch action {
    case .start(let fetch):
      "start \(fetch.number) \(name(fetch.behavior))\(fetch.writesToCache ? "" : " unwritten")"
        + after(fetch.refetchCount)
    case .observe(let trace, let refetchCount):
      "observe \(number(of: trace.generation))\(after(refetchCount))"
    case .observeEverything(let generation, let refetchCount):
      "observe everything since \(number(of: generation))\(after(refetchCount))"
    case .read(let refetchCount): "read\(after(refetchCount))"
    case .look(let generation): "look since \(number(of: generation))"
    case .stop: "stop"
    case .pause: "pause"
    case .resume(let everything): everything ? "resume, observing everything" : "resume"
    case .deliver(let value): "deliver \(value)"
    case .fail(let error): "fail \((error as? Problem)?.name ?? "\(error)")"
    }
  }

  private func after(_ refetchCount: Int) -> String {
    refetchCount == 0 ? "" : " after \(refetchCount)"
  }

  private func name(_ behavior: FetchBehavior) -> String {
    switch behavior {
    case .cacheFirst: ".cacheFirst"
    case .networkOnly: ".networkOnly"
    case .cacheOnly: ".cacheOnly"
    default: "\(behavior)"
    }
  }
}
