internal import ApolloAPI
public import ApolloRecording
public import ApolloTransport
public import Foundation

/// A transport that records what another one sends and receives, for a ``ReplayTransport``.
///
/// ```swift
/// let transport = try RecordingTransport(
///   HTTPNetworkTransport(url: endpoint), file: URL(fileURLWithPath: "session.jsonl"))
/// let apollo = ApolloClient(networkTransport: transport)
/// ```
///
/// The file has a line of JSON for each request, each response, each part of a response, each event
/// of a subscription, and the end of each call, with its time. A line is written when it happens,
/// so that a program that ends early leaves a usable recording. Secrets are left out as
/// `RecordingRedaction` says. A recording has data of the server all the same: read it before you
/// publish it.
///
/// Interceptors of the client run before the transport, and those of HTTP behind it: the headers
/// that they add are not recorded.
///
/// Isolation: a lock guards the file. It is held while a line is written.
public final class RecordingTransport: SubscriptionNetworkTransport, UploadingNetworkTransport {
  private let base: any NetworkTransport
  private let log: RecordingLog

  /// Creates a transport that sends through another one, and a new file in place of an older one.
  ///
  /// - Parameters:
  ///   - base: The transport that sends.
  ///   - file: The file to write.
  ///   - redaction: The values that are not recorded.
  ///   - clock: The clock for the times in the file.
  /// - Throws: An error of Foundation if the file cannot be written.
  public init(
    _ base: any NetworkTransport, file: URL, redaction: RecordingRedaction = RecordingRedaction(),
    clock: some Clock<Duration> = ContinuousClock()
  ) throws {
    self.base = base
    log = try RecordingLog(file: file, redaction: redaction, clock: clock)
  }

  /// Closes the file. What is sent afterwards is not recorded.
  ///
  /// - Throws: The first error with which a line could not be written, such as a full disk.
  public func finish() throws { try log.finish() }
}

// MARK: - Sending

extension RecordingTransport {
  /// Sends a query or a mutation, and records it with its response.
  public func send(_ request: OperationRequest) async throws -> NetworkResponse {
    let call = RecordedCall(request, log)
    do {
      let response = try await base.send(request)
      call.add(response)
      call.end()
      return response
    } catch {
      call.end(error)
      throw error
    }
  }

  /// Sends an operation, and records it with each response.
  public func responses(to request: OperationRequest) -> NetworkResponses {
    NetworkResponses { [base, log] in
      var iterator = base.responses(to: request).makeAsyncIterator()
      var call: RecordedCall?
      return {
        let current = call ?? RecordedCall(request, log)
        call = current
        do {
          let response = try await iterator.next()
          // Some transports end without an error when they are cancelled.
          let error = Task.isCancelled ? CancellationError() : nil
          if let response { current.add(response) } else { current.end(error) }
          return response
        } catch {
          current.end(error)
          throw error
        }
      }
    }
  }

  /// Sends an operation with files, and records it with its response and the names of the files.
  ///
  /// - Throws: ``UploadsUnsupportedError`` if the other transport sends no files.
  public func upload(
    _ request: OperationRequest, files: [GraphQLFile]
  ) async throws -> NetworkResponse {
    guard let response = try await _upload(request.with(files)) else {
      throw UploadsUnsupportedError()
    }
    return response
  }

  /// Sends an operation with its files, or returns `nil` if the other transport cannot.
  public func _upload(_ request: OperationRequest) async throws -> NetworkResponse? {
    // Whether there is a call is known at its end only.
    let start = log.now
    do {
      guard let response = try await base._upload(request) else { return nil }
      let call = RecordedCall(request, log, at: start)
      call.add(response)
      call.end()
      return response
    } catch {
      RecordedCall(request, log, at: start).end(error)
      throw error
    }
  }
}

/// The error of an upload through a transport that sends no files.
public struct UploadsUnsupportedError: Error, CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// A sentence with the solution.
  public var description: String {
    "The recorded transport sends no files. Record one that does, such as 'HTTPNetworkTransport'."
  }
}

// MARK: - Abilities

extension RecordingTransport {
  /// The URL of the other transport's server.
  public var endpointURL: URL? { base.endpointURL }

  /// The limit of the other transport.
  public var callTimeLimit: Duration? { base.callTimeLimit }

  /// The ability of the other transport.
  public var _sendsSubscriptions: Bool { base._sendsSubscriptions }

  /// The ability of the other transport.
  public var _keepsDeadlines: Bool { base._keepsDeadlines }

  /// Returns the interceptors of the other transport, which send through this one.
  public func _interceptors(
    for type: GraphQLOperationType, hasFiles: Bool
  ) -> (any _InterceptorsOfTransport)? {
    base._interceptors(for: type, hasFiles: hasFiles)?._sendingThroughTransport
  }

  /// Returns the limit of the other transport.
  public func _timeLimit(for type: GraphQLOperationType, hasFiles: Bool) -> Duration? {
    base._timeLimit(for: type, hasFiles: hasFiles)
  }

  /// The ability of the other transport.
  public var _sharesExchanges: Bool { base._sharesExchanges }

  /// Ends the session of the other transport.
  public func _endSession() { base._endSession() }

  /// The ability of the other transport.
  public var _endsSubscriptions: Bool { base._endsSubscriptions }
}
