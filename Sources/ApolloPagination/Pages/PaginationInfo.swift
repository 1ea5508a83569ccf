/// The facts of a page about the pages around it.
///
/// ``CursorBasedPagination`` and ``OffsetPagination`` have the usual forms. A list that is paged in
/// another way has a type of its own:
///
/// ```swift
/// struct NumberedPages: PaginationInfo {
///   let page: Int
///   let pageCount: Int
///
///   var canLoadNext: Bool { page < pageCount }
///   var canLoadPrevious: Bool { page > 1 }
/// }
/// ```
public protocol PaginationInfo: Sendable {
  /// A Boolean value that indicates whether there are pages after this one.
  var canLoadNext: Bool { get }
  /// A Boolean value that indicates whether there are pages before this one.
  var canLoadPrevious: Bool { get }
}

/// The direction in which a page is loaded.
public enum PaginationDirection: Hashable, Sendable {
  /// Towards the end of the list.
  case next
  /// Towards its beginning.
  case previous
}
