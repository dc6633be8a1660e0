package dev.flotilla.schemas.kube;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The name of an attempt's NodeUpgrade: {@code <machine>-<8 digits of a hash of the machine's uid and the target>-<attempt>}.
 * It follows from the command, so an attempt can never have two NodeUpgrades, and any worker finds the one that it has.
 */
public final class NodeUpgradeName {
    private static final int MAX_MACHINE = 40;
    private static final int HASH_BYTES = 4;

    private NodeUpgradeName() {}

    public static String of(WorkerCommand.UpgradeMachine command) {
        return of(command.key(), command.uid(), command.target(), command.attemptId());
    }

    public static String of(WorkerCommand.PrepareMachine command) {
        return of(command.key(), command.uid(), command.target(), command.attemptId());
    }

    /**
     * Returns the name that an attempt's NodeUpgrade has.
     *
     * @param uid uid of the Machine
     */
    public static String of(MachineKey machine, String uid, UpgradeTarget target, long attemptId) {
        return startOf(machine.name()) + "-" + hash(uid + target.text()) + "-" + attemptId;
    }

    /** The start of a machine's name, without a separator at its end. */
    private static String startOf(String machine) {
        int end = Math.min(machine.length(), MAX_MACHINE);
        while (end > 0 && (machine.charAt(end - 1) == '-' || machine.charAt(end - 1) == '.')) {
            end--;
        }
        return machine.substring(0, end);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
