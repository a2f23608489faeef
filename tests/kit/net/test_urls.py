"""Which web addresses are taken, and in which form they are kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bailiwick.kit.net.outbound import AddressRefused, Outbound
from kit.net.peers import (
    PUBLIC,
    refused,
)

pytestmark = pytest.mark.req("EVT-02")


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("", "must begin with https://"),
        ("example.com/hook", "must begin with https://"),
        ("//example.com/hook", "must begin with https://"),
        ("ftp://example.com/", "must begin with https://"),
        ("file:///etc/passwd", "must begin with https://"),
        ("gopher://example.com:6379/_x", "must begin with https://"),
        ("unix:///var/run/docker.sock", "must begin with https://"),
        (" https://example.com/", "not a correct web address|must begin"),
        ("https://", "names no server"),
        ("https:///hook", "names no server"),
        ("https:example.com", "names no server"),
        ("https:\\\\example.com", "names no server"),
        ("https://./", "names no server"),
        ("https://?x", "names no server"),
        ("https://kim:s3cret@example.com/", "user name or a password"),
        ("https://kim@example.com/", "user name or a password"),
        ("https://example.com/#part", "must not have a #"),
        ("https://example.com/#", "must not have a #"),
        ("https://example.com/\r\nX: y", "invisible characters"),
        ("https://example.com/\x00", "invisible characters"),
        ("https://exam\tple.com/", "invisible characters"),
        ("https://example.com/\u202egpj", "invisible characters"),
        ("https://exam\u200bple.com/", "invisible characters"),
        ("https://example.com/\ud800", "invisible characters"),
        ("https://example.com/" + "x" * 2000, "too long: 2000"),
        ("https://example.com/" + "ü" * 1000, "too long: 2000"),
        ("https://example.com/" + "./" * 1000, "too long: 2000"),
        ("https://exa mple.com/", "not a correct one"),
        ("https://example..com/", "not a correct one"),
        ("https://example.com../", "not a correct one"),
        ("https://-example.com/", "not a correct one"),
        (f"https://{'a' * 64}.com/", "not a correct one"),
        (f"https://{'a.' * 127}com/", "not a correct one"),
        ("https://exa{m}ple.com/", "not a correct one"),
        ("https://exa_mple.com|x/", "not a correct one"),
        ("https://example.com:port/", "not a correct web address"),
        ("https://example.com:65536/", "Port 65536"),
        ("https://example.com:0/", "Port 0"),
        ("https://example.com:-1/", "Port -1"),
        ("http://example.com:22/", "Port 22 is not for the web"),
        ("http://example.com:25/", "Port 25 is not for the web"),
        ("http://example.com:445/", "Port 445 is not for the web"),
    ],
)
async def test_what_is_no_web_address_is_refused_with_the_reason(url: str, told: str):
    with pytest.raises(AddressRefused, match=told) as caught:
        Outbound().check_url(url)
    assert "s3cret" not in str(caught.value)
    assert isinstance(caught.value, ValueError)
    await refused(url)


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("https://example.com/Hook?a=1&b=%2F", "https://example.com/Hook?a=1&b=%2F"),
        ("HTTPS://Example.COM/Hook", "https://example.com/Hook"),
        ("https://example.com:443/", "https://example.com/"),
        ("http://example.com:80", "http://example.com"),
        ("http://example.com:8080/", "http://example.com:8080/"),
        ("https://example.com./x", "https://example.com/x"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("https://example。com/", "https://example.com/"),
        ("https://my_host.example/a b", "https://my_host.example/a%20b"),
        ("https://[2606:4700:0:0::1111]:8443/", "https://[2606:4700::1111]:8443/"),
        (f"http://{PUBLIC}./", f"http://{PUBLIC}/"),
        ("https://1password.com/", "https://1password.com/"),
        ("https://example.com/" + "x" * 1980, "https://example.com/" + "x" * 1980),
    ],
)
def test_a_web_address_is_given_back_in_its_normal_form(url: str, normal: str):
    assert Outbound().check_url(url) == normal
    assert Outbound().check_url(normal) == normal


@given(st.sampled_from(["", "http://", "https://", "http://[", "https://a@"]), st.text())
def test_any_text_is_either_refused_or_an_address_in_its_normal_form(start: str, rest: str):
    try:
        normal = Outbound().check_url(start + rest)
    except AddressRefused:
        return
    assert normal.isascii()
    assert Outbound().check_url(normal) == normal
