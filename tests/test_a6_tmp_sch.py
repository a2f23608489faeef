import sys
sys.path.insert(0, "/work/main/tests")
from test_schemathesis import generated, server  # noqa
def test_mine(server):
    who = server.owner()
    cookies = "; ".join(f"{k}={v}" for k, v in who.cookies.items())
    generated(server, "--include-path-regex=/(accounts|connectors|oauth)", headers={"Cookie": cookies, "Origin": server.origin})
def test_token(server):
    body = {"name": "test", "scopes": ["read", "write", "admin"]}
    secret = server.owner().post("/api/v1/tokens", json=body).json()["secret"]
    generated(server, "--include-path-regex=/(accounts|connectors|oauth)", headers={"Authorization": f"Bearer {secret}"})
