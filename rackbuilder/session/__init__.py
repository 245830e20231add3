"""An open document and its services: what the command line and the window hold."""
