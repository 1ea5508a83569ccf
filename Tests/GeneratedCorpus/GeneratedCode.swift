import ApolloAPI
import Foundation

/// Generated Swift code, and the models that are in it, found by reading the text.
package struct GeneratedCode {
  package let text: String
  /// Every struct that is a view of an object, in order.
  package private(set) var models: [Model] = []
  /// The Swift types of the operations, by their name in GraphQL.
  package private(set) var operations: [String: String] = [:]
  /// The operations and fragments, by their Swift types.
  package private(set) var definitions: [String: Definition] = [:]

  package struct Model {
    /// The full name: `Case1.HeroQuery.Data.Hero`.
    package var path: String
    /// The properties that read fields, and their response keys.
    package var fields: [(property: String, key: String)] = []
    /// The properties that convert to type cases and fragments.
    package var views: [String] = []
  }

  /// The parts of a definition's selections.
  package struct Definition {
    package var literal: String
    /// Swift types, as they are written.
    package var fragments: [String]
    package var leaves: [String]
  }

  /// The selections of definitions, by their Swift types.
  private var selections: [String: Selections] = [:]

  private struct Scope {
    var path: String
    /// The keys of the accessors of a model.
    var keys: [String]?
    var model: Model?
  }

  /// - Throws: ``UnreadableCode`` where the text is not what this knows to read.
  package init(_ text: String) throws {
    self.text = text
    var scopes: [Scope] = []
    var statement = ""
    for line in text.split(separator: "\n") {
      let trimmed = line.drop { $0 == " " }
      if trimmed.hasPrefix("//") { continue }
      statement += (statement.isEmpty ? "" : " ") + trimmed
      // A declaration goes on until its brackets are closed, or a scope begins.
      if let name = Self.scopeName(statement) {
        let path = scopes.last.map { "\($0.path).\(name)" } ?? name
        scopes.append(Scope(path: path, model: Model(path: path)))
      } else if trimmed == "}", Self.imbalance(statement) < 0 {
        guard let scope = scopes.popLast() else { throw UnreadableCode(line: String(line)) }
        if scope.keys != nil, let model = scope.model { models.append(model) }
      } else if Self.imbalance(statement) > 0 || Self.isHeadOfType(statement) {
        continue
      } else {
        try read(statement, &scopes)
      }
      statement = ""
    }
  }

  private mutating func read(_ statement: String, _ scopes: inout [Scope]) throws {
    guard var scope = scopes.last else { return }
    let text = Words(statement)
    if let name = text.between("static var operationName: String { \"", "\"") {
      operations[String(name)] = scope.path
    } else if let literal = text.between(
      "static let __selections = ApolloAPI.GeneratedCode.Selections(", nil)
    {
      let definition = try Self.definition(literal)
      definitions[scope.path] = definition
      selections[scope.path] = definition.placeholder
    } else if text.between("static var __layout: ApolloAPI.GeneratedCode.SelectionLayout {", nil)
      != nil
    {
      guard let selections = selections(around: scope.path),
        let index = text.between("__selections[", "]").flatMap({ Int($0) })
      else { throw UnreadableCode(line: statement) }
      scope.keys = selections[index].keys
    } else if let property = text.between("var ", ":") {
      let index =
        text.between("__value(", ")") ?? text.between("__view(", ")")
        ?? text.between("__views(", ")") ?? text.between("__object[", ",")
      if let index = index.flatMap({ Int($0) }), let keys = scope.keys {
        scope.model?.fields.append((String(property), keys[index]))
      } else if text.between("_asInlineFragment()", nil) != nil {
        scope.model?.views.append("self.\(property)")
      } else if text.between("_toFragment()", nil) != nil, scopes.count > 1 {
        scopes[scopes.count - 2].model?.views.append("self.fragments.\(property)")
      }
    }
    scopes[scopes.count - 1] = scope
  }

  /// The selections of the definition that a model belongs to. An extension has the models that are
  /// nested deeply.
  private func selections(around path: String) -> Selections? {
    var names = path.split(separator: ".")
    while !names.isEmpty {
      if let selections = selections[names.joined(separator: ".")] { return selections }
      names.removeLast()
    }
    return nil
  }

  /// The name of the type that a line opens.
  private static func scopeName(_ line: String) -> String? {
    guard line.hasSuffix("{"), isTypeDeclaration(line) else { return nil }
    let words = line.split(separator: " ")
    guard let keyword = words.firstIndex(where: typeKeywords.contains) else { return nil }
    return words[keyword + 1].split(separator: ":").first.map(String.init)
  }

  /// Returns `true` from the head of a type's declaration up to its brace.
  private static func isHeadOfType(_ line: String) -> Bool {
    !line.contains("{") && isTypeDeclaration(line)
  }

  private static let typeKeywords: Set<Substring> = ["struct", "enum", "protocol", "extension"]

  private static func isTypeDeclaration(_ line: String) -> Bool {
    let words = line.prefix(60).split(separator: " ").prefix { word in
      word.hasPrefix("@") || ["public", "nonisolated", "indirect"].contains(word)
        || typeKeywords.contains(word)
    }
    return words.contains(where: typeKeywords.contains)
  }

  /// The number of opened brackets minus the closed ones, outside of strings.
  private static func imbalance(_ line: String) -> Int {
    var balance = 0
    var rest = line.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["): balance += 1
      case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"): balance -= 1
      case UInt8(ascii: "#"), UInt8(ascii: "\""): skipString(beginningWith: byte, &rest)
      default: break
      }
    }
    return balance
  }

  /// Skips to behind the end of a string, raw or not.
  private static func skipString(beginningWith byte: UInt8, _ rest: inout Substring.UTF8View) {
    var end: [UInt8] = [UInt8(ascii: "\"")]
    if byte == UInt8(ascii: "#") {
      let sharps = rest.prefix { $0 == UInt8(ascii: "#") }
      guard rest.dropFirst(sharps.count).first == UInt8(ascii: "\"") else { return }
      end += [byte] + sharps
      rest.removeFirst(sharps.count + 1)
    }
    let isRaw = end.count > 1
    while !rest.isEmpty, !rest.starts(with: end) {
      let isEscape = !isRaw && rest.first == UInt8(ascii: "\\")
      rest.removeFirst(isEscape ? min(2, rest.count) : 1)
    }
    rest.removeFirst(min(end.count, rest.count))
  }

  /// Reads the arguments of `Selections(…)`.
  private static func definition(_ arguments: Substring) throws -> Definition {
    guard let (literal, remainder) = string(at: arguments.drop { $0 == " " }) else {
      throw UnreadableCode(line: String(arguments))
    }
    let rest = Words(String(remainder))
    func list(_ name: String) -> [String] {
      guard let start = rest.text.range(of: "\(name): [") else { return [] }
      var depth = 1
      let list = rest.text[start.upperBound...].prefix { character in
        depth += character == "[" ? 1 : character == "]" ? -1 : 0
        return depth > 0
      }
      return list.components(separatedBy: ".self").dropLast().map { element in
        String(element.drop { ", ".contains($0) })
      }
    }
    return Definition(
      literal: literal, fragments: list("fragments"), leaves: list("leaves"))
  }

  /// Reads a string literal, raw or not.
  ///
  /// - Returns: The string, and the text after the literal.
  private static func string(at text: Substring) -> (String, Substring)? {
    let sharps = text.prefix { $0 == "#" }
    guard sharps.isEmpty else {
      let words = Words(String(text))
      return words.between("\(sharps)\"", "\"\(sharps)").map {
        (String($0), words.text[$0.endIndex...])
      }
    }
    var rest = text.unicodeScalars
    guard rest.popFirst() == "\"" else { return nil }
    var result = ""
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return (result, Substring(rest))
      case "\\":
        switch rest.popFirst() {
        case "n": result += "\n"
        case "r": result += "\r"
        case "t": result += "\t"
        case "0": result += "\0"
        case "u":
          let digits = rest.dropFirst().prefix { $0 != "}" }
          rest = rest.dropFirst(digits.count + 2)
          UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init).map {
            result.unicodeScalars.append($0)
          }
        case let escaped?: result.unicodeScalars.append(escaped)
        case nil: return nil
        }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return nil
  }
}

