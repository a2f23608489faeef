"""Running an installation: backups, key rotation, settings, health, and proof that all is well."""
