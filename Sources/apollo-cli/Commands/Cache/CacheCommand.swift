#if DeveloperCommands
  import CacheInspection
  import CacheLocations

  /// The commands `apollo-cli cache …`: a look into a cache of a program.
  enum CacheCommand: CommandGroup {
    static let name = "cache"
    static let summary = "Looks into the cache of a program: a SQLite file, or Redis."
    static let discussion = [
      "Prints JSON Lines: an object on each line. Programs may use the cache meanwhile, and only "
        + "'import' changes it.",
      CacheOperand.discussion,
    ]
    static let examples = [
      CommandExample("What is in a file?", "cache stats apollo.sqlite"),
      CommandExample("Look at it in a browser.", "cache serve apollo.sqlite"),
    ]
    static var subcommands: [any Command.Type] {
      [
        CacheStats.self, CacheList.self, CacheGet.self, CacheFind.self, CacheCheck.self,
        CacheDiff.self, CacheDump.self, CacheImportCommand.self, CacheServe.self,
      ]
    }
  }

  /// The operand that names a cache.
  enum CacheOperand {
    static let discussion =
      "A cache is the path of a SQLite file, or the URL of a scope on a Redis server: "
      + "'redis://user:password@host:6379/0?scope=public', 'unix:///path?scope=public'; with "
      + "'&schema=NAME' for a cache with a schema, and '&spread=true' for one that is spread over a "
      + "cluster."

    /// Returns the cache that the first operand names, and the other operands.
    static func split(
      _ arguments: ParsedArguments, for command: any Command.Type
    ) throws -> (cache: CacheLocation, rest: [String]) {
      guard let first = arguments.operands.first else {
        throw CommandFailure(
          "Name a cache: apollo-cli cache \(command.name) \(command.operands?.usage ?? "CACHE")")
      }
      return (try failing { try location(first) }, Array(arguments.operands.dropFirst()))
    }

    /// Returns the only operand, a cache.
    static func only(
      _ arguments: ParsedArguments, for command: any Command.Type
    ) throws -> CacheLocation {
      let (cache, rest) = try split(arguments, for: command)
      guard let extra = rest.first else { return cache }
      throw CommandFailure(
        "Unexpected argument '\(CacheLocation.withoutPassword(extra))'. Run 'apollo-cli cache "
          + "\(command.name) --help' for its usage.")
    }

    /// Returns the cache that an operand names. A path is that from the current folder.
    static func location(_ text: String) throws -> CacheLocation {
      let location = try CacheLocation(text)
      guard case .file(let path) = location else { return location }
      return .file(path: absolute(path))
    }

    /// Runs `body` and turns its error into the failure of the command.
    static func failing<Result>(_ body: () throws -> Result) throws(CommandFailure) -> Result {
      do {
        return try body()
      } catch let failure as CommandFailure {
        throw failure
      } catch {
        throw CommandFailure("\(error)")
      }
    }

    /// Does the same for a body that suspends.
    @MainActor static func failing<Result>(
      _ body: () async throws -> Result
    ) async throws(CommandFailure) -> Result {
      do {
        return try await body()
      } catch let failure as CommandFailure {
        throw failure
      } catch {
        throw CommandFailure("\(error)")
      }
    }
  }

  extension Terminal {
    /// Prints lines at once, which is faster than one by one.
    static func print(lines: [String]) {
      if !lines.isEmpty { print(lines.joined(separator: "\n")) }
    }
  }
#endif
