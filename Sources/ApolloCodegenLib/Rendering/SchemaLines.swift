import ApolloIR

/// The lines that describe a schema to the runtime.
enum SchemaLines {
  /// Returns the types that operations use, in the format that `SchemaTypes` of `ApolloAPI` reads.
  static func types(_ types: ReferencedTypes) -> [String] {
    types.objects.map {
      line("type", $0.name, $0.interfaces, $0.keyFields, $0.fieldPolicies, $0.listPolicies)
        + $0.lookups.map(lookup).joined() + ($0.isQueryRoot && $0.name != "Query" ? "; root" : "")
    }
      + types.interfaces.map {
        line(
          "interface", $0.name, $0.implementingObjects, $0.keyFields, $0.fieldPolicies,
          $0.listPolicies)
      } + types.unions.map { line("union", $0.name, $0.possibleTypes) }
  }

  private static func line(
    _ kind: String, _ name: String, _ others: [String], _ keyFields: [String]? = nil,
    _ policies: [FieldPolicy] = [], _ lists: [ListPolicy] = []
  ) -> String {
    let list = others.isEmpty ? "" : ": " + others.joined(separator: ", ")
    let key = keyFields.map { "; key " + $0.joined(separator: ", ") } ?? ""
    let fields = policies.map { "; field \($0.field)(\($0.keyArguments.joined(separator: ", ")))" }
    let pages = lists.map { policy in
      let filter = policy.keyArguments.map {
        "; filter \(policy.field)(\($0.joined(separator: ", ")))"
      }
      return "; list \(policy.field)(\(policy.words.joined(separator: " ")))\(filter ?? "")"
    }
    return "\(kind) \(name)\(list)\(key)" + fields.joined() + pages.joined()
  }

  private static func lookup(_ lookup: ObjectLookup) -> String {
    "; lookup \(lookup.field)(\(lookup.argument) \(lookup.argumentType)) "
      + "\(lookup.type) \(lookup.keyField)"
  }

  /// Returns the maximum ages of the schema, in the format that `MaxAges` of `ApolloAPI` reads.
  /// Nothing if the schema has none.
  static func maxAges(_ types: ReferencedTypes) -> [String] {
    types.maxAges.map { "\($0.coordinate) \($0.seconds.map(String.init) ?? "inherited")" }
  }
}
