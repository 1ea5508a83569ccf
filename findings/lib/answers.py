"""A server of HTTP that answers each request with JSON."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

def serve(answer):
    """Answers each POST with what `answer` makes of its JSON and its path, or closes the connection
    where that is None. Returns the server's address, which ends with its port."""
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            sent = json.loads(self.rfile.read(int(self.headers["content-length"])))
            result = answer(sent, self.path)
            if result is None:
                self.close_connection = True
                return
            body = json.dumps(result).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
