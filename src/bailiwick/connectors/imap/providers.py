"""Well-known providers: the settings that an address suggests.

The hosts are those that the providers publish; a suggestion is shown and can be changed.
"""

from dataclasses import dataclass
from typing import Any

from bailiwick.connectors.forms import FormFields


@dataclass(frozen=True, slots=True)
class Provider:
    """The servers of a provider."""

    imap: str
    smtp: str
    imap_port: int = 993
    smtp_port: int = 465
    imap_security: str = "tls"
    smtp_security: str = "tls"
    note: str = ""
    help: str = ""
    # The part before the @ is the user name.
    bare_username: bool = False
    # Its SMTP server puts a copy into Sent by itself.
    keeps_sent: bool = False
    authserv_id: str | None = None


_APP = "{} wants an app password here, not the one you sign in with."
_SWITCH = "Switch on IMAP in the settings of {} first."
_KNOWN: dict[str, Provider] = {
    "gmail.com googlemail.com": Provider(
        "imap.gmail.com",
        "smtp.gmail.com",
        note=_APP.format("Google") + " The Gmail connector needs none.",
        help="https://support.google.com/accounts/answer/185833",
        keeps_sent=True,
        authserv_id="mx.google.com",
    ),
    "outlook.com outlook.de hotmail.com hotmail.co.uk live.com live.de msn.com": Provider(
        "outlook.office365.com",
        "smtp-mail.outlook.com",
        smtp_port=587,
        smtp_security="starttls",
        note="Microsoft takes no passwords any more: use the connector for IMAP with OAuth.",
        help="https://support.microsoft.com/office/d088b986-291d-42b8-9564-9c414e2aa040",
        keeps_sent=True,
    ),
    "yahoo.com yahoo.de yahoo.fr yahoo.co.uk ymail.com rocketmail.com": Provider(
        "imap.mail.yahoo.com",
        "smtp.mail.yahoo.com",
        note=_APP.format("Yahoo"),
        help="https://help.yahoo.com/kb/SLN15241.html",
    ),
    "aol.com aim.com": Provider(
        "imap.aol.com",
        "smtp.aol.com",
        note=_APP.format("AOL"),
        help="https://help.aol.com/articles/Create-and-manage-app-password",
    ),
    "icloud.com me.com mac.com": Provider(
        "imap.mail.me.com",
        "smtp.mail.me.com",
        smtp_port=587,
        smtp_security="starttls",
        note="Apple wants an app-specific password here.",
        help="https://support.apple.com/102654",
    ),
    "gmx.de gmx.net gmx.at gmx.ch": Provider(
        "imap.gmx.net",
        "mail.gmx.net",
        note=_SWITCH.format("GMX"),
        help="https://hilfe.gmx.net/pop-imap/imap/index.html",
    ),
    "gmx.com gmx.co.uk gmx.us": Provider(
        "imap.gmx.com",
        "mail.gmx.com",
        note=_SWITCH.format("GMX"),
        help="https://support.gmx.com/pop-imap/toggle.html",
    ),
    "web.de": Provider(
        "imap.web.de",
        "smtp.web.de",
        smtp_port=587,
        smtp_security="starttls",
        note=_SWITCH.format("WEB.DE"),
        help="https://hilfe.web.de/pop-imap/einschalten.html",
    ),
    "mail.com email.com": Provider("imap.mail.com", "smtp.mail.com"),
    "fastmail.com fastmail.fm": Provider(
        "imap.fastmail.com",
        "smtp.fastmail.com",
        note=_APP.format("Fastmail"),
        help="https://www.fastmail.help/hc/en-us/articles/360058752854",
    ),
    "zoho.com zohomail.com": Provider(
        "imap.zoho.com",
        "smtp.zoho.com",
        note=_SWITCH.format("Zoho") + " With two-factor sign-in, use an app password.",
        help="https://www.zoho.com/mail/help/imap-access.html",
    ),
    "zoho.eu zohomail.eu": Provider(
        "imap.zoho.eu",
        "smtp.zoho.eu",
        note=_SWITCH.format("Zoho") + " With two-factor sign-in, use an app password.",
        help="https://www.zoho.com/mail/help/imap-access.html",
    ),
    "mailbox.org": Provider("imap.mailbox.org", "smtp.mailbox.org"),
    "posteo.de posteo.net posteo.eu": Provider("posteo.de", "posteo.de"),
    "t-online.de magenta.de": Provider(
        "secureimap.t-online.de",
        "securesmtp.t-online.de",
        note="Telekom has a password of its own for mail programs.",
        help="https://www.telekom.de/hilfe/apps-dienste/e-mail",
    ),
    "ionos.de online.de onlinehome.de 1und1.de": Provider("imap.ionos.de", "smtp.ionos.de"),
    "ionos.com": Provider("imap.ionos.com", "smtp.ionos.com"),
    "freenet.de": Provider("mx.freenet.de", "mx.freenet.de"),
    "arcor.de vodafone.de": Provider("imap.vodafonemail.de", "smtp.vodafonemail.de"),
    "yandex.com yandex.ru ya.ru": Provider(
        "imap.yandex.com",
        "smtp.yandex.com",
        note=_SWITCH.format("Yandex") + " " + _APP.format("Yandex"),
        help="https://yandex.com/support/id/authorization/app-passwords.html",
    ),
    "mail.ru inbox.ru list.ru bk.ru": Provider(
        "imap.mail.ru", "smtp.mail.ru", note=_APP.format("Mail.ru")
    ),
    "orange.fr wanadoo.fr": Provider("imap.orange.fr", "smtp.orange.fr"),
    "free.fr": Provider("imap.free.fr", "smtp.free.fr", bare_username=True),
    "laposte.net": Provider("imap.laposte.net", "smtp.laposte.net", bare_username=True),
    "libero.it": Provider("imapmail.libero.it", "smtp.libero.it"),
    "bluewin.ch": Provider("imaps.bluewin.ch", "smtpauths.bluewin.ch"),
    "comcast.net": Provider("imap.comcast.net", "smtp.comcast.net"),
    "att.net sbcglobal.net": Provider(
        "imap.mail.att.net", "smtp.mail.att.net", note=_APP.format("AT&T")
    ),
    "runbox.com": Provider("mail.runbox.com", "mail.runbox.com"),
    "proton.me protonmail.com pm.me": Provider(
        "127.0.0.1",
        "127.0.0.1",
        imap_port=1143,
        smtp_port=1025,
        imap_security="starttls",
        smtp_security="starttls",
        note="Proton Mail is read through Proton Mail Bridge on this machine, with the password "
        "that Bridge shows. Export Bridge's certificate and put it into the account.",
        help="https://proton.me/mail/bridge",
    ),
}
_BY_DOMAIN = {domain: each for domains, each in _KNOWN.items() for domain in domains.split()}
_BY_HOST = {host: each for each in _KNOWN.values() for host in (each.imap, each.smtp)} | {
    "smtp.office365.com": Provider("", "", keeps_sent=True)
}


