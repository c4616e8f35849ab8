package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Operation.Adopt;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Outcome.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers with GPUs in the replicated state: who holds which, what is refused, what is explained, what is kept. */
final class DevicesInServiceTest {
    private static final long GPU = 1000;

    @TempDir
    private Path directory;

    private long position;

    /** Two servers of 100 cpu, with 2 and 4 GPUs. */
    private ServiceState begun(String policy) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu"), Resource.inDevices("gpu_milli", GPU)),
                List.of(),
                List.of(Site.of(
                        "oslo",
                        new ServerBlock(1, Amounts.of(100, 2 * GPU)),
                        new ServerBlock(1, Amounts.of(100, 4 * GPU)))),
                List.of());
        ServiceState state = new ServiceState(new Policies());
        one(state, new Operation.Begin(new Setting(cluster, PolicySpec.of(policy), 1, 1000)));
        return state;
    }

    private Outcome one(ServiceState state, Operation operation) {
        byte[] entry = new Batch(ServiceState.VERSION, 1, position, position, List.of(operation)).encode();
        return state.apply(position++, Batch.decode(entry)).get(0);
    }

    private static Submit submit(String id, long gpu) {
        return Submits.of("acme", id, "", new long[] {1, gpu}, new long[0], 0, Operation.ANY_WAIT);
    }

    private static Request find(ServiceState state, String id) {
        return state.world().find("acme", id);
    }

    @Test
    void partsShareADeviceAndWholeOnesAreAlone() {
        ServiceState state = begun("fifo-ff");
        one(state, submit("a", 600));
        one(state, submit("b", 600));
        one(state, submit("c", 400));
        one(state, submit("d", 2 * GPU));
        assertThat(find(state, "a").devices()).isEqualTo(0b01);
        assertThat(find(state, "b").devices()).isEqualTo(0b10);
        assertThat(find(state, "c").devices()).as("the fullest with room").isEqualTo(0b01);
        assertThat(find(state, "d").server()).isEqualTo(1);
        assertThat(find(state, "d").devices()).isEqualTo(0b0011);
        one(state, submit("none", 0));
        assertThat(find(state, "none").devices()).isZero();
        one(state, new Release("acme", "a"));
        assertThat(find(state, "a").devices()).as("ended").isZero();
        assertThat(one(state, submit("half", 1500)).refusal()).isEqualTo(Refusal.BAD_DEMAND);
        assertThat(one(state, submit("five", 5 * GPU)).refusal()).isEqualTo(Refusal.FITS_NO_SERVER);
    }

    @Test
    void adoptionAndResizeNameDevices() {
        ServiceState state = begun("fifo-ff");
        assertThat(one(state, new Adopt(submit("a", 2 * GPU), "1", 0b1010)).kind())
                .isEqualTo(Kind.DONE);
        assertThat(find(state, "a").devices()).isEqualTo(0b1010);
        assertThat(one(state, new Adopt(submit("a", 2 * GPU), "1", 0b1010)).kind())
                .isEqualTo(Kind.REPEATED);
        assertThat(one(state, new Adopt(submit("a", 2 * GPU), "1", 0b0101)).kind())
                .isEqualTo(Kind.CONFLICT);
        // Device 0 of server 1 has failed.
        Command resize = Command.resize(0, 1, List.of(100L, 3 * GPU)).onDevices(0b1110);
        assertThat(one(state, new Change("r", "op", "", resize)).kind()).isEqualTo(Kind.DONE);
        assertThat(state.world().engine().view().devicesOf(1)).isEqualTo(0b1110);
        assertThat(find(state, "a").devices()).as("stays").isEqualTo(0b1010);
        one(state, submit("b", 2 * GPU));
        assertThat(find(state, "b").server()).isZero();
        one(state, submit("c", 2 * GPU));
        assertThat(find(state, "c").state()).isEqualTo(Request.State.WAITING);
        assertThat(state.world().audit().get(0).change()).contains("devices");
    }

    /** The sum is enough for it, no device is: the explanation says so. */
    @Test
    void whatIsMissingOfDevicesIsExplained() {
        ServiceState state = begun("fifo-ff");
        for (int k = 0; k < 6; k++) {
            one(state, submit("p" + k, 600));
        }
        one(state, submit("part", 500));
        one(state, submit("whole", GPU));
        assertThat(look(state, "part"))
                .containsExactly(
                        "no device has 500 gpu_milli free, at most 400",
                        "no device has 500 gpu_milli free, at most 400");
        assertThat(look(state, "whole"))
                .containsExactly("0 of 1 whole devices are free", "0 of 1 whole devices are free");
        one(state, new Release("acme", "p0"));
        assertThat(find(state, "part").devices()).isEqualTo(0b01);
    }

    private List<String> look(ServiceState state, String id) {
        Survey survey = new Survey(find(state, id), 5);
        while (survey.more(state.world())) {}
        assertThat(survey.large()).isEqualTo(2);
        assertThat(survey.room()).isZero();
        return survey.nearest().stream().map(Survey.Seen::lacksDevices).toList();
    }

    /** Beside a book of devices by hand, through snapshots; a replay of the log decides alike. */
    @Test
    void aBookByHandAgrees() throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            ServiceState state = begun(seed % 2 == 0 ? "fifo-ff" : "best-fit");
            ReplayedPolicy replayed = ReplayedPolicy.of(state, null, new Policies());
            List<String> ids = new ArrayList<>();
            for (int step = 0; step < 150; step++) {
                String id = "r" + step;
                Operation operation = random.nextInt(3) == 0 && !ids.isEmpty()
                        ? new Release("acme", ids.remove(random.nextInt(ids.size())))
                        : random.nextInt(20) == 0
                                ? new Adopt(submit(id, GPU), "1", 1L << random.nextInt(4))
                                : submit(
                                        id,
                                        random.nextInt(3) == 0 ? GPU * (1 + random.nextInt(3)) : random.nextInt(1000));
                if (!(operation instanceof Release)) {
                    ids.add(id);
                }
                byte[] entry = new Batch(ServiceState.VERSION, 1, position, position, List.of(operation)).encode();
                Batch batch = Batch.decode(entry);
                List<Outcome> outcomes = state.apply(position++, batch);
                replayed.apply(state.now(), batch, outcomes, state.takeChanges());
                check(state);
                if (step % 50 == 49) {
                    Path file = directory.resolve(seed + "-" + step);
                    state.capture().write(file);
                    ServiceState read = Snapshot.read(file, new Policies());
                    assertThat(read.digest()).isEqualTo(state.digest());
                    check(read);
                }
            }
            assertThat(replayed.figures().failure()).isEmpty();
            assertThat(replayed.figures().digest())
                    .isEqualTo(state.world().engine().digest());
        }
    }

    /** What each request says that it holds adds up to what the engine has given away, device by device. */
    private static void check(ServiceState state) {
        TreeMap<String, Long> held = new TreeMap<>();
        for (Request request : state.world().requests()) {
            long demand = request.demand()[1];
            boolean runs = request.state() == Request.State.RUNNING;
            assertThat(Long.bitCount(request.devices())).isEqualTo(runs ? (int) ((demand + GPU - 1) / GPU) : 0);
            for (int device = 0; device < 64; device++) {
                if ((request.devices() >>> device & 1) != 0) {
                    held.merge(request.server() + "." + device, Math.min(demand, GPU), Long::sum);
                }
            }
        }
        View view = state.world().engine().view();
        for (int server = 0; server < view.servers(); server++) {
            for (int device = 0; device < 4; device++) {
                long there = (view.devicesOf(server) >>> device & 1) * GPU;
                assertThat(view.deviceFree(server, device))
                        .isEqualTo(there - held.getOrDefault(server + "." + device, 0L));
            }
        }
    }
}
