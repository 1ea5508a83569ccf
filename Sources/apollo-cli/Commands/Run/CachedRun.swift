#if DeveloperCommands
  import ApolloCodegenLib
  import CacheLocations
  import GraphQLSyntax

  /// An operation that `run` answers from a cache file, or whose responses it writes to one.
  @MainActor
  struct CachedRun {
    let operation: RunOperation
    let policy: RunCachePolicy
    /// The variables that are sent, as a JSON object.
    let variables: String?
    private let cache: OperationCache
    private let path: String

    /// Opens the cache, before anything is sent: a mutation is not sent twice because its response
    /// could not be written.
    ///
    /// - Throws: ``CommandFailure``
    init(
      _ use: CacheUse, _ operation: RunOperation, variables: String?, in file: ConfigurationFile?
    ) throws(CommandFailure) {
      policy = try use.policy(for: operation)
      path = use.path
      let description = try Self.description(of: operation, in: file)
      var operation = operation
      operation.send(description.document)
      self.operation = operation
      let kind: CachedOperation.Kind =
        switch operation.kind {
        case .query: .query
        case .mutation: .mutation
        case .subscription: .subscription
        }
      let mustExist = policy.needsNoServer
      cache = try CacheOperand.failing {
        try OperationCache(
          file: use.path,
          for: CachedOperation(
            name: description.name, kind: kind, selections: description.selections,
            leafCount: description.leafCount, types: description.types,
            maxAges: description.maxAges, hasMaxAges: description.hasMaxAges,
            identifyingField: description.identifyingField, variables: variables),
          mustExist: mustExist)
      }
      self.variables = cache.sentVariables(of: variables)
      Self.warnAboutOwnKeys(operation, file)
    }

    /// Describes the operation as generated code would.
    private static func description(
      of operation: RunOperation, in file: ConfigurationFile?
    ) throws(CommandFailure) -> UncompiledOperation {
      guard let file, let document = operation.validated else {
        throw CommandFailure(
          "--cache needs the schema of the project, which says how objects are stored. Create a "
            + "configuration with 'apollo-cli init', and fetch the schema with 'apollo-cli "
            + "fetch-schema'.")
      }
      guard let name = operation.name else {
        throw CommandFailure(
          "--cache needs the name of the operation, which the cache keeps. Write "
            + "'\(operation.kind) NAME { … }'.")
      }
      do throws(UncompiledOperation.Failure) {
        return try UncompiledOperation(named: name, in: document, file.configuration)
      } catch {
        switch error {
        case .invalidDocument(let message):
          throw CommandFailure(
            "With the fields that the cache needs, the operation has an error: \(message)",
            code: .inputErrors)
        case .noSuchOperation:
          throw CommandFailure(
            "'\(name)' is an operation on the local cache, which is never sent. Name another one.")
        case .tooLong:
          throw CommandFailure(
            "The fragments of '\(name)' spread others so often that it is too long for --cache.")
        }
      }
    }

    private static func warnAboutOwnKeys(_ operation: RunOperation, _ file: ConfigurationFile?) {
      guard let file, let document = operation.validated,
        let path = OwnCacheKeys.path(
          for: document, file.configuration, root: file.rootFolder, Environment.fileSystem)
      else { return }
      Terminal.warning(
        "'\(Path.display(path, from: Environment.currentDirectory))' has code of your own, which is "
          + "not run here: objects have the keys of '@typePolicy', or of their field 'id'. A program "
          + "may store them under other keys.")
    }

    // MARK: - Running

    /// Performs the operation, which is no subscription.
    ///
    /// - Parameters:
    ///   - isCompact: Whether the response is printed on one line.
    ///   - send: Sends the operation, and returns the body of a response that GraphQL knows.
    /// - Returns: The exit code.
    /// - Throws: ``CommandFailure`` if the cache fails or lacks data, and the errors of `send`.
    func run(
      isCompact: Bool, send: @MainActor () async throws -> RunResponse
    ) async throws -> ExitCode {
      switch policy {
      case .cacheFirst, .cacheOnly, .cacheAndNetwork, .revalidateCache:
        let reading = try await read(servesStale: policy == .revalidateCache)
        if let data = reading.data { try show(data, reading, isCompact: isCompact) }
        switch policy {
        case .cacheOnly:
          return reading.data == nil ? try missing(reading) : .success
        case .cacheFirst where reading.data != nil: return .success
        case .revalidateCache where reading.data != nil && !reading.isStale: return .success
        default: return try await fetch(isCompact: isCompact, send)
        }
      case .networkOnly: return try await fetch(isCompact: isCompact, send)
      case .networkFirst:
        do {
          return try await fetch(isCompact: isCompact, send)
        } catch let failure as CommandFailure {
          let reading = try await read(servesStale: false)
          guard let data = reading.data else {
            Terminal.failure(failure.message)
            return try missing(reading)
          }
          Terminal.warning(failure.message)
          try show(data, reading, isCompact: isCompact)
          return .success
        }
      }
    }

    private func fetch(
      isCompact: Bool, _ send: @MainActor () async throws -> RunResponse
    ) async throws -> ExitCode {
      let response = try await send()
      let isWritten = await write(response)
      return response.show(isCompact: isCompact, isWhole: isWritten)
    }

    /// Writes a response, and says so.
    ///
    /// - Returns: `false` after a warning if it could not be written.
    func write(_ response: RunResponse) async -> Bool {
      do {
        try await cache.write(response.body)
        Terminal.note(
          response.hasData
            ? "From the server; written to '\(shownPath)'."
            : "From the server; it has no data for '\(shownPath)'.")
        return true
      } catch {
        Terminal.warning("The response was not written to '\(shownPath)': \(error)")
        return false
      }
    }

    private func read(servesStale: Bool) async throws -> OperationCache.Reading {
      try await CacheOperand.failing { try await cache.read(servesStaleFields: servesStale) }
    }

    private func show(
      _ data: [UInt8], _ reading: OperationCache.Reading, isCompact: Bool
    ) throws(CommandFailure) {
      let age = reading.age.map { ", \(Int($0)) s old" } ?? ""
      Terminal.note("From the cache '\(shownPath)'\(age)\(reading.isStale ? ", expired" : "").")
      let body = Array(#"{"data":"#.utf8) + data + Array("}".utf8)
      guard let response = RunResponse(body) else {
        throw CommandFailure("The data in '\(shownPath)' is no JSON. Check it with 'cache check'.")
      }
      _ = response.show(isCompact: isCompact, isWhole: true)
    }

    private func missing(_ reading: OperationCache.Reading) throws(CommandFailure) -> ExitCode {
      throw CommandFailure(
        "The cache '\(shownPath)' does not have all of the data. "
          + reading.misses.prefix(5).joined(separator: " ")
          + (reading.misses.count > 5 ? " (and more)" : ""),
        code: .inputErrors)
    }

    private var shownPath: String { Path.display(path, from: Environment.currentDirectory) }
  }
#endif
