import GraphQLSyntax

/// Unions list object types, each of them once.
///
/// Spec: 3.8, "Unions".
enum UnionMembers: SchemaRule {
  static let name: Diagnostic.Rule = "UnionMembers"

  static func check(_ context: inout SchemaValidation) {
    let schema = context.schema
    for union in schema.definedTypes where schema[union].kind == .union {
      if schema[union].members.isEmpty, schema.sites(of: union).allSatisfy(\.members.isEmpty) {
        context.report(
          Self.self,
          "Union type \(schema.name(of: union)) must define one or more member types.",
          at: schema.sitePlaces(of: union))
      }
      check(union, &context)
    }
  }

  private static func check(_ union: Schema.NamedType.ID, _ context: inout SchemaValidation) {
    let schema = context.schema
    var mentions = Mentions(schema[schema[union].members])
    for member in schema[schema[union].members] {
      if mentions.isRepetition(member) {
        context.report(
          Self.self,
          "Union type \(schema.name(of: union)) can only include type "
            + "\(schema.name(of: member.type)) once.",
          at: mentions.places(of: member.type))
      } else if schema[member.type].kind != .object {
        context.report(
          Self.self,
          "Union type \(schema.name(of: union)) can only include Object types, "
            + "it cannot include \(schema.name(of: member.type)).",
          at: mentions.places(of: member.type))
      }
    }
  }
}

/// The types that one type mentions, to find those that it mentions more than once.
struct Mentions {
  private let all: ArraySlice<Schema.TypeMention>
  /// The types that are mentioned, where scanning them would take long.
  private let types: Set<Schema.NamedType.ID>?
  private var seen: Set<Schema.NamedType.ID> = []
  /// The places of each type; made when somebody asks for the first time.
  private var placesByType: [Schema.NamedType.ID: [Place]]?

  /// How many places are told at most.
  static let greatestPlaceCount = 20

  init(_ mentions: ArraySlice<Schema.TypeMention>) {
    all = mentions
    types = mentions.count > 8 ? Set(mentions.map(\.type)) : nil
  }

  /// Whether the type is mentioned at all.
  func contains(_ type: Schema.NamedType.ID) -> Bool {
    types?.contains(type) ?? all.contains { $0.type == type }
  }

  /// Whether the type was mentioned in an earlier call.
  mutating func isRepetition(_ mention: Schema.TypeMention) -> Bool {
    !seen.insert(mention.type).inserted
  }

  /// The first places that mention `type`.
  mutating func places(of type: Schema.NamedType.ID) -> [Place] {
    let places =
      placesByType
      ?? Dictionary(grouping: all, by: \.type).mapValues { mentions in
        mentions.prefix(Self.greatestPlaceCount).map { Place($0.span, "mentioned here") }
      }
    placesByType = places
    return places[type] ?? []
  }
}
