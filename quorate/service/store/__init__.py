"""Where everything is kept: tables, transactions, migrations."""
