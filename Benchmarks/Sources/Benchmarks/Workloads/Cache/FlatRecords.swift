import ApolloAPI
import Foundation

/// A response as a flat cache keeps it, such as that of Apollo iOS: one record for each object.
///
/// An object's key is its type and its `id`, or else its path:
/// `QUERY_ROOT.repository.issues.nodes.0`. Its row is the JSON text of its fields, in which other
/// objects are `{"$reference":"…"}`.
struct FlatRecords {
  /// In the order in which objects begin in the response.
  private(set) var rows: [RawRows.Row] = []
  private var fields: [String: [String: JSONValue]] = [:]
  private var keys: [String] = []

  /// - Throws: An error that describes the first mistake in the JSON text.
  init(response: Data) throws {
    guard case .object(let data) = try JSONValue(jsonBytes: response)["data"] else { return }
    _ = record(of: data, at: "QUERY_ROOT")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    rows = try keys.map { key in
      RawRows.Row(key: Data(key.utf8), fields: try encoder.encode(fields[key]))
    }
  }

  /// Records the fields of an object and of those inside it, and returns its key.
  private mutating func record(of object: [String: JSONValue], at path: String) -> String {
    var key = path
    if let type = object["__typename"]?.stringValue, let id = object["id"]?.stringValue {
      key = "\(type):\(id)"
    }
    if fields[key] == nil {
      keys.append(key)
      fields[key] = [:]
    }
    for (name, value) in object.sorted(by: { $0.key < $1.key }) {
      let flat = self.value(value, at: "\(key).\(name)")
      fields[key]?[name] = flat
    }
    return key
  }

  private mutating func value(_ value: JSONValue, at path: String) -> JSONValue {
    switch value {
    case .object(let object):
      return .object(["$reference": .string(record(of: object, at: path))])
    case .array(let elements):
      var flat: [JSONValue] = []
      for (index, element) in elements.enumerated() {
        flat.append(self.value(element, at: "\(path).\(index)"))
      }
      return .array(flat)
    default: return value
    }
  }
}
