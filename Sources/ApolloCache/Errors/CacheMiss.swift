public import ApolloAPI
public import struct Foundation.Date
public import protocol Foundation.LocalizedError

/// A value that a reading needs and the cache does not have.
///
/// ```swift
/// do {
///   _ = try await store.withinReadTransaction { try $0.read(query: HeroQuery()) }
/// } catch let miss as CacheMiss where miss.code == .noField {
///   print("\(miss.address) was never fetched.")
/// }
/// ```
public struct CacheMiss: Error, Hashable, Sendable {
  /// The reason for a miss. Later versions can add codes, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `noRecord`.
    public let description: String

    package init(description: String) { self.description = description }

    /// The record does not exist.
    public static let noRecord = Code(description: "noRecord")
    /// The record does not have the field.
    public static let noField = Code(description: "noField")
    /// The field failed on the server. ``CacheMiss/serverMessage`` is the message of its error.
    public static let failed = Code(description: "failed")
    /// The field is `null`, but the operation expects a value.
    public static let unexpectedNull = Code(description: "unexpectedNull")
    /// The field holds another kind of value than the operation expects, such as a string in place
    /// of a list.
    public static let mismatch = Code(description: "mismatch")
    /// The field is older than it may be. ``CacheMiss/writtenAt`` and ``CacheMiss/maxAge`` say by
    /// how much.
    public static let expired = Code(description: "expired")
  }

  /// The reason for the miss.
  public let code: Code
  /// The position in the response.
  public internal(set) var path: [PathEntry]
  /// The position in the cache.
  public let address: FieldAddress
  /// The message of the server's error, if the field failed.
  public let serverMessage: String?
  /// The time at which an expired field was written, or `nil` if it is not known.
  public internal(set) var writtenAt: Date?
  /// The maximum age of an expired field.
  public internal(set) var maxAge: Duration?

  package init(
    _ code: Code, path: [PathEntry], address: FieldAddress, serverMessage: String? = nil
  ) {
    self.code = code
    self.path = path
    self.address = address
    self.serverMessage = serverMessage
  }
}

extension CacheMiss {
  /// Indicates whether the cache has no value at all.
  var isAbsence: Bool { code == .noRecord || code == .noField }
}

extension CacheMiss: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The problem and what to do about it.
  public var description: String {
    let subject = path.isEmpty ? "The response" : "'\(path.dotted)'"
    return switch code {
    case .noRecord:
      "\(subject) is not in the cache: there is no record '\(address.record)'. Fetch it first."
    case .noField:
      "\(subject) is not in the cache: the record '\(address.record)' has no field "
        + "'\(address.field)'. Fetch it first."
    case .failed:
      "\(subject) failed on the server ('\(serverMessage ?? "")'). Fetch it again."
    case .unexpectedNull:
      "\(subject) is null in the cache (\(address)), but must not be. Fetch it again."
    case .mismatch:
      "\(subject) has another kind of value in the cache (\(address)) than the operation expects. "
        + "Fetch it again."
    case .expired:
      "The field '\(address.field)' of '\(address.record)' has expired in the cache: "
        + "it was written \(writtenAt.map { "at \($0)" } ?? "at an unknown time"), "
        + "and may be \(maxAge.map(\.seconds) ?? 0) s old. Fetch it again."
    default: "\(subject) cannot be read from the cache (\(address)): \(code). Fetch it again."
    }
  }
}
