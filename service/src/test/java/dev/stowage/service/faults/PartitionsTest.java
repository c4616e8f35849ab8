package dev.stowage.service.faults;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.service.api.Certificates;
import dev.stowage.service.raft.Tls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes under load on machines of their own ({@link SpreadMachines}), with TLS and a token, whose links are
 * cut while all of them live, and that are restarted one after the other. Not part of {@code mvn verify}: {@code
 * .ci/faults} runs it in a network namespace of its own.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
final class PartitionsTest {
    private static final int NODES = 3;
    private static final int CLIENTS = 6;
    /** Longer than an election, and than a leader waits before it steps down. */
    private static final long CUT_MILLIS = 5000;

    private static final int FLAPS = 8;
    private static final long FLAP_MILLIS = 300;

    @TempDir
    private Path directory;

    private SpreadMachines links;
    private Group group;
    private long seed;

    @RegisterExtension
    private final TestExecutionExceptionHandler diagnosis = Group.describedAtFailure(() -> group);

    @BeforeEach
    void start() throws Exception {
        String command = System.getProperty("stowage.command", "");
        assumeTrue(!command.isEmpty(), "skipped: -Dstowage.command=/path/to/stowage says what to run");
        assumeTrue(Links.may(), "skipped: needs a network namespace of its own, as .ci/faults makes one");
        seed = Long.getLong("stowage.seed", System.nanoTime());
        links = new SpreadMachines(NODES);
        Tls tls = Certificates.make(directory, "group", false, hosts());
        List<Group.Place> places = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            places.add(links.place(node, command));
        }
        group = new Group(directory, 300, places, tls);
        group.start();
        group.leader();
        for (NodeProcess node : group.nodes()) {
            group.agree(node);
        }
    }

    @AfterEach
    void stop() throws Exception {
        if (group != null) {
            group.close();
        }
        if (links != null) {
            links.close();
        }
    }

    private static List<String> hosts() {
        List<String> hosts = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            hosts.add(SpreadMachines.host(node));
        }
        return hosts;
    }

    /** What is cut; the first node leads. */
    private enum Cut {
        LEADER_ALONE {
            @Override
            void make(SpreadMachines links, int leader, int one, int other) throws Exception {
                links.cutBoth(leader, one);
                links.cutBoth(leader, other);
            }
        },
        FOLLOWER_ALONE {
            @Override
            void make(SpreadMachines links, int leader, int one, int other) throws Exception {
                links.cutBoth(one, leader);
                links.cutBoth(one, other);
            }
        },
        /** It hears the others and they do not hear it. */
        LEADER_NOT_HEARD {
            @Override
            void make(SpreadMachines links, int leader, int one, int other) throws Exception {
                links.cut(leader, one);
                links.cut(leader, other);
            }
        },
        /** The other sees both, and must not be torn between them. */
        LEADER_FROM_ONE {
            @Override
            void make(SpreadMachines links, int leader, int one, int other) throws Exception {
                links.cutBoth(leader, one);
            }
        },
        ALL_FROM_ALL {
            @Override
            void make(SpreadMachines links, int leader, int one, int other) throws Exception {
                links.cutBoth(leader, one);
                links.cutBoth(leader, other);
                links.cutBoth(one, other);
            }
        },

        /** Cut and healed faster than an election. */
        LEADER_FLAPS {
            @Override
            void make(SpreadMachines links, int leader, int one, int other) throws Exception {
                for (int time = 0; time < FLAPS; time++) {
                    links.cutBoth(leader, one);
                    links.cutBoth(leader, other);
                    Thread.sleep(FLAP_MILLIS);
                    links.heal();
                    Thread.sleep(FLAP_MILLIS);
                }
            }
        };

        abstract void make(SpreadMachines links, int leader, int one, int other) throws Exception;
    }

    /** As an operator upgrades a group, with clients that go on. */
    @Test
    @Tag("nightly")
    void restartedOneAfterTheOther() throws Exception {
        try (ClientLoad load = new ClientLoad(group.client(Group.PATIENCE), "roll-", CLIENTS, seed)) {
            for (NodeProcess node : group.nodes()) {
                load.progress();
                load.fault(node::end);
                load.progress();
                node.start();
                group.agree(node);
            }
            load.check();
            group.agree();
            group.conserved();
            System.out.printf("%d nodes restarted: %s%n", NODES, load);
        }
    }

    @Test
    void slowAndLossyLinks() throws Exception {
        links.degrade(5, "2mbit", "200ms");
        try (ClientLoad load = new ClientLoad(group.client(Group.PATIENCE), "slow-", CLIENTS, seed)) {
            load.progress();
            links.mend();
            load.progress();
            load.check();
            group.agree();
            group.conserved();
        }
    }

    @Test
    void cutLinks() throws Exception {
        int rounds = Integer.getInteger("stowage.partitions", 1);
        Random random = new Random(seed);
        try (ClientLoad load = new ClientLoad(group.client(Group.PATIENCE), "cut-", CLIENTS, seed)) {
            load.progress();
            for (int round = 0; round < rounds; round++) {
                for (Cut cut : Cut.values()) {
                    group.allRun();
                    int leader = group.nodes().indexOf(group.leader());
                    List<Integer> others = new ArrayList<>(List.of((leader + 1) % NODES, (leader + 2) % NODES));
                    Collections.shuffle(others, random);
                    load.fault(() -> cut.make(links, leader, others.get(0), others.get(1)));
                    boolean majority = cut != Cut.ALL_FROM_ALL;
                    if (majority) {
                        load.progress();
                    }
                    Thread.sleep(CUT_MILLIS);
                    if (majority) {
                        load.progress();
                    }
                    load.fault(links::heal);
                    load.progress();
                    for (NodeProcess node : group.nodes()) {
                        group.agree(node);
                    }
                }
            }
            load.check();
            group.agree();
            group.conserved();
            System.out.printf("seed %d: %d times links cut and healed: %s%n", seed, rounds * Cut.values().length, load);
        }
    }
}
