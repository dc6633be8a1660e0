/** Tests of whole processes; no production code. May use every module. */
@NullMarked
package dev.flotilla.e2e;

import org.jspecify.annotations.NullMarked;
