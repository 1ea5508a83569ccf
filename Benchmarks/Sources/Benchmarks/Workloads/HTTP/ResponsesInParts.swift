#if os(Linux)
  import Apollo
  import ApolloAPI
  import BenchmarkAPI
  import Foundation
  import FoundationNetworking
  import PartFraming

  /// Responses in parts without a network: finding the parts, and the whole way to models.
  let responsesInParts: [ExperimentMaker] =
    [250, 1_000, 10_000].map { size in { _ in partFraming(byteCount: size) } }
    + [{ data in try mergingParts(data) }]

  private func partFraming(byteCount: Int) -> Comparison {
    let item = #"{"id":"1000","name":"Luke Skywalker","height":1.72},"#
    let items = String(repeating: item, count: max(1, byteCount / item.utf8.count))
    let part = #"{"data":{"items":[\#(items){}]}}"#
    let count = 4_000_000 / part.utf8.count
    let multipart = PartFraming.multipart(part, count: count)
    let events = PartFraming.events(part, count: count)
    return Comparison(
      title: "Framing of parts of \(byteCount) bytes",
      byteCount: multipart.reduce(0) { $0 + $1.count },
      baseline: "copy the parts",
      workloads: [
        Workload("copy the parts") {
          var byteCount = 0
          for _ in 0..<count { byteCount += Data(Array(part.utf8)).count }
          keep(byteCount)
        },
        Workload("multipart/mixed") { keep(try PartFraming.readMultipart(multipart)) },
        Workload("server-sent events") { keep(try PartFraming.readEvents(events)) },
      ])
  }

  /// The friends of friends1000.json, all at once and one by one.
  private func mergingParts(_ data: BenchmarkData) throws -> Comparison {
    let whole = try data.bytes(of: "friends1000.json")
    let url = URL(string: "http://localhost/")!  // valid
    let atOnce = try client(CannedClient(url, "application/json", [whole]))
    let inParts = try client(
      CannedClient(url, "multipart/mixed;boundary=graphql", pieces(ofFriendsIn: whole)))
    return Comparison(
      title: "friends1000.json in 1,000 parts",
      byteCount: whole.count,
      baseline: "in one response",
      workloads: [
        .asynchronous("in one response") {
          keep(try await atOnce.fetchFromServer(FriendsQuery()))
        },
        .asynchronous("in 1,000 parts") {
          keep(try await inParts.fetchFromServer(FriendsQuery()))
        },
        .asynchronous("in one response, without the cache") {
          keep(try await atOnce.fetchFromServer(FriendsQuery(), writesToCache: false))
        },
        .asynchronous("in 1,000 parts, without the cache") {
          keep(try await inParts.fetchFromServer(FriendsQuery(), writesToCache: false))
        },
      ],
      note: { measurements in
        ratios(of: "in 1,000 parts", to: ["in one response"], measurements)
      })

    func client(_ client: CannedClient) throws -> ApolloClient {
      ApolloClient(networkTransport: HTTPNetworkTransport(url: url, client: client))
    }
  }

  /// The response with its list of friends empty, and a part for each friend.
  private func pieces(ofFriendsIn whole: Data) throws -> [Data] {
    // The friends have no objects within them, so their text can be split. Their keys stay in the
    // order of the selections, as servers write them.
    let whole = String(decoding: whole, as: UTF8.self)
    guard let start = whole.range(of: #""friends":["#)?.upperBound,
      let end = whole.range(of: "]", options: .backwards)?.lowerBound
    else { throw HTTPFailure() }
    let friends = whole[start..<end].components(separatedBy: "},{").map {
      "{" + $0.trimmingCharacters(in: ["{", "}"]) + "}"
    }
    let delimiter = "\r\n--graphql\r\nContent-Type: application/json\r\n\r\n"
    let pending = #""pending":[{"id":"0","path":["hero","friends"]}],"hasNext":true"#
    var text = "\(delimiter)\(whole[..<start])\(whole[end...].dropLast()),\(pending)}"
    for (index, friend) in friends.enumerated() {
      let isLast = index == friends.count - 1
      let end = isLast ? #","completed":[{"id":"0"}],"hasNext":false"# : #","hasNext":true"#
      text += "\(delimiter){\"incremental\":[{\"id\":\"0\",\"items\":[\(friend)]}]\(end)}"
    }
    let bytes = Array((text + "\r\n--graphql--\r\n").utf8)
    return stride(from: 0, to: bytes.count, by: 64 << 10).map { start in
      Data(bytes[start..<min(start + (64 << 10), bytes.count)])
    }
  }

  /// A client without a network that has one response for every request.
  private final class CannedClient: HTTPClient {
    let limits = TransferLimits()
    private let response: HTTPURLResponse
    private let pieces: [Data]

    init(_ url: URL, _ type: String, _ pieces: [Data]) throws {
      let response = HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Content-Type": type])
      guard let response else { throw HTTPFailure() }
      self.response = response
      self.pieces = pieces
    }

    func response(to request: URLRequest) async throws -> HTTPResponse {
      let pieces = pieces
      return HTTPResponse(
        response: response,
        chunks: AsyncThrowingStream { continuation in
          for piece in pieces { continuation.yield(piece) }
          continuation.finish()
        })
    }

    func invalidate() {}
  }
#endif
