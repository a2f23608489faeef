"""How models and places are named; these become parts of addresses, so little is allowed."""

# A dot is never followed by another: with some providers the name becomes a part of an address.
MODEL_NAME = r"^[A-Za-z0-9](?:\.?[A-Za-z0-9_:/@+~-])*$"
API_VERSION = r"^[a-z0-9-]+$"
REGION = r"^[a-z]{2}(?:-[a-z0-9]+)+$"
