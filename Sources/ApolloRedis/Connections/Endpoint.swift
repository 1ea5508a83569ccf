internal import Foundation

/// The address of one server.
enum Endpoint: Hashable, Sendable {
  case tcp(host: String, port: Int32)
  case unix(path: String)

  /// Reads `host:port`, as a cluster names its nodes. An empty host is that of the node which sent
  /// it.
  init?(_ text: some StringProtocol, from sender: Endpoint) {
    guard let colon = text.lastIndex(of: ":"), let port = Int32(text[text.index(after: colon)...]),
      (1...65_535).contains(port)
    else { return nil }
    var host = String(text[..<colon])
    if host.isEmpty, case .tcp(let own, _) = sender { host = own }
    self = .tcp(host: host, port: port)
  }
}

extension Endpoint: CustomStringConvertible {
  var description: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): path
    }
  }
}

/// The server and the credentials in a URL.
struct ServerAddress: Sendable {
  let endpoint: Endpoint
  /// The commands that a new connection sends first: the credentials and the database.
  let greeting: [RedisCommand]
  /// The number of the database.
  let database: Int

  /// Reads `redis://user:password@host:port/database` or `unix:///path`.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - isReplica: Whether the server is a replica. In a cluster it must be told that it is read.
  /// - Throws: ``RedisError`` with the code ``RedisError/Code/invalidURL``.
  init(_ url: URL, isReplica: Bool = false) throws(RedisError) {
    switch url.scheme?.lowercased() {
    case "redis": break
    case "unix":
      guard !url.path.isEmpty else { throw Self.invalid("the path is missing") }
      endpoint = .unix(path: url.path)
      database = 0
      greeting = isReplica ? [Self.readsReplica] : []
      return
    case "rediss":
      throw Self.invalid(
        "the system's hiredis has no TLS; let a proxy on this machine encrypt the connection")
    default: throw Self.invalid("its scheme is not 'redis' or 'unix'")
    }
    let port = url.port ?? 6_379
    guard (1...65_535).contains(port) else { throw Self.invalid("its port is not a port") }
    let host = (url.host ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    endpoint = .tcp(host: host.isEmpty ? "127.0.0.1" : host, port: Int32(port))
    var greeting: [RedisCommand] = []
    let user = try Self.decoded(url.user(percentEncoded: true))
    let password = try Self.decoded(url.password(percentEncoded: true))
    if !password.isEmpty {
      greeting.append(
        user.isEmpty ? RedisCommand("AUTH", password) : RedisCommand("AUTH", user, password))
    }
    let name = url.path.drop { $0 == "/" }
    guard let number = name.isEmpty ? 0 : UInt16(name) else {
      throw Self.invalid("'\(name)' is not the number of a database")
    }
    database = Int(number)
    if number > 0 { greeting.append(RedisCommand("SELECT", "\(number)")) }
    if isReplica { greeting.append(Self.readsReplica) }
    self.greeting = greeting
  }

  /// Lets a replica of a cluster be read. A replica without a cluster responds with an error, and
  /// can be read anyway.
  private static let readsReplica = RedisCommand("READONLY")

  /// Returns a part of a URL without percent encoding. A part that is absent is empty.
  private static func decoded(_ part: String?) throws(RedisError) -> String {
    guard let text = (part ?? "").removingPercentEncoding else {
      throw invalid("its user or its password is not UTF-8")
    }
    return text
  }

  private static func invalid(_ detail: String) -> RedisError {
    RedisError(.invalidURL, detail: detail)
  }
}
