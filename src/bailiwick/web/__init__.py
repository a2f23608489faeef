"""The built web app; `dist/` is made by `make ui` or by the wheel's build hook."""
