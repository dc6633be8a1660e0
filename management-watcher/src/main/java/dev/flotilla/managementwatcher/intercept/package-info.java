/** The webhooks that do what the policies of {@code intercept.yaml} do, for API servers that do not serve these. */
@NullMarked
package dev.flotilla.managementwatcher.intercept;

import org.jspecify.annotations.NullMarked;
