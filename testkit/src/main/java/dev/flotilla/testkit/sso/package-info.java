/** oauth2-proxy, for the test of the page behind single sign-on. */
@NullMarked
package dev.flotilla.testkit.sso;

import org.jspecify.annotations.NullMarked;
