/** The real helm, with which tests render charts. It may use other packages of the testkit, and no product code. */
@NullMarked
package dev.flotilla.testkit.helm;

import org.jspecify.annotations.NullMarked;
