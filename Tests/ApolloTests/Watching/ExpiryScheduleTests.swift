import Apollo
import Foundation
import Testing

/// Scripts of events for the schedule of data that expires. Times are in seconds.
struct ExpiryScheduleTests {
  @Test func setsAnAlarmForTheLatestData() {
    let script = Script()
    #expect(script.delay(at: 20) == 40)
    #expect(script.delay(at: 90) == 1)
    script.data(expiring: 100, at: 30)
    #expect(script.delay(at: 30) == 70)
    #expect(!script.rings(for: 60), "It was renewed.")
    #expect(script.rings(for: 100))
    script.schedule.isEnabled = false
    #expect(script.delay(at: 30) == nil)
    #expect(!script.rings(for: 100))
  }

  @Test(arguments: [true, false]) func setsNoAlarmForDataThatArrivesExpired(isNew: Bool) {
    let script = Script()
    script.data(expiring: 70, isNew: isNew, at: 70)
    #expect(script.delay(at: 70) == (isNew ? nil : 1), "The cache has older data.")
    script.data(expiring: nil, isNew: isNew, at: 70)
    #expect(script.delay(at: 70) == nil)
  }

  @Test func triesAgainLaterAfterEachFailure() {
    let script = Script()
    let delays = (0..<8).map { _ in
      script.schedule.fetchFailed()
      return script.delay(at: 60)
    }
    #expect(delays == [2, 4, 8, 16, 32, 64, 64, 64])
    script.data(expiring: 60, isNew: false, at: 60)
    #expect(script.delay(at: 60) == 64)
    script.data(expiring: 61, at: 60)
    #expect(script.delay(at: 60) == 1)
  }

  @Test func waitsForAFetchThatMayRenewTheData() {
    let script = Script()
    #expect(script.fetchEnded(at: 60) == nil)
    #expect(!script.rings(for: 60, isFetching: true))
    #expect(script.fetchEnded(at: 61) == 60)
    #expect(script.fetchEnded(at: 61) == nil)
    #expect(!script.rings(for: 60, isFetching: true))
    script.data(expiring: 120, at: 61)
    #expect(script.fetchEnded(at: 61) == nil)
    #expect(script.delay(at: 61) == 59)
  }

  @Test func followsDataThatOthersHaveRenewed() {
    let script = Script()
    script.renewed(50, until: 55)
    #expect(script.delay(at: 0) == 60)
    script.renewed(60, until: 90)
    #expect(script.delay(at: 0) == 90)
    script.renewed(90, until: nil)
    #expect(script.delay(at: 0) == nil)
  }
}

/// A schedule with data of the server that expires at 60.
private final class Script {
  var schedule = ExpirySchedule()

  init() {
    schedule.isEnabled = true
    data(expiring: 60, at: 0)
  }

  private func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  func data(expiring expiry: Double?, isNew: Bool = true, at now: Double) {
    schedule.dataArrived(expiring: expiry.map(time), isNew: isNew, at: time(now))
  }

  func renewed(_ expiry: Double, until new: Double?) {
    schedule.dataWasRenewed(time(expiry), until: new.map(time))
  }

  func delay(at now: Double) -> Double? { schedule.delay(at: time(now)) }

  func rings(for expiry: Double, isFetching: Bool = false) -> Bool {
    schedule.alarmRang(for: time(expiry), isFetching: isFetching)
  }

  func fetchEnded(at now: Double) -> Double? {
    schedule.fetchEnded(at: time(now))?.timeIntervalSince1970
  }
}
