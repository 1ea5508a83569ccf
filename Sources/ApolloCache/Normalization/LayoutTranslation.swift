internal import ApolloAPI

/// The mapping from the objects that one selection wrote, as records keep them, to the layout of
/// another selection.
///
/// It is made once for each pair of layouts. Objects are then read without looking up a field or a
/// type by name.
///
/// - Note: It belongs to a ``NormalizationPlan``, so one reading at a time uses it.
final class LayoutTranslation {
  /// The layout of the kept objects.
  let source: RecordLayout
  /// The number of the position at which they are read, and their layout there.
  let positionNumber: Int
  let wanted: RecordLayout
  /// The leaves that are copied from slot to slot.
  let leaves: LeafCopies
  /// The other fields: objects, values of another type, and what the kept objects do not have.
  let others: [Field]
  /// The layouts of embedded objects that have occurred, and where they are read.
  private var embedded: [(layout: ObjectIdentifier, positionNumber: Int, result: Embedded)] = []

  /// A field by its index in the wanted layout and in the source, if it is there.
  struct Field {
    let index: Int
    let sourceIndex: Int?
  }

  /// An object that is embedded in kept ones.
  struct Embedded {
    let layout: RecordLayout
    /// `nil` if such objects are not kept as they were decoded.
    let translation: LayoutTranslation?
  }

  /// Makes a translation.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  init(from source: RecordLayout, to wanted: RecordLayout, at position: ObjectPosition) {
    self.source = source
    self.wanted = wanted
    positionNumber = position.number
    var leaves = LeafCopies(from: source.layout, to: wanted.layout)
    others = wanted.fields.indices.compactMap { index in
      let sourceIndex = source.shape.position(of: wanted.fields[index].key)
      if let sourceIndex, leaves.add(from: sourceIndex, to: index) { return nil }
      return Field(index: index, sourceIndex: sourceIndex)
    }
    self.leaves = leaves
  }

  /// Returns the layouts of an object that is embedded in a kept one, for a position.
  ///
  /// - Parameters:
  ///   - object: The embedded object.
  ///   - position: The position at which it is read.
  ///   - plan: The plan of the reading.
  /// - Returns: The layout of the object, and its translation if it is kept as it was decoded.
  func embedded(
    _ object: ResponseObject, at position: ObjectPosition, in plan: NormalizationPlan
  ) -> Embedded {
    let (identity, number) = (object.layoutIdentity, position.number)
    for known in embedded where known.layout == identity && known.positionNumber == number {
      return known.result
    }
    let layout = source.layout(ofEmbedded: object)
    let kept = layout.isPlain ? KeptObject(object, layout) : nil
    let result = Embedded(
      layout: layout, translation: kept.map { plan.translation(of: $0, at: position) })
    // What the type name of one object decides does not hold for the next one.
    guard layout.decidesTypename(at: position) else { return result }
    embedded.append((identity, number, result))
    return result
  }
}

extension RecordLayout {
  /// Returns whether all objects of this layout have the same layout at a position: the schema or
  /// the layout names their type, or they have no type name.
  fileprivate func decidesTypename(at position: ObjectPosition) -> Bool {
    position.staticTypename != nil || layout.typename != nil || shape.typenamePosition == nil
  }
}

// MARK: - The translations of a plan

/// The translations that a plan has made.
struct LayoutTranslations {
  /// The latest ones, each at an index that is computed from its layout and position.
  private var recent = ContiguousArray<LayoutTranslation?>(repeating: nil, count: 16)
  private var all: [Key: LayoutTranslation] = [:]

  private struct Key: Hashable {
    let source: ObjectIdentifier
    let positionNumber: Int
  }

  @inline(__always)
  func recent(from source: ObjectIdentifier, at positionNumber: Int) -> LayoutTranslation? {
    guard let known = recent[Self.index(source, positionNumber)],
      ObjectIdentifier(known.source) == source, known.positionNumber == positionNumber
    else { return nil }
    return known
  }

  @inline(__always)
  private static func index(_ source: ObjectIdentifier, _ positionNumber: Int) -> Int {
    // Layouts are a few hundred bytes apart.
    let address = UInt(bitPattern: source)
    let mixed = (address >> 4) ^ (address >> 8) ^ UInt(truncatingIfNeeded: positionNumber)
    return Int(truncatingIfNeeded: mixed & 15)
  }
}

extension LayoutTranslations {
  /// Returns a translation that is not among the recent ones, which it joins.
  mutating func translation(
    from source: RecordLayout, at position: ObjectPosition, to wanted: () -> RecordLayout
  ) -> LayoutTranslation {
    let key = Key(source: ObjectIdentifier(source), positionNumber: position.number)
    let index = Self.index(key.source, key.positionNumber)
    if let known = all[key] {
      recent[index] = known
      return known
    }
    let made = LayoutTranslation(from: source, to: wanted(), at: position)
    guard source.decidesTypename(at: position) else { return made }
    if all.count >= 256 { all.removeAll() }  // layouts with arguments can be many
    all[key] = made
    recent[index] = made
    return made
  }
}

extension NormalizationPlan {
  /// Returns the translation of an object that a record keeps to the layout at a position.
  @inline(__always)
  func translation(of kept: KeptObject, at position: ObjectPosition) -> LayoutTranslation {
    translations.recent(from: kept.layoutIdentity, at: position.number)
      ?? otherTranslation(of: kept, at: position)
  }

  @inline(never)
  private func otherTranslation(
    of kept: KeptObject, at position: ObjectPosition
  ) -> LayoutTranslation {
    let recorded = kept.recorded
    let wanted = layout(at: position, for: FieldMap(recorded))
    return translations.translation(from: recorded.layout, at: position) { wanted }
  }
}
