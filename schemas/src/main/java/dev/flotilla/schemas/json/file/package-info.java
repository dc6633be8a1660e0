/**
 * The files that people write: campaigns and policies in YAML or JSON. Stricter than the wire, since what is not known
 * here is a typing error; all problems are told at once, each with its line. Reads no disk: it is handed the text.
 */
@NullMarked
package dev.flotilla.schemas.json.file;

import org.jspecify.annotations.NullMarked;
