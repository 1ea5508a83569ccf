package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Decides whether a redirect is followed.
///
/// A request carries tokens, cookies and variables, so it goes to the origin it was meant for and
/// to no other, and only where its method and body stay what they are: 307 and 308, and 301, 302
/// and 303 for GET. A user and a password in its URL go there, too. (Linux's `URLSession` alone
/// would send `Authorization` to other hosts and drop the body on 307.)
enum RedirectRule {
  /// Returns `true` if a response with this status is a redirect.
  static func concerns(status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  /// The request to send next, or `nil` when `response` is not a redirect.
  ///
  /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/redirectRefused``.
  static func next(
    after response: HTTPURLResponse, to request: URLRequest, url: URL, hopsLeft: Int
  ) throws(NetworkError) -> URLRequest? {
    let status = response.statusCode
    guard concerns(status: status) else { return nil }
    func refuse(_ reason: String) -> NetworkError {
      NetworkError(.redirectRefused, url: url, detail: "\(status) \(reason)")
    }
    guard let text = response.value(forHTTPHeaderField: "Location"), !text.isEmpty else {
      throw refuse("without a location")
    }
    guard let location = URL(string: text),
      let target = URL(string: text, relativeTo: url)?.absoluteURL
    else {
      throw refuse("to a location that is not a URL")
    }
    // Of the location alone: a relative one takes the user and the password of the request.
    guard let origin = Origin(target), location.user == nil, location.password == nil else {
      throw refuse("to a location that is not a plain http or https URL")
    }
    guard origin == Origin(url) else {
      throw refuse("to \(target.textWithoutSecrets.shortened), which is another origin")
    }
    guard status == 307 || status == 308 || request.httpMethod == "GET" else {
      let method = request.httpMethod ?? "request"
      throw refuse(
        "to \(target.textWithoutSecrets.shortened), which would turn the \(method) into a GET")
    }
    guard hopsLeft > 0 else { throw refuse("once more than the allowed number of times") }
    var next = request
    next.url = target.withCredentials(of: url)
    return next
  }
}

extension URL {
  /// Returns the URL with the user and the password of another one of the same origin.
  package func withCredentials(of url: URL) -> URL {
    guard url.user != nil || url.password != nil,
      let source = URLComponents(url: url, resolvingAgainstBaseURL: true),
      var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
    else { return self }
    components.percentEncodedUser = source.percentEncodedUser
    components.percentEncodedPassword = source.percentEncodedPassword
    return components.url ?? self
  }
}
