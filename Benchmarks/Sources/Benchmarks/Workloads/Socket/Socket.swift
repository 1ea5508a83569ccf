/// Messages of WebSockets: their framing in memory, and from a server on the same machine.
#if os(Linux)
  let socket = [masking, framing, smallMessages, echoes, liveSubscriptions].flatMap(\.self)
#else
  let socket = [masking, framing].flatMap(\.self)
#endif
