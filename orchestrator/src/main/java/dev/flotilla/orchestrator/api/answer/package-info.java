/** The responses of the API: how each is made from the state, and how it is encoded. Nothing here knows HTTP. */
@NullMarked
package dev.flotilla.orchestrator.api.answer;

import org.jspecify.annotations.NullMarked;
