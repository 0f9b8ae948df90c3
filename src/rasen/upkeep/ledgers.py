"""What the ledgers of generated files are called; light, so that a look may ask for them first."""

LEDGER = ".rasen-files.json"
WORKFLOWS = ".workflow-artifacts.json"
MACHINE = "machine-homes"
