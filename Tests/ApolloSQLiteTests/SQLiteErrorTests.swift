import Foundation
import Testing

@testable import ApolloSQLite

struct SQLiteErrorTests {
  @Test(arguments: [
    (5, "Try again, or raise the busy timeout."),
    (6, "Try again, or raise the busy timeout."),
    (13, "Free some space."),
    (11, "Delete the file, or let it be replaced."),
    (26, "Delete the file, or let it be replaced."),
    (14, "Check the path, and that its folder exists and can be written to."),
    (8, "Check the permissions of the file and of its folder."),
    (3, "Check the permissions of the file and of its folder."),
    (9, "Call 'resume()' first, then try again."),
    (21, "Start another transaction."),
    (266, "Check the file and its disk."),
  ])
  func aSentenceNamesTheActivityTheReasonTheCodeAndTheSolution(code: Int32, advice: String) {
    let error = SQLiteError(code: code, message: "bad luck", activity: "Opening /tmp/cache.sqlite")
    #expect(
      error.description
        == "Opening /tmp/cache.sqlite failed: bad luck (SQLite code \(code)). \(advice)")
    #expect(error.localizedDescription == error.description)
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
