#if DeveloperCommands
  import CacheInspection
  import CacheLocations

  /// The command `apollo-cli cache stats`.
  enum CacheStats: Command {
    static let name = "stats"
    static let summary = "Prints sums: records, bytes, ages, types and operations."
    static let discussion = [
      "The first line is about the whole cache. Then each type of objects has a line, the largest "
        + "first, and each operation whose responses are in the cache, if the cache knows it.",
      CacheOperand.discussion,
    ]
    static let operands: OperandDeclaration? = OperandDeclaration("CACHE", "The cache.")

    static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
      let cache = try CacheOperand.only(arguments, for: Self.self)
      return try await CacheOperand.failing {
        Terminal.print(lines: try await CacheInspector(cache).statistics())
        return .success
      }
    }
  }

  /// The command `apollo-cli cache list`.
  enum CacheList: Command {
    static let name = "list"
    static let summary = "Prints a line for each record: its key, type, size and age."
    static let discussion = [
      "'references' counts the references of the record to others, 'referrers' the records that "
        + "refer to it. 'age' is that of the newest field in seconds.",
      CacheOperand.discussion,
    ]
    static let operands: OperandDeclaration? = OperandDeclaration("CACHE", "The cache.")
    static let options = [
      OptionDeclaration("type", "t", value: "NAME", "List objects of this type only."),
      OptionDeclaration(
        "match", "m", value: "TEXT",
        "List records only whose keys contain the text, in either case."),
    ]
    static let examples = [
      CommandExample("List the humans.", "cache list apollo.sqlite --type Human")
    ]

    static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
      let cache = try CacheOperand.only(arguments, for: Self.self)
      var filter = CacheInspector.Filter()
      filter.type = arguments.value("type")
      filter.text = arguments.value("match")
      return try await CacheOperand.failing { [filter] in
        Terminal.print(lines: try await CacheInspector(cache).list(filter))
        return .success
      }
    }
  }

  /// The command `apollo-cli cache get`.
  enum CacheGet: Command {
    static let name = "get"
    static let summary = "Prints whole records: fields, arguments, ages, operations, referrers."
    static let discussion = [
      "A reference to another record is written as {\"$reference\": KEY}, a custom scalar that is an "
        + "object or a list as {\"$json\": …}, and a field that failed on the server as "
        + "{\"$failure\": …}. 'QUERY_ROOT' holds the fields of queries.",
      CacheOperand.discussion,
    ]
    static let operands: OperandDeclaration? = OperandDeclaration(
      "CACHE KEY…", "The cache, and the keys of records.")
    static let examples = [
      CommandExample("Print an object.", "cache get apollo.sqlite Character:1000")
    ]

    static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
      let (cache, keys) = try CacheOperand.split(arguments, for: Self.self)
      guard !keys.isEmpty else {
        throw CommandFailure(
          "Name the key of a record: apollo-cli cache get CACHE KEY. 'apollo-cli cache list' shows "
            + "all keys.")
      }
      return try await CacheOperand.failing {
        Terminal.print(lines: try await CacheInspector(cache).records(keys))
        return .success
      }
    }
  }

  /// The command `apollo-cli cache find`.
  enum CacheFind: Command {
    static let name = "find"
    static let summary = "Prints where a text occurs in keys, fields and values."
    static let discussion = [
      "Letters match in either case. Numbers match as a whole. Ends with 1 if nothing is found.",
      CacheOperand.discussion,
    ]
    static let operands: OperandDeclaration? = OperandDeclaration(
      "CACHE [TEXT]", "The cache, and a text.")
    static let options = [
      OptionDeclaration(
        "references-to", nil, value: "KEY", "Find the fields that refer to a record.")
    ]
    static let examples = [
      CommandExample("Who has this name?", "cache find apollo.sqlite Skywalker"),
      CommandExample(
        "Who refers to an object?", "cache find apollo.sqlite --references-to Character:1000"),
    ]

    static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
      let (cache, texts) = try CacheOperand.split(arguments, for: Self.self)
      let key = arguments.value("references-to")
      guard key == nil ? texts.count == 1 && texts != [""] : texts.isEmpty else {
        throw CommandFailure(
          "Name one text, or a record: apollo-cli cache find CACHE TEXT, or apollo-cli cache find "
            + "CACHE --references-to KEY.")
      }
      return try await CacheOperand.failing {
        let inspector = try await CacheInspector(cache)
        let lines =
          if let key { try await inspector.references(to: key) } else {
            try await inspector.find(texts[0])
          }
        Terminal.print(lines: lines)
        return lines.isEmpty ? .inputErrors : .success
      }
    }
  }

  /// The command `apollo-cli cache check`.
  enum CacheCheck: Command {
    static let name = "check"
    static let summary = "Prints problems: dangling references, damage, unreachable records."
    static let discussion = [
      "dangling: a field refers to a record that does not exist, so it reads as a cache miss. "
        + "unreachable: no query leads to the record, so 'collectGarbage()' removes it. unreadable: "
        + "a file, record, field or key is damaged. wrong-shape: a value is a list or an object "
        + "where other objects of the type have something else, as after a change of the schema.",
      "Ends with 1 if there are problems.", CacheOperand.discussion,
    ]
    static let operands: OperandDeclaration? = OperandDeclaration("CACHE", "The cache.")
    static let options = [
      OptionDeclaration(
        "ignore", nil, value: "KIND", of: .oneOf(Finding.Kind.allCases.map(\.rawValue)),
        "Ignore problems of a kind. May be repeated.")
    ]
    static let examples = [
      CommandExample(
        "Check, but allow garbage.", "cache check apollo.sqlite --ignore unreachable")
    ]

    static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
      let cache = try CacheOperand.only(arguments, for: Self.self)
      let ignored = try arguments.values("ignore").map { name in
        guard let kind = Finding.Kind(rawValue: name) else {
          let names = Finding.Kind.allCases.map(\.rawValue).joined(separator: ", ")
          throw CommandFailure("--ignore cannot be '\(name)'. Use one of \(names).")
        }
        return kind
      }
      return try await CacheOperand.failing {
        let lines = try await CacheInspector.check(cache).filter { !ignored.contains($0.kind) }
        Terminal.print(lines: lines.map(\.line))
        return lines.isEmpty ? .success : .inputErrors
      }
    }
  }

  /// The command `apollo-cli cache dump`.
  enum CacheDump: Command {
    static let name = "dump"
    static let summary = "Prints all records in a form that 'import' reads."
    static let discussion = [
      "The values have the form of 'get', the times of writes are kept. The last line has the number "
        + "of records, by which 'import' notices a dump that was cut short. Ends with 1 if records "
        + "cannot be read, which are missing then.",
      CacheOperand.discussion,
    ]
    static let operands: OperandDeclaration? = OperandDeclaration("CACHE", "The cache.")
    static let examples = [
      CommandExample("Copy a cache to Redis.", "cache dump apollo.sqlite > dump.jsonl")
    ]

    static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
      let cache = try CacheOperand.only(arguments, for: Self.self)
      return try await CacheOperand.failing {
        var text = ""
        let unreadable = try await CacheInspector(cache).dump { line in
          text += line + "\n"
          if text.utf8.count > 1 << 20 {
            try Terminal.writeAll(text)
            text = ""
          }
        }
        try Terminal.writeAll(text)
        for key in unreadable.prefix(10) {
          Terminal.warning(
            "The record '\(key)' cannot be read whole, and is missing or incomplete.")
        }
        if unreadable.count > 10 { Terminal.warning("So are \(unreadable.count - 10) others.") }
        return unreadable.isEmpty ? .success : .inputErrors
      }
    }
  }
#endif
