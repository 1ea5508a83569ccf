import GraphQLSyntax

/// The order in which `run` uses the cache and the server.
///
/// The names are those of the policies of the library.
enum RunCachePolicy: String, CaseIterable {
  case cacheFirst
  case networkFirst
  case networkOnly
  case cacheOnly
  case cacheAndNetwork
  case revalidateCache

  /// `true` if no request is sent.
  var needsNoServer: Bool { self == .cacheOnly }
}

/// The options by which `run` answers from a cache and writes to it.
struct CacheUse {
  /// The path of the file.
  let path: String
  private let policy: RunCachePolicy?

  static let discussion: [String] = {
    #if DeveloperCommands
      [
        "With --cache, a query is answered from the cache in a SQLite file if that has all of the "
          + "data, and otherwise sent; --cache-policy names another order. Responses are written as "
          + "a program writes them, with the keys of '@typePolicy' or of the field 'id'. A line on "
          + "standard error says where the response is from. 'cacheOnly' ends with 1 if data is "
          + "missing."
      ]
    #else
      []
    #endif
  }()

  static let options: [OptionDeclaration] = {
    #if DeveloperCommands
      [
        OptionDeclaration(
          "cache", nil, value: "FILE", of: .file,
          "Answer a query from the cache in a SQLite file, and write responses to it. The file is "
            + "created if it does not exist."),
        OptionDeclaration(
          "cache-policy", nil, value: "POLICY",
          of: .oneOf(RunCachePolicy.allCases.map(\.rawValue)),
          default: "cacheFirst, and networkOnly for mutations and subscriptions",
          "The order in which the cache and the server are asked, with the names of the library."),
      ]
    #else
      []
    #endif
  }()

  /// Reads the options; `nil` if they name no cache.
  init?(_ arguments: ParsedArguments) throws(CommandFailure) {
    policy = try arguments.choice("cache-policy", RunCachePolicy.self)
    guard let path = arguments.value("cache") else {
      guard policy == nil else {
        throw CommandFailure("--cache-policy needs a cache. Name its file with --cache.")
      }
      return nil
    }
    guard !path.isEmpty, !path.contains("://") else {
      throw CommandFailure(
        "--cache needs the path of a SQLite file"
          + (path.isEmpty ? ", and it is empty." : ", not a URL."))
    }
    self.path = absolute(path)
  }

  /// Returns the policy for an operation.
  func policy(for operation: RunOperation) throws(CommandFailure) -> RunCachePolicy {
    guard operation.kind != .query else { return policy ?? .cacheFirst }
    guard policy == nil || policy == .networkOnly else {
      throw CommandFailure(
        "A \(operation.kind) is always sent, so --cache-policy cannot be "
          + "'\(policy?.rawValue ?? "")'. Leave it out: the response is written to the cache.")
    }
    return .networkOnly
  }
}