extension GeneratedCode.Definition {
  /// Layouts with the right keys. What the fragments and leaves are does not matter for these.
  fileprivate var placeholder: Selections {
    Selections(
      literal, fragments: Array(repeating: AnyFragment.self, count: fragments.count),
      leaves: Array(repeating: String.self, count: leaves.count))
  }
}

/// Finds things in a line.
private struct Words {
  let text: Substring

  init(_ text: String) { self.text = text[...] }

  /// Returns the text between two others, or behind the first one; `nil` when one of them is
  /// missing.
  func between(_ start: String, _ end: String?) -> Substring? {
    guard let start = text.range(of: start) else { return nil }
    let rest = text[start.upperBound...]
    guard let end else { return rest }
    return rest.range(of: end).map { rest[..<$0.lowerBound] }
  }
}

/// Generated code that is not written as expected.
package struct UnreadableCode: Error {
  package var line: String
}

/// Stands for a fragment whose selections nobody asks for.
private struct AnyFragment: Fragment {
  enum Schema: SchemaMetadata {
    static let configuration: any SchemaConfiguration.Type = Configuration.self
    static let types = SchemaTypes()
    enum Configuration: SchemaConfiguration {
      static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
    }
  }
  static var fragmentDefinition: String { "" }
  static let __selections = Selections("Query {__typename String!}")
  static let __layout = __selections[0]
  private let __storage: ResponseObject
}
