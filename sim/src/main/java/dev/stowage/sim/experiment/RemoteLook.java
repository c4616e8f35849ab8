package dev.stowage.sim.experiment;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.sim.remote.Machines;
import dev.stowage.sim.remote.MachinesException;
import dev.stowage.sim.remote.MachinesRefusedException;
import dev.stowage.sim.unit.UnitStamp;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A first task for machines elsewhere: whether one of them reads the same experiment and the same files, asked before
 * anything is written here.
 */
public final class RemoteLook {
    /** The task; those of units are numbers. */
    static final String TASK = "look";

    private RemoteLook() {}

    /**
     * Waits until a machine has looked.
     *
     * @throws MachinesRefusedException if it cannot read what the units need, or reads something else
     * @throws MachinesException if no answer comes, or one that is none
     * @throws InterruptedException if the caller's thread was interrupted
     */
    public static void at(Machines.Session machines, List<Experiment> points, String version)
            throws InterruptedException {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        machines.start(List.of(TASK), new Machines.Listener() {
            @Override
            public void done(String task, byte[] bytes) {
                answer.complete(bytes);
            }

            @Override
            public void failed(MachinesException why) {
                answer.completeExceptionally(why);
            }
        });
        try {
            compare(ExperimentUnits.stamps(points, version), answer.get());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MachinesException why) {
                throw why;
            }
            throw new MachinesException("no machine could check the experiment: " + e.getCause(), e);
        }
    }

    private static void compare(List<UnitStamp> here, byte[] answer) {
        RemoteAnswer read;
        List<UnitStamp> there;
        try {
            read = RemoteAnswer.read(answer);
            byte[] stamps = read.unit();
            there = stamps == null ? List.of() : stamps(stamps);
        } catch (IllegalArgumentException e) {
            throw new MachinesException("the answer of the first machine cannot be read: " + e.getMessage(), e);
        }
        String where = "machine " + read.place() + ": ";
        if (!read.failure().isEmpty()) {
            throw new MachinesRefusedException(where + read.failure(), null);
        }
        if (there.size() != here.size()) {
            throw new MachinesRefusedException(
                    where + "reads " + there.size() + " points, here there are " + here.size(), null);
        }
        for (int point = 0; point < here.size(); point++) {
            String difference = here.get(point).differenceTo(there.get(point));
            if (!difference.isEmpty()) {
                throw new MachinesRefusedException(
                        where + "units would be " + difference
                                + ". Every machine must have the same files under the same names",
                        null);
            }
        }
    }

    static byte[] bytes(List<UnitStamp> stamps) {
        StateWriter out = new StateWriter();
        out.putNumber(stamps.size());
        for (UnitStamp stamp : stamps) {
            out.putString(stamp.experiment());
            out.putString(stamp.version());
            out.putString(stamp.inputs());
        }
        return out.toByteArray();
    }

    private static List<UnitStamp> stamps(byte[] bytes) {
        StateReader in = new StateReader(bytes);
        List<UnitStamp> stamps = new ArrayList<>();
        for (long left = in.getNumber(); left > 0; left--) {
            stamps.add(new UnitStamp(in.getString(), in.getString(), in.getString()));
        }
        return stamps;
    }
}
