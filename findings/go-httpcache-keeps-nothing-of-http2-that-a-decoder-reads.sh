#!/usr/bin/env bash
# Version: gregjones/httpcache 0.0~git20180305 (Debian 12) with Go 1.19.
#
# Behaviour: a client sends a persisted query by GET three times, and the response may be kept for a
# minute. Where the client reads the whole body and decodes it then, the server is asked once. Where
# it decodes from the body, 'json.NewDecoder(response.Body).Decode(&result)', and closes the body,
# the server is asked each time over HTTP/2, and over HTTP/1.1 if the last chunk comes a moment
# behind the data. If it reads what is left of the body before it closes it, all are kept.
#
# Seen: "read whole: HTTP/1.1 1, late last chunk 1, HTTP/2 1; decoded: HTTP/1.1 1, late last chunk
# 3, HTTP/2 3; decoded, then read to the end: HTTP/1.1 1, late last chunk 1, HTTP/2 1".
#
# Why it surprises: the transport stores a response when its reader has met the end. A decoder stops
# at the last brace, which is the end of the JSON and not of the body. To decode from the body is
# how most programs of Go do it, the result is right, and a test with a server of HTTP/1.1 has a
# hit. The same program behind TLS, where HTTP/2 is agreed on, has a cache that stays empty,
# without an error.
#
# Source: httpcache.go, RoundTrip and cachingReadCloser ("Delay caching until EOF is reached"); Go's
# documentation, encoding/json, Decoder.Decode (the next value from the input), and io.Reader (the
# end may come with the last bytes or behind them); RFC 9113, 8.1 (END_STREAM may be in an empty
# frame).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program go "golang-go golang-github-gregjones-httpcache-dev=0.0~git20180305.9cad4c3"
cd "$folder"
cat >main.go <<'END'
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/gregjones/httpcache"
)

type result struct{ Data struct{ Hero string } }

// The number of requests that the server sees of three.
func requests(kind string, read func(io.Reader, *result) error) int {
	seen := 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		seen++
		writer.Header().Set("Cache-Control", "max-age=60")
		io.WriteString(writer, `{"data":{"hero":"Leia"}}`)
		if kind == "late last chunk" {
			writer.(http.Flusher).Flush()
			time.Sleep(100 * time.Millisecond)
		}
	}))
	if kind == "HTTP/2" {
		server.EnableHTTP2 = true
		server.StartTLS()
	} else {
		server.Start()
	}
	defer server.Close()
	transport := httpcache.NewMemoryCacheTransport()
	transport.Transport = server.Client().Transport
	for i := 0; i < 3; i++ {
		response, err := transport.Client().Get(server.URL + "/graphql?id=hero")
		if err != nil {
			panic(err)
		}
		var found result
		if err := read(response.Body, &found); err != nil || found.Data.Hero != "Leia" {
			panic(err)
		}
		response.Body.Close()
	}
	return seen
}

func main() {
	ways := []struct {
		name string
		read func(io.Reader, *result) error
	}{
		{"read whole", func(body io.Reader, found *result) error {
			bytes, err := io.ReadAll(body)
			if err != nil {
				return err
			}
			return json.Unmarshal(bytes, found)
		}},
		{"decoded", func(body io.Reader, found *result) error { return json.NewDecoder(body).Decode(found) }},
		{"decoded, then read to the end", func(body io.Reader, found *result) error {
			err := json.NewDecoder(body).Decode(found)
			io.Copy(io.Discard, body)
			return err
		}},
	}
	var seen []string
	for _, way := range ways {
		var counts []string
		for _, kind := range []string{"HTTP/1.1", "late last chunk", "HTTP/2"} {
			counts = append(counts, fmt.Sprintf("%s %d", kind, requests(kind, way.read)))
		}
		seen = append(seen, way.name+": "+strings.Join(counts, ", "))
	}
	fmt.Println(strings.Join(seen, "; "))
}
END
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$folder/go-build GOFLAGS=
expect "Requests of three" "$(go run main.go)" \
  "read whole: HTTP/1.1 1, late last chunk 1, HTTP/2 1; decoded: HTTP/1.1 1, late last chunk 3, HTTP/2 3; decoded, then read to the end: HTTP/1.1 1, late last chunk 1, HTTP/2 1"
