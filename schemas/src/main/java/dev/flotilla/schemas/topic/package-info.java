/** The topics of Flotilla: their writers and readers, keys and settings. */
@NullMarked
package dev.flotilla.schemas.topic;

import org.jspecify.annotations.NullMarked;
