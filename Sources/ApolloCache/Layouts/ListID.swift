public import ApolloAPI

/// The identifier of a list that the cache merges, for the argument `connections` of `@appendEdge`
/// and the other directives that change lists.
///
/// ```swift
/// let toys = ListID(field: "products", arguments: ["category": "toys"])
/// let mutation = AddProductMutation(name: "Kite", lists: [toys.rawValue])
/// let response = try await apollo.perform(mutation: mutation)
/// ```
///
/// The size of the pages, and which of them are in the cache, make no difference.
public struct ListID: Hashable, Sendable {
  /// The text of the identifier: a value of the type `ID`.
  public let rawValue: String

  /// Creates the identifier of a connection of a record, which is read from its beginning and has
  /// items in `edges` alone.
  ///
  /// - Parameters:
  ///   - record: The record with the field.
  ///   - field: The name of the field in the schema. That of a field with
  ///     `@connection(key: "Featured")` is `__Featured_connection`.
  ///   - arguments: The arguments that select the list, as they are sent: the list of an argument
  ///     that is `null` is not the one without the argument.
  public init(
    in record: RecordKey = .queryRoot, field: String, arguments: [String: JSONValue] = [:]
  ) {
    self.init(
      ListLocation(record: record, name: field, arguments: arguments, direction: .forward))
  }

  /// Creates the identifier of the list of which a query requests a page, or `nil` if there is no
  /// such field, or if it is no page of a merged connection.
  ///
  /// - Parameters:
  ///   - responseKey: The alias of a field at the root of the query, or its name.
  ///   - query: The query. The page that its variables select does not matter.
  public init?<Query: GraphQLQuery>(_ responseKey: String, of query: Query) {
    self.init(path: [responseKey], of: query)
  }

  /// Creates the identifier of a list inside of other objects, of which a query requests a page, or
  /// `nil` if there is no such field, or if it is no page of a merged connection.
  ///
  /// ```swift
  /// let cart = ListID(path: ["viewer", "cart", "products"], of: CartQuery())
  /// let toys = ListID(path: ["shops", "products"], of: ShopsQuery(), in: "Shop:7")
  /// ```
  ///
  /// The objects on the way need no keys. If one of them is an element of a list, the object with
  /// the list must have a key: name it as `record`.
  ///
  /// - Parameters:
  ///   - path: The aliases of the fields that lead from the root of the query to the list, or their
  ///     names, without the indices of lists.
  ///   - query: The query. The page that its variables select does not matter.
  ///   - record: The record of the object with the list, or `nil` if the path leads to
  ///     one object alone.
  public init?<Query: GraphQLQuery>(
    path: [String], of query: Query, in record: RecordKey? = nil
  ) {
    let (selections, variables) = (Query.Data.__layout, query.__variables)
    let names = RecordFieldNames(selections, variables: variables, cacheKeyForObject: nil)
    let root = selections.plan(schema: Query.Data.Schema.self, variables: variables)
      .position(showing: selections)
    let location = root.list(
      at: path[...], names, in: record ?? .queryRoot, canBeElement: record != nil)
    guard let location else { return nil }
    self.init(record == nil ? location : location.inside([]))
  }

  init(_ location: ListLocation) {
    var parts: [JSONValue] = [
      .string(location.record.rawValue), .string(location.name),
      .string(location.direction == .forward ? "first" : "last"), .object(location.arguments),
    ]
    if !location.way.isEmpty { parts.append(.array(location.way.map { .string($0.rawValue) })) }
    var writer = JSONWriter()
    writer.write(.array(parts))
    rawValue = String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension ObjectPosition {
  /// Returns the place of the list to which response keys lead, from the objects here, or `nil` if
  /// there is none. The selections of one type can have more of a field than those of another.
  ///
  /// `canBeElement`: Whether the object with the list can be in a list itself.
  fileprivate func list(
    at path: ArraySlice<String>, _ names: RecordFieldNames, in record: RecordKey,
    canBeElement: Bool
  ) -> ListLocation? {
    guard let responseKey = path.first else { return nil }
    var visited: Set<ObjectIdentifier> = []
    let types = sources.flatMap { plan.schema.types.possibleTypes(of: $0.parentType) }
    for type in [nil] + types.map(Optional.some) {
      let fields = RecordLayout.make(layout(forTypename: type), names: names).fields
      guard let field = fields.first(where: { $0.responseKey == responseKey }) else { continue }
      if path.count == 1 {
        guard let location = field.pages?.location(in: record) else { continue }
        return location
      }
      guard let inner = field.position, canBeElement || field.rank == 0,
        visited.insert(ObjectIdentifier(inner)).inserted,
        let location = inner.list(
          at: path.dropFirst(), names, in: record, canBeElement: canBeElement)
      else { continue }
      return location.inside([field.key] + location.way)
    }
    return nil
  }
}

// MARK: - Identifiers of objects

extension ListID {
  /// Returns the texts of the identifier of a list that may identify objects, or none for another
  /// text: the one of its record, its arguments, and those of the fields on its way.
  ///
  /// - Parameter text: A text, such as a value of a variable.
  /// - Returns: The texts, of which some may be temporary identifiers.
  package static func identifiers(in text: String) -> [String] {
    guard let location = ListLocation(listID: text) else { return [] }
    let record = location.record.rawValue.split(separator: ":", maxSplits: 1).dropFirst()
    return record.map(String.init) + location.arguments.values.flatMap(\.texts)
      + location.way.flatMap(\.texts)
  }

  /// Returns the identifier of a list with other texts in place of some that identify objects.
  ///
  /// - Parameters:
  ///   - new: The new texts.
  ///   - text: A text. If it is no identifier of a list, it stays.
  /// - Returns: The text of the identifier.
  package static func replacing(_ new: [String: String], in text: String) -> String {
    guard let location = ListLocation(listID: text) else { return text }
    var parts = location.record.rawValue.split(separator: ":", maxSplits: 1).map(String.init)
    if parts.count == 2 { parts[1] = new[parts[1]] ?? parts[1] }
    return ListID(
      ListLocation(
        record: RecordKey(parts.joined(separator: ":")), name: location.name,
        arguments: location.arguments.mapValues { $0.replacingTexts(new) },
        direction: location.direction, way: location.way.map { $0.replacingTexts(new) })
    ).rawValue
  }
}

extension JSONValue {
  /// The texts in the value, without the names of members.
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .object(let members): members.values.flatMap(\.texts)
    default: []
    }
  }

