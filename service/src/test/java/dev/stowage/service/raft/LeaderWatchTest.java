package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.Attributes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LeaderWatchTest {
    /** Longer than any test. */
    private static final long ELECTION = TimeUnit.DAYS.toNanos(1);

    /** Where the leader listens, or did. */
    private ServerSocket leader;

    private final BlockingQueue<String> replaced = new LinkedBlockingQueue<>();

    /** A follower that knows one leader after the other, and the last of them for good. */
    private class Knowing implements LeaderWatch.Follower {
        private final Deque<String> leaders;
        private final int turn;

        Knowing(int turn, String... leaders) {
            this.turn = turn;
            this.leaders = new ArrayDeque<>(List.of(leaders));
        }

        @Override
        public String leader() {
            return leaders.size() > 1 ? leaders.remove() : leaders.peek();
        }

        @Override
        public InetSocketAddress address(String id) {
            return new InetSocketAddress(leader.getInetAddress(), leader.getLocalPort());
        }

        @Override
        public int turn(String of) {
            return turn;
        }

        @Override
        public boolean replace(String of) {
            return replaced.add(of);
        }
    }

    @BeforeEach
    void listen() throws IOException {
        leader = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        leader.close();
    }

    @Test
    void aLeaderThatStillListensIsLeftAlone() throws Exception {
        new LeaderWatch(new Knowing(0, "n1"), TimeUnit.MILLISECONDS.toNanos(50)).check();
        assertThat(replaced).isEmpty();
    }

    /** On a busy machine its connections end long before its port closes. */
    @Test
    void oneThatStillListensForAWhileIsReplacedThen() throws Exception {
        Knowing follower = new Knowing(0, "n1") {
            private int asked;

            @Override
            public InetSocketAddress address(String id) {
                InetSocketAddress address = super.address(id);
                if (++asked == 8) {
                    assertThat(replaced).isEmpty();
                    try {
                        leader.close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
                return address;
            }
        };
        new LeaderWatch(follower, ELECTION).check();
        assertThat(replaced).containsExactly("n1");
    }

    /** As while entries are being appended. */
    @Test
    void anElectionThatCannotBeginYetIsTriedAgain() throws Exception {
        leader.close();
        Deque<Boolean> begins = new ArrayDeque<>(List.of(false, false, true));
        Knowing follower = new Knowing(0, "n1") {
            @Override
            public boolean replace(String of) {
                return super.replace(of) && begins.remove();
            }
        };
        new LeaderWatch(follower, ELECTION).check();
        assertThat(replaced).containsExactly("n1", "n1", "n1");
    }

    @Test
    void oneWhoseProcessHasEndedIsReplacedInTurn() throws Exception {
        leader.close();
        new LeaderWatch(new Knowing(0, "n1"), ELECTION).check();
        new LeaderWatch(new Knowing(1, "n1"), ELECTION).check();
        assertThat(replaced).containsExactly("n1", "n1");
    }

    @Test
    void notIfSomebodyElseWasFasterOrHasMoreOrNobodyLeads() throws Exception {
        leader.close();
        new LeaderWatch(new Knowing(1, "n1", "n1", "n2"), ELECTION).check();
        new LeaderWatch(new Knowing(0), ELECTION).check();
        new LeaderWatch(new Knowing(LeaderWatch.Follower.NEVER, "n1"), ELECTION).check();
        assertThat(replaced).isEmpty();
    }

    @Test
    void theEndOfAConnectionIsWhatMakesItLook() throws Exception {
        leader.close();
        try (LeaderWatch watch = new LeaderWatch(new Knowing(0, "n1"), ELECTION)) {
            watch.start();
            assertThat(replaced.poll(50, TimeUnit.MILLISECONDS)).isNull();
            watch.transportTerminated(Attributes.EMPTY);
            assertThat(replaced.take()).isEqualTo("n1");
        }
    }
}
