import ApolloCodegenLib
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends the requests of a schema download through `URLSession`.
enum SchemaHTTP {
  /// No schema is larger than this; what is larger is not a schema.
  private static let maximumByteCount = 512 << 20

  @Sendable static func send(_ request: SchemaRequest) async throws -> SchemaResponse {
    let place = request.url.prefix { $0 != "?" }
    guard let url = URL(string: request.url), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), url.host != nil
    else {
      throw CommandFailure("'\(place)' is not an address. Use http://… or https://….")
    }
    var urlRequest = URLRequest(url: url, timeoutInterval: request.timeout)
    urlRequest.httpMethod = request.method
    urlRequest.httpBody = request.body.map { Data($0) }
    for header in request.headers { urlRequest.setValue(header.value, forHTTPHeaderField: header.key) }
    let session = URLSession(configuration: configuration(request))
    defer { session.finishTasksAndInvalidate() }
    do {
      let (data, response) = try await session.data(for: urlRequest)
      guard data.count <= maximumByteCount else {
        throw CommandFailure("The server at '\(place)' answered with more than 512 MB.")
      }
      let http = response as? HTTPURLResponse
      return SchemaResponse(
        status: http?.statusCode ?? 200, contentType: http?.value(forHTTPHeaderField: "Content-Type"),
        body: Array(data))
    } catch let error as URLError {
      throw CommandFailure(message(for: error, place: String(place), timeout: request.timeout))
    }
  }

  private static func configuration(_ request: SchemaRequest) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = request.timeout
    configuration.timeoutIntervalForResource = request.timeout
    return configuration
  }

  private static func message(for error: URLError, place: String, timeout: Double) -> String {
    switch error.code {
    case .timedOut:
      "The server at '\(place)' did not answer within \(timeout.formatted()) seconds. "
        + "Raise 'schemaDownload.downloadTimeout', or check the server."
    case .cannotFindHost, .dnsLookupFailed:
      "There is no host '\(URL(string: place)?.host ?? place)'. Check 'endpointURL'."
    case .cannotConnectToHost, .networkConnectionLost:
      "Cannot connect to '\(place)'. Is the server running, and is the address right?"
    default:
      "Cannot reach '\(place)': \(error.localizedDescription)"
    }
  }
}
