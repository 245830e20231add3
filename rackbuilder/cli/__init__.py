"""The command line: a subcommand a file. Their names stand here, so that the window starts without typer."""

SUBCOMMANDS = ("new", "analyse", "check", "export", "import", "apply", "catalog", "templates", "formats")
