/** The brain's shell: leadership, transactions, restore, and the API that reads. */
@NullMarked
package dev.flotilla.orchestrator;

import org.jspecify.annotations.NullMarked;
