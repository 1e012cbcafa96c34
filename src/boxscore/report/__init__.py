"""Results as text: plain and coloured tables, JSON, CSV, Markdown, HTML. Values in, text out; nothing prints."""
