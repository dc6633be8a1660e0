package dev.flotilla.cli.demo.stage;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;

/**
 * What is done when this process ends without a chance to do it, as by {@code kill -9}: its children end, and their folder
 * goes. A shell does it that waits for the end of what it is told, and hears no Ctrl-C, which is the whole group's. What dies
 * may write a file once more.
 */
final class ChildProcessReaper implements AutoCloseable {
    private static final String SHELL = """
            trap '' HUP INT TERM
            while read -r pid; do pids="$pids $pid"; done
            [ -z "$pids" ] || kill -9 $pids 2>/dev/null
            rm -rf -- "$0" || { sleep 1; rm -rf -- "$0"; }
            """;

    private final Process shell;
    private final Writer told;

    private ChildProcessReaper(Process shell) {
        this.shell = shell;
        this.told = shell.outputWriter();
    }

    static ChildProcessReaper of(Path folder) throws IOException {
        return new ChildProcessReaper(new ProcessBuilder(List.of("/bin/sh", "-c", SHELL, folder.toString()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** This process ends, too. */
    void add(long pid) {
        try {
            told.write(pid + "\n");
            told.flush();
        } catch (IOException e) {
            throw new IllegalStateException("the shell that cleans up is gone", e);
        }
    }

    /** All has been done. */
    @Override
    public void close() {
        shell.destroyForcibly();
    }
}
