/** What to do so that objects and rows agree, and doing it. */
@NullMarked
package dev.flotilla.campaigncontroller.sync;

import org.jspecify.annotations.NullMarked;
