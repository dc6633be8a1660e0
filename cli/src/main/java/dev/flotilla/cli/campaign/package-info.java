/**
 * Commands about campaigns and the manifests that operators write. Problems of a file are found by {@code schemas} and
 * all printed at once.
 */
@NullMarked
package dev.flotilla.cli.campaign;

import org.jspecify.annotations.NullMarked;
