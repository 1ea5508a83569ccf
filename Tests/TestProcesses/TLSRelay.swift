package import Foundation
import LoopbackServer

/// A program that ends TLS in front of a scripted server, and agrees on HTTP/2 during the
/// handshake.
///
/// Bytes pass in both directions, and the end of one connection, or its loss, is that of the
/// other. The program ends when the relay is released, which closes its standard input.
package final class TLSRelay: Sendable {
  /// The relay's address.
  package let url: URL
  private let child: ChildProcess
  private let input: FileHandle

  private static let interpreter = [
    ProcessInfo.processInfo.environment["APOLLO_TEST_PYTHON"], "/usr/bin/python3",
    "/usr/local/bin/python3", "/opt/homebrew/bin/python3",
  ]
  .compactMap { $0 }.first(where: FileManager.default.isExecutableFile)

  /// `true` if there is a Python to run it.
  package static var isPossible: Bool { interpreter != nil }

  /// - Throws: An error of the system, or of a relay that does not start.
  package init(to port: UInt16, _ authority: CertificateAuthority) async throws {
    let streams = StandardStreams(input: Pipe(), output: Pipe())
    child = try ChildProcess(
      URL(fileURLWithPath: Self.interpreter ?? "python3"), ["-c", Self.script, "\(port)"],
      in: authority.folder, streams: streams)
    input = streams.input!.fileHandleForWriting
    let line = await streams.output!.fileHandleForReading.nextLine()
    guard let url = line.flatMap({ URL(string: "https://localhost:\($0)/graphql") }) else {
      throw CertificateAuthority.Failure(description: "the relay did not start")
    }
    self.url = url
  }

  private static let script = """
    import asyncio, ssl, sys

    async def pass_on(reader, writer):
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
            writer.close()
        except OSError:
            writer.transport.abort()

    async def serve(reader, writer):
        to, back = await asyncio.open_connection("127.0.0.1", int(sys.argv[1]))
        await asyncio.gather(pass_on(reader, back), pass_on(to, writer))

    async def main():
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("server.pem", "server.key")
        context.set_alpn_protocols(["h2"])
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.to_thread(sys.stdin.read)
        import os; os._exit(0)

    asyncio.run(main())
    """
}
