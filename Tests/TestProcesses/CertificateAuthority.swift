package import Foundation

/// A private certificate authority, and the certificates that it has signed, as PEM files in a
/// folder. Made by the `openssl` command.
///
/// | file | certificate |
/// | :-- | :-- |
/// | `authority.pem` | the authority itself |
/// | `server.pem` | `localhost`, `127.0.0.1` and `::1` |
/// | `other.pem` | `other.test` |
/// | `expired.pem` | as `server.pem`, but it has expired |
/// | `client.pem` | a client |
/// | `stranger.pem` | a client, signed by itself |
///
/// Each `NAME.pem` has its private key in `NAME.key`, and `client.key` also encrypted with the
/// password "secret" in `client.encrypted.key`. `server.pin` has the hash of the server's key.
package struct CertificateAuthority: Sendable {
  package let folder: URL

  package init(in folder: URL) async throws {
    self.folder = folder
    let script = folder.appendingPathComponent("certificates.sh")
    try Data(Self.script.utf8).write(to: script)
    let errors = Pipe()
    let child = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"), [script.path], in: folder,
      streams: StandardStreams(errors: errors))
    let text = await errors.fileHandleForReading.remainingText()
    guard await child.exitStatus() == 0 else { throw Failure(description: text) }
  }

  /// The content of a file.
  package func data(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(name))
  }

  /// The hash of the server's public key, as pins have it.
  package func serverPin() throws -> String {
    String(decoding: try data("server.pin"), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static let script = """
    set -e
    key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"; }
    # sign NAME SUBJECT DAYS EXTENSION
    sign() {
      key "$1"
      openssl req -new -key "$1.key" -subj "/CN=$2" -out "$1.csr"
      printf '%s\\n' "$4" >"$1.ext"
      openssl x509 -req -in "$1.csr" -CA authority.pem -CAkey authority.key -CAcreateserial \\
        -days "$3" -extfile "$1.ext" -out "$1.pem"
    }
    names='subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1'
    key authority
    openssl req -x509 -new -key authority.key -subj '/CN=Test authority' -days 2 \\
      -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign \\
      -out authority.pem
    sign server localhost 2 "$names"
    sign expired localhost -1 "$names"
    sign other other.test 2 'subjectAltName=DNS:other.test'
    sign client 'A client' 2 'extendedKeyUsage=clientAuth'
    key stranger
    openssl req -x509 -new -key stranger.key -subj '/CN=A stranger' -days 2 -out stranger.pem
    openssl pkey -in client.key -aes256 -passout pass:secret -out client.encrypted.key
    openssl pkey -in server.key -pubout -outform DER | openssl dgst -sha256 -binary |
      openssl base64 >server.pin
    """

  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }
}
