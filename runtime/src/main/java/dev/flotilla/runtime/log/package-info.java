/** What the programs log: the keys of their data, and changes instead of repeated states. */
@NullMarked
package dev.flotilla.runtime.log;

import org.jspecify.annotations.NullMarked;
