/** JSON as the auditor reads it: a small parser of its own, so that it shares no mistake with the one it checks. */
@NullMarked
package dev.flotilla.auditor.json;

import org.jspecify.annotations.NullMarked;
