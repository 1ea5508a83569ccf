#!/usr/bin/env bash
# Version: nginx 1.22.1, Varnish 7.1.1 and HAProxy 2.6.12 (Debian 12), each as a cache.
#
# Behaviour: a server responds to a query by GET with 'Cache-Control: max-age=8' and 'Date'. Four
# seconds later each cache still has the response. Varnish and HAProxy add 'Age: 4' and leave the
# date as it was. nginx sends no 'Age', and the time of this request as 'Date'. Another cache
# (Varnish) in front of them is asked then for the first time, and once more six seconds later, when
# the response is ten seconds old: in front of nginx it still has the old data, in front of the
# others it has asked the server. With 'proxy_pass_header Date' nginx leaves the date, still without
# 'Age', and the cache in front of it keeps the old data.
#
# Seen: "nginx: no Age, Date 4 s later, then data of 10 s; with the server's Date: no Age, Date 0 s
# later, then data of 10 s; Varnish: Age 4, Date 0 s later, then new data; HAProxy: Age 4, Date 0 s
# later, then new data".
#
# Why it surprises: RFC 9111 has a cache send 'Age' with whatever it has stored. A client that keeps
# objects as long as 'max-age' says, less 'Age', as GraphQL servers with cache hints intend it,
# counts from zero again behind nginx: the data gets up to twice as old as the server allows, and
# with each further nginx by as much again. Nothing in the response shows it.
#
# Source: RFC 9111, 4 (Age must be generated), 4.2.3 and 5.1; nginx's documentation,
# proxy_hide_header and proxy_pass_header (Date is not passed by default).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program nginx nginx=1.22.1
debian_program varnishd varnish=7.1.1
debian_program haproxy haproxy=2.6.12
cat >"$folder/upstream.py" <<'END'
import collections
from email.utils import formatdate

counts = collections.Counter()

def respond(connection, head):
    target = head.split(b" ")[1]
    counts[target] += 1
    data = b'{"data":{"version":%d}}' % counts[target]
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
        b"Cache-Control: max-age=8\r\nDate: %s\r\nContent-Length: %d\r\n\r\n%s"
        % (formatdate(usegmt=True).encode(), len(data), data))
END
serve_upstream
nginx=$(free_port)
serve_nginx "$nginx" <<END
proxy_cache_path $folder/cache keys_zone=queries:1m;
proxy_cache queries;
server {
  listen 127.0.0.1:$nginx;
  location / {
    proxy_pass http://127.0.0.1:$upstream;
  }
  location /dated {
    proxy_pass http://127.0.0.1:$upstream;
    proxy_pass_header Date;
  }
}
END
haproxy=$(free_port)
serve_haproxy "$haproxy" <<END
cache queries
  total-max-size 4
  max-age 60
listen proxy
  bind 127.0.0.1:$haproxy
  http-request cache-use queries
  http-response cache-store queries
  server upstream 127.0.0.1:$upstream
END
varnish=$(free_port)
serve_varnish "$varnish" "$upstream" -p default_grace=0 </dev/null
front=$(free_port)
serve_varnish "$front" "$nginx" -p default_grace=0 <<END
backend varnish { .host = "127.0.0.1"; .port = "$varnish"; }
backend haproxy { .host = "127.0.0.1"; .port = "$haproxy"; }
sub vcl_recv {
  if (req.url ~ "^/varnish") { set req.backend_hint = varnish; }
  elseif (req.url ~ "^/haproxy") { set req.backend_hint = haproxy; }
}
END
seen=$(python3 - "$front" "$nginx" "$varnish" "$haproxy" <<'END'
import json, sys, time, urllib.request
from email.utils import parsedate_to_datetime

front, nginx, varnish, haproxy = sys.argv[1:]
caches = {"nginx": nginx, "dated": nginx, "varnish": varnish, "haproxy": haproxy}
names = {"nginx": "nginx", "dated": "with the server's Date", "varnish": "Varnish", "haproxy": "HAProxy"}

def get(port, path):
    url = f"http://127.0.0.1:{port}/{path}?query=%7Bversion%7D"
    request = urllib.request.Request(url, headers={"Host": "server"})  # a part of some caches' keys
    response = urllib.request.urlopen(request, timeout=10)
    date = parsedate_to_datetime(response.headers["Date"]).timestamp()
    return json.load(response)["data"]["version"], response.headers["Age"], date

def about(seconds):  # Whole seconds round in different ways.
    return 4 if 3 <= seconds <= 5 else 0 if -1 <= seconds <= 1 else seconds

begin = time.time()
dates = {}
for name, port in caches.items():
    version, _, dates[name] = get(port, name)
    assert version == 1
time.sleep(max(0, begin + 4 - time.time()))
seen = {}
for name, port in caches.items():
    version, age, date = get(port, name)
    assert version == get(front, name)[0] == 1
    age = f"Age {about(int(age))}" if age else "no Age"
    seen[name] = f"{age}, Date {about(round(date - dates[name]))} s later"
time.sleep(max(0, begin + 10 - time.time()))
for name in caches:
    seen[name] += ", then data of 10 s" if get(front, name)[0] == 1 else ", then new data"
print("; ".join(f"{names[name]}: {text}" for name, text in seen.items()))
END
)
expect "Responses of caches" "$seen" \
  "nginx: no Age, Date 4 s later, then data of 10 s; with the server's Date: no Age, Date 0 s later, then data of 10 s; Varnish: Age 4, Date 0 s later, then new data; HAProxy: Age 4, Date 0 s later, then new data"
