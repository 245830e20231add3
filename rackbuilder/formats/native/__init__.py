"""The .rackbuilder file: UTF-8 JSON, a record a line, sorted, defaults left out; and its past versions."""
