#if CURL
  import CurlShim
  import Foundation
  import Testing

  @testable import ApolloTransport

  /// The meaning of a connection that ended without a whole response.
  struct TransferOutcomeTests {
    private let url = URL(fileURLWithPath: "/")

    private func error(_ outcome: TransferOutcome) throws -> NetworkError {
      guard case .failure(let error) = outcome.result(url: url) else {
        throw NetworkError(.invalidated, url: url)
      }
      return try #require(error as? NetworkError)
    }

    @Test func onlyAKeptConnectionThatEndsAtOnceMayHaveMissedTheRequest() throws {
      var outcome = TransferOutcome(code: CURLE_RECV_ERROR)
      #expect(try !error(outcome).endedKeptConnection)
      outcome.isOnKeptConnection = true
      #expect(try error(outcome).endedKeptConnection)
      outcome.headHasBegun = true
      #expect(try !error(outcome).endedKeptConnection, "the server has responded")
    }

    @Test func saysThatASizeMayHaveBeenRefused() throws {
      var outcome = TransferOutcome(code: CURLE_SEND_ERROR, isUploading: true)
      #expect(try error(outcome).description.contains("refuse its size"))
      outcome.isUploading = false
      #expect(try !error(outcome).description.contains("size"))
    }

    @Test func saysHowLongTheConnectionWasSilent() throws {
      var outcome = TransferOutcome(
        code: CURLE_PARTIAL_FILE, headHasBegun: true, framing: .chunked, silentSeconds: 60)
      #expect(try error(outcome).description.contains("nothing was received for 60 seconds"))
      outcome.silentSeconds = 4
      #expect(try !error(outcome).description.contains("seconds"))
    }
  }
#endif
