/** Certificates for tests, created at run time: no private key is in the repository. May import the JDK only. */
@NullMarked
package dev.flotilla.testkit.cert;

import org.jspecify.annotations.NullMarked;
