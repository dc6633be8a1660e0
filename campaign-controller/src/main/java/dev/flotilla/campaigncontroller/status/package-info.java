/** What the status of an object shows. */
@NullMarked
package dev.flotilla.campaigncontroller.status;

import org.jspecify.annotations.NullMarked;
