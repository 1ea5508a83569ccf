extension SelectionSet {
  /// Whether the views show the same values: the fields of this selection set, with null and missing alike.
  ///
  /// Strings are the same when their bytes are.
  ///
  /// - Complexity: O(1) when both look at one object, otherwise O(*n*) in the fields below.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    ResponseObject.isEqual(lhs.__object, rhs.__object, asSeenBy: __layout)
  }

  /// Hashes what the view shows.
  ///
  /// - Complexity: O(*n*) in the fields below.
  public func hash(into hasher: inout Hasher) {
    let visible = __object.visibleLayout(asSeenBy: Self.__layout)
    hasher.combine(__object.hash(visible: visible))
  }

  /// The hash of what the view shows.
  ///
  /// - Complexity: O(*n*) in the fields below.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }
}