def suggest(address: str) -> FormFields | None:
    """The settings that an address suggests; for unknown domains a guess that is marked as one."""
    local, at, domain = address.strip().rpartition("@")
    domain = domain.lower().rstrip(".")
    if not at or not local or "." not in domain or not domain.isascii() or " " in domain:
        return None
    known = _BY_DOMAIN.get(domain)
    guess = known or Provider(
        f"imap.{domain}",
        f"smtp.{domain}",
        note="This is a guess from the address. Your provider's help pages have the real names.",
    )
    made: dict[str, Any] = {
        "address": address.strip(),
        "imap_host": guess.imap,
        "imap_port": guess.imap_port,
        "imap_security": guess.imap_security,
        "smtp_host": guess.smtp,
        "smtp_port": guess.smtp_port,
        "smtp_security": guess.smtp_security,
        "username": local if guess.bare_username else address.strip(),
        "known": known is not None,
        "note": guess.note,
        "help": guess.help,
    }
    return {name: value for name, value in made.items() if value != ""}


def keeps_sent(smtp_host: str) -> bool:
    """Whether the SMTP server itself puts a copy into Sent."""
    known = _BY_HOST.get(smtp_host)
    return known is not None and known.keeps_sent


def authserv_id(imap_host: str) -> str | None:
    """The provider's authserv-id in Authentication-Results, if it is known."""
    known = _BY_HOST.get(imap_host)
    return known.authserv_id if known else None
