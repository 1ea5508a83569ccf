import Testing

@testable import ApolloTransport

/// The expected seconds are those of `date --date=… +%s`.
struct HTTPDateTests {
  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
    ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
    ("Tue, 01 Mar 2022 00:00:00 GMT", 1_646_092_800),
    ("Mon, 31 Dec 2068 00:00:00 GMT", 3_124_137_600),
    ("Monday, 31-Dec-68 00:00:00 GMT", 3_124_137_600),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
  ])
  func readsEachFormOfADate(_ text: String, _ seconds: Int64) {
    #expect(HTTPDate.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
    "Sun, 06 November 1994 08:49:37 GMT", "Sun, 06 Nov 10000 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", String(repeating: " ", count: 100_000),
  ])
  func refusesWhatIsNoDate(_ text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }
}
