public import Foundation

/// The reason why a pager did not load a page.
///
/// Errors of the server and of the connection are not among them: a pager delivers those as
/// results.
public enum PaginationError: Error {
  /// The page that others are found from has not been loaded: `fetch` was not called, or failed.
  case missingInitialPage
  /// The list ends in this direction.
  case pageHasNoMoreContent
  /// Another page is being loaded, or all pages are.
  case loadInProgress
  /// The pager's `pageResolver` returned no query for this direction.
  case noQuery
  /// The load was cancelled: by its task, by a later `fetch` or `refetch`, by `reset`, by the end
  /// of the session, by the release of the pager, or because the page of a merged list before it
  /// has changed.
  case cancellation
  /// Another error.
  case unknown(any Error)
}

extension PaginationError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``, or that of the other error.
  public var errorDescription: String? {
    if case .unknown(let error) = self { error.localizedDescription } else { description }
  }

  /// A sentence for developers.
  public var description: String {
    switch self {
    case .missingInitialPage:
      "The first page is missing. Call 'fetch' and wait for its end before loading other pages."
    case .pageHasNoMoreContent:
      "The list has no more pages in this direction. Look at 'canLoadNext' or 'canLoadPrevious'."
    case .loadInProgress: "Another page is being loaded. Wait for its end."
    case .noQuery: "'pageResolver' returned no query for this direction."
    case .cancellation: "The load was cancelled."
    case .unknown(let error): "\(error)"
    }
  }
}
