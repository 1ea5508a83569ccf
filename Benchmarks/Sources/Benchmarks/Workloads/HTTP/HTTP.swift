/// Requests to a server on the same machine, beside libcurl in C and a bare `URLSession`.
#if os(Linux)
  let http = [
    smallRequests, concurrentRequests, largeResponses, requestMemory, responsesInParts, uploads,
    events, firstFetch, callInstructions,
  ].flatMap(\.self)
#else
  let http: [ExperimentMaker] = []
#endif
