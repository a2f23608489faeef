"""Start-up settings: what is wrong is named, and no value is shown."""

from pathlib import Path

import pytest

from bailiwick.config import load
from bailiwick.errors import BadConfiguration

PASSWORD = "hunter2hunter2"
KEY = "ab" * 32


def refusal(**environ: str) -> str:
    with pytest.raises(BadConfiguration) as refused:
        load({f"BAILIWICK_{name.upper()}": value for name, value in environ.items()})
    return refused.value.detail


def test_settings_come_from_the_environment_and_the_command_line_wins():
    environ = {"BAILIWICK_PORT": "9000", "BAILIWICK_DATA": "/srv/office", "HOME": "/root"}
    settings = load(environ)
    assert (settings.port, settings.data) == (9000, Path("/srv/office"))
    assert load(environ, port=9001).port == 9001
    assert load(environ, port=None).port == 9000


def test_an_empty_variable_is_as_good_as_none():
    assert load({"BAILIWICK_PORT": "", "BAILIWICK_URL": ""}).origin == "http://127.0.0.1:8787"


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("BAILIWICK_PROT", "BAILIWICK_PORT"),
        ("BAILIWICK_DATABASE", "BAILIWICK_DATABASE_URL"),
        ("BAILIWICK_VAULTKEY", "BAILIWICK_VAULT_KEY"),
        ("BAILIWICK_TRUSTED_PROXY", "BAILIWICK_TRUSTED_PROXIES"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_known_one(wrong: str, nearest: str):
    with pytest.raises(BadConfiguration) as refused:
        load({wrong: PASSWORD})
    assert wrong in refused.value.detail
    assert f"Did you mean {nearest}?" in refused.value.detail
    assert PASSWORD not in refused.value.detail


def test_an_unknown_name_unlike_any_other_is_refused_with_all_known_ones():
    message = refusal(qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq=PASSWORD)
    assert "BAILIWICK_DATA_KEY" in message
    assert PASSWORD not in message


@pytest.mark.parametrize("port", ["0", "65536", "-1", "eighty", "80.5"])
def test_a_port_that_cannot_be_is_refused_by_name(port: str):
    assert refusal(port=port).startswith("BAILIWICK_PORT: ")


@pytest.mark.parametrize(
    "url",
    [
        "https://office.example.com/bailiwick",
        "office.example.com",
        "ftp://office.example.com",
        "https://",
        "https://office.example.com?page=1",
        "https://office.example.com#top",
        "https://office.example.com:port",
        "https://office.example.com:99999",
        f"https://olive:{PASSWORD}@office.example.com",
    ],
)
def test_a_public_address_that_is_no_origin_is_refused(url: str):
    message = refusal(url=url)
    assert message.startswith("BAILIWICK_URL: ")
    assert PASSWORD not in message


def test_a_public_address_is_kept_as_browsers_write_an_origin():
    def origin(url: str) -> str:
        return load({"BAILIWICK_URL": url}).origin

    assert origin("https://Office.Example.com/") == "https://office.example.com"
    assert origin("https://office.example.com:8443") == "https://office.example.com:8443"
    assert origin("https://office.example.com:443") == "https://office.example.com"
    assert origin("http://office.example.com:80") == "http://office.example.com"


def test_the_local_address_is_one_that_a_browser_can_open():
    def origin(**environ: str) -> str:
        return load({f"BAILIWICK_{name.upper()}": value for name, value in environ.items()}).origin

    assert origin(host="0.0.0.0", port="9000") == "http://127.0.0.1:9000"
    assert origin(host="::1", port="9000") == "http://[::1]:9000"
    assert origin(host="127.0.0.1", port="80") == "http://127.0.0.1"


@pytest.mark.parametrize(
    "url",
    [
        f"mysql://bw:{PASSWORD}@db/bw",
        f"sqlite:///{PASSWORD}.db",
        f"bw:{PASSWORD}@db/bw",
    ],
)
def test_a_database_address_that_cannot_be_used_is_refused_without_showing_it(url: str):
    message = refusal(database_url=url)
    assert message.startswith("BAILIWICK_DATABASE_URL: ")
    assert PASSWORD not in message


@pytest.mark.parametrize("password", [f"x[{PASSWORD}]y", f"{PASSWORD}\uff1f", f"{PASSWORD}[", "%"])
def test_a_database_password_with_odd_characters_is_never_shown(password: str):
    try:
        shown = repr(load({"BAILIWICK_DATABASE_URL": f"postgresql://bw:{password}@db/bw"}))
    except BadConfiguration as refused:
        shown = refused.detail
    assert PASSWORD not in shown


def test_every_bad_value_is_named_at_once_and_none_is_shown():
    bad = {
        "port": "99999999",
        "log_level": "chatty",
        "log_format": "xml",
        "accept_clock": "perhaps",
    }
    message = refusal(**bad)
    assert len(message.splitlines()) == 4
    for name, value in bad.items():
        assert f"BAILIWICK_{name.upper()}: " in message
        assert value not in message


@pytest.mark.req("ACC-05")
def test_settings_do_not_print_their_secrets():
    environ = {"BAILIWICK_VAULT_KEY": KEY, "BAILIWICK_DATA_KEY": KEY[::-1]}
    settings = load(environ)
    printed = f"{settings} {settings!r} {settings.model_dump()} {settings.model_dump_json()}"
    assert KEY not in printed
    assert KEY[::-1] not in printed


def test_trusted_proxies_are_a_list_with_commas():
    settings = load({"BAILIWICK_TRUSTED_PROXIES": "10.0.0.1, 10.1.0.0/16,,"})
    assert settings.trusted_proxies == ("10.0.0.1", "10.1.0.0/16")
