#!/usr/bin/env bash
# Version: ws 8.11.0 for Node (Debian 12).
#
# Behaviour: a WebSocketServer without 'handleProtocols' selects the first subprotocol that the
# client offers, whatever it is. A client that offers 'graphql-ws' and then 'graphql-transport-ws'
# gets the former, and one that offers 'anything' gets that.
#
# Seen: "offered graphql-ws graphql-transport-ws: graphql-ws; offered anything: anything; offered
# nothing: none".
#
# Why it surprises: a server that speaks one protocol of GraphQL and forgets the option confirms the
# other one. RFC 6455 has the server select what it is ready to use, and the client believes it.
# Both then speak different protocols on an open connection, where 'start' of one is an unknown type
# of the other, and the order of a client's list decides whether it works.
#
# Source: RFC 6455, 4.2.2 (item 5, subprotocol); ws's documentation, doc/ws.md, handleProtocols;
# lib/websocket-server.js, completeUpgrade.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program node "nodejs node-ws=8.11.0"
seen=$(NODE_PATH=/usr/share/nodejs node - <<'END'
const { WebSocket, WebSocketServer } = require("ws");
const server = new WebSocketServer({ host: "127.0.0.1", port: 0 }, async () => {
  const selected = (offered) => new Promise((resolve, reject) => {
    const client = new WebSocket(`ws://127.0.0.1:${server.address().port}/`, offered);
    client.on("error", reject);
    client.on("open", () => client.close());
    client.on("close", () => resolve(client.protocol || "none"));
  });
  const results = [];
  for (const offered of [["graphql-ws", "graphql-transport-ws"], ["anything"], []]) {
    results.push(`offered ${offered.join(" ") || "nothing"}: ${await selected(offered)}`);
  }
  console.log(results.join("; "));
  server.close();
});
END
)
expect "Selected" "$seen" \
  "offered graphql-ws graphql-transport-ws: graphql-ws; offered anything: anything; offered nothing: none"
