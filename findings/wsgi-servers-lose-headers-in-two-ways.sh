#!/usr/bin/env bash
# Version: gunicorn 27.0.1, waitress 3.0.2, gevent 26.9.0 (pywsgi), Cheroot 11.1.2 (the server of
# CherryPy), Twisted 26.10.0, Tornado 6.6.1, and Python's own wsgiref.
#
# Behaviour: a client sends a token in the header 'X_Token', and 'Baggage' in two lines, as the
# layers of a program that trace a call add them. The application has no token with gunicorn,
# waitress and gevent, and only the second line of the baggage with Cheroot. The status is that of
# the application, and no server says that it has left something out.
#
# Seen: "gunicorn: no token, a=1,b=2; waitress: no token, a=1, b=2; pywsgi: no token, a=1,b=2;
# cheroot: token, b=2; twisted: token, a=1,b=2; tornado: token, a=1,b=2; wsgiref: token, a=1,b=2".
#
# Why it surprises: an application of WSGI runs on any server, and is developed on wsgiref, which
# passes everything on. Names with an underscore are known to be lost in nginx, but here there is no
# proxy. The servers drop them because 'X_Token' and 'X-Token' are one variable, HTTP_X_TOKEN. Two
# lines of a list mean the same as one with a comma (RFC 9110, section 5.3); Cheroot knows which of
# HTTP's own headers are lists, and takes any other for one value.
#
# Source: RFC 9110, 5.3; W3C Baggage, 3 (several lines); gunicorn's setting 'header_map';
# waitress' parser.py; gevent/pywsgi.py; Cheroot's server.py (comma_separated_headers).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages gunicorn==27.0.1 waitress==3.0.2 gevent==26.9.0 cheroot==11.1.2 Twisted==26.10.0 \
  tornado==6.6.1
cat >"$folder/app.py" <<'END'
def app(environment, start_response):
    token = "token" if "HTTP_X_TOKEN" in environment else "no token"
    body = f"{token}, {environment['HTTP_BAGGAGE']}".encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]
END
cat >"$folder/run.py" <<'END'
import sys
from app import app

name, port = sys.argv[1], int(sys.argv[2])
if name == "waitress":
    import waitress
    waitress.serve(app, listen=f"127.0.0.1:{port}")
elif name == "pywsgi":
    from gevent.pywsgi import WSGIServer
    WSGIServer(("127.0.0.1", port), app).serve_forever()
elif name == "cheroot":
    from cheroot.wsgi import Server
    Server(("127.0.0.1", port), app).start()
elif name == "twisted":
    from twisted.internet import reactor
    from twisted.web import server, wsgi
    site = server.Site(wsgi.WSGIResource(reactor, reactor.getThreadPool(), app))
    reactor.listenTCP(port, site, interface="127.0.0.1")
    reactor.run()
elif name == "tornado":
    import tornado.httpserver, tornado.ioloop, tornado.wsgi
    tornado.httpserver.HTTPServer(tornado.wsgi.WSGIContainer(app)).listen(port, "127.0.0.1")
    tornado.ioloop.IOLoop.current().start()
elif name == "wsgiref":
    from wsgiref.simple_server import make_server
    make_server("127.0.0.1", port, app).serve_forever()
END
received_by() {
  port=$(free_port)
  if [[ $1 = gunicorn ]]; then
    gunicorn --chdir "$folder" --bind "127.0.0.1:$port" app:app >"$folder/log" 2>&1 &
  else
    python "$folder/run.py" "$1" "$port" >"$folder/log" 2>&1 &
  fi
  await_port "$port"
  python - "$port" <<'END'
import http.client, sys

connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=20)
connection.putrequest("GET", "/graphql")
connection.putheader("X_Token", "secret")
connection.putheader("Baggage", "a=1")
connection.putheader("Baggage", "b=2")
connection.endheaders()
print(connection.getresponse().read().decode())
END
  kill $!
}
expect "gunicorn" "$(received_by gunicorn)" "no token, a=1,b=2"
expect "waitress" "$(received_by waitress)" "no token, a=1, b=2"
expect "pywsgi" "$(received_by pywsgi)" "no token, a=1,b=2"
expect "cheroot" "$(received_by cheroot)" "token, b=2"
expect "twisted" "$(received_by twisted)" "token, a=1,b=2"
expect "tornado" "$(received_by tornado)" "token, a=1,b=2"
expect "wsgiref" "$(received_by wsgiref)" "token, a=1,b=2"
