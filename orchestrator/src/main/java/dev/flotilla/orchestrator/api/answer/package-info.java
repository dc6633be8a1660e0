/** What the API answers: how each answer is made of the state, and how it looks. Nothing here knows HTTP. */
@NullMarked
package dev.flotilla.orchestrator.api.answer;

import org.jspecify.annotations.NullMarked;
