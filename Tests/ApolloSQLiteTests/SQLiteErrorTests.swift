import Testing

@testable import ApolloSQLite

struct SQLiteErrorTests {
  @Test func aMessageNamesTheActivityTheReasonAndTheCode() {
    let error = SQLiteError(
      code: 266, message: "disk I/O error", activity: "Opening /tmp/cache.sqlite")
    #expect(
      error.description == "Opening /tmp/cache.sqlite failed: disk I/O error (SQLite code 266).")
  }

  @Test(arguments: [
    (5, isBusy: true, isFull: false, isDamage: false),
    (517, isBusy: true, isFull: false, isDamage: false),
    (6, isBusy: true, isFull: false, isDamage: false),
    (13, isBusy: false, isFull: true, isDamage: false),
    (11, isBusy: false, isFull: false, isDamage: true),
    (26, isBusy: false, isFull: false, isDamage: true),
    (266, isBusy: false, isFull: false, isDamage: false),
  ])
  func extendedCodesAreClassifiedByTheirPrimaryCode(
    code: Int32, isBusy: Bool, isFull: Bool, isDamage: Bool
  ) {
    let error = SQLiteError(code: code, message: "", activity: "")
    #expect(error.isBusy == isBusy)
    #expect(error.isFull == isFull)
    #expect(error.isDamage == isDamage)
  }
}
