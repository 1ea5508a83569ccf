// Never inlined or specialized, because each model would contain a copy.
extension SelectionSet {
  /// Returns whether both views show the same values. Null and missing are the same.
  ///
  /// Strings are compared by their bytes. So models with texts in different Unicode normalizations
  /// differ, although Swift says that the texts are equal: a cache must not lose such a change, and
  /// a server may tell them apart.
  ///
  /// - Complexity: O(1) for views of one object, otherwise O(*n*) in the fields below.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  public static func == (lhs: Self, rhs: Self) -> Bool {
    ResponseObject.isEqual(lhs.__object, rhs.__object, asSeenBy: __layout)
  }

  /// Hashes the values that `==` compares.
  ///
  /// - Complexity: O(*n*) in the fields below.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  public func hash(into hasher: inout Hasher) {
    let visible = __object.visibleLayout(asSeenBy: Self.__layout)
    hasher.combine(__object.hash(visible: visible))
  }

  /// The hash of the values that the view shows.
  ///
  /// - Complexity: O(*n*) in the fields below.
  public var hashValue: Int {
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    get {
      var hasher = Hasher()
      hash(into: &hasher)
      return hasher.finalize()
    }
  }
}

extension SelectionSet where Self: Hashable {
  /// Hashes the values that `==` compares for a set or a dictionary, which chooses the seed.
  ///
  /// - Complexity: O(*n*) in the fields below.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  public func _rawHashValue(seed: Int) -> Int {
    __object.hash(visible: __object.visibleLayout(asSeenBy: Self.__layout))
      ._rawHashValue(seed: seed)
  }
}
