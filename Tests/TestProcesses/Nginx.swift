package import Foundation
import LoopbackServer

/// An nginx with one port for each way to meet it, and a certificate authority of its own.
///
/// On every port:
///
/// - `/who` responds with the connection, the protocols and the client's certificate, as JSON.
/// - `/file` responds with 100,000 bytes of JSON, compressed if the request accepts it.
/// - `/to/PORT/…` passes the request on to another port of the loopback interface.
/// - `/socket/PORT/…` does so with WebSockets.
/// - `/slow/PORT/…` does the same, and gives up after five seconds of silence.
/// - `/idle/PORT/…` passes WebSockets on, and ends those that are silent for five seconds.
/// - `/down/PORT` redirects to the same host and the port, without TLS.
///
/// It ends when the test process ends, which closes its standard input.
package final class Nginx: Sendable {
  package enum Service: String, CaseIterable, Sendable {
    case plain, tls, tlsHTTP1, tls11, tls12, tls13, expired, otherName, clientCertificate
  }

  package let authority: CertificateAuthority
  private let ports: [Service: ReservedPort]
  private let child: ChildProcess
  private let input: FileHandle
  private let folder: URL

  private static let program = [
    "/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx",
  ]
  .first(where: FileManager.default.isExecutableFile)

  private static let brotli = "/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so"

  /// `true` if nginx is installed.
  package static var isInstalled: Bool { program != nil }

  /// `true` if nginx can compress with brotli.
  package static var hasBrotli: Bool { FileManager.default.fileExists(atPath: brotli) }

  private static let running = Task { try await Nginx() }

  /// The one server of the test process.
  package static func shared() async throws -> Nginx { try await running.value }

  /// Starts a server of its own, for tests that reload it.
  package init() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("apollo-swift-nginx-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    authority = try await CertificateAuthority(in: folder)
    var ports: [Service: ReservedPort] = [:]
    for service in Service.allCases { ports[service] = try ReservedPort() }
    self.ports = ports
    self.folder = folder
    try Data(Self.file.utf8).write(to: folder.appendingPathComponent("file.json"))
    try Data(Self.configuration(ports.mapValues(\.number)).utf8)
      .write(to: folder.appendingPathComponent("nginx.conf"))
    let script = """
      '\(Self.program ?? "nginx")' -p . -c nginx.conf -e error.log && echo ready
      cat >/dev/null
      kill $(cat nginx.pid); rm -rf '\(folder.path)'
      """
    let streams = StandardStreams(input: Pipe(), output: Pipe())
    child = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder, streams: streams)
    input = streams.input!.fileHandleForWriting
    guard await streams.output!.fileHandleForReading.nextLine() == "ready" else {
      let log = try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)
      throw CertificateAuthority.Failure(description: "nginx did not start: \(log ?? "")")
    }
  }

  /// Starts new workers. The old ones end a tenth of a second later, with their connections.
  package func reload() throws {
    let text = try String(
      contentsOf: folder.appendingPathComponent("nginx.pid"), encoding: .utf8)
    guard let process = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw CertificateAuthority.Failure(description: "nginx has no process number: \(text)")
    }
    kill(process, SIGHUP)
  }

  package func port(of service: Service) -> UInt16 { ports[service]?.number ?? 0 }

  package func url(
    _ service: Service, _ path: String, host: String = "localhost"
  ) -> URL {
    let scheme = service == .plain ? "http" : "https"
    guard let url = URL(string: "\(scheme)://\(host):\(port(of: service))\(path)") else {
      preconditionFailure("The path '\(path)' is not part of a URL.")
    }
    return url
  }

  /// The text of `/file`.
  package static let file =
    "[" + (0..<9_999).map { "\(10_000_000 + $0)" }.joined(separator: ", ") + "]"

  // MARK: Configuration

  private static func configuration(_ ports: [Service: UInt16]) -> String {
    """
    \(hasBrotli ? "load_module \(brotli);" : "")
    pid nginx.pid;
    worker_processes 1;
    worker_shutdown_timeout 100ms;
    events { worker_connections 4096; }
    http {
      access_log off;
      client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi; scgi_temp_path scgi;
      keepalive_requests 100000;
      http2_max_concurrent_streams 256;
      default_type application/json;
      gzip on; gzip_types application/json;
      \(hasBrotli ? "brotli on; brotli_types application/json;" : "")
      \(ports.map(server).sorted().joined(separator: "\n  "))
    }
    """
  }

  private static func server(_ service: Service, _ port: UInt16) -> String {
    let certificate =
      switch service {
      case .expired: "expired"
      case .otherName: "other"
      default: "server"
      }
    let tls =
      switch service {
      case .plain: ""
      // OpenSSL's defaults refuse what is so old.
      case .tls11: "ssl_protocols TLSv1.1; ssl_ciphers DEFAULT@SECLEVEL=0;"
      case .tls12: "ssl_protocols TLSv1.2;"
      case .tls13: "ssl_protocols TLSv1.3;"
      case .clientCertificate:
        "ssl_protocols TLSv1.2 TLSv1.3; ssl_verify_client on; ssl_client_certificate authority.pem;"
      case .tls, .tlsHTTP1, .expired, .otherName: "ssl_protocols TLSv1.2 TLSv1.3;"
      }
    let kind =
      switch service {
      case .plain: ""
      case .tlsHTTP1: "ssl"
      default: "ssl http2"
      }
    return """
      server {
        listen 127.0.0.1:\(port) \(kind) reuseport;
        listen [::1]:\(port) \(kind) reuseport;
        \(service == .plain ? "" : "ssl_certificate \(certificate).pem; ssl_certificate_key \(certificate).key;")
        \(tls)
        location = /who {
          return 200 '{"connection":"$connection","http":"$server_protocol","tls":"$ssl_protocol","client":"$ssl_client_s_dn"}';
        }
        location = /file { alias file.json; }
        location ~ ^/to/([0-9]+)(/.*)$ {
          proxy_pass http://127.0.0.1:$1$2$is_args$args;
          proxy_http_version 1.1;
          proxy_set_header X-Connection $connection;
          proxy_set_header Host $host;
          add_header X-Connection $connection;
          proxy_buffering off;
          proxy_read_timeout 600s;
          client_max_body_size 0;
        }
        location ~ ^/socket/([0-9]+)(/.*)$ {
          proxy_pass http://127.0.0.1:$1$2$is_args$args;
          proxy_http_version 1.1;
          proxy_set_header Upgrade $http_upgrade;
          proxy_set_header Connection upgrade;
          proxy_read_timeout 600s;
        }
        location ~ ^/idle/([0-9]+)(/.*)$ {
          proxy_pass http://127.0.0.1:$1$2$is_args$args;
          proxy_http_version 1.1;
          proxy_set_header Upgrade $http_upgrade;
          proxy_set_header Connection upgrade;
          proxy_read_timeout 5s;
        }
        location ~ ^/slow/([0-9]+)(/.*)$ {
          proxy_pass http://127.0.0.1:$1$2;
          proxy_read_timeout 5s;
        }
        location ~ ^/down/([0-9]+)$ { return 307 http://localhost:$1/landed; }
      }
      """
  }
}
