/**
 * The live page: files from the class path, served as they are to anybody, since they hold nothing of the fleet. What the
 * page shows it asks the API for, as any other client would. May not import what decides.
 */
@NullMarked
package dev.flotilla.orchestrator.page;

import org.jspecify.annotations.NullMarked;
