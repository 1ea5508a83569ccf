package import ApolloAPI

/// How the fields of an object layout are kept in a record, for one set of variables.
package final class RecordLayout {
  package let layout: ObjectLayout
  /// The distinct fields, in the order of the layout.
  package let shape: RecordShape
  /// For each field of the layout its position in the shape. Aliases of one field with equal arguments share a position.
  package let positions: [Int]
  package let hasAliases: Bool

  package init(_ layout: ObjectLayout, keys: FieldKeys) {
    self.layout = layout
    var fields: [FieldKey] = []
    var known: [FieldKey: Int] = [:]
    positions = layout.fields.map { field in
      let key = FieldKey(keys.key(of: field))
      if let position = known[key] { return position }
      known[key] = fields.count
      fields.append(key)
      return fields.count - 1
    }
    shape = .of(fields)
    hasAliases = fields.count < layout.fields.count
  }
}
