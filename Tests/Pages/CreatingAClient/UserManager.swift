import Apollo
import Foundation

// What the page leaves to the reader.

final class UserManager: @unchecked Sendable {  // because a lock guards its properties
  static let shared = UserManager()

  struct ReAuthenticationFailure: Error {}

  private let lock = NSLock()
  private var token: String?
  private var canReAuthenticate = true

  func logIn(token: String?, canReAuthenticate: Bool = true) {
    lock.lock()
    defer { lock.unlock() }
    self.token = token
    self.canReAuthenticate = canReAuthenticate
  }

  var hasAuthenticatedUser: Bool { locked { token != nil } }
  var currentAuthToken: String { locked { token ?? "" } }

  func requiresReAuthentication(basedOn error: Error, response: URLResponse?) -> Bool {
    (response as? HTTPURLResponse)?.statusCode == 401
  }

  func reAuthenticate(completion: @escaping (Error?) -> Void) {
    // Because it is called once, on one queue.
    nonisolated(unsafe) let completion = completion
    DispatchQueue.global().async {
      let canReAuthenticate = self.locked {
        if self.canReAuthenticate { self.token = "new" }
        return self.canReAuthenticate
      }
      completion(canReAuthenticate ? nil : ReAuthenticationFailure())
    }
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }
}

enum Logger {
  enum Level { case debug, error, always }

  private static let lines = LogLines()

  static func log(_ level: Level, _ message: String) { lines.append("\(level): \(message)") }

  static func takeLines() -> [String] { lines.take() }
}

final class LogLines: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  func append(_ line: String) {
    lock.lock()
    defer { lock.unlock() }
    lines.append(line)
  }

  func take() -> [String] {
    lock.lock()
    defer { lock.unlock() }
    defer { lines = [] }
    return lines
  }
}
