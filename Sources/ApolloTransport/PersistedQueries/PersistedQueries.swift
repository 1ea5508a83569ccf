import ApolloAPI
import Foundation

/// Automatic persisted queries: the hash of a document is sent first, and the document itself only
/// when the server does not know it yet.
///
/// Isolation: whether the server supports them is behind a lock; everything else is fixed.
package final class PersistedQueries: Sendable {
  private let isEnabled: Lock<Bool>
  /// `true` once the server has shown that it knows persisted queries.
  private let isConfirmed = Lock(false)

  /// `true` if hashes are sent.
  package var areEnabled: Bool { isEnabled.get() }

  /// Sends texts from now on.
  package func disable() { _ = isEnabled.exchange(false) }

  package init(isEnabled: Bool) { self.isEnabled = Lock(isEnabled) }

  /// The meaning of a server's response for the next step.
  private enum Outcome {
    case complete
    case notFound
    case notSupported
  }

  /// Sends an operation in at most two forms.
  ///
  /// 1. Sends the hash alone, or the document alone if persisted queries are off.
  /// 2. Depending on the response: if the server does not know the hash, sends the document and the
  ///    hash; if it does not support persisted queries, sends the document alone, now and later.
  ///
  /// Servers that have never heard of persisted queries miss the text of the document, each in its
  /// own words. What they say is recognized where nothing can have been carried out. The first
  /// queries to a server are also sent as text if the words are not known; what that proves holds
  /// for later operations. Known words count at any time: another server may have taken the place
  /// of one that knew hashes.
  ///
  /// `begin` sends the operation in a form. The first response decides, also about a response in
  /// parts. `record` learns that the server has done nothing for a form, about the first one before
  /// the second one is sent.
  package func send(
    operationName: String, isRepeatable: Bool = false, record: SendingRecord? = nil,
    _ begin: (OperationMessage.DocumentForm) async throws -> HTTPResponseReader
  ) async throws -> HTTPResponseReader {
    guard isEnabled.get() else { return try await begin(.text) }
    let first = await Attempt { try await begin(.identifier) }
    switch Self.outcome(of: first.response) {
    case .complete:
      switch missingText(first.response) {
      case .isNot:
        if !isConfirmed.get(), case .success(let response) = first.response {
          confirm(ResponseOutline(response.body).hasData)
        }
        return try first.get()
      case .isSaid:
        disable()
        record?.refuse()
        return try await begin(.text)
      case .mayBe where isRepeatable:
        let second = await Attempt { try await begin(.text) }
        switch second.response {
        case .success(let response): if ResponseOutline(response.body).hasData { disable() }
        case .failure(let error as GraphQLHTTPResponseError): throw error.refusing(.hashAndText)
        case .failure: break
        }
        return try second.get()
      case .mayBe:
        guard case .failure(let error as GraphQLHTTPResponseError) = first.response else {
          return try first.get()
        }
        throw error.refusing(.hash)
      }
    case .notSupported:
      disable()
      record?.refuse()
      return try await begin(.text)
    case .notFound:
      confirm(true)
      record?.refuse()
      let second = await Attempt { try await begin(.textAndIdentifier) }
      guard case .notFound = Self.outcome(of: second.response) else { return try second.get() }
      record?.refuse()
      throw APQError(.persistedQueryRetryFailed, operationName: operationName)
    }
  }

  /// Returns the likelihood that the text is missing. A server that has known a hash fails for
  /// other reasons, unless it says that.
  private func missingText(_ result: Result<NetworkResponse, any Error>) -> MissingText {
    guard isConfirmed.get() else { return MissingText(result) }
    if case .success(let response) = result, !Self.mayBeRefusal(response.body) { return .isNot }
    return MissingText(result) == .isSaid ? .isSaid : .isNot
  }

  /// A cheap look before the body is read: a refusal is short, and has an error.
  private static func mayBeRefusal(_ body: Data) -> Bool {
    body.count <= MissingText.readByteCount && body.range(of: Data("error".utf8)) != nil
  }

  private func confirm(_ isKnown: Bool) {
    if isKnown { _ = isConfirmed.exchange(true) }
  }

  /// One form of an operation that was sent, and the first response to it.
  private struct Attempt {
    private var reader: HTTPResponseReader?
    let response: Result<NetworkResponse, any Error>

    init(_ begin: () async throws -> HTTPResponseReader) async {
      do {
        let reader = try await begin()
        // Parts that end before the first response have nothing that a step could follow from.
        response = .success(try await reader.peek() ?? NetworkResponse(body: Data()))
        self.reader = reader
      } catch {
        response = .failure(error)
      }
    }

    /// Returns the reader, which returns the first response again.
    func get() throws -> HTTPResponseReader {
      _ = try response.get()
      guard let reader else { preconditionFailure("A response has a reader.") }
      return reader
    }
  }

  /// Returns whether an error is one of the steps, and not a failure.
  static func isStep(_ error: any Error) -> Bool {
    if case .complete = outcome(of: .failure(error)) { false } else { true }
  }

  /// Returns whether a response is one of the steps, and not the response to an operation.
  package static func isStep(_ response: NetworkResponse) -> Bool {
    if case .complete = outcome(of: .success(response)) { false } else { true }
  }

  /// Returns whether a response says that the server does not support persisted queries.
  package static func isRefusal(_ response: NetworkResponse) -> Bool {
    if case .notSupported = outcome(of: .success(response)) { return true }
    return MissingText(.success(response)) == .isSaid
  }

  private static func outcome(of result: Result<NetworkResponse, any Error>) -> Outcome {
    switch result {
    case .success(let response) where mentionsPersistedQueries(response.body):
      outcome(of: ResponseOutline(response.body))
    case .failure(let error as GraphQLHTTPResponseError): outcome(of: error.outline)
    default: .complete
    }
  }

  /// A cheap look before the body is read.
  private static func mentionsPersistedQueries(_ body: Data) -> Bool {
    body.range(of: Data("PersistedQuery".utf8)) != nil
      || body.range(of: Data("PERSISTED_QUERY".utf8)) != nil
  }

  /// Servers say it in the message, in the code, or in both.
  ///
  /// Data, and an error with a path, come from an execution. Then the response is final,
  /// whatever its errors say: a mutation that is sent again is carried out again.
  private static func outcome(of response: ResponseOutline) -> Outcome {
    guard !response.hasData, response.errors.allSatisfy({ $0.path == nil }) else {
      return .complete
    }
    for error in response.errors {
      switch (error.message, error["code"]?.stringValue) {
      case ("PersistedQueryNotFound", _), (_, "PERSISTED_QUERY_NOT_FOUND"): return .notFound
      case ("PersistedQueryNotSupported", _), (_, "PERSISTED_QUERY_NOT_SUPPORTED"):
        return .notSupported
      default: continue
      }
    }
    return .complete
  }
}
