/// The place of a page in a list whose pages are found by the number of items before them.
///
/// The offset of the next page is the number of items so far, which the output of the pager has:
///
/// ```swift
/// extractPageInfo: { page in
///   switch page {
///   case .initial(let data, let output), .paginated(let data, let output):
///     OffsetPagination.Forward(
///       offset: output?.allData.reduce(0) { $0 + $1.productPage.count } ?? 0,
///       canLoadNext: data.productPage.count >= 50)
///   }
/// },
/// ```
public enum OffsetPagination {
  /// The place of a page of a list that is read from its beginning.
  public struct Forward: PaginationInfo, Hashable {
    /// The offset of the next page.
    public let offset: Int
    /// A Boolean value that indicates whether there are pages after this one.
    public let canLoadNext: Bool

    /// Creates the place of a page.
    public init(offset: Int, canLoadNext: Bool) {
      self.offset = offset
      self.canLoadNext = canLoadNext
    }

    /// `false`.
    public var canLoadPrevious: Bool { false }
  }

  /// The place of a page of a list that is read from its end.
  public struct Reverse: PaginationInfo, Hashable {
    /// The offset of the previous page.
    public let offset: Int
    /// A Boolean value that indicates whether there are pages before this one.
    public let canLoadPrevious: Bool

    /// Creates the place of a page.
    public init(offset: Int, canLoadPrevious: Bool) {
      self.offset = offset
      self.canLoadPrevious = canLoadPrevious
    }

    /// `false`.
    public var canLoadNext: Bool { false }
  }

  /// The place of a page of a list that is read from its middle.
  public struct Bidirectional: PaginationInfo, Hashable {
    /// The offset of the page.
    public let offset: Int
    /// A Boolean value that indicates whether there are pages after this one.
    public let canLoadNext: Bool
    /// A Boolean value that indicates whether there are pages before this one.
    public let canLoadPrevious: Bool

    /// Creates the place of a page.
    public init(offset: Int, canLoadNext: Bool, canLoadPrevious: Bool) {
      self.offset = offset
      self.canLoadNext = canLoadNext
      self.canLoadPrevious = canLoadPrevious
    }
  }
}
