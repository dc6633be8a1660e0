/**
 * Output of the command: streams, terminal, tables, progress bars and JSON. Knows nothing about the content. May use
 * only the JSON values of {@code schemas}.
 */
@NullMarked
package dev.flotilla.cli.terminal;

import org.jspecify.annotations.NullMarked;
