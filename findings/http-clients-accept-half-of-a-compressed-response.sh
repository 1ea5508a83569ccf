#!/usr/bin/env bash
# Version: curl 7.88.1 (Debian 12); requests 2.34.2 (urllib3 2.8.0), httpx 0.28.1 and aiohttp
# 3.14.5 of Python; fetch of Node.js 20.20.
#
# Behaviour: half of a gzip stream arrives in a body that has the announced length, as behind a
# proxy that ends a lost response cleanly. Each of the five decompresses what is there and reports
# a complete response. So they do when the trailer alone is missing, and when five bytes have
# arrived and nothing can be decompressed. Of half of 'deflate' aiohttp reports an error, and the
# others do not. A trailer with a wrong length is an error for curl, so that it does look at it.
#
# Seen: "gzip, half: part of it, success; without trailer: all of it, success; five bytes:
# nothing, success" for each; "deflate, half: part of it, success" for all but aiohttp, which
# fails; "curl, gzip with a wrong trailer: exit 61".
#
# Why it surprises: gzip has an end, a checksum and a length, and a decompressor knows whether it
# has met them. An uncompressed response that is cut cleanly looks complete; here the proof of the
# contrary is in the client's hand. In JSON the parser notices, and blames the server's JSON. A
# stream of events, or of lines, has just ended early, and an empty text may pass for no response.
#
# Source: RFC 1952, 2.3.1 (the members of the trailer); RFC 9112, 8 (a message is incomplete by
# its framing alone); this run.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program curl curl=7.88.1
debian_program node nodejs
python_packages requests==2.34.2 urllib3==2.8.0 httpx==0.28.1 aiohttp==3.14.5
cat >"$folder/upstream.py" <<'END'
import gzip, zlib

TEXT = b"".join(b"data: %d\n\n" % number for number in range(20000))
CODED = {"gzip": gzip.compress(TEXT), "deflate": zlib.compress(TEXT)}
CUTS = {
    "whole": lambda coded: coded,
    "half": lambda coded: coded[:len(coded) // 2],
    "untrailed": lambda coded: coded[:-8],
    "five": lambda coded: coded[:5],
    "wrong": lambda coded: coded[:-4] + b"\0\0\0\0",
}

def respond(connection, head):
    _, coding, cut = head.split()[1].decode().split("/")
    body = CUTS[cut](CODED[coding])
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n"
        b"Content-Encoding: %s\r\nContent-Length: %d\r\n\r\n%s" % (coding.encode(), len(body), body))
END
serve_upstream
cat >"$folder/read.py" <<'END'
import asyncio, sys

client, url = sys.argv[1:]

async def read():
    import aiohttp
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return await response.read()

try:
    if client == "aiohttp":
        text = asyncio.run(read())
    else:
        text = __import__(client).get(url).content
    print(len(text))
except Exception as error:
    print(type(error).__name__)
END
cat >"$folder/read.js" <<'END'
fetch(process.argv[2]).then((response) => response.text()).then((text) => console.log(text.length))
  .catch((error) => console.log(error.name));
END
length() {
  local url=http://127.0.0.1:$upstream/$2 code=0
  case $1 in
    curl) curl --silent --compressed --output "$folder/text" "$url" || code=$?
      if [ "$code" = 0 ]; then wc -c <"$folder/text"; else echo "exit $code"; fi ;;
    fetch) node "$folder/read.js" "$url" ;;
    *) python "$folder/read.py" "$1" "$url" ;;
  esac
}
read_text() {
  local seen
  rm -f "$folder/text"
  touch "$folder/text"
  seen=$(length "$1" "$2")
  case $seen in
    *[!0-9]*) echo "$seen" ;;
    0) echo "nothing, success" ;;
    "$all") echo "all of it, success" ;;
    *) echo "part of it, success" ;;
  esac
}
all=$(length curl gzip/whole)
for client in curl requests httpx aiohttp fetch; do
  expect "$client" \
    "gzip, half: $(read_text $client gzip/half); without trailer: $(read_text $client gzip/untrailed); five bytes: $(read_text $client gzip/five)" \
    "gzip, half: part of it, success; without trailer: all of it, success; five bytes: nothing, success"
done
for client in curl requests httpx fetch; do
  expect "$client, deflate, half" "$(read_text $client deflate/half)" "part of it, success"
done
expect "aiohttp, deflate, half" "$(read_text aiohttp deflate/half)" ClientResponseError
expect "curl, gzip with a wrong trailer" "$(read_text curl gzip/wrong)" "exit 61"