  /// Returns the value with other texts in place of some.
  fileprivate func replacingTexts(_ new: [String: String]) -> JSONValue {
    switch self {
    case .string(let text): .string(new[text] ?? text)
    case .array(let elements): .array(elements.map { $0.replacingTexts(new) })
    case .object(let members): .object(members.mapValues { $0.replacingTexts(new) })
    default: self
    }
  }
}

extension FieldKey {
  /// The texts among the values of the arguments.
  fileprivate var texts: [String] {
    parts.compactMap { if case .text(let text, _) = $0 { text } else { nil } }
  }

  /// Returns the field with other texts in place of some.
  fileprivate func replacingTexts(_ new: [String: String]) -> FieldKey {
    let parts = parts.map { part in
      switch part {
      case .text(let text, let literal):
        new[text].map { JSONValue.string($0).description } ?? literal
      case .other(let other): other
      }
    }
    return FieldKey(parts.joined())
  }

  /// A JSON string that is a value, or what is between two of them.
  private enum Part {
    case text(String, literal: String)
    case other(String)
  }

  private var parts: [Part] {
    let quote = UInt8(ascii: "\"")
    var parts: [Part] = []
    var rest = Array(rawValue.utf8)[...]
    while let start = rest.firstIndex(of: quote) {
      var end = start + 1
      while end < rest.endIndex, rest[end] != quote {
        end += rest[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      let literal = rest[start..<min(end + 1, rest.endIndex)]
      guard let text = try? JSONValue(jsonBytes: Array(literal)).stringValue else { break }
      let written = String(decoding: literal, as: UTF8.self)
      let isName = rest[literal.endIndex...].first == UInt8(ascii: ":")
      parts += [
        .other(String(decoding: rest[..<start], as: UTF8.self)),
        isName ? .other(written) : .text(text, literal: written),
      ]
      rest = rest[literal.endIndex...]
    }
    return parts + [.other(String(decoding: rest, as: UTF8.self))]
  }
}

/// The place of a list in the cache.
struct ListLocation: Hashable, Sendable {
  var record: RecordKey
  /// The fields that lead from the record to the object with the list, if that is another object:
  /// usually one that the record embeds.
  var way: [FieldKey]
  let name: String
  /// The arguments that select the list, with numbers as in the keys of its pages: `4.0` is `4`.
  let arguments: [String: JSONValue]
  /// The direction in which pages are read after the first one.
  let direction: ListPages.Direction

  /// Parses the text of a ``ListID``, or the name of a field at the root of queries. Returns `nil`
  /// for any other text.
  init?(_ text: String) {
    guard text.utf8.first == UInt8(ascii: "[") else {
      self.init(record: .queryRoot, name: text, arguments: [:], direction: .forward)
      return
    }
    self.init(listID: text)
  }

  /// Parses the text of a ``ListID``.
  init?(listID text: String) {
    guard text.utf8.first == UInt8(ascii: "["),
      let parts = try? JSONValue(jsonBytes: Array(text.utf8)).arrayValue,
      (4...5).contains(parts.count),
      let record = parts[0].stringValue, let name = parts[1].stringValue,
      let direction = parts[2].stringValue, let arguments = parts[3].objectValue,
      let way = parts.count < 5 ? [] : parts[4].arrayValue
    else { return nil }
    let names = way.compactMap(\.stringValue)
    guard names.count == way.count else { return nil }
    self.init(
      record: RecordKey(record), name: name, arguments: arguments,
      direction: direction == "last" ? .backward : .forward, way: names.map { FieldKey($0) })
  }

  init(
    record: RecordKey, name: String, arguments: [String: JSONValue],
    direction: ListPages.Direction, way: [FieldKey] = []
  ) {
    self.record = record
    self.way = way
    self.name = name
    self.arguments = arguments.mapValues(\.withCanonicalNumbers)
    self.direction = direction
  }

  /// Returns the place of the same list in an object to which fields lead.
  func inside(_ way: [FieldKey]) -> ListLocation {
    var location = self
    location.way = way
    return location
  }

  /// Returns the key of the page behind a cursor, or of the first one that is read.
  func key(behind cursor: JSONValue?) -> FieldKey {
    var all = arguments
    switch direction {
    case .forward: all["after"] = cursor
    case .backward: all["before"] = cursor ?? .null
    }
    return FieldKey(FieldKeys.key(name: name, all))
  }
}
