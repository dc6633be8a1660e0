/** Manual cleanup: what finished attempts have left behind, and the certificate pins of machines. */
@NullMarked
package dev.flotilla.nodeworker.cleanup;

import org.jspecify.annotations.NullMarked;
