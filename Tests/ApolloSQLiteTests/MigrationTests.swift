import ApolloAPI
import ApolloCache
import Foundation
import Testing

@testable import ApolloSQLite

/// Files of other versions.
@Suite(.timeLimit(.minutes(10)))
struct MigrationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A possible next version.
  private static let next = TableSchema(
    migrations: TableSchema.current.migrations + [
      """
      CREATE TABLE notes (record BLOB PRIMARY KEY NOT NULL, note TEXT) WITHOUT ROWID;
      INSERT INTO notes SELECT key, 'kept since version 1' FROM records;
      """
    ])

  private func version() throws -> Int64? {
    try DatabaseConnection(path: folder.file.path, access: .reading, busyTimeout: 1_000)
      .integer("PRAGMA user_version")
  }

  /// A file of version 1, byte for byte. It must stay readable.
  @Test func aFileOfTheFirstVersionIsRead() throws {
    try SQLiteShell.run(
      """
      CREATE TABLE shapes (id INTEGER PRIMARY KEY AUTOINCREMENT, fields BLOB NOT NULL UNIQUE);
      CREATE TABLE records (key BLOB PRIMARY KEY NOT NULL, fields BLOB) WITHOUT ROWID;
      CREATE TABLE wide_fields (
        record BLOB NOT NULL, field BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (record, field)
      ) WITHOUT ROWID;
      PRAGMA application_id = 1097879884;
      PRAGMA user_version = 1;
      -- name, age, mass, isTall, home
      INSERT INTO shapes VALUES (3, x'05 046E616D65 03616765 046D617373 06697354616C6C 04686F6D65');
      -- "Luke", 19, 77.5, true, null
      INSERT INTO records VALUES
        (CAST('Hero:1' AS BLOB), x'06 05044C756B65 0326 040000000000605340 02 00');
      -- A shape that is written out: friends(first:2), a list of two references; bio, a failure.
      INSERT INTO records VALUES (
        CAST('Hero:2' AS BLOB),
        x'00 02 10667269656E64732866697273743A3229 0362696F
          07 02 0606 4865726F3A31 0606 4865726F3A33 0C 026E6F 00');
      -- Rows of single fields; JSON.
      INSERT INTO records VALUES (CAST('Wide' AS BLOB), NULL);
      INSERT INTO wide_fields VALUES
        (CAST('Wide' AS BLOB), CAST('meta' AS BLOB), x'0A 08 01 0178 07 02 0302 00'),
        (CAST('Wide' AS BLOB), CAST('big' AS BLOB), x'0A 0B 05 3165393939');
      """.replacing(#/x'[0-9A-F\s]*'/#) { $0.output.filter { !$0.isWhitespace } }, on: folder.file)
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    let records = try cache.loadRecords(forKeys: ["Hero:1", "Hero:2", "Wide"]).mapValues(\.fields)
    #expect(
      records["Hero:1"] == [
        "name": "Luke", "age": 19, "mass": 77.5, "isTall": true, "home": CacheValue.null,
      ])
    #expect(
      records["Hero:2"] == [
        "friends(first:2)": [.reference("Hero:1"), .reference("Hero:3")],
        "bio": .failure(FieldFailure(message: "no")),
      ])
    #expect(
      records["Wide"] == ["meta": .json(["x": [1, nil]]), "big": .json(.decimal("1e999"))])
    #expect(folder.names.filter { $0.contains("damaged") } == [])
  }

  @Test func anOlderFileIsMigratedWithAllOfItsRecords() throws {
    do {
      let old = try SQLiteNormalizedCache(fileURL: folder.file)
      _ = try old.merge(records: ["Hero:1": ["name": "Luke"], "Hero:2": ["name": "Leia"]])
    }
    #expect(try version() == TableSchema.current.version)
    let new = try SQLiteNormalizedCache(fileURL: folder.file, schema: Self.next)
    #expect(try version() == Self.next.version)
    #expect(try new.loadRecords(forKeys: ["Hero:2"])["Hero:2"]?["name"] == "Leia")
    let notes = try DatabaseConnection(path: folder.file.path, access: .reading, busyTimeout: 1_000)
      .integer("SELECT count(*) FROM notes WHERE note = 'kept since version 1'")
    #expect(notes == 2)
    _ = try SQLiteNormalizedCache(fileURL: folder.file, schema: Self.next)  // nothing left to do
    #expect(folder.names.filter { $0.contains("damaged") } == [])
  }

  @Test func aNewFileGoesThroughAllMigrations() throws {
    let cache = try SQLiteNormalizedCache(fileURL: folder.file, schema: Self.next)
    _ = try cache.merge(records: ["Hero:1": ["name": "Luke"]])
    #expect(try version() == Self.next.version)
  }

  @Test func aMigrationThatFailsLeavesTheOldVersion() throws {
    _ = try SQLiteNormalizedCache(fileURL: folder.file).merge(records: ["A": ["n": 1]])
    let failing = TableSchema(
      migrations: Self.next.migrations + ["CREATE TABLE more (x); INSERT INTO nowhere VALUES (1)"])
    #expect(throws: SQLiteError.self) {
      try SQLiteNormalizedCache(fileURL: folder.file, schema: failing)
    }
    #expect(try version() == TableSchema.current.version)
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 1)
  }

  @Test func manyThatOpenAnOldFileAtOnceMigrateItOnce() async throws {
    _ = try SQLiteNormalizedCache(fileURL: folder.file).merge(records: ["A": ["n": 1]])
    try await withThrowingTaskGroup(of: CacheValue?.self) { group in
      for _ in 0..<8 {
        group.addTask { [folder] in
          let cache = try SQLiteNormalizedCache(
            fileURL: folder.file, configuration: .patient, schema: Self.next)
          return try cache.loadRecords(forKeys: ["A"])["A"]?["n"]
        }
      }
      for try await value in group { #expect(value == 1) }
    }
    #expect(try version() == Self.next.version)
  }

  /// The older version must not mark the tables of the later one as its own.
  @Test func versionsThatOpenANewFileAtOnceLeaveTablesThatFitTheVersion() async throws {
    for round in 0..<20 {
      let file = folder.url.appendingPathComponent("cache-\(round).sqlite")
      await withTaskGroup(of: Void.self) { group in
        for schema in [TableSchema.current, Self.next] {
          group.addTask {
            // Throws if other versions have replaced the file too often.
            _ = try? SQLiteNormalizedCache(
              fileURL: file, configuration: .patient, schema: schema)
          }
        }
      }
      let database = try DatabaseConnection(path: file.path, access: .reading, busyTimeout: 1_000)
      let version = try database.integer("PRAGMA user_version")
      let count = try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'notes'")
      #expect((version == Self.next.version) == (count == 1), "round \(round)")
    }
  }

  @Test(arguments: ["0", "-1"])
  func aFileWhoseTablesDoNotFitItsVersionIsPutAside(version: String) throws {
    _ = try SQLiteNormalizedCache(fileURL: folder.file).merge(records: ["A": ["n": 1]])
    try SQLiteShell.run("PRAGMA user_version = \(version)", on: folder.file)
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    #expect(folder.names.contains("cache.sqlite.damaged-1"))
    _ = try cache.merge(records: ["A": ["n": 2]])
    #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 2)
  }

  @Test func aFileWithTheTablesOfALaterVersionIsPutAside() throws {
    _ = try SQLiteNormalizedCache(fileURL: folder.file, schema: Self.next)
    try SQLiteShell.run("PRAGMA user_version = 1", on: folder.file)
    let cache = try SQLiteNormalizedCache(fileURL: folder.file, schema: Self.next)
    #expect(folder.names.contains("cache.sqlite.damaged-1"))
    _ = try cache.merge(records: ["A": ["n": 2]])
    #expect(try cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 2)
    #expect(try version() == Self.next.version)
  }

  /// Earlier versions kept them, with the arguments of every call in plain text.
  @Test func theRootsOfMutationsAreRemovedWithTheirBytes() throws {
    let secret = "hunter2"
    do {
      let old = try SQLiteNormalizedCache(fileURL: folder.file)
      _ = try old.merge(records: [
        "MUTATION_ROOT": [FieldKey("login(password:\(secret))"): true],
        "SUBSCRIPTION_ROOT": [FieldKey("login(password:\(secret))"): true],
        "QUERY_ROOT": ["a": 1],
      ])
    }
    let cache = try SQLiteNormalizedCache(fileURL: folder.file)
    let records = try cache.loadRecords(forKeys: [
      "MUTATION_ROOT", "SUBSCRIPTION_ROOT", "QUERY_ROOT",
    ])
    #expect(records.keys.sorted() == ["QUERY_ROOT"])
    for name in folder.names {
      let bytes = try Data(contentsOf: folder.url.appendingPathComponent(name))
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
    }
  }

  /// Some systems have a SQLite that always overwrites what is removed.
  @Test func removingTheRootsOfMutationsLeavesTheSettingsOfTheSystem() throws {
    _ = try SQLiteNormalizedCache(fileURL: folder.file).merge(records: ["MUTATION_ROOT": ["a": 1]])
    let usual = try DatabaseConnection(path: ":memory:", access: .writing, busyTimeout: 0)
    let file = DatabaseFile(
      path: folder.file.path, settings: SQLiteNormalizedCache.Configuration().ofFile,
      schema: .current)
    let opened = try file.openForWriting().database
    #expect(try opened.integer("SELECT count(*) FROM records") == 0)
    #expect(
      try opened.integer("PRAGMA secure_delete") == usual.integer("PRAGMA secure_delete"))
  }

  @Test func anOlderLibraryPutsTheFileAside() throws {
    let new = try SQLiteNormalizedCache(fileURL: folder.file, schema: Self.next)
    let old = try SQLiteNormalizedCache(fileURL: folder.file)
    _ = try old.merge(records: ["A": ["n": 1]])
    #expect(try old.loadRecords(forKeys: ["A"])["A"]?["n"] == 1)
    #expect(folder.names.contains("cache.sqlite.damaged-1"))
    withExtendedLifetime(new) {}
  }
}
