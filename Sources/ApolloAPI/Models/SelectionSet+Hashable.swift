extension SelectionSet {
  /// Returns whether both views show the same values. Null and missing are the same.
  ///
  /// Strings are compared by their bytes. So models with texts in different Unicode normalizations
  /// differ, although Swift says that the texts are equal: a cache must not lose such a change, and
  /// a server may tell them apart.
  ///
  /// - Complexity: O(1) for views of one object, otherwise O(*n*) in the fields below.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    ResponseObject.isEqual(lhs.__object, rhs.__object, asSeenBy: __layout)
  }

  /// Hashes the values that `==` compares.
  ///
  /// - Complexity: O(*n*) in the fields below.
  public func hash(into hasher: inout Hasher) {
    let visible = __object.visibleLayout(asSeenBy: Self.__layout)
    hasher.combine(__object.hash(visible: visible))
  }

  /// The hash of the values that the view shows.
  ///
  /// - Complexity: O(*n*) in the fields below.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }
}
