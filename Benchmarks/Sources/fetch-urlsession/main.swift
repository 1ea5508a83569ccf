import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The same program with Foundation alone: `fetch-urlsession URL`. Its size is measured.
struct Response: Decodable {
  struct Payload: Decodable { var hero: Hero? }
  struct Hero: Decodable { var name: String }
  var data: Payload?
}

guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
  print("usage: fetch-urlsession URL")
  exit(2)
}
var request = URLRequest(url: url)
request.httpMethod = "POST"
request.setValue("application/json", forHTTPHeaderField: "Content-Type")
request.httpBody = Data(#"{"query":"query Small { hero: saga { name } }"}"#.utf8)
let (body, _) = try await URLSession.shared.data(for: request)
print(try JSONDecoder().decode(Response.self, from: body).data?.hero?.name ?? "unknown")
