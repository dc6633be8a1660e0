package dev.flotilla.schemas.json.tree;

import java.util.List;

/** What came of reading a document. */
public sealed interface ParseResult {

    /** A tree. It may still be marred by duplicate keys, of which the first one counts. */
    record ParsedDocument(JsonValue value, List<ParseError> errors) implements ParseResult {
        public ParsedDocument {
            errors = List.copyOf(errors);
        }
    }

    /** No tree at all. */
    record UnparsableDocument(ParseError error) implements ParseResult {}
}
