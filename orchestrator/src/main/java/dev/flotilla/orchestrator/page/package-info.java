/**
 * The web page: files from the class path, served unchanged and without authentication, since they hold no data of the
 * fleet. The page calls the API as any other client. May not import deciding code.
 */
@NullMarked
package dev.flotilla.orchestrator.page;

import org.jspecify.annotations.NullMarked;
