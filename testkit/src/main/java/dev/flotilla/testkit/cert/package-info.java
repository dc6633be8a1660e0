/**
 * Certificates for tests, made when they run: no private key is ever in the repository. It may import the JDK alone.
 */
@NullMarked
package dev.flotilla.testkit.cert;

import org.jspecify.annotations.NullMarked;
