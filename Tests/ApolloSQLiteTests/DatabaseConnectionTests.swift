import ApolloSQLite
import Foundation
import Testing

struct DatabaseConnectionTests {
  @Test func theLogIsBesideTheFileBehindALink() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file.path, withDestinationPath: "data.sqlite")
    let database = try DatabaseConnection(
      path: folder.file.path, access: .writing, busyTimeout: 0)
    try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    let log = try #require(database.logPath)
    #expect(URL(fileURLWithPath: log).lastPathComponent == "data.sqlite-wal")
    #expect(FileManager.default.fileExists(atPath: log))
  }

  @Test func aDatabaseInMemoryHasNoLog() throws {
    let database = try DatabaseConnection(path: ":memory:", access: .writing, busyTimeout: 0)
    #expect(database.logPath == nil)
  }
}
