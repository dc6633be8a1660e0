/** Nothing that runs in production: the tests of whole processes are beside this folder. May use every module. */
@NullMarked
package dev.flotilla.e2e;

import org.jspecify.annotations.NullMarked;
