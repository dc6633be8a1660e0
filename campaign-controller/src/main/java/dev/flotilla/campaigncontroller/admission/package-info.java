/** The webhook that checks objects before the API server stores them. */
@NullMarked
package dev.flotilla.campaigncontroller.admission;

import org.jspecify.annotations.NullMarked;
