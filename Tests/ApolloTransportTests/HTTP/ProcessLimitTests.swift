import ApolloTransport
import Foundation
import LoopbackServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if CURL && compiler(>=6.2)
  /// Resources that a client shares with its process: descriptors, signals, and the programs that
  /// are started. Each test has a process of its own.
  @Suite(.timeLimit(.minutes(10)))
  struct ProcessLimitTests {
    @Test func aProcessWithoutDescriptorsGetsAnErrorAndRecovers() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer { _, reply in
          reply.json("{}", headers: [("Connection", "close")])
        }
        let request = URLRequest(url: server.url())
        let client = CurlClient.patient()
        // The first time, the event loop has none; the second time, the connection.
        for _ in 0..<2 {
          var taken: [Int32] = []
          var limit = rlimit(rlim_cur: 64, rlim_max: 64)
          setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
          while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 {
            taken.append(descriptor)
          }
          let error = await #expect(throws: NetworkError.self) {
            _ = try await client.response(to: request).body()
          }
          #expect(error?.code == .cannotConnect, "\(error as Any)")
          for descriptor in taken { close(descriptor) }
          let response = try await client.response(to: request)
          #expect(response.response.statusCode == 200)
          // Or its descriptor would be free in the next round.
          await server.wait { $0.openConnectionCount == 0 }
        }
      }
    }

    @Test func aBrokenConnectionRaisesNoSignal() async {
      await #expect(processExitsWith: .success) {
        signal(SIGPIPE, SIG_DFL)
        let server = try LoopbackServer(readsBodies: false) { _, reply in reply.reset() }
        let request = {
          var request = URLRequest(url: server.url())
          request.httpMethod = "POST"
          request.httpBody = Data(count: 16 << 20)
          return request
        }()
        for _ in 0..<20 {
          let error = await #expect(throws: NetworkError.self) {
            _ = try await CurlClient.patient().response(to: request).body()
          }
          #expect(error?.code == .connectionLost)
        }
      }
    }

    @Test func programsThatAreStartedInheritNoDescriptor() async {
      await #expect(processExitsWith: .success) {
        // Those of the process that started this one.
        let inherited = Set((3..<1_024).filter { fcntl($0, F_GETFD) >= 0 })
        let server = try LoopbackServer { _, reply in reply.json("{}") }
        let client = CurlClient.patient()
        _ = try await client.response(to: URLRequest(url: server.url())).body()
        let descriptors = (3..<1_024).filter { fcntl($0, F_GETFD) >= 0 && !inherited.contains($0) }
        for descriptor in descriptors {
          // Each of libcurl's pools has a pair of these for itself.
          var address = sockaddr()
          var length = socklen_t(MemoryLayout<sockaddr>.size)
          let isPair =
            getsockname(descriptor, &address, &length) == 0
            && address.sa_family == sa_family_t(AF_UNIX)
          #expect(isPair || fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0, "\(descriptor)")
        }
        // The server's two sockets, the client's one, and the event loop's two descriptors.
        #expect(descriptors.count >= 5)
        withExtendedLifetime(client) {}
      }
    }
  }
#endif
