"""Checks the page of `apollo-cli cache serve` in Chromium; scripts/cache-page runs it.

Chromium is driven over its debugging pipe: messages of JSON that end with a zero byte.
"""

import base64
import json
import os
import subprocess
import sys
import time

tool, scratch, shots = sys.argv[1:]
cache = os.path.join(scratch, "cache.sqlite")
NOW = time.time()


def load(records):
    """Merges records into the cache, as another process than the page's server."""
    lines = [{"apolloCache": 1}, *records, {"apolloCache": 1, "records": len(records)}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    subprocess.run([tool, "cache", "import", "-q", cache], input=text, text=True, check=True)


def record(key, age, operation, **fields):
    return {"key": key, "fields": fields,
            "writes": [{"time": NOW - age, "operation": operation}]}


def reference(key):
    return {"$reference": key}


class Page:
    """A tab of Chromium."""

    def __init__(self):
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def descriptors():
            # Chromium reads 3 and writes 4; the copies keep both free until then.
            one, two = os.dup(to_browser), os.dup(from_browser)
            high = [os.dup(fd) for fd in (one, two)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--window-size=1280,800",
             f"--user-data-dir={scratch}/profile", "--remote-debugging-pipe"],
            preexec_fn=descriptors, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.rest, self.last, self.session = b"", 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def call(self, method, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                part = os.read(self.input, 1 << 16)
                if not part:
                    sys.exit("error: Chromium has ended.")
                self.rest += part
            line, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self.last:
                if "error" in answer:
                    sys.exit(f"error: {method}: {answer['error']}")
                return answer["result"]

    def value(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        return result["result"].get("value")

    def expect(self, what, script):
        """Waits until a condition is true in the page, for ten seconds."""
        for _ in range(200):
            if self.value(f"!!({script})"):
                print(f"✓ {what}")
                return
            time.sleep(0.05)
        self.shot("failure")
        sys.exit(f"error: {what}: not so. The page shows:\n{self.value('document.body.innerText')}")

    def shot(self, name):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(os.path.join(shots, name + ".png"), "wb") as file:
            file.write(base64.b64decode(data))


load([
    record("QUERY_ROOT", 7300, "Hero", hero=reference("Hero:1")),
    record("Hero:1", 7300, "Hero", __typename="Hero", name="Luke", height=1.72,
           friends=[reference("Hero:2"), reference("Hero:9")]),
    record("Hero:2", 90, "Friend", __typename="Hero", name="Leia", friend=reference("Hero:1")),
    record("Hero:3", 200000, "Old", __typename="Hero", name="<b>Han</b>"),
])
server = subprocess.Popen([tool, "cache", "serve", cache], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
page = None
try:
    address = server.stdout.readline().strip()
    page = Page()
    page.call("Page.navigate", url=address)
    text = "document.querySelector('#record').innerText"
    page.expect("the page is live", "document.querySelector('#live.on')")
    page.expect("the list has the four records",
                "document.querySelectorAll('#records a').length === 4")
    page.shot("list")
    choose = "[...document.querySelectorAll('#records a')].find(a => a.innerText.includes('%s')).click()"
    page.value(choose % "Hero:1")
    page.expect("a record has its fields", f"{text}.includes('Luke') && {text}.includes('1.72')")
    page.expect("its age is shown, with the operation that wrote it",
                f"/2 h/.test({text}) && {text}.includes('Hero')")
    page.expect("a dangling reference is marked",
                "document.querySelector('#record a.dangling').textContent === 'Hero:9'")
    page.expect("the records that refer to it are listed",
                "['QUERY_ROOT', 'Hero:2'].every(key => [...document.querySelectorAll("
                "'.referrers a')].some(a => a.textContent === key))")
    page.shot("record")
    page.value("[...document.querySelectorAll('#record .value a')]"
               ".find(a => a.textContent === 'Hero:2').click()")
    page.expect("a reference leads to its record",
                "document.querySelector('#record h2').textContent.includes('Hero:2')")
    page.value("[...document.querySelectorAll('.referrers a')]"
               ".find(a => a.textContent === 'Hero:1').click()")
    page.expect("a referrer leads back",
                "document.querySelector('#record h2').textContent.includes('Hero:1')")
    load([record("Hero:1", 0, "Rename", name="Anakin"),
          record("Hero:4", 0, "Rename", __typename="Hero", name="R2-D2")])
    page.expect("a change of another process is shown live",
                f"{text}.includes('Anakin') && document.querySelectorAll('#records a').length === 5")
    page.shot("change")
    page.value(choose % "Hero:3")
    page.expect("data is shown as text, never as HTML",
                f"{text}.includes('<b>Han</b>') && !document.querySelector('#record td b')")
    page.shot("unreachable")
finally:
    if page:
        page.process.kill()
        page.process.wait()
    server.terminate()
    server.wait()
print(f"Screenshots: {shots}")
