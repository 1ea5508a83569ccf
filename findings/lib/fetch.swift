import Foundation
import FoundationNetworking

/// Waits for the body, the response and the error of a request.
func fetch(
  _ request: URLRequest, by session: URLSession = URLSession(configuration: .ephemeral)
) -> (data: Data?, response: HTTPURLResponse?, error: (any Error)?) {
  nonisolated(unsafe) var result: (data: Data?, response: HTTPURLResponse?, error: (any Error)?)
  let done = DispatchSemaphore(value: 0)
  session.dataTask(with: request) { data, response, error in
    result = (data, response as? HTTPURLResponse, error)
    done.signal()
  }.resume()
  done.wait()
  return result
}

/// Waits for the text of a response, or describes the error.
func text(
  _ request: URLRequest, by session: URLSession = URLSession(configuration: .ephemeral)
) -> String {
  let (data, _, error) = fetch(request, by: session)
  return error.map { "\($0)" } ?? String(decoding: data ?? Data(), as: UTF8.self)
}
