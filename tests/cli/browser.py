"""browser.py - a page in headless Chromium, driven through the DevTools protocol over two pipes: nothing but Python's own library.

    browser.py PAGE STEP...      runs the steps in order, in one browser, and prints what `value` steps say, a line each

    value EXPRESSION     prints the value of a JavaScript expression; a promise is awaited
    until EXPRESSION     waits until it is true, at most 30 seconds
    key NAME             presses a key, as a keyboard does: Tab, Enter, Escape, or a letter
    type TEXT            types into what has the focus
    light, dark          the colour scheme that the page is told
    screen WxH           the size of the window, in CSS pixels; a width below 600 is a phone
    open PAGE            another page
    picture FILE, whole FILE    a screenshot of the window, or of the whole page
    print FILE           a PDF, and prints how many pages it has
    paper WxH            the size of its pages, in centimetres; without this step 21x29.7
    source FILE          the page as it is now, as HTML
    seconds              prints the seconds from the start of navigation to the first paint, and to the load event

It fails if the page writes to the console, throws, or asks for anything but itself.
"""
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import time

KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "Space": 32}


class Browser:
    def __init__(self, profile):
        down_read, self.down = os.pipe()
        self.up, up_write = os.pipe()

        def place():  # Chromium reads from 3 and writes to 4
            first, second = os.dup(down_read), os.dup(up_write)
            os.dup2(first, 3)
            os.dup2(second, 4)

        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--disable-dev-shm-usage",
                   "--no-first-run", "--disable-extensions", "--user-data-dir=" + profile, "about:blank"]
        self.process = subprocess.Popen(command, close_fds=False, preexec_fn=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(down_read)
        os.close(up_write)
        self.number, self.buffer, self.session, self.events = 0, b"", None, []
        self.faults, self.page = [], ""
        self.paper = (21, 29.7)

    def read(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.up, 1 << 20)
            if not piece:
                raise SystemExit("Chromium has ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.down, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]
            self.take(answer)

    def take(self, event):
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.faults.append("thrown: " + json.dumps(params["exceptionDetails"])[:600])
        elif method in ("Runtime.consoleAPICalled", "Log.entryAdded"):
            self.faults.append("console: " + json.dumps(params)[:600])
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if url.split("#")[0] != self.page and not url.startswith(("data:", "blob:")):
                self.faults.append("request: " + url)
        elif method == "Page.loadEventFired":
            self.events.append("load")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise SystemExit("%s: %s" % (expression, json.dumps(answer["exceptionDetails"])[:600]))
        return answer["result"].get("value")

    def open(self, path):
        self.page, self.events = "file://" + os.path.realpath(path), []
        self.call("Page.navigate", url=self.page)
        while not self.events:
            self.take(self.read())

    def start(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def until(self, expression):
        end = time.time() + 30
        while not self.evaluate("!!(" + expression + ")"):
            if time.time() > end:
                raise SystemExit("not within 30 seconds: " + expression)
            time.sleep(0.02)

    def key(self, name):
        code = KEYS.get(name, ord(name[0].upper()))
        text = {"Enter": "\r", "Space": " "}.get(name, name if len(name) == 1 else "")
        how = {"key": " " if name == "Space" else name, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **how)
        self.call("Input.dispatchKeyEvent", type="keyUp", **how)

    def screen(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def step(self, words):
        name = words.pop(0)
        if name == "value":
            print(self.evaluate(words.pop(0)), flush=True)
        elif name == "until":
            self.until(words.pop(0))
        elif name == "key":
            self.key(words.pop(0))
        elif name == "type":
            self.call("Input.insertText", text=words.pop(0))
        elif name in ("light", "dark"):
            self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])
        elif name == "screen":
            self.screen(*map(int, words.pop(0).split("x")))
        elif name == "open":
            self.open(words.pop(0))
        elif name in ("picture", "whole"):
            picture = self.call("Page.captureScreenshot", captureBeyondViewport=name == "whole")
            open(words.pop(0), "wb").write(base64.b64decode(picture["data"]))
        elif name == "source":
            open(words.pop(0), "w").write("<!DOCTYPE html>\n" + self.evaluate("document.documentElement.outerHTML"))
        elif name == "print":
            width, height = (size / 2.54 for size in self.paper)
            pdf = base64.b64decode(self.call("Page.printToPDF", printBackground=False, paperWidth=width, paperHeight=height)["data"])
            open(words.pop(0), "wb").write(pdf)
            print(len(re.findall(rb"/Type */Page\b", pdf)), flush=True)
        elif name == "paper":
            self.paper = tuple(map(float, words.pop(0).split("x")))
        elif name == "seconds":
            print(self.evaluate("[...performance.getEntriesByType('paint').map((e) => (e.startTime / 1000).toFixed(2)).slice(0, 1), "
                                "(performance.getEntriesByType('navigation')[0].loadEventEnd / 1000).toFixed(2)].join(' ')"), flush=True)
        else:
            raise SystemExit("no such step: " + name)


def main():
    profile = tempfile.mkdtemp(dir=".")  # the test's folder, which is removed with it: Chromium's children outlive it for a moment
    browser = Browser(profile)
    try:
        browser.start()
        browser.screen(1200, 900)
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
        words = ["open"] + sys.argv[1:]
        while words:
            browser.step(words)
        browser.evaluate("0")
    finally:
        browser.process.kill()
        browser.process.wait()
    if browser.faults:
        raise SystemExit("\n".join(browser.faults))


main()
