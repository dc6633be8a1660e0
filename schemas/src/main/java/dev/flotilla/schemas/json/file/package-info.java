/**
 * Manifests of campaigns and policies in YAML or JSON. They are read more strictly than rows: an unknown field is a typing
 * error. All problems are reported at once, each with its line. The input is text, not a file.
 */
@NullMarked
package dev.flotilla.schemas.json.file;

import org.jspecify.annotations.NullMarked;
