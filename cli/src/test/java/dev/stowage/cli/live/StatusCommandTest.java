package dev.stowage.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.service.v1.Policy;
import dev.stowage.service.v1.Status;
import dev.stowage.service.v1.You;
import io.grpc.Metadata;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class StatusCommandTest {
    /** It was said once for each address, and then again for the last. */
    @Test
    void addressesThatFailInTheSameWayAreNamedTogether() {
        Map<String, String> failed = new LinkedHashMap<>();
        failed.put("127.0.0.1:1", "nothing listens at 127.0.0.1:1: start a service");
        failed.put("https://127.0.0.1:2", "nothing listens at 127.0.0.1:2: start a service");
        failed.put("127.0.0.1:3", "TLS failed");
        assertThat(CallFailures.together(failed))
                .containsExactly(
                        "nothing listens at 127.0.0.1:1, 127.0.0.1:2: start a service", "127.0.0.1:3: TLS failed");
        Program none = Program.run("status", "--at", "127.0.0.1:1,127.0.0.1:2");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).containsOnlyOnce("nothing listens at 127.0.0.1:1, 127.0.0.1:2");
        // So do the other commands, which named the first only.
        assertThat(Program.run("get", "--at", "127.0.0.1:1,127.0.0.1:2,nowhere.invalid:3")
                        .err())
                .contains(
                        "nothing listens at 127.0.0.1:1, 127.0.0.1:2: start a service",
                        "there is no host 'nowhere.invalid'");
    }

    /** What a token of some tenants does not show was shown as 0. */
    @Test
    void whatIsHiddenIsNotZero() {
        Status.Builder node = Status.newBuilder()
                .setNode("n1")
                .setRole("LEADER")
                .setReady(true)
                .setLeader("n1")
                .setApplied(7)
                .setLiveRequests(2);
        Status acme = node.setYou(You.newBuilder().addTenants("acme")).build();
        assertThat(StatusCommand.cells(acme)).containsExactly("n1", "LEADER", "yes", "7", "0", "-");
        assertThat(StatusCommand.holds(acme)).endsWith("yours (acme) have 2 running or waiting.");
        Status all = node.setYou(You.newBuilder().setAllTenants(true))
                .setDigest("0123456789")
                .setServers(4)
                .setServersUp(3)
                .setServersOccupied(1)
                .setRunningRequests(1)
                .setUnconfirmedRequests(1)
                .setPolicy(Policy.newBuilder().setName("best-fit"))
                .build();
        assertThat(StatusCommand.cells(all)).containsExactly("n1", "LEADER", "yes", "7", "0", "01234567");
        assertThat(StatusCommand.holds(all))
                .startsWith("4 servers, 1 in use, 1 takes no new requests (draining, or the agent is silent)."
                        + " 1 request runs, 1 wait. 1 request has a change to confirm: ");
        assertThat(StatusCommand.holds(all.toBuilder().setServersGone(2).build()))
                .startsWith("6 servers, 2 removed or reported lost, 1 in use, 1 takes no new requests");
        assertThat(StatusCommand.holds(
                        all.toBuilder().setServersGone(3).setServersSilent(1).build()))
                .startsWith("7 servers, 1 gone (silent agent), 2 removed or reported lost, 1 in use, ");
        assertThat(StatusCommand.holds(
                        all.toBuilder().setServersGone(1).setServersSilent(1).build()))
                .startsWith("5 servers, 1 gone (silent agent), 1 in use, ");
        assertThat(StatusCommand.holds(all.toBuilder().clearPolicy().build())).isEmpty();
    }

    /** The reason was in a column, a word a line. */
    @Test
    void whyANodeIsNotReadyIsSaidBelow() {
        Status joining = Status.newBuilder()
                .setNode("n2")
                .setRole("joining")
                .setWaits("no node that answers belongs to a group yet")
                .build();
        assertThat(StatusCommand.cells(joining)).startsWith("n2", "joining", "no");
        assertThat(StatusCommand.notReady(joining))
                .isEqualTo("n2 is not ready: no node that answers belongs to a group yet.");
        assertThat(StatusCommand.notReady(joining.toBuilder().clearWaits().build()))
                .isEmpty();
        assertThat(StatusCommand.cells(
                        joining.toBuilder().setReady(true).setHalted("a digest").build()))
                .startsWith("n2", "joining", "no");
    }

    /** A token that is not for the tenant, an id in use and the like: the same command never succeeds. */
    @Test
    void whatNeverSucceedsIsAMistakeInWhatWasTyped() {
        record Refusal(io.grpc.Status status, String reason, boolean bad) {}
        for (Refusal each : List.of(
                new Refusal(io.grpc.Status.PERMISSION_DENIED, "FOREIGN_TENANT", true),
                new Refusal(io.grpc.Status.PERMISSION_DENIED, "OPERATORS_ONLY", true),
                new Refusal(io.grpc.Status.UNAUTHENTICATED, "NOT_KNOWN", true),
                new Refusal(io.grpc.Status.ALREADY_EXISTS, "ID_IN_USE", true),
                new Refusal(io.grpc.Status.FAILED_PRECONDITION, "UNSUPPORTED", true),
                new Refusal(io.grpc.Status.NOT_FOUND, "UNKNOWN_NODE", true),
                new Refusal(io.grpc.Status.NOT_FOUND, "UNKNOWN_SITE", true),
                new Refusal(io.grpc.Status.RESOURCE_EXHAUSTED, "TOO_LONG", true),
                new Refusal(io.grpc.Status.OUT_OF_RANGE, "POSITION_FORGOTTEN", false),
                new Refusal(io.grpc.Status.FAILED_PRECONDITION, "NO_TRANSFER", false),
                new Refusal(io.grpc.Status.FAILED_PRECONDITION, "WRONG_STATUS", false),
                new Refusal(io.grpc.Status.RESOURCE_EXHAUSTED, "OVER_QUOTA", false),
                new Refusal(io.grpc.Status.FAILED_PRECONDITION, "BEYOND_QUOTA", true),
                new Refusal(io.grpc.Status.NOT_FOUND, "NOT_FOUND", false))) {
            Metadata trailers = new Metadata();
            trailers.put(Metadata.Key.of("stowage-reason", Metadata.ASCII_STRING_MARSHALLER), each.reason());
            assertThat(CallFailures.of(each.status()
                            .withDescription(each.reason() + ": it is so")
                            .asRuntimeException(trailers)))
                    .as(each.reason())
                    .isInstanceOf(each.bad() ? BadInputException.class : CallFailedException.class);
        }
    }

    /** A list that took too long is asked for again; a position that was typed is forgotten for good. */
    @Test
    void whatIsWrongWithAnOptionIsAMistakeInIt() {
        Metadata trailers = new Metadata();
        trailers.put(Metadata.Key.of("stowage-reason", Metadata.ASCII_STRING_MARSHALLER), "POSITION_FORGOTTEN");
        trailers.put(Metadata.Key.of("stowage-field", Metadata.ASCII_STRING_MARSHALLER), "after_position");
        assertThat(CallFailures.of(io.grpc.Status.OUT_OF_RANGE
                        .withDescription("POSITION_FORGOTTEN: after_position 5: the changes after it are forgotten")
                        .asRuntimeException(trailers)))
                .isInstanceOf(BadInputException.class)
                .hasMessage("POSITION_FORGOTTEN: --after 5: the changes after it are forgotten");
    }

    /** A node that had stopped on its own said what the service held. */
    @Test
    void theLeaderSaysWhatTheServiceHolds() {
        Status leader = Status.newBuilder()
                .setNode("n1")
                .setLeader("n1")
                .setReady(true)
                .setApplied(7)
                .build();
        Status follower = leader.toBuilder().setNode("n2").setApplied(8).build();
        Status halted = follower.toBuilder()
                .setNode("n3")
                .setHalted("a digest")
                .setApplied(9)
                .build();
        assertThat(StatusCommand.speaker(List.of(halted, follower, leader))).isEqualTo(leader);
        assertThat(StatusCommand.speaker(List.of(halted, follower))).isEqualTo(follower);
        assertThat(StatusCommand.speaker(List.of(halted))).isEqualTo(halted);
    }

    /** A leader that seemed to be behind its followers was not explained. */
    @Test
    void whyAFollowerIsAheadIsSaid() {
        Status leader =
                Status.newBuilder().setNode("n1").setLeader("n1").setApplied(7).build();
        Status follower = leader.toBuilder().setNode("n2").setApplied(8).build();
        assertThat(StatusCommand.ahead(Map.of("n1", leader, "n2", follower)))
                .startsWith(" A follower may be at a later entry than the leader: ")
                .doesNotContain("was asked before");
        Status behind = follower.toBuilder().setApplied(6).build();
        assertThat(StatusCommand.ahead(Map.of("n1", leader, "n2", behind))).isEmpty();
        assertThat(StatusCommand.ahead(Map.of("n2", follower))).isEmpty();
    }

    @Test
    void timesAreEquallyLong() {
        assertThat(AnswerOptions.time(1_000_000_000L)).isEqualTo("1970-01-01T00:00:01.000Z");
        assertThat(AnswerOptions.time(1_001_999_999L)).isEqualTo("1970-01-01T00:00:01.001Z");
    }

    /** The command line was told to send a header. */
    @Test
    void withoutATokenTheOptionIsNamed() {
        Metadata trailers = new Metadata();
        trailers.put(Metadata.Key.of("stowage-reason", Metadata.ASCII_STRING_MARSHALLER), "NOT_KNOWN");
        assertThat(CallFailures.of(io.grpc.Status.UNAUTHENTICATED
                        .withDescription("NOT_KNOWN: this service needs a token: send 'authorization: Bearer TOKEN'")
                        .asRuntimeException(trailers)))
                .hasMessage(
                        "NOT_KNOWN: this service needs a token: give its file with --token-file, or set STOWAGE_TOKEN");
    }

    @Test
    void whyThereIsNoLeader() {
        assertThat(StatusCommand.leaderless(1, Set.of()))
                .isEqualTo("the only node answers and has not elected itself yet");
        assertThat(StatusCommand.leaderless(3, Set.of()))
                .isEqualTo("all 3 nodes answer and have not elected one (yet)");
        assertThat(StatusCommand.leaderless(1, Set.of("n2")))
                .isEqualTo("1 of 2 nodes answer, and a leader needs 2; n2 does not answer");
    }

    /** Of two calls each waited for the whole patience. */
    @Test
    void aReleaseGivesUpOnce() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            long began = System.nanoTime();
            Program release =
                    Program.run("release", "a", "--at", "127.0.0.1:" + silent.getLocalPort(), "--patience", "20 s");
            assertThat(release.code()).isEqualTo(1);
            assertThat(release.err()).contains("no answer");
            // Attempts of 3 s: the last begins within the patience. Twice the patience leaves a busy machine 17 s.
            assertThat(System.nanoTime() - began).isLessThan(40_000_000_000L);
        }
    }
}
