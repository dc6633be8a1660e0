/**
 * Everything on one machine in front of one real management cluster: a broker that keeps its data, and the processes of Flotilla
 * as children of this one. It is for a laptop, a lab or one small site.
 */
@NullMarked
package dev.flotilla.cli.allinone;

import org.jspecify.annotations.NullMarked;
