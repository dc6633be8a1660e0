/**
 * The command that collects what a maintainer needs to find a problem. It runs the commands of other groups that show something, and adds
 * what they do not show; {@link dev.flotilla.cli.support.SecretRedactor} masks secrets in all of it.
 */
@NullMarked
package dev.flotilla.cli.support;

import org.jspecify.annotations.NullMarked;
