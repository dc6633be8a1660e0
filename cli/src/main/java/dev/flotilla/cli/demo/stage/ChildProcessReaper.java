package dev.flotilla.cli.demo.stage;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;

/**
 * Cleans up if this process ends without a chance to do so, as by {@code kill -9}: kills its children and deletes their
 * folder. A shell does this when its stdin ends; it ignores Ctrl-C, which goes to the whole process group. It deletes
 * twice, because a dying process may still write a file.
 */
final class ChildProcessReaper implements AutoCloseable {
    private static final String SHELL = """
            trap '' HUP INT TERM
            while read -r pid; do pids="$pids $pid"; done
            [ -z "$pids" ] || kill -9 $pids 2>/dev/null
            rm -rf -- "$0" || { sleep 1; rm -rf -- "$0"; }
            """;

    private final Process shell;
    private final Writer stdin;

    private ChildProcessReaper(Process shell) {
        this.shell = shell;
        this.stdin = shell.outputWriter();
    }

    static ChildProcessReaper of(Path folder) throws IOException {
        return new ChildProcessReaper(new ProcessBuilder(List.of("/bin/sh", "-c", SHELL, folder.toString()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Adds a process that must end. */
    void add(long pid) {
        try {
            stdin.write(pid + "\n");
            stdin.flush();
        } catch (IOException e) {
            throw new IllegalStateException("the shell that cleans up has ended", e);
        }
    }

    /** Ends the shell; call it when everything is cleaned up. */
    @Override
    public void close() {
        shell.destroyForcibly();
    }
}
