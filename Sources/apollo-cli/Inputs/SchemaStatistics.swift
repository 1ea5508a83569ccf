import GraphQLSchema
import GraphQLSyntax

/// The number of definitions of each kind in a schema, without the built-in ones.
struct SchemaStatistics: CustomStringConvertible {
  private let rows: [(label: String, count: Int)]

  init(_ schema: Schema) {
    func count(_ kind: TypeKind) -> Int { schema.definedTypes.count { schema[$0].kind == kind } }
    let inputFields = schema.definedTypes.reduce(0) { $0 + schema[$1].inputFields.count }
    let deprecated =
      schema.definedFields.count { schema[$0].isDeprecated }
      + schema.definedInputValues.count { schema[$0].isDeprecated }
      + schema.definedEnumValues.count { schema[$0].isDeprecated }
    rows = [
      ("types", schema.definedTypes.count), ("  objects", count(.object)),
      ("  interfaces", count(.interface)), ("  unions", count(.union)), ("  enums", count(.enum)),
      ("  input objects", count(.inputObject)), ("  scalars", count(.scalar)),
      ("fields", schema.definedFields.count),
      ("arguments", schema.definedInputValues.count - inputFields),
      ("input fields", inputFields), ("enum values", schema.definedEnumValues.count),
      ("directives", schema.definedDirectives.count), ("deprecated elements", deprecated),
    ]
  }

  var description: String {
    let width = rows.map { String($0.count).count }.max() ?? 0
    return rows.map { row in
      let number = String(row.count)
      return String(repeating: " ", count: width - number.count) + "\(number)  \(row.label)"
    }.joined(separator: "\n")
  }
}
