/** Commands about sites: topics, ACLs, roles, list and removal. The check of a site is in {@code check}. */
@NullMarked
package dev.flotilla.cli.site;

import org.jspecify.annotations.NullMarked;
