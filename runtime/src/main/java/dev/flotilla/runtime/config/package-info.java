/**
 * An application's configuration: one tree of records, read once from a YAML file and the environment. Strict, since a
 * typing error that is passed over is found at night: everything that is wrong is told at once, with its place. Secrets
 * stand in files of their own, so that what is configured can be shown.
 */
@NullMarked
package dev.flotilla.runtime.config;

import org.jspecify.annotations.NullMarked;
