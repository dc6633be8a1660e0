package dev.flotilla.schemas.json.tree;

import dev.flotilla.schemas.row.RejectionReason;

/** Why a document is no tree, and where. */
public record ParseError(RejectionReason reason, String path, int line, String problem) {}
