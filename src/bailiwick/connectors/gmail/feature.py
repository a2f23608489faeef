"""Gmail as a feature."""

from bailiwick.connectors.connector import Connector
from bailiwick.connectors.gmail import options
from bailiwick.connectors.gmail.guide import GUIDE
from bailiwick.connectors.gmail.mailbox import GmailMailbox
from bailiwick.connectors.gmail.permissions import PERMISSIONS
from bailiwick.feature import Feature

CONNECTOR = Connector(
    name="gmail",
    title="Gmail",
    summary="Google's mail, over its own API, with a client ID of your own.",
    options=options.FORM,
    permissions=PERMISSIONS,
    hosts=options.hosts,
    oauth=options.oauth,
    guide=GUIDE,
    open_mail=GmailMailbox,
)


feature = Feature(name="gmail", connectors=[CONNECTOR])
