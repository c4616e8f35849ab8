package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.ForwardingPolicy;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine keeps the laws where a resource comes in devices. */
class DeviceLawsTest {
    private static final String NAMING = "naming";

    /** The samples, which all ask the view what fits. */
    private static final PolicyFactory KNOWING =
            spec -> new Knowing(spec.name().equals(NAMING) ? new Naming() : Samples.FACTORY.create(spec));

    private static final class Knowing extends ForwardingPolicy {
        private final Policy policy;

        Knowing(Policy policy) {
            this.policy = policy;
        }

        @Override
        protected Policy policy() {
            return policy;
        }

        @Override
        public Set<Capability> capabilities() {
            Set<Capability> more = EnumSet.of(Capability.DEVICES);
            more.addAll(policy.capabilities());
            return more;
        }
    }

    /** First fit that says which devices: those with the highest numbers. */
    private static final class Naming extends Samples.FirstFitLoss {
        @Override
        public Set<Capability> capabilities() {
            return EnumSet.of(Capability.DEVICES, Capability.OVERCOMMITMENT);
        }

        @Override
        public void adopted(int job, int server, View view, Actions actions) {
            // The view has all it knows.
        }

        @Override
        public void arrived(int job, View view, Actions actions) {
            int server = Samples.firstFit(job, view);
            if (server == View.NONE) {
                actions.reject(job, "no room");
            } else {
                actions.place(job, server, highest(job, server, view), "first fit, last devices");
            }
        }

        private static long highest(int job, int server, View view) {
            long demand = view.demand(job, view.deviceResource());
            long each = Math.min(demand, view.deviceAmount());
            long devices = 0;
            for (int device = 63; device >= 0 && demand > 0; device--) {
                if (view.deviceFree(server, device) >= each) {
                    devices |= 1L << device;
                    demand -= each;
                }
            }
            return devices;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "first-fit",
                "fcfs",
                "power-of-two",
                "equal-share",
                "dummies",
                "migrating",
                "largest-first",
                NAMING
            })
    void onRandomLogs(String name) {
        Fuzz.of(getClass(), KNOWING, PolicySpec.of(name)).devices().seeds(40).run();
    }

    @Test
    void withMoreOfEverything() {
        Fuzz.of(getClass(), KNOWING, PolicySpec.of(NAMING))
                .devices()
                .overcommitment()
                .seeds(100)
                .run();
    }

    /** The generator makes what it is to test. */
    @Test
    void partsAndWholeOnesAreHeldAndAdopted() {
        int parts = 0;
        int wholes = 0;
        int named = 0;
        for (long seed = 1; seed <= 100; seed++) {
            Scenario scenario = Fuzz.of(getClass(), KNOWING, PolicySpec.of(NAMING))
                    .devices()
                    .overcommitment()
                    .scenario(seed);
            EffectTrace trace = new EffectTrace();
            scenario.play(trace);
            parts += trace.lines().stream().anyMatch(line -> line.matches(".*placed.*devices \\[\\d].*")) ? 1 : 0;
            wholes += trace.lines().stream().anyMatch(line -> line.matches(".*placed.*devices \\[\\d, \\d.*")) ? 1 : 0;
            named += scenario.log().commands().stream().map(Command::devices).anyMatch(devices -> devices != 0) ? 1 : 0;
        }
        assertThat(List.of(parts, wholes, named)).allMatch(count -> count > 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "fcfs", NAMING})
    void onAllShortLogs(String name) {
        Cluster cluster = new Cluster(
                List.of(Resource.inDevices("gpu", 3)),
                List.of(),
                List.of(Site.of("site", new ServerBlock(1, Amounts.of(6)), new ServerBlock(1, Amounts.of(3)))),
                List.of(RequestType.of("third", 1), RequestType.of("most", 2), RequestType.of("one", 3)));
        int length = Integer.getInteger("stowage.length", 3);
        for (Steps steps : Steps.values()) {
            assertThat(Exhaustive.check(KNOWING, PolicySpec.of(name), cluster, steps, length, 1))
                    .isGreaterThan(100);
        }
    }
}
