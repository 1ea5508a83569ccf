#if CURL
  import ApolloTransport
  import Foundation
  import FoundationNetworking
  import TestProcesses
  import Testing

  extension Trait where Self == ConditionTrait {
    /// Skips the tests where nginx is not installed, and says how to install it.
    static var needsNginx: Self {
      .enabled(if: Nginx.isInstalled, "scripts/test installs the nginx that this test talks to.")
    }
  }

  extension Nginx {
    /// A client that trusts the private authority alone, and that no timeout interrupts.
    func client(
      limits: TransferLimits = TransferLimits(deadline: nil),
      _ change: (inout CurlClient.Configuration) -> Void = { _ in }
    ) throws -> CurlClient {
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .seconds(600)
      configuration.connectTimeout = .seconds(600)
      configuration.tls.authorities = .pem(try authority.data("authority.pem"))
      change(&configuration)
      return CurlClient(configuration: configuration, limits: limits)
    }
  }

  /// The response of `/who`.
  struct Who: Decodable {
    var connection: String
    var http: String
    var tls: String
    var client: String
  }

  extension HTTPClient {
    func who(_ url: URL) async throws -> Who {
      let response = try await response(to: URLRequest(url: url))
      try #require(response.response.statusCode == 200)
      return try JSONDecoder().decode(Who.self, from: try await response.body())
    }
  }
#endif
