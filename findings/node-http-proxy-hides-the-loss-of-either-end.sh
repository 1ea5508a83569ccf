#!/usr/bin/env bash
# Version: http-proxy 1.18.1 for Node (Debian 12), with Node.js 20.20.
#
# Behaviour: a client leaves a stream of events that comes through the proxy. The proxy keeps its
# connection to the server, reads each event that follows and drops it: for the server the client
# is still there. In the other direction, a server ends its connection in the midst of a body,
# with chunks or with a length. The proxy keeps the client's connection open and sends nothing
# more: neither an end nor a failure. A stream that the server ends as it should is passed on.
#
# Seen: "client left: server still sends after 20 events; server lost, chunks: open after 3 s;
# server lost, length: open after 3 s; server done: ended".
#
# Why it surprises: each direction is a pipe, and a closed one is expected to close the other. The
# package is the proxy of many development servers, where each reload of a page leaves a
# subscription running at the server. And a client that waits for the rest has nothing to go by
# but its own limit of silence: nginx, HAProxy and Caddy end the response, cleanly or not.
#
# Source: http-proxy's lib/http-proxy/passes/web-incoming.js (it waits for 'aborted' of a request
# and pipes the response); Node's documentation, http.IncomingMessage ('aborted' and 'close') and
# readable.pipe (an error of the source does not end the destination).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program node "nodejs node-http-proxy=1.18.1"
seen=$(NODE_PATH=/usr/share/nodejs node - <<'END'
const http = require("http"), net = require("net"), { once } = require("events");
const proxies = require("http-proxy");
const listen = async (server) => once(server.listen(0, "127.0.0.1"), "listening");
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Serves one connection with `respond`, through the proxy, and calls `use` with a client that has
// sent its request and received the first bytes.
async function through(respond, use) {
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => respond(socket));
  });
  await listen(server);
  const proxy = proxies.createProxyServer({ target: `http://127.0.0.1:${server.address().port}` });
  proxy.on("error", () => {});
  const front = http.createServer((request, response) => proxy.web(request, response));
  await listen(front);
  const client = net.connect(front.address().port, "127.0.0.1");
  client.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  await once(client, "data");
  return use(client);
}

const head = (framing) => `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n${framing}\r\n\r\n`;
const chunked = head("Transfer-Encoding: chunked") + "9\r\ndata: 0\n\n\r\n";

async function leave() {
  let events = 0, told = false;
  const respond = (socket) => {
    socket.write(chunked);
    const timer = setInterval(() => events++ < 20 && socket.write("9\r\ndata: 1\n\n\r\n"), 50);
    socket.on("close", () => { told = true; clearInterval(timer); });
  };
  return through(respond, async (client) => {
    client.destroy();
    while (events < 20 && !told) await wait(50);
    await wait(1000);
    return told ? "server told" : `server still sends after ${Math.min(events, 20)} events`;
  });
}

const lose = (first, last) => through(
  (socket) => { socket.write(first); setTimeout(() => socket.end(last), 200); },
  (client) => Promise.race([
    once(client.resume(), "close").then(() => "ended"), wait(3000).then(() => "open after 3 s")]));

(async () => {
  console.log([
    `client left: ${await leave()}`,
    `server lost, chunks: ${await lose(chunked)}`,
    `server lost, length: ${await lose(head("Content-Length: 99") + "data: 0\n\n")}`,
    `server done: ${await lose(chunked, "0\r\n\r\n")}`].join("; "));
  process.exit();
})();
END
)
expect "Behind http-proxy" "$seen" \
  "client left: server still sends after 20 events; server lost, chunks: open after 3 s; server lost, length: open after 3 s; server done: ended"
