/** The tools as a site has them: hands on objects through its Kubernetes, and lines to its nodes. */
@NullMarked
package dev.flotilla.nodeworker.site;

import org.jspecify.annotations.NullMarked;
