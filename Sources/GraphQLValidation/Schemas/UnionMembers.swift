import GraphQLSchema
import GraphQLSyntax

/// Unions have at least one member, and their members are different object types.
///
/// Spec: 3.8, "Unions".
enum UnionMembers: WholeRule {
  static let name: Diagnostic.Rule = "UnionMembers"

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    for union in schema.definedTypes where schema[union].kind == .union {
      if schema[union].members.isEmpty, schema.sites(of: union).allSatisfy(\.members.isEmpty) {
        context.report(
          Self.self,
          "Union type \(schema.name(of: union)) must define one or more member types.",
          at: schema.definitionSpans(of: union))
      }
      check(union, schema, &context)
    }
  }

  private static func check(
    _ union: Schema.NamedType.ID, _ schema: Schema, _ context: inout ValidationContext
  ) {
    var mentions = Mentions(schema[schema[union].members])
    for member in schema[schema[union].members] {
      if mentions.isRepetition(member) {
        context.report(
          Self.self,
          "Union type \(schema.name(of: union)) can only include type "
            + "\(schema.name(of: member.type)) once.",
          at: mentions.spans(of: member.type))
      } else if schema[member.type].kind != .object {
        context.report(
          Self.self,
          "Union type \(schema.name(of: union)) can only include Object types, "
            + "it cannot include \(schema.name(of: member.type)).",
          at: mentions.spans(of: member.type))
      }
    }
  }
}

/// The types that one type refers to, with a lookup for repeated references.
struct Mentions {
  private let all: ArraySlice<Schema.TypeMention>
  /// The referenced types, if a linear search would be slow.
  private let types: Set<Schema.NamedType.ID>?
  private var seen: Set<Schema.NamedType.ID> = []
  /// The spans of each type, computed on first use.
  private var spansByType: [Schema.NamedType.ID: [Diagnostic.Note]]?

  /// The maximum number of spans to report for a type.
  static let maximumSpanCount = 20

  init(_ mentions: ArraySlice<Schema.TypeMention>) {
    all = mentions
    types = mentions.count > 8 ? Set(mentions.map(\.type)) : nil
  }

  /// Returns whether the type is referenced at all.
  func contains(_ type: Schema.NamedType.ID) -> Bool {
    types?.contains(type) ?? all.contains { $0.type == type }
  }

  /// Returns whether the type was passed to an earlier call.
  mutating func isRepetition(_ mention: Schema.TypeMention) -> Bool {
    !seen.insert(mention.type).inserted
  }

  /// Returns the first spans that refer to `type`.
  mutating func spans(of type: Schema.NamedType.ID) -> [Diagnostic.Note] {
    let spans =
      spansByType
      ?? Dictionary(grouping: all, by: \.type).mapValues { mentions in
        mentions.prefix(Self.maximumSpanCount).map {
          Diagnostic.Note("mentioned here", at: $0.span)
        }
      }
    spansByType = spans
    return spans[type] ?? []
  }
}
