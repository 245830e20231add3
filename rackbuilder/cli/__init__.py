"""The command line: a subcommand a file. Their names stand here, so that the window starts without typer."""

SUBCOMMANDS = ("new", "analyse", "check", "export", "apply", "catalog", "templates", "formats")
