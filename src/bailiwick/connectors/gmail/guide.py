"""The steps to an own client id; docs/gmail.md has them at length."""

from bailiwick.connectors.connector import GuideStep

_CONSOLE = "https://console.cloud.google.com"

GUIDE = (
    GuideStep(
        "Make a project",
        "In Google Cloud, choose “New project” and give it any name. It costs nothing.",
        f"{_CONSOLE}/projectcreate",
    ),
    GuideStep(
        "Enable the Gmail API",
        "With the new project chosen at the top of the page, press “Enable”.",
        f"{_CONSOLE}/apis/library/gmail.googleapis.com",
    ),
    GuideStep(
        "Set up the consent screen",
        "Press “Get started” and give the app a name and your address. As audience choose"
        " “Internal” if the account belongs to your company's Google Workspace, else “External”.",
        f"{_CONSOLE}/auth/overview",
    ),
    GuideStep(
        "Say who may use it",
        "External only: under “Audience” press “Publish app”, so that authorisations last."
        " While it is in testing, add each account under “Test users” instead, and authorise"
        " it again every 7 days.",
        f"{_CONSOLE}/auth/audience",
    ),
    GuideStep(
        "Name the permissions",
        "Under “Data access” press “Add or remove scopes”, paste these below"
        " “Manually add scopes”, then press “Add to table”, “Update” and “Save”.",
        f"{_CONSOLE}/auth/scopes",
        copy="scopes",
    ),
    GuideStep(
        "Make the client",
        "Under “Clients” press “Create client”, choose “Web application”, and add this address"
        " below “Authorised redirect URIs”.",
        f"{_CONSOLE}/auth/clients/create",
        copy="redirect_uri",
    ),
    GuideStep(
        "Copy the ID and the secret",
        "Both are shown once the client is made. Put them into the fields here.",
    ),
)
