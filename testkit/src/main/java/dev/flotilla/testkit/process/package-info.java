/** Child processes of tests, benchmarks and demonstrations, whatever they run. */
@NullMarked
package dev.flotilla.testkit.process;

import org.jspecify.annotations.NullMarked;
