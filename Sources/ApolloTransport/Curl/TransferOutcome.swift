#if os(Linux)
  import CurlShim
  import Foundation

  /// The facts about a transfer that libcurl has finished, and the one result that they mean.
  ///
  /// libcurl's own code does not decide alone: version 7.88 reports a head that is cut off as
  /// success. The rules, the first that applies:
  ///
  /// 1. A violation that was found while reading is the result.
  /// 2. Success with a whole head and a body of the announced length is success.
  /// 3. Success otherwise is a lost connection. (A line of a head that begins with a NUL is this
  ///    case too: version 7.88 takes it for the end of the connection.)
  /// 4. A failure has the meaning of its code; after the head, those of the connection mean that it
  ///    was lost, and those of the framing that it is malformed.
  struct TransferOutcome {
    var code: CURLcode
    /// libcurl's own words.
    var message = ""
    /// Whether any line of a head has arrived.
    var headHasBegun = false
    /// The framing, once a whole head has arrived.
    var framing: BodyFraming?
    /// The bytes of the body before decompression.
    var receivedByteCount = 0
    /// The status with which a proxy answered a CONNECT, or 0.
    var proxyStatus = 0
    /// The number of the system's error, or 0.
    var systemError: Int32 = 0
    /// A violation that the sinks have found.
    var violation: NetworkError?

    func result(url: URL) -> Result<Void, any Error> {
      if let violation { return .failure(violation) }
      if code == CURLE_OK {
        guard let framing else { return .failure(lost(url)) }
        guard receivedByteCount >= framing.length ?? 0 else { return .failure(lost(url)) }
        return .success(())
      }
      return .failure(failure(url))
    }

    private func lost(_ url: URL) -> NetworkError {
      let detail =
        if framing != nil {
          NetworkError.progress(hasHead: true)
        } else if headHasBegun {
          "it ended inside the head of the response"
        } else {
          NetworkError.progress(hasHead: false)
        }
      return NetworkError(
        .connectionLost, url: url, detail: detail, answerHadBegun: headHasBegun)
    }

    private func failure(_ url: URL) -> NetworkError {
      func error(_ code: NetworkError.Code, _ detail: String = "") -> NetworkError {
        NetworkError(code, url: url, detail: detail, answerHadBegun: headHasBegun)
      }
      // A proxy's refusal has the code of a lost connection.
      if proxyStatus != 0, !(200..<300).contains(proxyStatus) {
        return error(.proxyFailed, "it answered \(proxyStatus)")
      }
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST: return error(.hostNotFound)
      case CURLE_COULDNT_RESOLVE_PROXY: return error(.proxyFailed, "its host was not found")
      case CURLE_COULDNT_CONNECT: return error(.cannotConnect, resource ?? "")
      case CURLE_OPERATION_TIMEDOUT: return error(.cannotConnect, "it took too long")
      case CURLE_UNSUPPORTED_PROTOCOL where !headHasBegun: return error(.notHTTP)
      case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
        return error(.malformedResponse, message)
      case CURLE_BAD_CONTENT_ENCODING:
        return error(.malformedResponse, "the body cannot be decompressed")
      case CURLE_OUT_OF_MEMORY,
        _ where code.rawValue == 100:  // CURLE_TOO_LARGE
        return framing == nil && headHasBegun
          ? error(.malformedResponse, "its headers are too large")
          : error(.responseTooLarge, "the memory for it")
      case CURLE_URL_MALFORMAT: return error(.cannotConnect, message)
      case _ where Self.isOfTLS(code): return error(.insecure, message)
      case _ where Self.isOfProxy(code): return error(.proxyFailed, message)
      // 7.88 has no code of its own for chunks that are no chunks.
      case _ where message.contains("chunk"): return error(.malformedResponse, message)
      default: return lost(url)
      }
    }

    /// The resource that the process has run out of.
    private var resource: String? {
      switch systemError {
      case EMFILE, ENFILE: "too many files are open"
      case ENOBUFS, ENOMEM: "the system is out of memory"
      default: nil
      }
    }

    private static func isOfProxy(_ code: CURLcode) -> Bool { code.rawValue == 97 }

    private static func isOfTLS(_ code: CURLcode) -> Bool {
      switch code {
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_NOTFOUND,
        CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
        CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE,
        CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
        CURLE_USE_SSL_FAILED:
        true
      // CURLE_SSL_CLIENTCERT, which older headers do not have.
      default: code.rawValue == 98
      }
    }
  }
#endif
