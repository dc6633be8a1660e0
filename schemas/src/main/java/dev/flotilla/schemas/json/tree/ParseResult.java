package dev.flotilla.schemas.json.tree;

import java.util.List;

/** The result of parsing a document. */
public sealed interface ParseResult {

    /** The parsed value. Its errors are duplicate names, of which the first one counts. */
    record ParsedDocument(JsonValue value, List<ParseError> errors) implements ParseResult {
        public ParsedDocument {
            errors = List.copyOf(errors);
        }
    }

    /** The document could not be parsed. */
    record UnparsableDocument(ParseError error) implements ParseResult {}
}
