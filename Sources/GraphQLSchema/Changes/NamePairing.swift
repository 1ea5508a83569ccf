import GraphQLSyntax

/// An element of a schema that has a name.
protocol NamedElement {
  var name: Symbol { get }
}

extension Schema.NamedType: NamedElement {}
extension Schema.Field: NamedElement {}
extension Schema.InputValue: NamedElement {}
extension Schema.EnumValue: NamedElement {}
extension Schema.DirectiveDefinition: NamedElement {}

/// The elements of two lists, paired by name.
///
/// `removed` has the order of the old list; `added` and `kept` have that of the new list.
struct Pairs<Old, New> {
  var removed: [Old] = []
  var added: [New] = []
  var kept: [(old: Old, new: New)] = []
}

/// Pairs elements of two schemas by name.
///
/// 1. Translate the names of the old list to symbols of the new schema, and note the position of
///    each in an array that is indexed by symbol.
/// 2. Look up each name of the new list in this array. Those without a position were added.
/// 3. The names of the old list that were not looked up were removed.
///
/// The array serves all lists. The number of the list marks its entries, so it is never cleared.
struct NamePairing {
  /// A name of the current lists.
  private struct Entry {
    /// The number of the lists that the entry belongs to.
    var lists = 0
    /// The position in the old list, or `nil` for a name of the new list alone.
    var position: Int?
    var isInNewList = false
  }

  private let counterparts: [Symbol?]
  private var entries: [Entry]
  private var lists = 0

  /// Creates a pairing for elements of a schema with the names `names`.
  ///
  /// - Parameters:
  ///   - counterparts: The symbol in `names` for each symbol of the old schema.
  ///   - names: The names of the new schema.
  init(counterparts: [Symbol?], in names: NameTable) {
    self.counterparts = counterparts
    entries = Array(repeating: Entry(), count: names.count)
  }

  /// Returns the symbol of the new schema for a name of the old one, or `nil` if it lacks the name.
  func counterpart(of name: Symbol) -> Symbol? { counterparts[name.index] }

  /// Pairs the elements of two lists.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements.
  mutating func pair<Old: Collection, New: Collection>(
    _ old: Old, _ oldName: (Old.Element) -> Symbol, _ new: New, _ newName: (New.Element) -> Symbol
  ) -> Pairs<Old.Element, New.Element> {
    if old.isEmpty && new.isEmpty { return Pairs() }
    lists += 1
    var pairs = Pairs<Old.Element, New.Element>()
    pairs.kept.reserveCapacity(new.count)
    let oldElements = Array(old)
    for (position, element) in oldElements.enumerated() {
      // Of elements with the same name, the first one counts.
      if let name = counterpart(of: oldName(element)), entries[name.index].lists != lists {
        entries[name.index] = Entry(lists: lists, position: position)
      }
    }
    var keptNameCount = 0
    for element in new {
      let name = newName(element).index
      if entries[name].lists != lists { entries[name] = Entry(lists: lists) }
      if let position = entries[name].position {
        pairs.kept.append((oldElements[position], element))
        if !entries[name].isInNewList { keptNameCount += 1 }
      } else {
        pairs.added.append(element)
      }
      entries[name].isInNewList = true
    }
    guard keptNameCount < oldElements.count else { return pairs }
    pairs.removed = oldElements.filter { element in
      guard let name = counterpart(of: oldName(element)) else { return true }
      return !entries[name.index].isInNewList
    }
    return pairs
  }
}
