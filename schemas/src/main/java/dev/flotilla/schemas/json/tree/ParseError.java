package dev.flotilla.schemas.json.tree;

import dev.flotilla.schemas.row.RejectionReason;

/** A syntax error of a document, with its path and line. */
public record ParseError(RejectionReason reason, String path, int line, String problem) {}
