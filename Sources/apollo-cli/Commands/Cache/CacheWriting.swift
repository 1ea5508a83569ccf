#if DeveloperCommands
  import ApolloCodegenLib
  import CacheInspection
  import CacheLocations

  /// The command `apollo-cli cache diff`.
  enum CacheDiff: Command {
    static let name = "diff"
    static let summary = "Prints the records and fields in which two caches differ."
    static let discussion = ["Ends with 1 if they differ.", CacheOperand.discussion]
    static let operands: OperandDeclaration? = OperandDeclaration(
      "CACHE CACHE", "The caches, the older one first.")
    static let options = [
      OptionDeclaration(
        "writes", "w", "Compare the times, operations and maximum ages of fields too.")
    ]

    static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
      guard arguments.operands.count == 2 else {
        throw CommandFailure("Name two caches: apollo-cli cache diff CACHE CACHE.")
      }
      return try await CacheOperand.failing {
        let caches = try arguments.operands.map(CacheOperand.location)
        var lines: [String] = []
        let count = try await CacheDifference.run(
          caches[0], caches[1], includesWrites: arguments.has("writes")
        ) { lines.append($0) }
        Terminal.print(lines: lines)
        return count == 0 ? .success : .inputErrors
      }
    }
  }

  /// The command `apollo-cli cache import`.
  enum CacheImportCommand: Command {
    static let name = "import"
    static let summary = "Merges what 'dump' has printed into a cache."
    static let discussion = [
      "Reads the dump from standard input, unless a file is named. A dump that was cut short is not "
        + "imported. A SQLite file is created if it does not exist, and written in one transaction: "
        + "nothing has changed if the import fails, and other writes wait for its end.",
      "Fields that the cache has already get the values of the dump, as if a server had sent them: "
        + "embedded objects are merged, and a failure replaces no value. On Redis, objects that "
        + "expire do so at the same time as before, and new ones do not expire.",
      CacheOperand.discussion,
    ]
    static let operands: OperandDeclaration? = OperandDeclaration(
      "CACHE [DUMP]", "The cache, and the file with the dump.")
    static let examples = [
      CommandExample(
        "Copy a cache to a new file.", "cache dump old.sqlite | apollo-cli cache import new.sqlite")
    ]

    /// The largest dump, in bytes.
    private static let greatestSize = 4 << 30

    static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
      let (cache, files) = try CacheOperand.split(arguments, for: Self.self)
      guard files.count <= 1 else {
        throw CommandFailure("Name one dump: apollo-cli cache import CACHE [DUMP].")
      }
      if let file = files.first, file.contains("://") {
        throw CommandFailure(
          "A dump is a file, and '\(CacheLocation.withoutPassword(file))' is a URL. Use a pipe: "
            + "apollo-cli cache dump URL | apollo-cli cache import CACHE.")
      }
      return try await CacheOperand.failing {
        let dump =
          if let file = files.first, file != "-" {
            try Environment.fileSystem.read(absolute(file), limit: greatestSize)
          } else {
            try Terminal.wholeInput(limit: greatestSize)
          }
        let count = try await CacheImport.run(dump, into: cache)
        Terminal.note("Imported \(count) \(count == 1 ? "record" : "records").")
        return .success
      }
    }
  }
#endif
