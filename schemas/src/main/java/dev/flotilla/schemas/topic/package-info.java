/** The topics: which there are, who writes and reads them, and the settings that whoever creates or checks them uses. */
@NullMarked
package dev.flotilla.schemas.topic;

import org.jspecify.annotations.NullMarked;
