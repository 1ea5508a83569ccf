import ApolloAPI
import Foundation
import SeededRandom
import Testing

struct DateTests {
  @Test(arguments: [
    ("2001-01-01T00:00:00Z", 0.0), ("2026-11-20T12:30:00Z", 816_870_600),
    ("2026-11-20T12:30:00.5Z", 816_870_600.5), ("2026-11-20T12:30:00,25Z", 816_870_600.25),
    ("2026-11-20T13:30:00+01:00", 816_870_600), ("2026-11-20T07:00:00-0530", 816_870_600),
    ("2026-11-20T14:30:00+02", 816_870_600),
    ("2026-11-21T12:29:00+23:59", 816_870_600), ("2026-11-20t12:30:00z", 816_870_600),
    ("1970-01-01T00:00:00Z", -978_307_200), ("2000-02-29T23:59:59Z", -26_438_401),
    ("2016-12-31T23:59:60Z", 504_921_600), ("+002026-11-20T12:30:00Z", 816_870_600),
  ])
  func readsDatesAndTimes(text: String, seconds: Double) throws {
    let date = try Date(_jsonValue: .string(text))
    #expect(date.timeIntervalSinceReferenceDate == seconds)
  }

  @Test(arguments: [
    "", "2026-11-20", "2026-11-20T12:30:00", "2026-11-20 12:30:00Z", "2026-11-20T12:30Z",
    "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
    "2026-11-31T00:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T12:60:00Z", "2026-11-20T12:30:61Z",
    "2026-11-20T12:30:00.Z", "2026-11-20T12:30:00+1", "2026-11-20T12:30:00+01:",
    "26-11-20T12:30:00Z",
    "2026-11-20T12:30:00ZZ", " 2026-11-20T12:30:00Z", "2026-11-20T12:30:00Z\u{0}",
    "-000000-01-01T00:00:00Z",
    "２０２６-11-20T12:30:00Z",
  ])
  func rejectsEverythingElse(text: String) {
    #expect(throws: ScalarError.self) { try Date(_jsonValue: .string(text)) }
  }

  @Test(arguments: [
    ("2026-11-20T12:30:00", 816_870_600.0), ("2026-11-20 12:30:00.5", 816_870_600.5),
    ("2026-11-20T12:30", 816_870_600), ("2026-11-20", 816_825_600),
    ("2026-11-20T13:30:00+01:00", 816_870_600), ("2026-11-20 12:30Z", 816_870_600),
  ])
  func readsTimesWithoutAZoneOnDemand(text: String, seconds: Double) throws {
    let date = try Date(lenientJSONValue: .string(text))
    #expect(date.timeIntervalSinceReferenceDate == seconds)
  }

  @Test func readsTimesWithoutAZoneInTheZoneOfTheServer() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    for (local, utc) in [
      ("2026-11-20T13:30:00", "2026-11-20T12:30:00Z"),
      ("2026-07-01T00:30:00", "2026-06-30T22:30:00Z"),
      // Hours around the changes of clocks.
      ("2026-03-29T03:30:00", "2026-03-29T01:30:00Z"),
      ("2026-10-25T04:00:00", "2026-10-25T03:00:00Z"),
      ("2026-11-20T12:30:00Z", "2026-11-20T12:30:00Z"),
    ] {
      #expect(
        try Date(lenientJSONValue: .string(local), timeZone: zone)
          == Date(_jsonValue: .string(utc)), "\(local)")
    }
  }

  @Test(arguments: [
    "", "2026-11", "2026-11-20T", "2026-11-20T12", "2026-11-20T12:30:", "2026-02-29",
    "2026-11-20T12:30:00 +01:00", "2026-11-20T12:30:00X", "2026-11-20  12:30",
  ])
  func rejectsWhatIsNoTimeOnDemandEither(text: String) {
    #expect(throws: ScalarError.self) { try Date(lenientJSONValue: .string(text)) }
    #expect(throws: ScalarError.self) { try Date(lenientJSONValue: .int(1)) }
  }

  @Test(arguments: [
    (0.0, "2001-01-01T00:00:00Z"), (816_870_600.5, "2026-11-20T12:30:00.500Z"),
    (816_870_600.251, "2026-11-20T12:30:00.251Z"), (-0.25, "2000-12-31T23:59:59.750Z"),
    (0.000_001, "2001-01-01T00:00:00.000001Z"),
    (816_870_599.9999999, "2026-11-20T12:29:59.999999881Z"),
    (-63_113_904_000, "0001-01-01T00:00:00Z"), (252_423_993_600, "+010000-01-01T00:00:00Z"),
    (-1e-20, "2001-01-01T00:00:00Z"),
  ])
  func writesThemInUTC(seconds: Double, text: String) throws {
    #expect(Date(timeIntervalSinceReferenceDate: seconds)._jsonValue == .string(text))
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, 1e15])
  func writesNullForInvalidDates(seconds: Double) {
    #expect(Date(timeIntervalSinceReferenceDate: seconds)._jsonValue == .null)
  }

  @Test func decodesItsOwnJSON() throws {
    var random = SeededGenerator(seed: freshSeed)
    for _ in 0..<2000 {
      let scale = [1e-9, 1, 1e3, 1e9, 1e11].randomElement(using: &random)!
      let seconds = Double.random(in: -1...1, using: &random) * scale
      let date = try Date(_jsonValue: Date(timeIntervalSinceReferenceDate: seconds)._jsonValue)
      // Within a nanosecond before 2001, whole seconds and a fraction are less exact than a
      // `Double`.
      #expect(abs(date.timeIntervalSinceReferenceDate - seconds) < 1e-9, "seed \(freshSeed)")
      #expect(try Date(_jsonValue: date._jsonValue) == date, "\(seconds), seed \(freshSeed)")
    }
  }

  @Test func agreesWithFoundationOnEveryDayOfFourHundredYears() throws {
    let style = Date.ISO8601FormatStyle()
    for day in stride(from: -146_097.0 / 2, through: 146_097 / 2, by: 1) {
      let date = Date(timeIntervalSinceReferenceDate: day.rounded() * 86_400 + 3_723)
      #expect(date._jsonValue == .string(date.formatted(style)))
    }
  }
}
