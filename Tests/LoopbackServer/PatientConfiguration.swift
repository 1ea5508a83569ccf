#if canImport(FoundationNetworking)
  package import FoundationNetworking
#else
  package import Foundation
#endif

extension URLSessionConfiguration {
  /// The same, but it waits for each byte as long as a test may take.
  ///
  /// Where a server waits for the test, or the test for the server, a busy machine can keep one of
  /// them from its turn for longer than the idle timeout; which error comes first must not depend
  /// on that.
  package var patient: URLSessionConfiguration {
    // A copy of a configuration is one.
    let copy = copy() as! URLSessionConfiguration
    copy.timeoutIntervalForRequest = 600
    return copy
  }
}
