"""Alembic's entry: runs on the connection and inside the transaction it is handed."""

from alembic import context

from bailiwick.kit.db.migrate import is_mapped

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=context.config.attributes["metadata"],
    render_as_batch=connection.dialect.name == "sqlite",
    transactional_ddl=True,
    compare_type=True,
    include_name=is_mapped,
)
context.run_migrations()
