"""A client of the session export, written from the specification alone (sections 2.2, 4.5 and 5).

It shares no code with the service. Orders come as JSON lines on stdin, one thread walks for each:

    {"walk": 1, "by": "since", "format": "json", "limit": 100, "since": 0, "token": "..."}
    {"settled": 1}    nothing more will change: walk on until nothing new comes, then report

Each walk reports once, as a JSON line on stdout.

    python3 export_client.py http://127.0.0.1:8080
"""

import csv
import datetime
import http.client
import io
import json
import random
import re
import sys
import threading
import time
import urllib.parse

COMPLETED = {"abandoned", "processed", "error"}
# Between two looks at an export that has nothing new.
PAUSE_SECS = (0.1, 1.1)
PATIENCE_SECS = 30
# A walk that is still going round after so many pages without anything new goes round for ever.
FRUITLESS_PAGES = 50


class Fault(Exception):
    """The service broke its word."""


class Export:
    """`GET /v1/sessions.json` and `.csv` over one kept-alive connection."""

    def __init__(self, base_url, token):
        self.address = urllib.parse.urlsplit(base_url)
        self.headers = {"Authorization": "Bearer " + token}
        self.connection = None
        self.requests = 0

    def get(self, target):
        """The items of a page, and the address of the next one where the service names it."""
        give_up_at = time.monotonic() + PATIENCE_SECS
        while True:
            try:
                response, body = self.ask(target)
            except (http.client.HTTPException, OSError) as broken:
                self.connection = None
                if time.monotonic() > give_up_at:
                    raise Fault("no answer: %r" % broken)
                time.sleep(0.1)
                continue
            if response.status == 200:
                return read_items(target, body), next_target(response.getheader("Link"))
            busy = response.status in (429, 503)
            if not busy or time.monotonic() > give_up_at:
                raise Fault("status %d for %s: %s" % (response.status, target, body[:200]))
            time.sleep(float(response.getheader("Retry-After") or 1))

    def ask(self, target):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=PATIENCE_SECS)
        self.requests += 1
        self.connection.request("GET", target, headers=self.headers)
        response = self.connection.getresponse()
        return response, response.read()

    def close(self):
        if self.connection is not None:
            self.connection.close()


def read_items(target, body):
    text = body.decode("utf-8")
    if urllib.parse.urlsplit(target).path.endswith(".csv"):
        return list(csv.DictReader(io.StringIO(text, newline="")))
    return json.loads(text)["items"]


def next_target(link):
    match = re.match(r'<([^>]+)>; *rel="next"', link or "")
    if match is None:
        return None
    address = urllib.parse.urlsplit(match.group(1))
    return address.path + "?" + address.query


def unix_time(created_at):
    return datetime.datetime.fromisoformat(created_at.replace("Z", "+00:00")).timestamp()


class Walk(threading.Thread):
    def __init__(self, base_url, order):
        super().__init__(daemon=True)
        self.order = order
        self.export = Export(base_url, order["token"])
        self.settled = threading.Event()
        self.seen = set()
        self.target = self.since(order["since"])

    def since(self, seconds):
        query = {"since": seconds, "limit": self.order["limit"], "fields": "id,created_at,status"}
        return "/v1/sessions.%s?%s" % (self.order["format"], urllib.parse.urlencode(query))

    def run(self):
        fault = None
        try:
            self.walk()
        except Fault as broken:
            fault = str(broken)
        except Exception as surprise:
            fault = "%s: %s" % (type(surprise).__name__, surprise)
        self.export.close()
        report({"walk": self.order["walk"], "ids": sorted(self.seen), "requests": self.export.requests, "fault": fault})

    def walk(self):
        fruitless = 0
        while True:
            nothing_more_can_come = self.settled.is_set()
            items, next_page = self.export.get(self.target)
            new = self.take(items)
            target = self.next(items, next_page)
            moved = target != self.target
            self.target = target
            fruitless = 0 if new else fruitless + 1
            if new:
                continue
            page_is_full = len(items) >= self.order["limit"]
            if page_is_full and (not moved or fruitless > FRUITLESS_PAGES):
                raise Fault("endless loop: a full page brings nothing new at " + target)
            if page_is_full:
                continue
            if nothing_more_can_come:
                return
            self.settled.wait(random.uniform(*PAUSE_SECS))

    def take(self, items):
        """How many of the items are new. Clients dedupe by id."""
        times = [unix_time(item["created_at"]) for item in items]
        if times != sorted(times):
            raise Fault("out of order: %s" % [item["created_at"] for item in items])
        for item in items:
            if item["status"] not in COMPLETED:
                raise Fault("status %s is shown: %s" % (item["status"], item["id"]))
        before = len(self.seen)
        self.seen.update(item["id"] for item in items)
        return len(self.seen) - before

    def next(self, items, next_page):
        """Rule 2 of the specification, or the Link header. An empty page leaves us where we are."""
        if not items:
            return self.target
        if self.order["by"] == "since":
            return self.since(int(unix_time(items[-1]["created_at"])))
        if next_page is None:
            raise Fault("a page with items names no next page: " + self.target)
        return next_page


stdout_lock = threading.Lock()


def report(result):
    with stdout_lock:
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


def main():
    threading.stack_size(512 * 1024)
    walks = {}
    for line in sys.stdin:
        order = json.loads(line)
        if "settled" in order:
            walks.pop(order["settled"]).settled.set()
        else:
            walks[order["walk"]] = Walk(sys.argv[1], order)
            walks[order["walk"]].start()


main()
