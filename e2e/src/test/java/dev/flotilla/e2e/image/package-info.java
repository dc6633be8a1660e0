/** The images of {@code deploy/images}, unpacked and run as a container would run them. */
@NullMarked
package dev.flotilla.e2e.image;

import org.jspecify.annotations.NullMarked;
