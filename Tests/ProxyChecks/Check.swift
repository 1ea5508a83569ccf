import Apollo
import Foundation
import TestOperations

/// Something that a proxy should let through, or report.
enum Check: String, CaseIterable, Sendable {
  case query, get, upload, refused, `defer`
  case socket, events, multipart, fallback
  case silentSocket, silentEvents, silentMultipart
  case reload, reloadSocket, reloadEvents
  case death, deathSocket, deathEvents

  /// Returns `ok`, or what was seen.
  func run(_ endpoint: Endpoint) async -> String {
    do {
      switch self {
      case .query: return try await endpoint.query(endpoint.http(), nameByteCount: 10)
      // Near to the longest URL for which the client uses GET.
      case .get: return try await endpoint.query(endpoint.http(usesGET: true), nameByteCount: 3_500)
      case .upload: return try await endpoint.upload(byteCount: 300_000)
      case .refused: return try await endpoint.refusedUpload(byteCount: 30_000_000)
      case .defer: return try await endpoint.deferredParts()
      case .socket: return try await endpoint.twoEvents(.socket)
      case .events: return try await endpoint.twoEvents(.events)
      case .multipart: return try await endpoint.twoEvents(.multipart)
      case .fallback: return try await endpoint.fallbackRoute()
      case .silentSocket: return try await endpoint.silence(.socket)
      case .silentEvents: return try await endpoint.silence(.events)
      case .silentMultipart: return try await endpoint.silence(.multipart)
      case .reload: return try await endpoint.callsDuringReload()
      case .reloadSocket: return try await endpoint.eventAfterReload(.socket)
      case .reloadEvents: return try await endpoint.eventAfterReload(.events)
      case .death: return try await endpoint.callsAfterDeath()
      case .deathSocket: return try await endpoint.eventsAfterDeath(.socket)
      case .deathEvents: return try await endpoint.eventsAfterDeath(.events)
      }
    } catch {
      return summary(of: error)
    }
  }
}

/// Returns the few words about an error that fit in a table.
func summary(of error: any Error) -> String {
  switch error {
  case let error as GraphQLHTTPResponseError:
    error.kind == .errorResponse ? "\(error.statusCode)" : "\(error.statusCode), \(error.kind)"
  case let error as NetworkError: "\(error.code)"
  case let error as ResponseStreamError: "\(error.kind)"
  case let error as WebSocketError:
    error.statusCode.map { "\($0)" } ?? "\(error.code)"
  default: String("\(error)".prefix(60))
  }
}
