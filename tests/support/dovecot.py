"""A real Dovecot on loopback, as root or not, in a folder of its own.

    with serving_dovecot(folder) as server:
        settings = server.settings("ann@example.org")   # the form of an account
        server.deliver("ann@example.org", raw)           # into the inbox, or folder="Work"

Any user exists and has the password `PASSWORD`. Imported into a test module, the fixture `dovecot`
is one server for the tests of that module; let each test use a user of its own.
"""

import imaplib
import ipaddress
import os
import pwd
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from support.processes import PATIENCE
from support.server import free_port

PASSWORD = "many-words-of-ann"


def certificate(*hosts: str) -> tuple[str, str]:
    """A self-made certificate for these names and addresses, and its key, both as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, hosts[0])])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([_named(host) for host in hosts]), False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return made.public_bytes(serialization.Encoding.PEM).decode(), private.decode()


def _named(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


@dataclass
class Dovecot:
    """A server that runs."""

    folder: Path
    plain_port: int  # plain, and STARTTLS
    tls_port: int
    certificate: str  # PEM

    def settings(self, user: str, *, security: str = "tls", smtp_port: int = 25) -> dict[str, Any]:
        """What the form of an account holds."""
        return {
            "address": user,
            "imap_host": "127.0.0.1",
            "imap_port": self.tls_port if security == "tls" else self.plain_port,
            "imap_security": security,
            "smtp_host": "127.0.0.1",
            "smtp_port": smtp_port,
            "smtp_security": "none",
            "certificate": self.certificate,
        }

    @contextmanager
    def signed_in(self, user: str) -> Iterator[imaplib.IMAP4]:
        """Another program, at the same mailbox."""
        context = ssl.create_default_context(cadata=self.certificate)
        with imaplib.IMAP4_SSL("127.0.0.1", self.tls_port, ssl_context=context) as other:
            other.login(user, PASSWORD)
            yield other

    def deliver(
        self, user: str, *raws: bytes, folder: str = "INBOX", flags: str = "", date: str = ""
    ) -> None:
        """Put messages in, as another program does."""
        with self.signed_in(user) as other:
            for raw in raws:
                when = f'"{date}"' if date else imaplib.Time2Internaldate(time.time())
                said, answer = other.append(folder, f"({flags})", when, raw)
                assert said == "OK", answer


@contextmanager
def serving_dovecot() -> Iterator[Dovecot]:
    """Start a server, and stop it."""
    # Not below pytest's folder: as root, mail belongs to another user, who must reach it.
    folder = Path(tempfile.mkdtemp(prefix="bailiwick-dovecot-"))
    made, key = certificate("127.0.0.1", "localhost")
    (folder / "cert.pem").write_text(made)
    (folder / "key.pem").write_text(key)
    server = Dovecot(folder, free_port(), free_port(), made)
    config = folder / "dovecot.conf"
    config.write_text(_configured(server))
    (folder / "mail").mkdir()
    owner = _mail_user()
    folder.chmod(0o755)
    if os.getuid() == 0:
        os.chown(folder / "mail", owner.pw_uid, owner.pw_gid)
    process = subprocess.Popen(
        [_program(), "-F", "-c", str(config)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        _wait_for(server, process)
        yield server
    finally:
        # All of them at once: nothing here has to be kept, and a stop by agreement takes a second.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
        assert process.stderr
        process.stderr.close()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    """A Dovecot for the tests of a module."""
    with serving_dovecot() as server:
        yield server


def _program() -> str:
    found = shutil.which("dovecot", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    assert found, "Dovecot is missing: make dovecot"
    return found


def _wait_for(server: Dovecot, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", server.tls_port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.02)
    log = server.folder / "log"
    said = log.read_text() if log.exists() else ""
    error = process.stderr.read() if process.poll() is not None and process.stderr else b""
    raise AssertionError(f"Dovecot did not start: {error.decode()} {said}")


def _mail_user() -> pwd.struct_passwd:
    """Dovecot refuses to keep mail as root."""
    return pwd.getpwnam("mail") if os.getuid() == 0 else pwd.getpwuid(os.getuid())


def _configured(server: Dovecot) -> str:
    folder, owner = server.folder, _mail_user()
    # Without root nobody can become another user, or live in a cage.
    own = "" if os.getuid() == 0 else f"default_login_user = {owner.pw_name}\n"
    own += f"default_internal_user = {owner.pw_name}\n" if os.getuid() else ""
    group = "" if os.getuid() == 0 else f"default_internal_group = {_group(owner.pw_gid)}\n"
    return f"""
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
mail_fsync = never
first_valid_uid = 1
mail_uid = {owner.pw_uid}
mail_gid = {owner.pw_gid}
mail_location = sdbox:{folder}/mail/%u
mail_max_userip_connections = 50
{own}{group}
passdb {{
  driver = static
  args = password={PASSWORD}
}}
userdb {{
  driver = static
  args = uid={owner.pw_uid} gid={owner.pw_gid} home={folder}/mail/%u
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox Sent {{
    auto = create
    special_use = \\Sent
  }}
  mailbox Drafts {{
    auto = create
    special_use = \\Drafts
  }}
  mailbox Archive {{
    auto = create
    special_use = \\Archive
  }}
  mailbox Trash {{
    auto = create
    special_use = \\Trash
  }}
}}
service imap-login {{
  chroot =
  service_count = 0
  inet_listener imap {{
    port = {server.plain_port}
  }}
  inet_listener imaps {{
    port = {server.tls_port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
"""


def _group(id: int) -> str:
    import grp

    return grp.getgrgid(id).gr_name
