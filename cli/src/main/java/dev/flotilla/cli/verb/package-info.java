/**
 * What all verbs have in common: help with examples, verbs that this version does not have yet, and how a wrong command
 * line or a bug is told. Knows no verb that does anything.
 */
@NullMarked
package dev.flotilla.cli.verb;

import org.jspecify.annotations.NullMarked;
