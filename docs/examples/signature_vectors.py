"""Makes signature_vectors.json: requests as Python writes them, and their signatures.

    python3 signature_vectors.py > signature_vectors.json

The suite of Linewarden checks its own signature against the file, and that this script still makes it. No vector may ever change.
"""

import json

from linewarden import sign

NONCE = "aB3dE6"
TIME = 1764547200
USER = "7f3f1a52-6f0e-4c1e-9a51-2b1f4f6f2f10"
TOKEN = "dG9rZW4tZm9yLXRlc3RzLW9ubHk"

# Each has something that languages write each in their own way, or that a text of pairs would be sorted or stripped by.
REQUESTS = [
    ("a call without query and body", "GET", "/api/v1/tree", ""),
    ("a query, as it is sent", "GET", "/api/v1/commands?LineNo=1&ControllerID=%E6%80%BB%E9%97%B8&x=a+b%20c", ""),
    ("a float that is whole", "PUT", "/api/v1/devices/updateline", json.dumps({"Settings": [{"Key": "leakage.trip", "Value": 100.0}]})),
    ("a small float and an integer beyond 2^53", "POST", "/api/v1/messages/list", json.dumps({"a": 1e-7, "b": 2**60})),
    ("escapes within text", "PUT", "/api/v1/lines/D-1/2/trip", '{"Reason":"\\u4e2d\\/ \\u2028","CommandID":"c-1"}'),
    ("keys that are whole numbers", "POST", "/api/v1/messages/list", '{"x":{"2":1.0,"1":[]},"10":true,"9":null}'),
    ("white space of every kind", "POST", "/api/v1/messages/list", '{ "x" : "a\ufeffb\u0085c\u3000d" }\r\n'),
    ("a list", "POST", "/api/v1/messages/list", "[1, 2.0, null]"),
    ("text that is not ASCII", "PUT", "/api/v1/lines/D-1/2/close", json.dumps({"Reason": "检修完毕，送电 ⚡"}, ensure_ascii=False)),
    ("no JSON", "POST", "/api/v1/messages/list", "{"),
]


def vector(of: str, method: str, path: str, body: str, user_id: str = USER, token: str = TOKEN) -> dict:
    signature = sign(
        nonce=NONCE, time_stamp=TIME, user_id=user_id, token=token, method=method, path=path, body=body.encode()
    )
    session = {"nonce": NONCE, "timeStamp": TIME, "userId": user_id, "token": token}
    return {"of": of, **session, "method": method, "path": path, "body": body, "signature": signature}


if __name__ == "__main__":
    login = '{"UserName": "admin", "Password": "0192023a7bbd73250516f069df18b500"}'
    vectors = [vector(*each) for each in REQUESTS]
    vectors.append(vector("a call before login", "PUT", "/api/v1/users/login", login, user_id="", token=""))
    print(json.dumps(vectors, ensure_ascii=True, indent=2))
