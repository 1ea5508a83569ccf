import SeededRandom

extension RandomSchema {
  /// The schema as it is written, described and deprecated here and there.
  func text(using random: inout SeededGenerator) -> String {
    var parts: [String] = []
    let isStandard = roots.allSatisfy { $0.kind == $0.type.lowercased() && $0.kind != $0.type }
    let isPlain =
      isStandard
      && composites.allSatisfy { composite in
        !["Query", "Mutation", "Subscription"].contains(composite.name)
          || roots.contains { $0.type == composite.name }
      } && !otherTypes.contains { ["Query", "Mutation", "Subscription"].contains($0) }
    if !isPlain {
      parts.append("schema { \(roots.map { "\($0.kind): \($0.type)" }.joined(separator: " ")) }")
    }
    for name in scalars {
      let url =
        random.chance(0.3) ? " @specifiedBy(url: \(RandomValues.string(using: &random)))" : ""
      parts.append(description(&random) + "scalar \(name)\(url)")
    }
    for type in enums {
      let values = type.values.map { value in
        "  " + description(&random) + value + deprecation(random.chance(0.15), &random)
      }
      parts.append(
        description(&random) + "enum \(type.name) {\n\(values.joined(separator: "\n"))\n}")
    }
    for type in inputs {
      let fields = type.fields.map { "  " + input($0, &random) }.joined(separator: "\n")
      parts.append(
        description(&random) + "input \(type.name)\(type.isOneOf ? " @oneOf" : "") {\n\(fields)\n}")
    }
    for type in composites { parts.append(description(&random) + text(of: type, &random)) }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var otherTypes: [String] { scalars + enums.map(\.name) + inputs.map(\.name) }

  private func text(of type: Composite, _ random: inout SeededGenerator) -> String {
    if type.kind == .union {
      return "union \(type.name) = \(type.members.joined(separator: " | "))"
    }
    let list =
      type.interfaces.isEmpty ? "" : " implements " + type.interfaces.joined(separator: " & ")
    let fields = type.fields.map { field in
      let arguments = field.arguments.map { input($0, &random) }.joined(separator: ", ")
      return "  " + description(&random) + field.name
        + (arguments.isEmpty ? "" : "(\(arguments))") + ": \(field.type.text)"
        + deprecation(field.isDeprecated, &random)
    }
    return """
      \(type.kind == .object ? "type" : "interface") \(type.name)\(list)\(type.policy) {
      \(fields.joined(separator: "\n"))
      }
      """
  }

  private func input(_ field: InputField, _ random: inout SeededGenerator) -> String {
    description(&random) + "\(field.name): \(field.type.text)"
      + (field.defaultValue.map { " = \($0)" } ?? "") + deprecation(field.isDeprecated, &random)
  }

  private func description(_ random: inout SeededGenerator) -> String {
    random.chance(0.15) ? RandomValues.string(using: &random) + " " : ""
  }

  private func deprecation(_ isDeprecated: Bool, _ random: inout SeededGenerator) -> String {
    guard isDeprecated else { return "" }
    return random.chance(0.5)
      ? " @deprecated" : " @deprecated(reason: \(RandomValues.string(using: &random)))"
  }
}
