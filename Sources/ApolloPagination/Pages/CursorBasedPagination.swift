/// The ends of a page of a list with cursors, such as a Relay connection.
///
/// ```swift
/// CursorBasedPagination.Forward(
///   hasNext: data.products.pageInfo.hasNextPage, endCursor: data.products.pageInfo.endCursor)
/// ```
public enum CursorBasedPagination {
  /// The end of a page of a list that is read from its beginning.
  public struct Forward: PaginationInfo, Hashable {
    /// A Boolean value that indicates whether there are pages after this one.
    public let hasNext: Bool
    /// The cursor after which the next page begins.
    public let endCursor: String?

    /// Creates the end of a page.
    public init(hasNext: Bool, endCursor: String?) {
      self.hasNext = hasNext
      self.endCursor = endCursor
    }

    /// The value of `hasNext`.
    public var canLoadNext: Bool { hasNext }
    /// `false`.
    public var canLoadPrevious: Bool { false }
  }

  /// The beginning of a page of a list that is read from its end.
  public struct Reverse: PaginationInfo, Hashable {
    /// A Boolean value that indicates whether there are pages before this one.
    public let hasPrevious: Bool
    /// The cursor before which the previous page ends.
    public let startCursor: String?

    /// Creates the beginning of a page.
    public init(hasPrevious: Bool, startCursor: String?) {
      self.hasPrevious = hasPrevious
      self.startCursor = startCursor
    }

    /// `false`.
    public var canLoadNext: Bool { false }
    /// The value of `hasPrevious`.
    public var canLoadPrevious: Bool { hasPrevious }
  }

  /// Both ends of a page of a list that is read from its middle.
  public struct Bidirectional: PaginationInfo, Hashable {
    /// A Boolean value that indicates whether there are pages after this one.
    public let hasNext: Bool
    /// The cursor after which the next page begins.
    public let endCursor: String?
    /// A Boolean value that indicates whether there are pages before this one.
    public let hasPrevious: Bool
    /// The cursor before which the previous page ends.
    public let startCursor: String?

    /// Creates both ends of a page.
    public init(hasNext: Bool, endCursor: String?, hasPrevious: Bool, startCursor: String?) {
      self.hasNext = hasNext
      self.endCursor = endCursor
      self.hasPrevious = hasPrevious
      self.startCursor = startCursor
    }

    /// The value of `hasNext`.
    public var canLoadNext: Bool { hasNext }
    /// The value of `hasPrevious`.
    public var canLoadPrevious: Bool { hasPrevious }
  }
}
