import ApolloAPI
import Foundation
import ModelChecking

// Reads cases from a file of JSON, one a line, beginning at a line, and prints a line of JSON for
// each. Ends with the first one that crashes it: whoever started it knows then which one that is,
// and starts it again behind it.

let all = operations.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
let lines = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
  .split(separator: "\n")
for line in lines.dropFirst(Int(CommandLine.arguments[2]) ?? 0) {
  let value = try JSONValue(jsonBytes: Data(line.utf8), limits: ResponseLimits(depth: 10_000))
  var variables = Variables()
  for (name, value) in value["variables"]?.objectValue ?? [:] { variables[name] = value }
  var result: [String: JSONValue] = [:]
  if let check = all[value["operation"]?.stringValue ?? ""] {
    let finding = check.run(
      Array((value["text"]?.stringValue ?? "").utf8), expecting: value["expected"] ?? .null,
      variables: variables)
    result["failure"] = (finding.failure?.description).map(JSONValue.string) ?? .null
    result["hasData"] = .bool(finding.hasData)
    result["problems"] = .array(finding.problems.map(JSONValue.string))
    result["readCount"] = .int(Int64(finding.readCount))
    result["hidden"] = .array(finding.hidden.sorted().map(JSONValue.string))
  } else {
    result["failure"] = "the operation was not generated"
  }
  print(JSONValue.object(result))
  fflush(nil)
}
