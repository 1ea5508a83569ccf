import ApolloIR
import GraphQLSchema

/// The Swift type that a custom scalar has in its first file, which the user can edit.
///
/// Servers give their scalars the same few names. Text stands for every other scalar.
struct ScalarType {
  /// The type as it is written.
  var name: String
  /// The declaration to import, if one is needed.
  var imported: String?
  /// A sentence about the values, if there is something to know.
  var note: String?

  /// Chooses the type for a scalar.
  init(_ scalar: CustomScalar, in schema: Schema) {
    guard let known = Self.known[scalar.name.lowercased()],
      // A type of the schema would hide the module of that name.
      !known.name.hasPrefix("Foundation.") || schema.type(named: "Foundation") == nil
    else {
      self.init(name: "String")
      return
    }
    self = known
  }

  private init(name: String, imported: String? = nil, note: String? = nil) {
    self.name = name
    self.imported = imported
    self.note = note
  }

  private static func foundation(_ name: String, _ note: String? = nil) -> ScalarType {
    ScalarType(name: "Foundation.\(name)", imported: "struct Foundation.\(name)", note: note)
  }

  private static let known: [String: ScalarType] = {
    let json = ScalarType(name: "JSONValue", imported: "ApolloAPI")
    let dateTime = foundation(
      "Date", "Values are ISO 8601 texts with a time zone. Name `String` if your server's are not.")
    let decimal = foundation("Decimal", "Numbers and texts are read; a text is sent.")
    let integer = foundation(
      "Decimal", "Numbers and texts of up to 38 digits are read; a text is sent.")
    return [
      "any": json, "json": json, "jsonb": json, "jsonobject": json, "jsonvalue": json, "map": json,
      "object": json, "unknown": json,
      "datetime": dateTime, "iso8601datetime": dateTime, "timestamptz": dateTime,
      "uuid": foundation("UUID"),
      "url": foundation("URL"), "uri": foundation("URL"),
      "decimal": decimal, "bigdecimal": decimal, "bigint": integer,
    ]
  }()
}
