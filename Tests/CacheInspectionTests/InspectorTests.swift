#if SQLITE
  import ApolloAPI
  import ApolloCache
  import ApolloSQLite
  import Foundation
  import NaiveCache
  import SeededRandom
  import TestOperations
  import Testing

  @testable import CacheInspection
  import CacheLocations

  @Suite(.timeLimit(.minutes(10))) struct InspectorTests {
    private let folder: CacheFolder

    init() throws { folder = try CacheFolder() }

    /// Two heroes, of whom one is not reachable, and a dangling reference.
    private func heroes() async throws -> CacheLocation {
      try await folder.file(
        "cache.sqlite",
        #"{"apolloCache":1}"#,
        #"{"key":"QUERY_ROOT","fields":{"__typename":"Query","hero(id:1)":{"$reference":"Hero:1"}},"writes":[{"time":1000.5,"operation":"Hero"}]}"#,
        #"{"key":"Hero:1","fields":{"__typename":"Hero","name":"Luke","friends(first:2)":[{"$reference":"Hero:3"},null,{"$reference":"QUERY_ROOT"}]},"writes":[{"time":1000.5,"operation":"Hero","fields":["__typename","name"]},{"time":2000.0,"operation":"Friends","maxAge":60.0,"fields":["friends(first:2)"]}],"lastUse":1764262800}"#,
        #"{"key":"Hero:2","fields":{"__typename":"Hero","name":"Leia"}}"#,
        #"{"apolloCache":1,"records":3}"#)
    }

    private func inspector() async throws -> CacheInspector {
      try await CacheInspector(heroes())
    }

    // MARK: - Reading

    @Test func statisticsHaveSumsTypesAndOperations() async throws {
      let lines = try await inspector().statistics().map(Self.json)
      let whole = try #require(lines.first)
      #expect(whole["records"] == 3 && whole["fields"] == 7 && whole["references"] == 3)
      #expect(whole["dangling"] == 1 && whole["unreachable"] == 1 && whole["unreadable"] == 0)
      #expect(whole["latestWrite"] == "1970-01-01T00:33:20Z")
      #expect(
        lines.dropFirst().map { [$0["type"] ?? $0["operation"], $0["records"]] } == [
          ["Hero", 2], ["Query", 1], ["Hero", 2], ["Friends", 1],
        ])
    }

    @Test func aListHasALineForEachRecord() async throws {
      let inspector = try await inspector()
      let lines = try await inspector.list(.init()).map(Self.json)
      #expect(lines.map { $0["key"] } == ["Hero:1", "Hero:2", "QUERY_ROOT"])
      #expect(lines.map { $0["unreachable"] } == [nil, true, nil])
      #expect(lines.map { $0["dangling"] } == [1, nil, nil])
      #expect(lines.map { $0["referrers"] } == [1, 0, 1])
      #expect(lines[0]["operations"] == ["Friends", "Hero"])
      #expect(lines[0]["lastUse"] == "2025-11-27T17:00:00Z")
      var filter = CacheInspector.Filter()
      filter.type = "Query"
      #expect(try await inspector.list(filter).count == 1)
      filter = CacheInspector.Filter()
      filter.text = "hero:"
      #expect(try await inspector.list(filter).count == 2)
    }

    @Test func aRecordHasItsFieldsWithArgumentsAgesAndReferrers() async throws {
      let line = Self.json(try await inspector().records(["Hero:1"])[0])
      let fields = try #require(line["fields"]?.arrayValue)
      #expect(fields.map { $0["field"] } == ["__typename", "friends(first:2)", "name"])
      #expect(fields[1]["name"] == "friends" && fields[1]["arguments"] == ["first": 2])
      #expect(fields[1]["operation"] == "Friends" && fields[1]["maxAge"] == 60.0)
      #expect(fields[1]["time"] == "1970-01-01T00:33:20Z")
      #expect(fields[1]["dangling"] == ["Hero:3"])
      #expect(fields[2]["value"] == "Luke" && fields[2]["dangling"] == nil)
      #expect(line["referrers"] == [["key": "QUERY_ROOT", "field": "hero(id:1)"]])
    }

    @Test func aKeyWithoutARecordIsReportedWithNearOnes() async throws {
      let inspector = try await inspector()
      let cases = [
        ("hero:1", "has no record 'hero:1'. Did you mean 'Hero:1' or 'Hero:2'?"),
        (
          "Hero:3",
          "has no record 'Hero:3'. 1 fields refer to it. Did you mean 'Hero:1' or 'Hero:2'?"
        ),
        ("Something", "has no record 'Something'. 'apollo-cli cache list' shows all keys."),
      ]
      for (key, text) in cases {
        let error = await #expect(throws: InspectionError.self) {
          try await inspector.records([key])
        }
        #expect(error?.description.hasSuffix(text) == true, "\(String(describing: error))")
      }
    }

    @Test(arguments: [
      ("LUKE", ["Hero:1 name"]), ("hero:2", ["Hero:2"]), ("FRIENDS(", ["Hero:1 friends(first:2)"]),
      ("hero:3", ["Hero:1 friends(first:2)"]), ("nothing", []),
    ])
    func textIsFoundInKeysFieldsAndValues(text: String, places: [String]) async throws {
      let lines = try await inspector().find(text).map(Self.json)
      let found = lines.map { line in
        [line["key"], line["field"]].compactMap { $0?.stringValue }.joined(separator: " ")
      }
      #expect(found == places)
    }

    @Test func referrersAreFoundAlsoOfARecordThatDoesNotExist() async throws {
      let inspector = try await inspector()
      #expect(
        try await inspector.references(to: "Hero:3") == [
          #"{"key":"Hero:1","field":"friends(first:2)","reference":"Hero:3"}"#
        ])
      #expect(try await inspector.references(to: "Hero:2") == [])
      await #expect(throws: InspectionError.self) { try await inspector.references(to: "Hero:9") }
    }

    @Test func whatAStoreHasWrittenIsShown() async throws {
      let path = folder.path()
      var configuration = ApolloStore.Configuration()
      configuration.freshness.maxAges = ["Hero": .seconds(10)]
      let store = ApolloStore(
        cache: try SQLiteNormalizedCache(fileURL: URL(fileURLWithPath: path)),
        configuration: configuration)
      let body =
        #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"Luke","friends":null}}}"#
      try await store.publish(body: Data(body.utf8), of: HeroAPI.HeroQuery())
      let inspector = try await CacheInspector(.file(path: path))
      let record = Self.json(try await inspector.records(["Hero:1"])[0])
      #expect(record["type"] == "Hero")
      let name = record["fields"]?.arrayValue?.first { $0["field"] == "name" }
      #expect(name?["value"] == "Luke" && name?["operation"] == "Hero")
      #expect(try await inspector.check().isEmpty)
    }

    // MARK: - Checking

    @Test func problemsAreReported() async throws {
      let lines = try await inspector().check()
      #expect(
        lines.map(\.line) == [
          #"{"problem":"dangling","key":"Hero:1","field":"friends(first:2)","reference":"Hero:3"}"#,
          #"{"problem":"unreachable","key":"Hero:2","bytes":\#(try await byteCount("Hero:2"))}"#,
        ])
      #expect(lines.map(\.kind) == [.dangling, .unreachable])
    }

    private func byteCount(_ key: String) async throws -> Int {
      let line = try await CacheInspector(.file(path: folder.path())).records([key])[0]
      return Self.json(line)["bytes"]?.intValue ?? 0
    }

    /// Damage that another program makes, and its reports.
    static let damage: [(sql: String, problems: [String])] = [
      ("UPDATE records SET fields = x'FF' WHERE key = CAST('Hero:2' AS BLOB)", ["Hero:2 "]),
      ("UPDATE records SET fields = x'' WHERE key = CAST('Hero:2' AS BLOB)", ["Hero:2 "]),
      (
        "UPDATE records SET fields = fields || x'00' WHERE key = CAST('Hero:2' AS BLOB)",
        ["Hero:2 "]
      ),
      // A shape with arguments is in the row itself.
      ("DELETE FROM shapes", ["Hero:2 "]),
      ("UPDATE records SET writes = x'FF' WHERE key = CAST('Hero:1' AS BLOB)", ["Hero:1 "]),
      ("UPDATE records SET key = x'FF4141' WHERE key = CAST('Hero:2' AS BLOB)", ["\u{FFFD}AA "]),
      ("INSERT INTO wide_fields VALUES (x'41', x'42', x'00', NULL)", [" "]),
      (
        "INSERT INTO records (key) VALUES (x'41'); INSERT INTO wide_fields VALUES (x'41', x'42', x'FF', NULL), (x'41', x'43', x'00', NULL)",
        ["A B"]
      ),
    ]

    @Test(arguments: damage)
    func damageIsReported(sql: String, problems: [String]) async throws {
      let location = try await heroes()
      try folder.execute(sql)
      let inspector = try await CacheInspector(location)
      let unreadable = try await inspector.check().filter { $0.kind == .unreadable }
      let places = unreadable.map { line in
        let json = Self.json(line.line)
        return "\(json["key"]?.stringValue ?? "") \(json["field"]?.stringValue ?? "")"
      }
      #expect(places == problems)
      // The other commands read what is left.
      _ = try await (inspector.statistics(), inspector.list(.init()), inspector.find("x"))
      let incomplete = try await inspector.dump { _ in }
      #expect(incomplete == unreadable.compactMap { Self.json($0.line)["key"]?.stringValue })
    }

    @Test func aDamagedFileIsReportedAsFarAsItCanBeRead() async throws {
      let records = (0..<400).map {
        #"{"key":"Hero:\#(1_000 + $0)","fields":{"name":"\#(String(repeating: "x", count: 200))"}}"#
      }
      let location = try await folder.file("cache.sqlite", records.joined(separator: "\n"))
      let size = 4_096
      var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path()))
      #expect(bytes.count > 16 * size)
      bytes.replaceSubrange((8 * size)..<(12 * size), with: Data(repeating: 0xFF, count: 4 * size))
      try bytes.write(to: URL(fileURLWithPath: folder.path()))
      let lines = try await CacheInspector(location).check()
      #expect(!lines.isEmpty)
      #expect(lines.first?.kind == .unreadable)
    }

    @Test(arguments: [
      ("fields = x'FF'", true), ("writes = x'FF'", false),
    ])
    func aRecordThatCannotBeReadIsADifference(sql: String, alwaysMatters: Bool) async throws {
      let line =
        #"{"key":"A","fields":{"x":1},"writes":[{"time":1.0}]}"#
      _ = try await folder.file("cache.sqlite", line)
      try folder.execute("UPDATE records SET \(sql)")
      let left = CacheLocation.file(path: folder.path("left"))
      try FileManager.default.moveItem(atPath: folder.path(), toPath: folder.path("left"))
      _ = try await folder.file("cache.sqlite", line)
      try folder.execute("UPDATE records SET \(sql)")
      let right = CacheLocation.file(path: folder.path())
      for includesWrites in [false, true] {
        var lines: [String] = []
        let count = try await CacheDifference.run(left, right, includesWrites: includesWrites) {
          lines.append($0)
        }
        #expect(count == (alwaysMatters || includesWrites ? 1 : 0))
        for line in lines {
          #expect(line.contains(#""change":"unreadable","key":"A","left":[{"#), "\(line)")
          #expect(line.contains(#""right":[{"#))
        }
      }
    }

    @Test func aFileThatTakesThePlaceOfAnotherIsRead() async throws {
      let contents = try await folder.file("cache.sqlite", #"{"key":"A","fields":{"x":1}}"#).open()
      let before = try await contents.version()
      #expect(try await contents.record(of: "A") != nil)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
      where name.hasPrefix("cache.sqlite") {
        try FileManager.default.moveItem(
          atPath: folder.path(name), toPath: folder.path("old-\(name)"))
      }
      await #expect(throws: (any Error).self) { try await contents.version() }
      _ = try await folder.file("cache.sqlite", #"{"key":"B","fields":{"x":1}}"#)
      #expect(try await contents.version() != before)
      #expect(try await contents.record(of: "A") == nil)
      #expect(try await contents.record(of: "B") != nil)
    }

    @Test func aReaderThatIsClosedLeavesNoLog() async throws {
      let location = try await folder.file("cache.sqlite", #"{"key":"A","fields":{"x":1}}"#)
      let log = folder.path() + "-wal"
      #expect(!FileManager.default.fileExists(atPath: log))
      let inspector = try await CacheInspector(location)
      #expect(try await inspector.list(.init()).count == 1)
      inspector.close()
      #expect(!FileManager.default.fileExists(atPath: log))
      await #expect(throws: (any Error).self) { try await inspector.list(.init()) }
      inspector.close()
    }

    @Test func valuesOfAnotherFormThanUsualAreReported() async throws {
      let location = try await folder.file(
        "cache.sqlite",
        #"{"key":"QUERY_ROOT","fields":{"a":[{"$reference":"A:1"},{"$reference":"A:2"},{"$reference":"A:3"}]}}"#,
        #"{"key":"A:1","fields":{"__typename":"A","x":1,"y(a:1)":[],"z":{"__typename":"Z","w":[1]},"s":{"$json":[1]}}}"#,
        #"{"key":"A:2","fields":{"__typename":"A","x":"1","y(a:2)":[{"k":1}],"z":{"__typename":"Z","w":1},"s":1}}"#,
        #"{"key":"A:3","fields":{"__typename":"A","x":{"a":1},"y(a:3)":null,"z":{"__typename":"Z","w":[null,2]},"s":{"$json":{}}}}"#
      )
      let lines = try await CacheInspector(location).check()
      #expect(
        lines.map(\.line) == [
          #"{"problem":"wrong-shape","key":"A:2","field":"z","type":"Z","found":"a scalar","usual":"a list of scalars"}"#,
          #"{"problem":"wrong-shape","key":"A:3","field":"x","type":"A","found":"an object","usual":"a scalar"}"#,
        ])
    }

    // MARK: - Copies

    @Test(arguments: UInt64(0)..<12)
    func aDumpImportedIntoAnEmptyFileGivesAnEqualCache(seed: UInt64) async throws {
      var random = SeededGenerator(seed: seed)
      var mutations = RandomMutations(random: random)
      var lines: [String] = []
      for record in (0..<30).flatMap({ _ in mutations.records() }) {
        let stored = StoredRecord(key: record.key, fields: record.fields)
        var dumped = try #require(DumpedRecord(stored))
        for field in record.fields.keys where Bool.random(using: &random) {
          let number = Int.random(in: 1...3, using: &random)
          dumped.writes[field] = WriteFacts(
            time: Double(number) * 1_000.25, operationName: number == 1 ? nil : "Op\(number)",
            maxAge: number == 3 ? 60 : nil)
        }
        if Bool.random(using: &random) { dumped.lastUse = 1_700_000_000 }
        lines.append(dumped.line.text)
      }
      let left = CacheLocation.file(path: folder.path("left"))
      _ = try await CacheImport.run(Array(lines.joined(separator: "\n").utf8), into: left)
      let right = CacheLocation.file(path: folder.path("right"))
      _ = try await CacheImport.run(Array(try await dump(left).utf8), into: right)
      var differences: [String] = []
      let count = try await CacheDifference.run(left, right, includesWrites: true) {
        differences.append($0)
      }
      #expect(differences.prefix(3) == [] && count == 0)
      #expect(try await dump(left) == dump(right))
      // It is a cache for programs too.
      let cache = try SQLiteNormalizedCache(fileURL: URL(fileURLWithPath: folder.path("right")))
      let keys = try #require(try cache.recordKeys())
      #expect(try cache.loadRecords(forKeys: Set(keys)).count == keys.count)
      #expect(try cache.integrityProblems() == [])
    }

    private func dump(_ location: CacheLocation) async throws -> String {
      var lines: [String] = []
      let unreadable = try await CacheInspector(location).dump { lines.append($0) }
      #expect(unreadable == [])
      return lines.joined(separator: "\n")
    }

    @Test func differencesAreLines() async throws {
      let left = try await folder.file(
        "left", #"{"key":"A","fields":{"x":1,"y":2},"writes":[{"time":1.0}]}"#,
        #"{"key":"B","fields":{"x":1}}"#)
      let right = try await folder.file(
        "right", #"{"key":"A","fields":{"x":1,"z":3},"writes":[{"time":2.0}]}"#,
        #"{"key":"C","fields":{"x":1}}"#)
      var lines: [String] = []
      let count = try await CacheDifference.run(left, right, includesWrites: false) {
        lines.append($0)
      }
      #expect(
        lines == [
          #"{"change":"changed","key":"A","field":"y","left":2}"#,
          #"{"change":"changed","key":"A","field":"z","right":3}"#,
          #"{"change":"removed","key":"B","fields":{"x":1}}"#,
          #"{"change":"added","key":"C","fields":{"x":1}}"#,
        ])
      #expect(count == 4)
      #expect(try await CacheDifference.run(left, right, includesWrites: true) { _ in } == 5)
      #expect(try await CacheDifference.run(left, left, includesWrites: true) { _ in } == 0)
    }

    @Test(arguments: [
      ("{", "Line 2 of the dump cannot be imported: it is not JSON"),
      ("[]", "Line 2 of the dump cannot be imported: it is no object"),
      (#"{"key":"A"}"#, "Line 2 of the dump cannot be imported: it needs a 'key' and 'fields'"),
      (#"{"key":"A","fields":{"x":{"$y":1}}}"#, "'$y' with this content has no meaning"),
      (#"{"apolloCache":2}"#, "the dump is of version 2, and this apollo-cli reads version 1"),
      (
        #"{"key":"A","fields":{},"writes":[{"time":1.0,"fields":["x"]}]}"#,
        "a write names the field 'x', which the record does not have"
      ),
      (#"{"key":"A","fields":{},"writes":[{}]}"#, "a write needs a 'time'"),
      (#"{"key":"A","fields":{},"lastUse":"x"}"#, "'lastUse' is no whole number"),
      (
        #"{"key":"A","fields":{"x":1},"writes":[{"time":1.0,"maxAge":"60"}]}"#,
        "the 'maxAge' of a write is no number of seconds"
      ),
      (
        #"{"key":"A","fields":{"x":1},"writes":[{"time":1.0,"operation":7}]}"#,
        "the 'operation' of a write is no name"
      ),
      (
        #"{"key":"A","fields":{"x":1},"writes":[{"time":1.0,"fields":"x"}]}"#,
        "the 'fields' of a write are no list of names"
      ),
      (
        #"{"key":"A","fields":{"x":1},"writes":[{"time":1.0,"fields":["x",1]}]}"#,
        "the 'fields' of a write are no list of names"
      ),
      // Dumps that were cut short.
      (#"{"apolloCache":1}"#, "The dump has no last line with the number of its records"),
      (#"{"apolloCache":1}"# + "\n" + #"{"key":"C","fields":{}}"#, "so it was cut short"),
      (
        #"{"apolloCache":1}"# + "\n" + #"{"apolloCache":1,"records":1}"#,
        "Line 3 of the dump cannot be imported: the dump ends with the number of 1 records, and has 0"
      ),
      (
        #"{"apolloCache":1,"records":1}"#, "the dump ends with the number of 1 records, and has 0"
      ),
      (#"{"apolloCache":1,"records":"1"}"#, "'records' is no whole number"),
      (
        #"{"apolloCache":1}"# + "\n" + #"{"apolloCache":1}"#,
        "a dump begins, and the one before has no last line"
      ),
    ])
    func aLineThatIsNoRecordLetsNothingBeImported(line: String, message: String) async throws {
      let location = try await folder.file("cache.sqlite", #"{"key":"A","fields":{"x":1}}"#)
      let before = try folder.contents
      let error = await #expect(throws: InspectionError.self) {
        let dump = #"{"key":"B","fields":{}}"# + "\n" + line
        _ = try await CacheImport.run(Array(dump.utf8), into: location)
      }
      #expect(error?.description.contains(message) == true, "\(String(describing: error))")
      #expect(try folder.contents == before)
    }

    @Test(arguments: ["", "\n", " \n\n"])
    func anEmptyDumpIsNotImported(dump: String) async throws {
      let error = await #expect(throws: InspectionError.self) {
        _ = try await CacheImport.run(Array(dump.utf8), into: .file(path: folder.path()))
      }
      #expect(error?.description.hasPrefix("The dump is empty. Nothing was imported.") == true)
      #expect(try folder.contents.isEmpty)
    }

    @Test func dumpsOneAfterTheOtherAreImported() async throws {
      let dump = try await dump(heroes()) + "\n"
      let copy = CacheLocation.file(path: folder.path("copy"))
      #expect(try await CacheImport.run(Array((dump + dump).utf8), into: copy) == 6)
      #expect(
        try await CacheDifference.run(heroes(), copy, includesWrites: true) { _ in } == 0)
    }

    /// A response may have 512 levels.
    @Test func aDeepCustomScalarIsCopied() async throws {
      let value = String(repeating: "[", count: 510) + String(repeating: "]", count: 510)
      let left = try await folder.file("left", #"{"key":"A","fields":{"x":{"$json":\#(value)}}}"#)
      let right = CacheLocation.file(path: folder.path("right"))
      _ = try await CacheImport.run(Array(try await dump(left).utf8), into: right)
      #expect(try await CacheDifference.run(left, right, includesWrites: true) { _ in } == 0)
    }

    @Test(arguments: [1, 20, 1_000])
    func aSpoolKeepsLinesInTheirOrder(memoryLimit: Int) throws {
      var spool = LineSpool(memoryLimit: memoryLimit)
      let lines = (0..<50).map { String(repeating: "é", count: $0) + "\($0)" } + [""]
      for line in lines { try spool.append(line) }
      for _ in 0..<2 {
        var found: [String] = []
        try spool.forEach { found.append($0) }
        #expect(found == lines)
      }
    }

    /// Every line is emitted after the cache was read: a pager would hold the lock until it ends.
    @Test func aSlowReaderOfADumpKeepsNoProgramWaiting() async throws {
      let location = try await heroes()
      try folder.execute("PRAGMA journal_mode = DELETE")
      var count = 0
      _ = try await CacheInspector(location).dump { _ in
        try folder.execute("UPDATE records SET used = 1")
        count += 1
      }
      #expect(count == 5)
    }

    @Test func importingMergesFields() async throws {
      try await folder.file("cache.sqlite", #"{"key":"A","fields":{"x":1,"y":2}}"#)
      let location = try await folder.file("cache.sqlite", #"{"key":"A","fields":{"y":3,"z":4}}"#)
      let lines = try await dump(location).split(separator: "\n")
      #expect(
        lines.map { Self.json(String($0))["fields"] } == [nil, ["x": 1, "y": 3, "z": 4], nil])
    }

    /// The time of the import is all that is known about a value that replaces another one.
    @Test func aValueThatReplacesAnotherDoesNotKeepItsAge() async throws {
      try await folder.file(
        "cache.sqlite",
        #"{"key":"A","fields":{"x":1,"y":2},"writes":[{"time":1000.0,"operation":"Old"}]}"#)
      let location = try await folder.file(
        "cache.sqlite", #"{"key":"A","fields":{"x":3,"y":2,"z":4}}"#)
      let line = Self.json(try await CacheInspector(location).records(["A"])[0])
      let fields = line["fields"]?.arrayValue ?? []
      #expect(fields.map { $0["operation"] } == [nil, "Old", nil])
      #expect(fields.map { ($0["age"]?.doubleValue).map { $0 < 1e9 } } == [true, false, nil])
    }

    /// A value and its time after an import into a value of the time 1,000. `nil` is the time of
    /// the import.
    static let merges: [(field: String, value: String, write: Double?, time: Double?)] = [
      ("name", #"{"$failure":{"message":"no"}}"#, nil, 1_000),
      ("name", #"{"$failure":{"message":"no"}}"#, 2_000, 1_000),
      ("name", #""Luke""#, nil, 1_000), ("name", #""Luke""#, 2_000, 2_000),
      ("name", #""Leia""#, nil, nil), ("name", #""Leia""#, 2_000, 2_000),
      ("address", #"{"x":1}"#, nil, 1_000), ("address", #"{"x":1}"#, 2_000, 1_000),
      ("address", #"{"x":3}"#, nil, 1_000), ("address", #"{"x":3}"#, 2_000, 1_000),
      ("address", #"{"x":3}"#, 500, 500),
      ("address", #"{"x":1,"y":2}"#, nil, 1_000), ("address", #"{"x":1,"y":2}"#, 2_000, 2_000),
      ("address", #"{"x":3,"y":4}"#, nil, nil), ("address", #"{"x":3,"z":4}"#, nil, 1_000),
      ("list", #"[{"n":1}]"#, nil, 1_000), ("list", #"[{"n":1}]"#, 2_000, 1_000),
      ("list", "[]", nil, nil), ("failed", #"{"$failure":{"message":"a"}}"#, 2_000, 2_000),
      ("failed", #"{"$failure":{"message":"b"}}"#, 2_000, 1_000), ("failed", "1", nil, nil),
      ("new", #"{"$failure":{"message":"no"}}"#, 2_000, 2_000), ("new", "1", 2_000, 2_000),
    ]

    @Test(arguments: merges, ["A", "QUERY_ROOT"])
    func aValueThatAnImportKeepsDoesNotLookNew(
      merge: (field: String, value: String, write: Double?, time: Double?), key: String
    ) async throws {
      try await folder.file(
        "cache.sqlite",
        #"{"key":"\#(key)","fields":{"name":"Luke","address":{"x":1,"y":2},"list":[{"n":1,"m":2}],"failed":{"$failure":{"message":"a"}}},"writes":[{"time":1000.0}]}"#,
        // With so many fields, a root has a row for each.
        #"{"key":"\#(key)","fields":{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1},"writes":[{"time":3000.0}]}"#
      )
      let writes = merge.write.map { #","writes":[{"time":\#($0)}]"# } ?? ""
      let location = try await folder.file(
        "cache.sqlite", #"{"key":"\#(key)","fields":{"\#(merge.field)":\#(merge.value)}\#(writes)}"#
      )
      let record = try #require(try await location.open().record(of: RecordKey(key)))
      let time = try #require(record.writes[FieldKey(merge.field)]?.time)
      #expect(merge.time.map { $0 == time } ?? (time > 1e9), "\(time)")
      let others = Set(record.writes.keys).subtracting([FieldKey(merge.field)])
      let times = others.compactMap { record.writes[$0]?.time }
      #expect(times.count >= 9 && times.allSatisfy { $0 == 1_000 || $0 == 3_000 }, "\(times)")
    }

    // MARK: - Files

    @Test func anImportKeepsTheJournalMode() async throws {
      _ = try await heroes()
      for (mode, version) in [("DELETE", UInt8(1)), ("WAL", 2)] {
        try folder.execute("PRAGMA journal_mode = \(mode)")
        try await folder.file("cache.sqlite", #"{"key":"A","fields":{"x":"\#(mode)"}}"#)
        // The version of the format that a writer needs: 2 for a log.
        #expect(try folder.contents["cache.sqlite"]?[18] == version)
      }
    }

    /// A program that is killed while it writes without a log leaves the journal.
    @Test func aWriteThatWasInterruptedIsReportedAndLeftToPrograms() async throws {
      _ = try await heroes()
      try folder.interruptAWrite(leaving: "half")
      let before = try folder.contents
      #expect(before["half-journal"]?.isEmpty == false)
      let path = folder.path("half")
      let error = await #expect(throws: CacheFileError.self) {
        try await CacheInspector(.file(path: path))
      }
      #expect(error == .interrupted(path: path))
      #expect(
        error?.description
          == "'\(path)' has a part of a write: a program ended while it wrote. Let a program open the file once, which restores it."
      )
      #expect(try folder.contents == before)
      _ = try SQLiteNormalizedCache(fileURL: URL(fileURLWithPath: path))
      #expect(try await CacheInspector(.file(path: path)).list(.init()).count == 3)
    }

    /// The log is beside the file, and not beside the link.
    @Test func aLinkLeadsToTheFileAndItsLog() async throws {
      _ = try await heroes()
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("link"), withDestinationPath: folder.path())
      let link = CacheLocation.file(path: folder.path("link"))
      let before = try folder.contents
      _ = try await CacheInspector(link).statistics()
      #expect(try folder.contents == before)
      // A program that is killed leaves a log with contents.
      try folder.copyWithLog(as: "killed")
      try FileManager.default.removeItem(atPath: folder.path("link"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("link"), withDestinationPath: folder.path("killed"))
      let killed = try folder.contents
      #expect(killed["killed-wal"]?.isEmpty == false)
      #expect(try await CacheInspector(link).list(.init()).count == 4)
      let after = try folder.contents
      #expect(after["killed"] == killed["killed"] && after["killed-wal"] == killed["killed-wal"])
    }

    @Test func readingLeavesTheFolderAsItWas() async throws {
      let location = try await heroes()
      let before = try folder.contents
      #expect(before.keys.sorted() == ["cache.sqlite"])
      do {
        let inspector = try await CacheInspector(location)
        _ = try await (inspector.statistics(), inspector.check(), inspector.dump { _ in })
      }
      #expect(try folder.contents == before)
    }

    @Test func aFileThatCannotBeReadIsReported() async throws {
      try FileManager.default.createDirectory(
        atPath: folder.path("folder"), withIntermediateDirectories: true)
      try Data().write(to: folder.url.appendingPathComponent("empty"))
      try Data(
        "no database, but longer than a hundred bytes, which is the size of the head of one, so that SQLite looks at it"
          .utf8
      )
      .write(to: folder.url.appendingPathComponent("text"))
      try folder.execute("CREATE TABLE t (x)", on: "foreign")
      for (name, version) in [("older", 2), ("newer", 99)] {
        try await folder.file(name, #"{"key":"A","fields":{}}"#)
        try folder.execute("PRAGMA user_version = \(version)", on: name)
      }
      let cases: [(name: String, text: String)] = [
        ("missing", "There is no file '\(folder.path("missing"))'. Check the path."),
        ("folder", "'\(folder.path("folder"))' is not a file. Name the SQLite file of a cache."),
        (
          "empty",
          "'\(folder.path("empty"))' has no tables: nothing was written to it yet. Let a program write to it first, or check the path."
        ),
        (
          "text",
          "'\(folder.path("text"))' is not a cache: it is no SQLite database. Name the SQLite file of a cache. If it is one, its beginning is damaged: delete it, and the program starts with an empty cache."
        ),
        (
          "foreign",
          "'\(folder.path("foreign"))' is not a cache: it is the database of another program. Name the SQLite file of a cache."
        ),
        (
          "older",
          "'\(folder.path("older"))' was written by an earlier version of this library (tables 2, now 3). Let a program with the current version open it once, which migrates it."
        ),
        (
          "newer",
          "'\(folder.path("newer"))' was written by a later version of this library (tables 99, here 3). Use the 'apollo-cli' of that version."
        ),
      ]
      for (name, text) in cases {
        let before = try? Data(contentsOf: folder.url.appendingPathComponent(name))
        let error = await #expect(throws: (any Error).self) {
          try await CacheInspector(.file(path: folder.path(name)))
        }
        #expect("\(error!)" == text)
        // Importing creates files, and refuses the same others.
        if !["missing", "empty"].contains(name) {
          await #expect(throws: (any Error).self) {
            try await folder.file(name, #"{"key":"A","fields":{}}"#)
          }
        }
        #expect(
          (try? Data(contentsOf: folder.url.appendingPathComponent(name))) == before
            || name == "missing")
      }
    }

    /// A file whose end is missing, as after a copy that was interrupted, stays alone.
    @Test(arguments: [50, 4_096, 12_288])
    func aTruncatedFileIsDamaged(_ size: Int) async throws {
      let lines = (0..<400).map {
        #"{"key":"Hero:\#($0)","fields":{"name":"\#(String(repeating: "n", count: 100))"}}"#
      }
      try await folder.file("cut", lines.joined(separator: "\n"))
      let url = folder.url.appendingPathComponent("cut")
      try Data(contentsOf: url).prefix(size).write(to: url)
      let before = try folder.contents
      let location = CacheLocation.file(path: folder.path("cut"))
      let error = await #expect(throws: CacheFileError.self) {
        _ = try await CacheInspector(location).statistics()
      }
      #expect(
        "\(error!)".hasPrefix("'\(folder.path("cut"))' is damaged: ")
          && "\(error!)".contains("Delete the file, or let the program open it"), "\(error!)")
      let findings = try await CacheInspector.check(location)
      #expect(findings.count == 1 && findings[0].kind == .unreadable)
      #expect(findings[0].line.contains("is damaged"), "\(findings)")
      #expect(try folder.contents == before)
    }

    @Test func timesAreInMillisecondsAsInOtherCaches() async throws {
      let location = try await folder.file(
        "times", #"{"key":"A","fields":{"n":1},"writes":[{"time":1700000000.0019996}]}"#)
      #expect(try await dump(location).contains(#""time":1700000000.002}"#))
    }

    @Test func aLockedFileIsReported() async throws {
      _ = try await heroes()
      let path = folder.path()
      try folder.execute("PRAGMA journal_mode = DELETE")
      let error = #expect(throws: CacheFileError.self) {
        try folder.executeExclusively {
          _ = try CacheFileReader(path: path, busyTimeout: .zero)
        }
      }
      #expect(error == .locked(path: path))
    }

    /// A program writes pairs of records that are equal at each moment.
    @Test func aFileIsReadWhileAProgramWrites() async throws {
      let path = folder.path()
      let cache = try SQLiteNormalizedCache(fileURL: URL(fileURLWithPath: path))
      func write(_ number: Int64) throws {
        _ = try cache.merge(records: [
          "A": ["__typename": "A", "n": .int(number), "b": .reference("B")],
          "B": ["__typename": "B", "n": .int(number), "a": .reference("A")],
        ])
      }
      try write(0)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in 1...200 { try write(Int64(number)) }
        }
        group.addTask {
          for _ in 0..<50 {
            let inspector = try await CacheInspector(.file(path: path))
            let lines = try await self.dump(.file(path: path)).split(separator: "\n")
            let numbers = lines.dropFirst().dropLast().map { Self.json(String($0))["fields"]?["n"] }
            #expect(numbers.count == 2 && numbers[0] == numbers[1])
            #expect(try await inspector.check().allSatisfy { $0.kind == .unreachable })
          }
        }
        try await group.waitForAll()
      }
      let inspector = try await CacheInspector(.file(path: path))
      #expect(try await inspector.find("200").count == 2)
    }

    // MARK: - Places

    @Test(arguments: [
      ("cache.sqlite", CacheLocation.file(path: "cache.sqlite")),
      ("file:///a%20b", .file(path: "/a b")),
      (
        "redis://u:p@host:1/2?scope=a%20b&schema=s&spread=true",
        .redis(url: URL(string: "redis://u:p@host:1/2")!, scope: "a b", schema: "s", isSpread: true)
      ),
      (
        "unix:///tmp/redis?scope=x",
        .redis(
          url: URL(string: "unix:///tmp/redis")!, scope: "x", schema: "default", isSpread: false)
      ),
      (
        "redis://host",
        .redis(url: URL(string: "redis://host")!, scope: nil, schema: "default", isSpread: false)
      ),
    ])
    func aPlaceIsAPathOrAURL(text: String, location: CacheLocation) throws {
      #expect(try CacheLocation(text) == location)
    }

    @Test(arguments: ["http://host/x", "redis://host?skope=x", "redis://host?spread=maybe"])
    func anotherPlaceIsRefused(text: String) {
      #expect(throws: InspectionError.self) { try CacheLocation(text) }
    }

    @Test(arguments: [
      "redis://user:s3cret#x@host:6379?scope=a", "redis://u:s3cret/x@host?scope=a",
      "redis://u:6379/s3cret@host?scope=a", "redis://u:6379?s3cret@host", "redis://u:6#s3cret@host",
      "redis://u:x@s3cret:y@host?skope", "valkey://user:s3cret@host", "valkey:user:s3cret@host",
      "redis:/user:s3cret@host", "redis:user:s3cret@host", "REDIS:user:s3cret@host",
      "http://user:s3cret@host", "redis://user:s3cret@host?skope=x",
    ])
    func anErrorHasNoPassword(text: String) {
      let error = #expect(throws: InspectionError.self) { try CacheLocation(text) }
      #expect(error?.description.contains("s3cret") == false, "\(String(describing: error))")
    }

    @Test(arguments: ["/tmp/a://b", "a/unix:/b", "./redis:x", "name@host", "a:b", "C:/x"])
    func aPathMayHaveAColon(path: String) throws {
      #expect(try CacheLocation(path) == .file(path: path))
      #expect(CacheLocation.withoutPassword(path) == path)
    }

    private static func json(_ line: String) -> JSONValue {
      (try? JSONValue(jsonBytes: Data(line.utf8))) ?? .string("not JSON: \(line)")
    }
  }
#endif
