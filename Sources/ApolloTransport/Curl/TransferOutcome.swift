#if CURL
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
    /// True once a line of a head has arrived.
    var headHasBegun = false
    /// The framing, once a whole head has arrived.
    var framing: BodyFraming?
    /// The bytes of the body before decompression.
    var receivedByteCount = 0
    /// True if the request went through a proxy.
    var isProxied = false
    /// True once libcurl has begun to send the request itself.
    var isSent = true
    /// True while a part of the request's body was not sent.
    var isUploading = false
    /// True if the connection was used before, and the request was sent on it just now.
    var isOnKeptConnection = false
    /// The whole seconds since the last sign of life.
    var silentSeconds = 0
    /// The status of a proxy's response to CONNECT, or 0.
    var proxyStatus = 0
    /// The number of the system's error, or 0.
    var systemError: Int32 = 0
    /// OpenSSL's reason for rejecting the server's certificate, or 0.
    var verifyResult = 0
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
          NetworkError.progress(hasHead: true) + silence
        } else if headHasBegun {
          "it ended inside the head of the response"
        } else if isUploading {
          "it ended while the body of the request was being sent, as servers and proxies do that refuse its size; compare it with their limits, such as `client_max_body_size` of nginx"
        } else {
          NetworkError.progress(hasHead: false) + silence
        }
      return NetworkError(
        .connectionLost, url: url, detail: detail, responseHadBegun: headHasBegun,
        endedKeptConnection: isOnKeptConnection && !headHasBegun, hasSentNothing: !isSent)
    }

    /// The silence before the end, if that may be its cause.
    private var silence: String {
      silentSeconds < 5
        ? ""
        : ", and nothing was received for \(silentSeconds) seconds, after which a proxy may end a connection"
    }

    private func failure(_ url: URL) -> NetworkError {
      func error(_ code: NetworkError.Code, _ detail: String = "") -> NetworkError {
        NetworkError(
          code, url: url, detail: detail, responseHadBegun: headHasBegun, hasSentNothing: !isSent)
      }
      // A proxy's refusal has the code of a lost connection.
      if proxyStatus != 0, !(200..<300).contains(proxyStatus) {
        return error(.proxyFailed, "it responded with status \(proxyStatus)")
      }
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST: return error(.hostNotFound)
      case CURLE_COULDNT_RESOLVE_PROXY: return error(.proxyFailed, "its host was not found")
      case CURLE_COULDNT_CONNECT where isProxied:
        return error(.proxyFailed, resource ?? "it could not be reached")
      case CURLE_COULDNT_CONNECT: return error(.cannotConnect, resource ?? "")
      case CURLE_OPERATION_TIMEDOUT where isProxied: return error(.proxyFailed, "it took too long")
      case CURLE_OPERATION_TIMEDOUT: return error(.cannotConnect, "it took too long")
      case CURLE_UNSUPPORTED_PROTOCOL where !headHasBegun: return error(.notHTTP)
      case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
        return error(.malformedResponse, message)
      case CURLE_OUT_OF_MEMORY,
        _ where code.rawValue == 100:  // CURLE_TOO_LARGE
        return framing == nil && headHasBegun
          ? error(.malformedResponse, "its headers are too large")
          : error(.responseTooLarge, "the memory for it")
      // The first header begins with a blank, so it continues none.
      case CURLE_BAD_FUNCTION_ARGUMENT where headHasBegun && framing == nil:
        return error(.malformedResponse, HeadViolation.foldedLine.clause)
      case CURLE_URL_MALFORMAT: return error(.cannotConnect, message)
      case _ where Self.isOfTLS(code): return error(.insecure, tlsClause)
      // In TLS 1.3 a server rejects a client's certificate after the handshake.
      case _ where framing == nil && message.contains("alert"): return error(.insecure, tlsClause)
      case _ where Self.isOfProxy(code): return error(.proxyFailed, message)
      case _ where isProxied && !isSent:
        return error(.proxyFailed, "it ended the connection without a response of HTTP")
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

    /// The reason for which there is no secure connection, in libcurl's words where there are no
    /// better ones.
    private var tlsClause: String {
      switch verifyResult {
      // The numbers are OpenSSL's: `X509_V_ERR_…`.
      case 9: return "its certificate is not valid yet"
      case 10: return "its certificate has expired"
      case 18...21: return "its certificate is not signed by a trusted authority"
      default: break
      }
      switch code {
      case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return "its public key is not one of the pinned keys"
      case CURLE_SSL_CACERT_BADFILE: return "the certificate authorities cannot be read"
      case CURLE_SSL_CERTPROBLEM: return "the client's certificate cannot be used"
      case _ where message.contains("subject name"):
        return "its certificate belongs to another host"
      case _ where message.contains("alert protocol version"),
        _ where message.contains("unsupported protocol"):
        return "there is no version of TLS that both sides speak"
      case _ where message.contains("certificate required"):
        return "it requires a certificate of the client"
      default: return message
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
