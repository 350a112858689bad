"""A client of Linewarden in one file: Python 3.9 or newer, and nothing beside it. Copy it into your project.

    python3 linewarden.py http://127.0.0.1:8080 admin BJ01-T1 1 ["reason"]

asks for the password (of a KeyID in place of the account: for its secret), prints the line's values and states, and trips it when
you give a reason.
How requests are signed: docs/security.md. All calls: GET /api/docs/json of your server.
"""

from __future__ import annotations

import base64
import getpass
import hashlib
import hmac
import json
import secrets
import string
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from email.utils import parsedate_to_datetime
from typing import Any, Mapping, Optional, TypedDict, cast

API = "/api/v1"


class LineState(TypedDict):
    """What the line reported. Values by slot, as GET .../readings names them in Points; null: not reported."""

    Values: list[Optional[float]]
    States: dict[str, str]
    Quality: str


class Line(TypedDict):
    """The fields of GET /lines/{ControllerID}/{LineNo} that are used here; there are more."""

    LineID: int
    LineName: str
    HouseName: str
    Link: dict[str, Any]
    State: LineState


class Command(TypedDict):
    """An order and how far it has come. Only `verified` means that the equipment reported the position."""

    CommandID: str
    State: str
    Outcome: Optional[str]


class Refused(Exception):
    """The server understood and said no. `message` never changes its meaning; `text` is for people."""

    def __init__(self, status: int, envelope: Mapping[str, Any]) -> None:
        self.status = status
        self.message = str(envelope.get("Message", ""))
        self.text = str((envelope.get("Text") or {}).get("en", self.message))
        self.envelope = envelope
        super().__init__(f"{self.message} (HTTP {status}): {self.text}")


def sign(*, nonce: str, time_stamp: int, user_id: str, token: str, method: str, path: str, body: bytes) -> str:
    """The signature of a request: HMAC-SHA-256 of seven lines, keyed by the token. Path with the query, and body, as they are sent."""
    lines = ["LINEWARDEN-2", method, path, str(time_stamp), nonce, user_id, hashlib.sha256(body).hexdigest()]
    return hmac.new(token.encode(), "\n".join(lines).encode(), hashlib.sha256).hexdigest()


class Linewarden:
    """One session. `url` such as https://linewarden.example.com."""

    def __init__(self, url: str, timeout: float = 30) -> None:
        self._url = url.rstrip("/")
        self._timeout = timeout
        self._user_id = ""
        self._token = ""
        self._skew = 0.0

    def sign_in(self, user_name: str, password: str) -> None:
        """The password goes over the wire as its MD5: use https."""
        md5 = hashlib.md5(password.encode()).hexdigest()
        data = self.call("PUT", "/users/login", {"UserName": user_name, "Password": md5})
        self._user_id, self._token = data["UserID"], data["Token"]

    def sign_in_by_key(self, key_id: str, secret: str) -> None:
        """By an API key, as /system/keys showed it once."""
        data = self.call("PUT", "/users/login/key", {"KeyID": key_id, "Secret": secret})
        self._user_id, self._token = data["UserID"], data["Token"]

    def sign_out(self) -> None:
        self.call("PUT", "/users/logout", {"UserID": self._user_id})
        self._user_id = self._token = ""

    def line(self, controller_id: str, line_no: int) -> Line:
        return cast(Line, self.call("GET", f"/lines/{_part(controller_id)}/{line_no}"))

    def trip(self, controller_id: str, line_no: int, reason: str, command_id: Optional[str] = None) -> Command:
        """Opens the line. Sent again with the same command_id it is the same order: never a second one."""
        body = {"CommandID": command_id or str(uuid.uuid4()), "Reason": reason}
        return cast(Command, self.call("PUT", f"/lines/{_part(controller_id)}/{line_no}/trip", body))

    def wait(self, controller_id: str, line_no: int, command_id: str, seconds: float = 40) -> Command:
        """The order once it has ended, or as it stands after so many seconds."""
        until = time.monotonic() + seconds
        while True:
            query = {"ControllerID": controller_id, "LineNo": str(line_no)}
            entries = self.call("GET", "/commands", query=query)
            command = next(each["Command"] for each in entries if each["Command"]["CommandID"] == command_id)
            if command["State"] not in ("authorised", "sent", "acknowledged") or time.monotonic() > until:
                return cast(Command, command)
            time.sleep(0.25)

    def call(self, method: str, path: str, body: Optional[Any] = None, query: Optional[Mapping[str, str]] = None) -> Any:
        """Any call of the API: its Data, or the list of its Datas. Raises Refused, and OSError where the server is not reached."""
        target = API + path + ("?" + urllib.parse.urlencode(query) if query else "")
        sent = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        try:
            return self._send(method, target, sent)
        except Refused as refused:
            # Its clock and ours are too far apart: `_send` has noted by how much.
            if refused.message != "clock skewed":
                raise
            return self._send(method, target, sent)

    def _send(self, method: str, path: str, body: bytes) -> Any:
        nonce = "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(6))
        time_stamp = int(time.time() + self._skew)
        signature = sign(
            nonce=nonce, time_stamp=time_stamp, user_id=self._user_id, token=self._token, method=method, path=path, body=body
        )
        header = {"Nonce": nonce, "TimeStamp": time_stamp, "UserID": self._user_id, "Signature": signature}
        request = urllib.request.Request(self._url + path, data=body or None, method=method)
        request.add_header("Authorization", base64.b64encode(json.dumps(header).encode()).decode())
        if body:
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as reply:
                envelope = json.load(reply)
        except urllib.error.HTTPError as error:
            if "Date" in error.headers:
                self._skew = parsedate_to_datetime(error.headers["Date"]).timestamp() - time.time()
            raise Refused(error.code, _envelope(error.read())) from None
        # What the plant or the state of things does not let be is refused with HTTP 200 and Code 0.
        if envelope.get("Code") != 1:
            raise Refused(200, envelope)
        return envelope.get("Datas", envelope.get("Data"))


def _part(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def _envelope(text: bytes) -> Mapping[str, Any]:
    """What a proxy answers in place of the server is none."""
    try:
        read = json.loads(text)
    except ValueError:
        read = None
    return read if isinstance(read, dict) else {"Message": text[:200].decode(errors="replace")}


def main() -> None:
    url, user_name, controller_id, line_no = sys.argv[1:5]
    server = Linewarden(url)
    secret = getpass.getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    if len(user_name) == 36 and user_name.count("-") == 4:
        server.sign_in_by_key(user_name, secret)
    else:
        server.sign_in(user_name, secret)
    line = server.line(controller_id, int(line_no))
    print(json.dumps({"Line": line["LineName"], "States": line["State"]["States"], "Values": line["State"]["Values"]}))
    reason = sys.argv[5] if len(sys.argv) > 5 else ""
    if reason:
        ordered = server.trip(controller_id, int(line_no), reason)
        ended = server.wait(controller_id, int(line_no), ordered["CommandID"])
        print(json.dumps({"CommandID": ended["CommandID"], "State": ended["State"], "Outcome": ended["Outcome"]}))
    server.sign_out()


if __name__ == "__main__":
    main()
