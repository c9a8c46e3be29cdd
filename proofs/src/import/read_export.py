"""Walks the session export as its documentation says, by `since` alone at limit 100, and holds what
it reads against a file of expected sessions, one JSON object per line, without `created_at`.

Python, because JavaScript cannot be the judge here: V8 now and then takes one key of a parsed
object for another.

    python3 read_export.py http://127.0.0.1:8080 token expected.ndjson
"""

import datetime
import json
import sys
import urllib.request

LIMIT = 100


def fetch(base_url, token, since):
    request = urllib.request.Request(
        "%s/v1/sessions.json?since=%d&limit=%d" % (base_url, since, LIMIT),
        headers={"Authorization": "Bearer " + token},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)["items"]


def unix_seconds(created_at):
    return int(datetime.datetime.fromisoformat(created_at.replace("Z", "+00:00")).timestamp())


def same_text(session):
    """Equal for equal sessions, whatever the order of their keys; true is not 1."""
    return json.dumps(session, sort_keys=True)


def walk(base_url, token, expected):
    stamps = {}
    doubled = 0
    changed = set()
    since = 0
    while True:
        items = fetch(base_url, token, since)
        for item in items:
            created_at = item.pop("created_at")
            if stamps.setdefault(item["id"], created_at) != created_at:
                doubled += 1
            if item["id"] in expected and same_text(item) != expected[item["id"]]:
                changed.add(item["id"])
        last_page = len(items) < LIMIT
        advanced = unix_seconds(created_at) if items else since
        if last_page or advanced == since:
            return {
                "stamps": stamps,
                "doubled": doubled,
                "changed": sorted(changed),
                "stands_still": not last_page,
            }
        since = advanced


base_url, token, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    sessions = [json.loads(line) for line in file]
json.dump(walk(base_url, token, {one["id"]: same_text(one) for one in sessions}), sys.stdout)
