import ApolloCache
import Foundation
import Testing

@testable import ApolloSQLite

struct WriterDeskTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// While a writer is only about to begin, or has just ended, others may write, and nobody would notice.
  @Test func foreignWritesAreCountedWhileNobodyWritesOrSomebodyKeepsOthersFromIt() throws {
    let file = DatabaseFile(path: folder.file.path, configuration: .init(), schema: .current)
    let desk = ExclusiveWriter(try CacheWriter(file))
    #expect(try desk.countForeignWrites() == 0)
    let writer = try #require(desk.take())
    #expect(try desk.countForeignWrites() == nil)
    desk.noteExclusive(true)
    #expect(try desk.countForeignWrites() == 0)
    desk.noteExclusive(false)
    #expect(try desk.countForeignWrites() == nil)
    desk.recycle(writer)
    _ = try SQLiteNormalizedCache(fileURL: folder.file).merge(records: ["A": ["n": 1]])
    #expect(try desk.countForeignWrites() == 1)
  }
}
