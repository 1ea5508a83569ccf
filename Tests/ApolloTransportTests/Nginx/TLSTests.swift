#if CURL
  import ApolloTransport
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import TestProcesses
  import Testing

  /// TLS with a private certificate authority.
  @Suite(.needsNginx, .timeLimit(.minutes(10)))
  struct TLSTests {
    @Test(arguments: [(Nginx.Service.tls12, "TLSv1.2"), (.tls13, "TLSv1.3"), (.tls, "TLSv1.3")])
    func speaksTheVersionOfTheServer(_ service: Nginx.Service, _ version: String) async throws {
      let nginx = try await Nginx.shared()
      #expect(try await nginx.client().who(nginx.url(service, "/who")).tls == version)
    }

    @Test(arguments: ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"])
    func checksTheHostByNameAndByAddress(_ host: String) async throws {
      let nginx = try await Nginx.shared()
      let who = try await nginx.client().who(nginx.url(.tls, "/who", host: host))
      #expect(who.tls == "TLSv1.3")
    }

    /// One way in which TLS fails.
    struct Failure: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var service: Nginx.Service
      var change: @Sendable (inout CurlClient.Configuration, CertificateAuthority) throws -> Void
      var clause: String

      init(
        _ testDescription: String, _ service: Nginx.Service, _ clause: String,
        _ change:
          @escaping @Sendable (
            inout CurlClient.Configuration, CertificateAuthority
          ) throws -> Void = { _, _ in }
      ) {
        self.testDescription = testDescription
        self.service = service
        self.clause = clause
        self.change = change
      }
    }

    static let failures = [
      Failure("untrusted", .tls, "its certificate is not signed by a trusted authority") {
        configuration, _ in configuration.tls.authorities = .system
      },
      Failure("another authority", .tls, "its certificate is not signed by a trusted authority") {
        configuration, authority in
        configuration.tls.authorities = .pem(try authority.data("stranger.pem"))
      },
      Failure("expired", .expired, "its certificate has expired"),
      Failure("another host", .otherName, "its certificate belongs to another host"),
      Failure("old version", .tls11, "there is no version of TLS that both sides speak"),
      Failure("minimum version", .tls12, "there is no version of TLS that both sides speak") {
        configuration, _ in configuration.tls.minimumVersion = .tls13
      },
      Failure("another key", .tls, "its public key is not one of the pinned keys") {
        configuration, _ in
        configuration.tls.pinnedPublicKeyHashes = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
      },
      Failure("no PEM", .tls, "the certificate authorities cannot be read") { configuration, _ in
        configuration.tls.authorities = .pem(Data("no certificates".utf8))
      },
      Failure("no client certificate in PEM", .tls, "the client's certificate cannot be used") {
        configuration, _ in
        configuration.tls.clientCertificate = .init(
          certificate: Data("no certificate".utf8), privateKey: Data("no key".utf8))
      },
      Failure("wrong password", .clientCertificate, "the client's certificate cannot be used") {
        configuration, authority in
        configuration.tls.clientCertificate = .init(
          certificate: try authority.data("client.pem"),
          privateKey: try authority.data("client.encrypted.key"), password: "wrong")
      },
      Failure("another private key", .tls, "the client's certificate cannot be used") {
        configuration, authority in
        configuration.tls.clientCertificate = .init(
          certificate: try authority.data("client.pem"),
          privateKey: try authority.data("server.key"))
      },
    ]

    @Test(arguments: failures)
    func eachFailureIsNamed(_ failure: Failure) async throws {
      let nginx = try await Nginx.shared()
      var configuration = try nginx.client().configuration
      try failure.change(&configuration, nginx.authority)
      let client = CurlClient(configuration: configuration)
      let url = nginx.url(failure.service, "/who")
      let error = await #expect(throws: NetworkError.self) {
        try await client.response(to: URLRequest(url: url))
      }
      #expect(error?.code == .insecure)
      #expect(
        error?.description
          == "No secure connection to \(url) could be made: \(failure.clause). Check the server's certificate, its name and its TLS versions."
      )
    }

    @Test func acceptsAPinnedKeyAmongOthers() async throws {
      let nginx = try await Nginx.shared()
      let pin = try nginx.authority.serverPin()
      let client = try nginx.client {
        $0.tls.pinnedPublicKeyHashes = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", pin]
      }
      _ = try await client.who(nginx.url(.tls, "/who"))
    }

    @Test func aPinDoesNotReplaceTheAuthority() async throws {
      let nginx = try await Nginx.shared()
      let pin = try nginx.authority.serverPin()
      let client = try nginx.client {
        $0.tls.authorities = .system
        $0.tls.pinnedPublicKeyHashes = [pin]
      }
      let error = await #expect(throws: NetworkError.self) {
        try await client.who(nginx.url(.tls, "/who"))
      }
      #expect(error?.code == .insecure)
    }

    // MARK: Client certificates

    @Test(arguments: [false, true])
    func presentsAClientCertificate(_ isEncrypted: Bool) async throws {
      let nginx = try await Nginx.shared()
      let identity = CurlClient.ClientCertificate(
        certificate: try nginx.authority.data("client.pem"),
        privateKey: try nginx.authority.data(isEncrypted ? "client.encrypted.key" : "client.key"),
        password: isEncrypted ? "secret" : nil)
      let client = try nginx.client { $0.tls.clientCertificate = identity }
      #expect(try await client.who(nginx.url(.clientCertificate, "/who")).client == "CN=A client")
    }

    /// nginx accepts the connection and rejects the request.
    @Test(arguments: [false, true])
    func aMissingOrStrangeClientCertificateIsAResponse(_ isStrange: Bool) async throws {
      let nginx = try await Nginx.shared()
      let identity = CurlClient.ClientCertificate(
        certificate: try nginx.authority.data("stranger.pem"),
        privateKey: try nginx.authority.data("stranger.key"))
      let client = try nginx.client { $0.tls.clientCertificate = isStrange ? identity : nil }
      let response = try await client.response(
        to: URLRequest(url: nginx.url(.clientCertificate, "/who")))
      #expect(response.response.statusCode == 400)
    }

    // MARK: Origins

    /// From `https` to `http` of the same host, which is another origin.
    @Test func aRedirectWithoutTLSIsRefused() async throws {
      let nginx = try await Nginx.shared()
      let other = try LoopbackServer { _, reply in reply.json("{}") }
      defer { other.stop() }
      var request = URLRequest(url: nginx.url(.tls, "/down/\(other.port)"))
      request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
      let error = await #expect(throws: NetworkError.self) {
        try await nginx.client().response(to: request)
      }
      #expect(error?.code == .redirectRefused)
      #expect(other.observation.acceptedCount == 0)
    }
  }
#endif
