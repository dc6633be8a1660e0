/**
 * What all commands share: help with examples, and reports of usage errors and bugs. Knows no particular command.
 */
@NullMarked
package dev.flotilla.cli.command;

import org.jspecify.annotations.NullMarked;
