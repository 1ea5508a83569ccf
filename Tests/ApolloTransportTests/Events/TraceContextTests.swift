import ApolloTransport
import Testing

struct TraceContextTests {
  private let traceID = "0af7651916cd43dd8448eb211c80319c"
  private let spanID = "b7ad6b7169203331"

  @Test(arguments: [true, false])
  func readsWhatItWrites(isSampled: Bool) throws {
    let context = TraceContext(isSampled: isSampled)
    let read = try #require(TraceContext(traceparent: context.traceparent))
    #expect(read == context)
    #expect(read.isSampled == isSampled)
  }

  @Test func readsBothHeaders() throws {
    let context = try #require(
      TraceContext(traceparent: "00-\(traceID)-\(spanID)-01", tracestate: "vendor=1,other=2"))
    #expect(context.traceID == traceID)
    #expect(context.spanID == spanID)
    #expect(context.isSampled)
    #expect(
      context.headers == [
        "traceparent": "00-\(traceID)-\(spanID)-01", "tracestate": "vendor=1,other=2",
      ])
  }

  @Test func aChildHasTheTraceAndASpanOfItsOwn() throws {
    let parent = try #require(
      TraceContext(traceparent: "00-\(traceID)-\(spanID)-01", tracestate: "vendor=1"))
    let child = parent.child()
    #expect(child.traceID == traceID)
    #expect(child.spanID != spanID)
    #expect(child.tracestate == "vendor=1")
  }

  @Test func readsLaterVersions() {
    #expect(TraceContext(traceparent: "cc-\(traceID)-\(spanID)-03-later")?.isSampled == true)
  }

  @Test(arguments: [
    nil, "", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
    "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "00-00000000000000000000000000000000-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
    "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-extra",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
  ])
  func rejectsAMalformedParent(_ traceparent: String?) {
    #expect(TraceContext(traceparent: traceparent) == nil)
  }

  @Test(arguments: ["a\r\nb", "", "é", String(repeating: "x", count: 513)])
  func leavesAMalformedStateOut(_ tracestate: String) {
    let context = TraceContext(traceparent: "00-\(traceID)-\(spanID)-01", tracestate: tracestate)
    #expect(context != nil)
    #expect(context?.tracestate == nil)
  }
}
