/** Other extensions that apply fields which the node upgrader does not: they are called after it. */
@NullMarked
package dev.flotilla.clusterapi.delegate;

import org.jspecify.annotations.NullMarked;
