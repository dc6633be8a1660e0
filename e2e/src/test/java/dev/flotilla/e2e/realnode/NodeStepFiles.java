package dev.flotilla.e2e.realnode;

import dev.flotilla.testkit.node.KubeadmCluster;
import java.time.Duration;
import java.util.List;

/** What the steps of NodeUpgrades leave on the nodes: {@code NAME/STEP/TRY/{start,child,end,log}}. */
public final class NodeStepFiles {
    private static final String FOLDER = "/var/lib/flotilla/node-upgrades";

    /** Below the limit of one command on a node; asked again until it holds. */
    private static final String POLL = """
            i=0
            while [ $i -lt 100 ]; do
              if %s; then echo yes; exit; fi
              if [ -n "$(ls %s 2>/dev/null)" ]; then echo ended; exit; fi
              i=$((i + 1))
              sleep 0.2
            done
            echo no
            """;

    private final KubeadmCluster nodes;
    private final WatchTranscript transcript;

    NodeStepFiles(KubeadmCluster nodes, WatchTranscript transcript) {
        this.nodes = nodes;
        this.transcript = transcript;
    }

    /** Waits until the first try of a step has started on a node. */
    public void awaitStarted(String node, String step, Duration patience) {
        String start = FOLDER + "/*/" + step + "/1/start";
        await(node, "step " + step + " has started", "[ -n \"$(ls " + start + " 2>/dev/null)\" ]", "/none", patience);
    }

    /** Waits until a try of a step has printed a text on a node; fails when the try has ended without it. */
    public void awaitPrinted(String node, String step, int number, String text, Duration patience) {
        String folder = FOLDER + "/*/" + step + "/" + number;
        await(
                node,
                "try " + number + " of step " + step + " prints " + text,
                "grep -qsF '" + text + "' " + folder + "/log",
                folder + "/end",
                patience);
    }

    private void await(String node, String what, String condition, String end, Duration patience) {
        String script = POLL.formatted(condition, end);
        for (String answer = "no"; !answer.equals("yes"); ) {
            answer = nodes.run(node, "sh", "-c", script).strip();
            if (answer.equals("ended") || transcript.isSilentFor(patience)) {
                throw new AssertionError("not so on " + node + ": " + what + " (" + answer + ")\n" + transcript.text());
            }
        }
    }

    /** Returns the tries of all steps on a node, as {@code STEP/TRY}, by NodeUpgrade and step. */
    public List<String> tries(String node) {
        return nodes.run(node, "sh", "-c", "cd " + FOLDER + " && ls -d */*/[0-9]*")
                .lines()
                .map(path -> path.substring(path.indexOf('/') + 1))
                .toList();
    }

    /** Returns what all tries of a step have printed on a node. */
    public String printed(String node, String step) {
        return nodes.run(node, "sh", "-c", "cat " + FOLDER + "/*/" + step + "/*/log");
    }
}
