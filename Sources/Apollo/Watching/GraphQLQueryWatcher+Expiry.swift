import ApolloAPI
import ApolloCache
import ApolloTransport
import struct Foundation.Date

extension GraphQLQueryWatcher {
  /// Remembers when the latest data expires. `number` is that of the fetch, or `nil` for a reading
  /// of the cache.
  func noteExpiry(of response: Response, fetch number: Int? = nil) {
    noteExpiry(of: response, response.freshness, fetch: number)
  }

  /// Does the same for a response whose data counts as this fresh.
  func noteExpiry(
    of response: Response, _ freshness: ResponseFreshness?, fetch number: Int?
  ) {
    // Without data, what has expired is still shown.
    if response.data == nil, let number { return noteFailure(ofFetch: number) }
    let now = now
    changeAlarm { machine in
      machine.dataArrived(
        expiring: freshness?.earliestRenewableExpiry, isNew: response.source == .server,
        fetch: number, at: now)
    }
  }

  /// Lets data be read again when no layer affects it any more, because optimistic data does not
  /// expire, and a response that confirms it changes nothing else.
  ///
  /// `epoch` is that of the layers before the data was read.
  func awaitEndOfLayers(_ trace: ReadingTrace?, readAt epoch: UInt64) {
    state.withLock { $0.shownEpoch = epoch }
    awaitEndOfLayers(trace, since: epoch)
  }

  func awaitEndOfLayers(_ trace: ReadingTrace?, since epoch: UInt64) {
    let layers = store.layers
    guard let trace, automaticallyRefreshOnExpiry, !layers.awaitEnd(of: trace.dependencies),
      layers.epoch != epoch
    else { return }
    // They have ended in between.
    state.withLock { $0.observer }?.scheduleReading()
  }

  /// Tries a failed fetch again later, if the data has expired by then.
  func noteFailure(ofFetch number: Int) {
    changeAlarm { $0.nothingArrived(fetch: number) }
  }

  /// Reports an event to the state machine, and sets the alarm for the expiry of the latest data.
  func changeAlarm(_ event: (inout Machine) -> Void) {
    let now = now  // the program's closure is not called under the lock
    let old = state.withLock { state in
      event(&state.machine)
      let old = state.expiryAlarm
      state.expiryAlarm = state.machine.alarmDelay(at: now).flatMap { delay in
        alarm(after: delay, expired: state.machine.latestExpiry)
      }
      return old
    }
    old?.cancel()
  }

  private func alarm(after delay: Double, expired expiry: Date?) -> Alarm? {
    guard let expiry else { return nil }
    return clock.setAlarm(after: .seconds(delay)) { [weak self] in self?.refresh(expired: expiry) }
  }

  /// Fetches the query if its data is still the data that has expired, also in the cache. A fetch
  /// that is under way may deliver it, so this waits for its end.
  private func refresh(expired expiry: Date) {
    guard state.withLock({ $0.machine.alarmRang(for: expiry) }) else { return }
    renew(expiry)
  }

  /// Fetches the query if its data has expired during the fetch that has ended.
  func refreshIfDue() {
    let now = now
    if let expiry = state.withLock({ $0.machine.expiryAfterFetch(at: now) }) { renew(expiry) }
  }

  private func renew(_ expiry: Date) {
    _ = ApolloStore.task { [weak self] in await self?.fetchUnlessRenewed(expiry) }
  }

  /// Fetches the query, unless other calls have written the same data again.
  ///
  /// The later pages of merged lists do not count, because the fetch would not renew them.
  private func fetchUnlessRenewed(_ expiry: Date) async {
    let (servesFailures, demand) = state.withLock { ($0.servesFailures, $0.demand) }
    // A cache that cannot be read has not renewed anything.
    let reading = try? await store.load(
      query, servesFailures: servesFailures, readsPagesAlone: readsPagesAlone || mergesPages,
      demanding: demand)
    let freshness = reading?.data == nil ? nil : reading?.freshness
    let isStale = freshness.map { $0.earliestRenewableExpiry.map { $0 <= now } ?? false } ?? true
    guard isStale else {
      return changeAlarm {
        $0.dataWasRenewed(expiry, until: freshness?.earliestRenewableExpiry)
      }
    }
    handle { $0.dataNotRenewed(expiry) }
  }

  private var now: Date { store.freshness.now() }
  private var clock: any AlarmClock { (client as? ApolloClient)?.clock ?? SystemAlarmClock.shared }
}
