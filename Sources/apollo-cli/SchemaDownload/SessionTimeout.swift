import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionConfiguration {
  /// Returns a configuration that stores nothing, for a session of one request, which keeps the
  /// timeout of that request.
  // On Apple platforms, the shorter of both timeouts applies, and that of a session is a minute.
  static func ephemeral(for request: URLRequest) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = request.timeoutInterval
    return configuration
  }
}
