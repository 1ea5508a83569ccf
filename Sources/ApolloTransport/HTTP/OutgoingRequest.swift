#if canImport(FoundationNetworking)
  package import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// A request on its way from a transport to a client, with its body beside it.
///
/// The requests of an operation share everything but their bodies. On Linux, setting
/// `URLRequest.httpBody` copies the rest, which takes as long as all other work for a request of a
/// template.
///
/// It is public because it occurs in a requirement of ``HTTPClient``; only this package can look
/// into it.
public struct _OutgoingRequest: Sendable {
  /// The request. It has a body of its own if ``body`` is `nil`.
  package var head: URLRequest
  package var body: Data?
  /// `true` if nothing changes when the server gets the request twice.
  package var isRepeatable = false
  /// The time that the call may take, if it has a limit. The connection may be silent for so long.
  package var timeout: Duration?
  /// The facts of the call.
  private var shared = SharedFacts.none

  /// Creates a request, for an operation if the request is one of a call.
  package init(_ head: URLRequest, body: Data? = nil, for operation: OperationRequest? = nil) {
    self.head = head
    self.body = body
    guard let operation else { return }
    isRepeatable = operation.isRepeatable
    timeout = operation.timeout
    shared = operation.shared
  }

  /// The facts of the call.
  // Inlined so that reading one fact copies that alone.
  @inline(__always)
  package var facts: CallFacts {
    get { shared.facts }
    set { shared = SharedFacts(newValue) }
  }

  /// The URL, or that of no server if there is none.
  package var url: URL { head.url ?? URL(fileURLWithPath: "/") }

  /// The request with its body, as code of the program sees it.
  package var whole: URLRequest {
    guard let body else { return head }
    var request = head
    request.httpBody = body
    return request
  }

  /// The same request with another head and the body of that.
  package func replacing(_ head: URLRequest) -> _OutgoingRequest {
    var request = self
    request.head = head
    request.body = nil
    return request
  }
}
