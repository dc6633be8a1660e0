/** What a person mends by hand: what attempts that are over have left behind, and certificates that may be new. */
@NullMarked
package dev.flotilla.nodeworker.mend;

import org.jspecify.annotations.NullMarked;
