"""Outside data: text of any encoding, context files, lines of a batch. Whatever is wrong is an `InputError`."""
