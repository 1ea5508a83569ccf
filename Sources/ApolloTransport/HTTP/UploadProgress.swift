/// The amount of an upload that has been sent.
///
/// A ``UploadProgressHandler`` receives it.
public struct UploadProgress: Hashable, Sendable {
  /// The number of bytes of the request's body that the connection has taken.
  ///
  /// It begins at 0 again if the request is sent again, such as after a redirect.
  public let sentByteCount: Int

  /// The number of bytes of the whole body: the files, the operation and what separates them.
  public let totalByteCount: Int

  /// Creates a progress.
  public init(sentByteCount: Int, totalByteCount: Int) {
    self.sentByteCount = sentByteCount
    self.totalByteCount = totalByteCount
  }

  /// The part of the body that has been sent, from 0 to 1.
  public var fractionCompleted: Double {
    totalByteCount > 0 ? Double(sentByteCount) / Double(totalByteCount) : 1
  }
}

/// Receives the progress of an upload.
///
/// ```swift
/// var configuration = RequestConfiguration()
/// configuration.uploadProgressHandler = UploadProgressHandler { progress in
///   print("\(progress.sentByteCount) of \(progress.totalByteCount) bytes")
/// }
/// let response = try await apollo.upload(
///   operation: mutation, files: [video], requestConfiguration: configuration)
/// ```
///
/// The closure runs on any thread, once at a time, and at most about a hundred times for each
/// sending of the request. A closure that takes long misses some reports and delays nothing, except
/// that the call waits for its last report: of an upload that succeeds, that is the whole body, and
/// it comes before the response. It is not called after the end of the call.
///
/// Two handlers are equal if one is a copy of the other.
public struct UploadProgressHandler: Hashable, Sendable {
  private final class Body: Sendable {
    let call: @Sendable (UploadProgress) -> Void
    init(_ call: @escaping @Sendable (UploadProgress) -> Void) { self.call = call }
  }

  private let body: Body

  /// Creates a handler.
  public init(_ body: @escaping @Sendable (UploadProgress) -> Void) { self.body = Body(body) }

  /// Delivers a progress.
  public func callAsFunction(_ progress: UploadProgress) { body.call(progress) }

  /// Returns `true` if both are copies of the same handler.
  public static func == (lhs: UploadProgressHandler, rhs: UploadProgressHandler) -> Bool {
    lhs.body === rhs.body
  }

  /// Hashes the identity of the handler.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(body)) }
}
