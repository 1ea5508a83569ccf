#if os(Linux)
  import CCurlPrograms
  import Foundation

  /// One POST on a kept connection, by libcurl's easy interface from C.
  final class CurlPost {
    private let post: OpaquePointer

    init(_ body: [UInt8], to url: URL) throws {
      post = try body.withUnsafeBytes { body in
        guard let post = curl_post_make(url.absoluteString, body.baseAddress, body.count) else {
          throw HTTPFailure()
        }
        return post
      }
    }

    deinit { curl_post_free(post) }

    /// The bytes of the response, valid until the next call.
    func send() throws -> UnsafeRawBufferPointer {
      let count = curl_post_send(post)
      guard count >= 0 else { throw HTTPFailure() }
      return UnsafeRawBufferPointer(start: curl_post_response(post), count: count)
    }

    /// The number in the body of the response.
    func number() throws -> Int {
      guard let number = Int(String(decoding: try send(), as: UTF8.self)) else {
        throw HTTPFailure()
      }
      return number
    }
  }

  /// Many POSTs at a time, by libcurl's multi interface and epoll from C.
  final class CurlCrowd {
    private let crowd: OpaquePointer

    init(_ body: [UInt8], to url: URL, width: Int) throws {
      crowd = try body.withUnsafeBytes { body in
        let crowd = curl_crowd_make(url.absoluteString, body.baseAddress, body.count, Int32(width))
        guard let crowd else { throw HTTPFailure() }
        return crowd
      }
    }

    deinit { curl_crowd_free(crowd) }

    /// Sends `count` requests and waits for their responses.
    func send(_ count: Int) throws {
      guard curl_crowd_send(crowd, Int32(count)) == Int32(count) else { throw HTTPFailure() }
    }

    func begin() { curl_crowd_begin(crowd) }

    func finish() { curl_crowd_finish(crowd) }
  }
#endif
