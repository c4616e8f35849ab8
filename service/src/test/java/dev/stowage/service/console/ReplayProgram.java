package dev.stowage.service.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.directory.RecordedLog;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Figures;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.ReplayedPolicy;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.ServiceState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** As much of {@code stowage replay} as the console asks for, without the command line. */
final class ReplayProgram implements RecordedLog.Listener {
    private final PolicySpec policy;
    private final List<ReplayedPolicy> replayed = new ArrayList<>();

    private ReplayProgram(PolicySpec policy) {
        this.policy = policy;
    }

    static List<String> command(Path data) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ReplayProgram.class.getName(),
                data.toString());
    }

    /** DIRECTORY --policy KEY ... */
    public static void main(String[] args) throws IOException {
        ReplayProgram program = new ReplayProgram(PolicySpec.of(args[2]));
        RecordedLog log = RecordedLog.in(Path.of(args[0]));
        if (log == null) {
            throw new IOException(args[0] + " has no log");
        }
        log.replay(new Policies(), program);
        List<Figures> figures =
                program.replayed.stream().map(ReplayedPolicy::figures).toList();
        System.out.println(new ObjectMapper().writeValueAsString(figures));
    }

    @Override
    public void begun(ServiceState state) {
        replayed.add(ReplayedPolicy.of(state, null, new Policies()));
        replayed.add(ReplayedPolicy.of(state, policy, new Policies()));
    }

    @Override
    public void applied(ServiceState state, Batch batch, List<Outcome> outcomes, List<Request> changes) {
        replayed.forEach(one -> one.apply(state.now(), batch, outcomes, changes));
    }
}
