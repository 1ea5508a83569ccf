import Foundation

/// A reverse proxy between the client and the server, with the smallest configuration that serves:
/// nginx or HAProxy.
struct ProxyProcess: Sendable {
  /// The URL of the proxy.
  let url: URL
  private let process = Process()

  /// Starts a proxy and waits until it listens.
  ///
  /// - Parameters:
  ///   - name: `nginx` or `haproxy`.
  ///   - server: The URL of the server.
  /// - Throws: An error if there is no such proxy, or if it does not start.
  init(_ name: String, to server: URL) throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("soak-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    // A port that was free a moment ago.
    let port = try Self.freePort()
    guard let serverPort = server.port,
      let url = URL(string: "http://127.0.0.1:\(port)\(server.path)"),
      let text = Self.configuration(name, port, serverPort, folder.path)
    else { throw CocoaError(.executableLoad) }
    let file = folder.appendingPathComponent("proxy.conf")
    try Data(text.utf8).write(to: file)
    process.executableURL = URL(fileURLWithPath: "/usr/sbin/\(name)")
    process.arguments = [name == "nginx" ? "-c" : "-f", file.path]
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.url = url
    try waitUntilItListens(port)
  }

  /// Kills the proxy, which has nothing to keep: nginx ignores other signals here.
  func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private static func configuration(
    _ name: String, _ port: UInt16, _ serverPort: Int, _ folder: String
  ) -> String? {
    switch name {
    case "nginx":
      """
      daemon off; master_process off; pid \(folder)/pid; error_log \(folder)/error.log;
      events { worker_connections 1024; }
      http {
        access_log off;
        client_body_temp_path \(folder); proxy_temp_path \(folder); fastcgi_temp_path \(folder);
        uwsgi_temp_path \(folder); scgi_temp_path \(folder);
        server {
          listen 127.0.0.1:\(port);
          location / { proxy_pass http://127.0.0.1:\(serverPort); proxy_http_version 1.1; }
        }
      }
      """
    case "haproxy":
      """
      defaults
        mode http
        timeout connect 5s
        timeout client 50s
        timeout server 50s
      listen soak
        bind 127.0.0.1:\(port)
        server soak 127.0.0.1:\(serverPort)

      """
    default: nil
    }
  }

  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    return UInt16(bigEndian: address.sin_port)
  }

  private func waitUntilItListens(_ port: UInt16) throws {
    for _ in 0..<200 where process.isRunning {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = Self.loopback(port)
      let isOpen = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      if isOpen { return }
      usleep(50_000)
    }
    throw CocoaError(.executableLoad)
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    address.sin_port = port.bigEndian
    return address
  }
}
