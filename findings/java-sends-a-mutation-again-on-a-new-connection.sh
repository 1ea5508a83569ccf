#!/usr/bin/env bash
# Version: OpenJDK 17 with its HttpURLConnection and its java.net.http.HttpClient, OkHttp 3.13.1 and
# Apache HttpClient 4.5.14 (Debian 12).
#
# Behaviour: a server carries out a mutation, which comes by POST, and closes the connection in
# place of a response, as one does that is stopped. HttpURLConnection connects again and sends the
# POST once more: with 200 for the second, the caller sees a success, and the mutation is carried
# out twice. It does so on the first connection of the program, too. OkHttp does it only where a
# query has used the connection before. The two others send it once and raise. With
# 'setFixedLengthStreamingMode', and with -Dsun.net.http.retryPost=false, so does HttpURLConnection.
#
# Seen, as times sent and what the caller sees: "HttpURLConnection: new 2 success, used 2 success;
# streaming: new 1 raises, used 1 raises; retryPost=false: new 1 raises, used 1 raises; OkHttp: new
# 1 raises, used 2 success; Apache: new 1 raises, used 1 raises; java.net.http: new 1 raises, used 1
# raises".
#
# Why it surprises: that a client repeats a POST on a connection that has been idle is said of many,
# and defended by the server's closing it at that moment. Here there is no such moment: the request
# was read whole, on a connection of its own. OkHttp, on which the GraphQL clients of Android are
# built, has an option named after failures to connect for it, which is on.
#
# Source: RFC 9110, 9.2.2 (a client should not automatically retry a method that is not idempotent);
# sun/net/www/http/HttpClient.java, parseHTTPHeader (failedOnce, retryPostProp); OkHttp's
# RetryAndFollowUpInterceptor.recover (retryOnConnectionFailure).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program javac "openjdk-17-jdk-headless libokhttp-java=3.13.1 libhttpclient-java=4.5.14"
cat >"$folder/Caller.java" <<'END'
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.entity.StringEntity;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

public class Caller {
  interface Post {
    String send(String body) throws Exception;
  }

  static Post client(String name, URI address) {
    if (name.equals("OkHttp")) {
      var client = new OkHttpClient();
      return body -> {
        var content = RequestBody.create(MediaType.parse("application/json"), body);
        try (var response = client.newCall(new Request.Builder().url(address.toString()).post(content).build()).execute()) {
          return response.body().string();
        }
      };
    }
    if (name.equals("Apache")) {
      var client = HttpClients.createDefault();
      return body -> {
        var request = new HttpPost(address);
        request.setEntity(new StringEntity(body));
        try (var response = client.execute(request)) {
          return EntityUtils.toString(response.getEntity());
        }
      };
    }
    if (name.equals("java.net.http")) {
      var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
      return body -> client.send(
          HttpRequest.newBuilder(address).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
          HttpResponse.BodyHandlers.ofString()).body();
    }
    return body -> {
      var connection = (HttpURLConnection) address.toURL().openConnection();
      connection.setRequestMethod("POST");
      connection.setDoOutput(true);
      if (name.equals("streaming")) connection.setFixedLengthStreamingMode(body.length());
      connection.getOutputStream().write(body.getBytes());
      return new String(connection.getInputStream().readAllBytes());
    };
  }

  // Prints how often the server had the mutation, and what the caller saw of it.
  public static void main(String[] arguments) throws Exception {
    var address = URI.create("http://127.0.0.1:" + arguments[1] + "/");
    var post = client(arguments[0], address);
    if (arguments[2].equals("used")) post.send("{ ready }");
    var seen = "success";
    try {
      post.send("mutation { book }");
    } catch (java.io.IOException error) {
      seen = "raises";
    }
    System.out.println(client("streaming", address).send("{ bookings }") + " " + seen);
    System.exit(0);
  }
}
END
cat >"$folder/server.py" <<'END'
import socket
import sys
import threading

bookings = 0

def serve(connection):
    global bookings
    reader = connection.makefile("rb")
    while reader.readline():
        length = 0
        while (field := reader.readline().strip()):
            name, _, value = field.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        body = reader.read(length)
        if body == b"mutation { book }":
            bookings += 1
            if bookings == 1:
                break
        response = str(bookings).encode()
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(response) + response)
    connection.shutdown(socket.SHUT_RDWR)

with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listener:
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
END
jars=/usr/share/java
export CLASSPATH=$folder:$jars/okhttp.jar:$jars/okio.jar:$jars/httpclient.jar:$jars/httpcore.jar:$jars/commons-logging.jar:$jars/commons-codec.jar
javac -d "$folder" "$folder/Caller.java"
# Calls a server of its own, which closes the connection of the first mutation that it gets.
call() {
  local port
  port=$(free_port)
  python3 "$folder/server.py" "$port" &
  await_port "$port"
  java "-Dsun.net.http.retryPost=$([[ $1 == retryPost=false ]] && echo false || echo true)" Caller "$1" "$port" "$2"
  kill $!
}
seen=
for client in HttpURLConnection streaming retryPost=false OkHttp Apache java.net.http; do
  seen+="; $client: new $(call "$client" new), used $(call "$client" used)"
done
expect "seen" "${seen#; }" \
  "HttpURLConnection: new 2 success, used 2 success; streaming: new 1 raises, used 1 raises; retryPost=false: new 1 raises, used 1 raises; OkHttp: new 1 raises, used 2 success; Apache: new 1 raises, used 1 raises; java.net.http: new 1 raises, used 1 raises"
