package dev.flotilla.nodeworker.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The ports on which this process listens, from Linux. */
record ListeningPorts(String address) {
    private static final String LISTENS = "0A";
    private static final int ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    /** As the kernel writes 127.0.0.1, also where it is spelled as an address of IPv6. */
    boolean isOnTheLoopback() {
        return address.startsWith("0100007F:")
                || address.startsWith("0000000000000000FFFF00000100007F:")
                || address.startsWith("00000000000000000000000001000000:");
    }

    static List<ListeningPorts> sockets() throws IOException {
        Set<String> ours = new HashSet<>();
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            for (Path each : open.toList()) {
                if (Files.isSymbolicLink(each)) {
                    ours.add(target(each));
                }
            }
        }
        List<ListeningPorts> sockets = new ArrayList<>();
        for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] fields = line.strip().split("\\s+", -1);
                if (fields.length > INODE
                        && fields[STATE].equals(LISTENS)
                        && ours.contains("socket:[" + fields[INODE] + "]")) {
                    sockets.add(new ListeningPorts(fields[ADDRESS]));
                }
            }
        }
        return sockets;
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closed) {
            return "";
        }
    }
}
