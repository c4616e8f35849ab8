package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LeaderNewsTest {
    private final LoggedWords log = new LoggedWords(LeaderNews.class);

    private long seconds;
    private final LeaderNews news = new LeaderNews(
            NodeSettings.of(
                    "n1",
                    List.of(
                            new NodeSettings.Peer("n1", "a:1"),
                            new NodeSettings.Peer("n2", "a:2"),
                            new NodeSettings.Peer("n3", "a:3")),
                    Path.of("data")),
            () -> seconds * 1_000_000_000L);

    @AfterEach
    void end() {
        log.close();
    }

    private void look(int from, int to, String leader) {
        for (seconds = from; seconds < to; seconds++) {
            news.look(leader);
        }
    }

    /** Who starts a group reads nothing of the time before the first election. */
    @Test
    void theFirstLeaderIsNoNews() {
        look(0, 10, null);
        look(10, 100, "n2");
        assertThat(log.said()).isEmpty();
    }

    @Test
    void aChangeIsOneLine() {
        look(0, 1, "n2#7");
        look(1, 4, null);
        look(4, 9, "n3");
        look(9, 12, "n1");
        assertThat(log.said())
                .containsExactly("node n1: n3 leads now, in place of n2", "node n1: it leads now, in place of n3");
    }

    /** Hole: a node that had recovered for longer than its patience said that there was no leader any more. */
    @Test
    void aNodeThatStartsAgainHasPatience() {
        look(0, 1, "n2");
        seconds = 60;
        news.begin();
        look(60, 70, null);
        look(70, 80, "n2");
        assertThat(log.said()).isEmpty();
    }

    @Test
    void noLeaderForLongIsOneLineAndTheNextOneAnother() {
        look(0, 60, null);
        look(60, 70, "n2");
        look(70, 200, null);
        look(200, 210, "n2");
        assertThat(log.said())
                .containsExactly(
                        "node n1: there is no leader yet; more than half of n1, n2, n3 must be up and reach each other",
                        "node n1: n2 leads now",
                        "node n1: there is no leader any more, the last was n2; more than half of n1, n2, n3 must be up"
                                + " and reach each other",
                        "node n1: n2 leads now");
    }
}
