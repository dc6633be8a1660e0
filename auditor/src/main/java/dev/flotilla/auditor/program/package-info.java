/** The program around the audit: its options, its pages, its exit code. */
@NullMarked
package dev.flotilla.auditor.program;

import org.jspecify.annotations.NullMarked;
