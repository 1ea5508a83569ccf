/// The time for which a field may be served from a cache.
public struct MaxAge: Hashable, Sendable {
  package enum Rule: Hashable, Sendable {
    case limit(Duration)
    case unlimited
    case inherited
  }
  package let rule: Rule

  private init(_ rule: Rule) { self.rule = rule }

  /// A number of seconds. With zero, the field is stale as soon as it is written.
  public static func seconds(_ count: Int) -> MaxAge { MaxAge(.limit(.seconds(count))) }

  /// Any time. With zero, the field is stale as soon as it is written.
  public static func duration(_ duration: Duration) -> MaxAge { MaxAge(.limit(duration)) }

  /// No limit. Removes one that the schema has.
  public static let unlimited = MaxAge(.unlimited)

  /// The time of the field that leads to the object (`inheritMaxAge`).
  public static let inherited = MaxAge(.inherited)
}

/// The times for which fields may be served from a cache, by type and by field.
///
/// ```swift
/// let maxAges: MaxAges = [
///   "Product": .seconds(300), "Product.price": .seconds(10), "Product.maker": .inherited,
/// ]
/// ```
///
/// The maximum age of a field is the first of these that there is:
///
/// 1. that of the field (`Product.price`), in the object's type or in one of its interfaces
/// 2. that of the type that the schema declares for the field, if the field has objects
/// 3. for a leaf, that of the field that leads to its object, or else that of the object's type
///
/// Generated code has those of the schema's `@cacheControl` directives.
public struct MaxAges: Hashable, Sendable {
  /// The rules by coordinate: `Product` or `Product.price`.
  private var rules: [String: MaxAge] = [:]

  /// Creates a table by schema coordinate: `Product` for a type, `Product.price` for a field.
  public init(_ rules: [String: MaxAge] = [:]) { self.rules = rules }

  /// Indicates whether there is no rule.
  public var isEmpty: Bool { rules.isEmpty }

  /// The maximum age of a schema coordinate, or `nil` if it has none of its own.
  public subscript(coordinate: String) -> MaxAge? {
    get { rules[coordinate] }
    set { rules[coordinate] = newValue }
  }

  /// Returns both tables in one. Rules of `other` replace those of this table.
  public func merging(_ other: MaxAges) -> MaxAges {
    MaxAges(rules.merging(other.rules) { $1 })
  }

  /// Returns the rule of a field of an object: that of its type, or else the strictest of its
  /// interfaces.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - typenames: The type of the object, then its interfaces.
  /// - Returns: The rule, or `nil` if there is none.
  package func rule(ofField field: String, on typenames: [String]) -> MaxAge? {
    if let own = typenames.first.flatMap({ rules["\($0).\(field)"] }) { return own }
    let inherited = typenames.dropFirst().compactMap { rules["\($0).\(field)"] }
    return inherited.isEmpty ? nil : Self.strictest(inherited)
  }

  /// Returns the rule of a type: its own, or else the strictest of its interfaces.
  package func rule(ofType typenames: [String]) -> MaxAge? {
    if let own = typenames.first.flatMap({ rules[$0] }) { return own }
    let inherited = typenames.dropFirst().compactMap { rules[$0] }
    return inherited.isEmpty ? nil : Self.strictest(inherited)
  }

  /// Returns the strictest of several rules, of which there is at least one.
  static func strictest(_ rules: [MaxAge]) -> MaxAge {
    rules.dropFirst().reduce(rules[0]) { isStricter($1, than: $0) ? $1 : $0 }
  }

  private static func isStricter(_ left: MaxAge, than right: MaxAge) -> Bool {
    switch (left.rule, right.rule) {
    case (.limit(let left), .limit(let right)): left < right
    case (.limit, _): true
    case (.inherited, .unlimited): true
    default: false
    }
  }
}

extension MaxAges {
  /// Creates a table from the text in generated code, with one rule in each line: `Product 300`,
  /// `Product.price 10`, `Product.maker inherited`.
  ///
  /// A single string takes the compiler the least time. A malformed text is a programmer's error
  /// and traps.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text. Happens once for a schema.
  public init(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2 else { preconditionFailure("No maximum age: '\(line)'") }
      if words[1] == "inherited" {
        rules[String(words[0])] = .inherited
      } else if let seconds = Int(words[1]) {
        rules[String(words[0])] = .seconds(seconds)
      } else {
        preconditionFailure("No maximum age: '\(line)'")
      }
    }
  }
}

extension MaxAges: ExpressibleByDictionaryLiteral {
  /// Creates a table by schema coordinate. The last rule of a coordinate counts.
  public init(dictionaryLiteral elements: (String, MaxAge)...) {
    self.init(Dictionary(elements) { $1 })
  }
}
