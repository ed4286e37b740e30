"""The database: tables, transactions, locks, migrations, and arrays and models as bytes."""
