/** Pages that are written by code in part. */
@NullMarked
package dev.flotilla.testkit.page;

import org.jspecify.annotations.NullMarked;
