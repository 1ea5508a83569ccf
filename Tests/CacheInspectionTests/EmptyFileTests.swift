#if SQLITE
  import ApolloSQLite
  import CacheInspection
  import CacheLocations
  import Foundation
  import Testing

  /// Files to which no program has written records yet.
  @Suite(.timeLimit(.minutes(10))) struct EmptyFileTests {
    private let folder: CacheFolder

    init() throws { folder = try CacheFolder() }

    private func expectTakesAnImport(_ name: String) async throws {
      try await folder.file(name, #"{"key":"A","fields":{"n":1}}"#)
      #expect(try await CacheInspector(.file(path: folder.path(name))).list(.init()).count == 1)
    }

    private func expectError(
      _ expected: CacheFileError, reading name: String
    ) async {
      let location = CacheLocation.file(path: folder.path(name))
      let error = await #expect(throws: CacheFileError.self) {
        _ = try await CacheInspector(location)
      }
      #expect(error == expected)
    }

    /// The switch to a log writes the first page before a program makes the tables.
    @Test func aFileWithoutTablesIsEmpty() async throws {
      try folder.execute("PRAGMA journal_mode = WAL", on: "begun")
      #expect(try folder.contents["begun"]?.isEmpty == false)
      await expectError(.empty(path: folder.path("begun")), reading: "begun")
      try await expectTakesAnImport("begun")
    }

    /// Another program can count versions of its file before it makes tables.
    @Test func aFileWithoutTablesButWithAVersionIsThatOfAnotherProgram() async throws {
      try folder.execute("PRAGMA user_version = 5", on: "foreign")
      await expectError(.notACache(path: folder.path("foreign")), reading: "foreign")
    }

    @Test func aLinkToAnEmptyFileIsEmpty() async throws {
      try Data().write(to: folder.url.appendingPathComponent("without bytes"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("link"), withDestinationPath: "without bytes")
      await expectError(.empty(path: folder.path("link")), reading: "link")
      try await expectTakesAnImport("link")
    }

    @Test func aLinkToAMissingFileTakesAnImport() async throws {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("link"), withDestinationPath: folder.path("missing"))
      await expectError(.missing(path: folder.path("link")), reading: "link")
      try await expectTakesAnImport("link")
      #expect(try folder.contents["missing"] != nil)
    }
  }
#endif
