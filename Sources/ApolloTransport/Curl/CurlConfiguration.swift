#if CURL
  public import Foundation

  extension CurlClient {
    /// The connections of a client: how many, through which proxy, and how they are secured.
    ///
    /// ```swift
    /// var configuration = CurlClient.Configuration()
    /// configuration.tls.authorities = .pem(try Data(contentsOf: authorityFile))
    /// configuration.proxy = .none
    /// let client = CurlClient(configuration: configuration)
    /// ```
    public struct Configuration: Hashable, Sendable {
      /// The most connections to one host. Further requests wait for one of them, in their order.
      ///
      /// As many connections, and at least 64, are kept open between requests, those of all hosts
      /// together.
      public var maximumConnectionCountPerHost = 128

      /// The most requests that share one connection of HTTP/2.
      public var maximumStreamCountPerConnection = 100

      /// The longest time for finding a host, connecting to it and agreeing on TLS.
      public var connectTimeout: Duration = .seconds(30)

      /// The longest silence of a connection while a request waits for bytes. A request whose
      /// `timeoutInterval` is not Foundation's default of 60 seconds uses that instead.
      public var idleTimeout: Duration = .seconds(60)

      /// The proxy for all requests.
      public var proxy = Proxy.environment

      /// The rules for secure connections.
      public var tls = TLS()

      /// The version of HTTP.
      public var version = Version.automatic

      /// Asks servers for compressed responses, which are decompressed as they arrive. True at
      /// first.
      public var acceptsCompression = true

      /// The value of the `User-Agent` header for requests that have none.
      public var userAgent = "apollo-swift/\(LibraryVersion.text)"

      /// The configuration that suits most programs.
      public init() {}
    }

    /// The version of HTTP that a client speaks.
    public enum Version: Hashable, Sendable {
      /// HTTP/2 where a server agrees to it over TLS, else HTTP/1.1.
      case automatic
      /// HTTP/1.1 only.
      case http1
      /// HTTP/2 also without TLS, for servers that are known to speak it.
      case http2PriorKnowledge
    }

    /// A server between the client and the origins.
    ///
    /// The origin's headers are never sent to a proxy that connects to a host by `CONNECT`.
    public enum Proxy: Hashable, Sendable {
      /// The proxy that the environment names: `http_proxy` (lower case only) for `http` URLs,
      /// `https_proxy` or `HTTPS_PROXY` for `https` URLs, and `all_proxy` or `ALL_PROXY` for both.
      ///
      /// Exempt are the loopback interface (`localhost`, `127.0.0.0/8` and `::1`) and what
      /// `no_proxy` or `NO_PROXY` lists: hosts, domains, addresses, networks such as `10.0.0.0/8`,
      /// or `*`, separated by commas.
      case environment
      /// Direct connections only.
      case none
      /// The proxy at a URL of the scheme `http`, `https`, `socks5` or `socks5h`, which may contain
      /// a user and a password.
      case url(URL)
    }

    /// The rules for secure connections.
    public struct TLS: Hashable, Sendable {
      /// The certificate authorities that are trusted.
      public var authorities = Authorities.system

      /// The public keys that a server may have, as base64 of SHA-256 of the key in DER. Empty: any
      /// key with a trusted certificate.
      public var pinnedPublicKeyHashes: [String] = []

      /// The certificate that identifies the client.
      public var clientCertificate: ClientCertificate?

      /// The lowest version of TLS that is spoken.
      public var minimumVersion = MinimumVersion.tls12

      /// The system's authorities, any key, no certificate for the client.
      public init() {}
    }

    /// Certificate authorities.
    public enum Authorities: Hashable, Sendable {
      /// Those of the system.
      case system
      /// Those in PEM text, and no other ones.
      case pem(Data)
    }

    /// A certificate with its private key, both in PEM text.
    public struct ClientCertificate: Hashable, Sendable {
      /// The certificate, followed by the intermediate ones.
      public var certificate: Data
      /// The private key.
      public var privateKey: Data
      /// The password of the private key, if that is encrypted.
      public var password: String?

      /// A certificate with its private key.
      public init(certificate: Data, privateKey: Data, password: String? = nil) {
        self.certificate = certificate
        self.privateKey = privateKey
        self.password = password
      }
    }

    /// The lowest version of TLS.
    public enum MinimumVersion: Hashable, Sendable {
      /// TLS 1.2.
      case tls12
      /// TLS 1.3.
      case tls13
    }
  }
#endif
