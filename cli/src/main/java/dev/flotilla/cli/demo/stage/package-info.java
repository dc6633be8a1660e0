/**
 * Processes of the demonstration: started in order on free loopback ports, watched, killed on request, and ended with
 * the process that started them. Knows nothing of campaigns.
 */
@NullMarked
package dev.flotilla.cli.demo.stage;

import org.jspecify.annotations.NullMarked;
