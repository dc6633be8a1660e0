/** Commands that read, verify, replay, export and trim the journal. They rely only on its bytes. */
@NullMarked
package dev.flotilla.cli.journal;

import org.jspecify.annotations.NullMarked;
