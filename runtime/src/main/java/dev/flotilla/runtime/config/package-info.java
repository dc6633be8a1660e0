/**
 * The configuration of an application: records that are read once from a YAML file and the environment. Reading is strict: unknown
 * settings are rejected, and all problems are reported at once, each with its line. Secrets are in separate files, so that the
 * configuration can be logged.
 */
@NullMarked
package dev.flotilla.runtime.config;

import org.jspecify.annotations.NullMarked;
