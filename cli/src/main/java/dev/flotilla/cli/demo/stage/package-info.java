/**
 * The processes of the demonstration: started in order, on loopback and on free ports, watched, killed when asked, and
 * ended with whoever started them. Knows nothing of campaigns.
 */
@NullMarked
package dev.flotilla.cli.demo.stage;

import org.jspecify.annotations.NullMarked;
