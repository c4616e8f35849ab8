package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every law can fail: a policy or an engine that breaks it is caught. */
class LawsTest {
    /** Two servers of 4; three requests of 2 and one too large for anything. */
    private static final CommandLog LOG = CommandLog.parse("""
            arrive-with at=1 id=1 type=-1 demand=2 pooled= reward=0
            arrive-with at=2 id=2 type=-1 demand=2 pooled= reward=0
            arrive-with at=3 id=3 type=-1 demand=2 pooled= reward=0
            arrive-with at=4 id=4 type=-1 demand=9 pooled= reward=0
            leave at=5 id=1
            lose at=6 server=1
            return at=7 server=1
            """);

    static Stream<Arguments> wrong() {
        return Stream.of(
                wrong(Law.RULES, WrongPolicies.Overfills::new),
                wrong(Law.RULES, WrongPolicies.Undecided::new),
                wrong(Law.RULES, WrongPolicies.UnknownJob::new),
                wrong(Law.RULES, WrongPolicies.UnknownQueue::new),
                wrong(Law.RULES, WrongPolicies.PlacesTwice::new),
                wrong(Law.RULES, WrongPolicies.SwallowsTheException::new),
                wrong(Law.RESTORE, WrongPolicies.Forgetful::new),
                wrong(Law.REPLAY, WrongPolicies.SavesNoise::new),
                wrong(Law.REPLAY, WrongPolicies.Unseeded::new));
    }

    private static Arguments wrong(Law law, Supplier<Policy> policy) {
        return Arguments.of(law, policy, policy.get().getClass().getSimpleName());
    }

    @ParameterizedTest(name = "{2} breaks {0}")
    @MethodSource("wrong")
    void aWrongPolicyIsCaughtAndShrunk(Law law, Supplier<Policy> policy, String name) {
        Fuzz fuzz = Fuzz.of(getClass(), WrongPolicies.only(policy), PolicySpec.of("wrong"))
                .seeds(50);
        LawError error = catchThrowableOfType(LawError.class, fuzz::run);
        assertThat(error).as(name).isNotNull();
        assertThat(error.law()).isEqualTo(law);
        assertThat(error).hasMessageContaining("minimal log (").hasMessageContaining("-Dstowage.seed=");
        assertThat(error.getMessage()
                        .lines()
                        .filter(line -> line.startsWith("    "))
                        .count())
                .as("commands in %s", error.getMessage())
                .isBetween(0L, 3L);
    }

    private static Scenario firstFit() {
        Cluster cluster = Cluster.single(2, 4);
        return new Scenario(Samples.FACTORY, PolicySpec.of("first-fit"), cluster, Steps.COMMANDS, 1, LOG);
    }

    @Test
    void theUndistortedRunKeepsTheLaws() {
        Laws.check(firstFit());
    }

    /** Passes everything on; what a test overrides is the lie. */
    private static class Forwarding implements Effects {
        final Effects to;

        Forwarding(Effects to) {
            this.to = to;
        }

        @Override
        public void attached(View view) {
            to.attached(view);
        }

        @Override
        public void arrived(long now, int job) {
            to.arrived(now, job);
        }

        @Override
        public void placed(long now, int job, int server, String reason) {
            to.placed(now, job, server, reason);
        }

        @Override
        public void left(long now, int job, int server) {
            to.left(now, job, server);
        }

        @Override
        public void rejected(long now, int job, String reason) {
            to.rejected(now, job, reason);
        }

        @Override
        public void displaced(long now, int job, int server) {
            to.displaced(now, job, server);
        }

        @Override
        public void serverChanged(long now, int server, ServerStatus status) {
            to.serverChanged(now, server, status);
        }

        @Override
        public void refused(long now, long subject, Refusal refusal, String detail) {
            to.refused(now, subject, refusal, detail);
        }
    }

    private static void assertCaught(Law law, UnaryOperator<Effects> lie) {
        assertThatThrownBy(() -> Auditor.audit(firstFit(), lie))
                .isInstanceOfSatisfying(
                        LawError.class,
                        error -> assertThat(error.law()).as(error.getMessage()).isEqualTo(law));
    }

    @Test
    void capacity() {
        assertCaught(Law.CAPACITY, to -> new Forwarding(to) {
            @Override
            public void placed(long now, int job, int server, String reason) {
                to.placed(now, job, 0, reason);
            }
        });
    }

    @Test
    void placedTwice() {
        assertCaught(Law.BOOKS, to -> new Forwarding(to) {
            @Override
            public void placed(long now, int job, int server, String reason) {
                to.placed(now, job, server, reason);
                to.placed(now, job, server, reason);
            }
        });
    }

    @Test
    void leftFromElsewhere() {
        assertCaught(Law.BOOKS, to -> new Forwarding(to) {
            @Override
            public void left(long now, int job, int server) {
                to.left(now, job, server + 1);
            }
        });
    }

    @Test
    void lostWithItsServer() {
        assertCaught(Law.BOOKS, to -> new Forwarding(to) {
            @Override
            public void displaced(long now, int job, int server) {}
        });
    }

    @Test
    void undecided() {
        assertCaught(Law.DECIDED, to -> new Forwarding(to) {
            @Override
            public void placed(long now, int job, int server, String reason) {}
        });
    }

    @Test
    void conservation() {
        CommandLog full = CommandLog.parse("""
                arrive-with at=1 id=1 type=-1 demand=4 pooled= reward=0
                arrive-with at=1 id=2 type=-1 demand=4 pooled= reward=0
                """);
        Scenario scenario = new Scenario(
                Samples.FACTORY, PolicySpec.of("first-fit"), Cluster.single(1, 4), Steps.COMMANDS, 1, full);
        assertThatThrownBy(() -> Auditor.audit(scenario, to -> new Forwarding(to) {
                    @Override
                    public void rejected(long now, int job, String reason) {
                        to.rejected(now, job, reason);
                        to.refused(now, 2, Refusal.DUPLICATE_ID, "");
                    }
                }))
                .isInstanceOf(LawError.class);
        assertThatThrownBy(() -> Auditor.audit(scenario, to -> new Forwarding(to) {
                    @Override
                    public void rejected(long now, int job, String reason) {
                        to.queued(now, job, 0, "as if it waited");
                    }
                }))
                .isInstanceOfSatisfying(
                        LawError.class, error -> assertThat(error.law()).isEqualTo(Law.CONSERVATION));
    }

    @Test
    void refusedForAnotherReason() {
        assertCaught(Law.REFUSAL, to -> new Forwarding(to) {
            @Override
            public void refused(long now, long subject, Refusal refusal, String detail) {
                to.refused(now, subject, Refusal.BAD_DEMAND, detail);
            }
        });
    }

    @Test
    void neitherRefusedNorCarriedOut() {
        assertCaught(Law.REFUSAL, to -> new Forwarding(to) {
            @Override
            public void refused(long now, long subject, Refusal refusal, String detail) {}
        });
    }

    @Test
    void carriedOutThoughItHadToBeRefused() {
        assertCaught(Law.REFUSAL, to -> new Forwarding(to) {
            @Override
            public void refused(long now, long subject, Refusal refusal, String detail) {
                to.arrived(now, 7);
            }
        });
    }

    @Test
    void anotherServerChanged() {
        assertCaught(Law.BOOKS, to -> new Forwarding(to) {
            @Override
            public void serverChanged(long now, int server, ServerStatus status) {
                to.serverChanged(now, 0, status);
            }
        });
    }

    @Test
    void theViewSaysSomethingElse() {
        CommandLog small = CommandLog.parse("arrive-with at=1 id=1 type=-1 demand=2 pooled= reward=0");
        assertThatThrownBy(() -> Auditor.audit(firstFit().withLog(small), to -> new Forwarding(to) {
                    @Override
                    public void placed(long now, int job, int server, String reason) {
                        to.placed(now, job, 1, reason);
                    }
                }))
                .isInstanceOfSatisfying(
                        LawError.class, error -> assertThat(error.law()).isEqualTo(Law.VIEW));
    }

    /** The comparisons of runs compare: another digest or another end is told. */
    @Test
    void comparisonsFailOnAnotherDigestAndOnAnotherEnd() {
        Scenario scenario = firstFit();
        Engine engine = scenario.play(Effects.NONE);
        long digest = engine.digest();
        byte[] end = engine.save();
        byte[] other = end.clone();
        other[10] ^= 1;
        assertBroken(Law.REPLAY, () -> Laws.checkReplay(scenario, digest + 1, end));
        assertBroken(Law.REPLAY, () -> Laws.checkReplay(scenario, digest, other));
        assertBroken(Law.RESTORE, () -> Laws.checkRestoredAlways(scenario, digest + 1, end));
        assertBroken(Law.RESTORE, () -> Laws.checkRestoredAlways(scenario, digest, other));
        assertBroken(Law.RESTORE, () -> Laws.checkRestoredTwice(scenario, digest + 1, end));
        assertBroken(Law.RESTORE, () -> Laws.checkRestoredTwice(scenario, digest, other));
        assertBroken(Law.TICKS, () -> Laws.checkTicks(scenario, digest + 1, end));
        assertBroken(Law.TICKS, () -> Laws.checkTicks(scenario, digest, other));
        assertBroken(Law.REFUSED_CHANGE_NOTHING, () -> Laws.checkRefused(scenario, List.of(3), digest + 1));
        assertBroken(Law.REFUSED_CHANGE_NOTHING, () -> Laws.checkRefused(scenario, List.of(0), digest));
    }

    private static void assertBroken(Law law, Runnable check) {
        assertThatThrownBy(check::run)
                .isInstanceOfSatisfying(
                        LawError.class, error -> assertThat(error.law()).isEqualTo(law));
    }

    @Test
    void aPinnedDigestThatDiffersIsTold() {
        assertThatThrownBy(() -> LawDigests.check(SamplesTest.class, List.of("first-fit 1 0000000000000000")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("line 1 of SamplesTest.digests")
                .hasMessageContaining("0000000000000000");
        assertThatThrownBy(() -> LawDigests.check(getClass(), List.of()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("absent");
    }

    @Test
    void exhaustiveSearchFindsTheShortestBreach() {
        Cluster cluster = new Cluster(
                Cluster.single(1, 2).resources(),
                List.of(),
                Cluster.single(1, 2).sites(),
                List.of(dev.stowage.core.model.RequestType.of("t", 2)));
        assertThatThrownBy(() -> Exhaustive.check(
                        WrongPolicies.only(WrongPolicies.Overfills::new),
                        PolicySpec.of("wrong"),
                        cluster,
                        Steps.COMMANDS,
                        2,
                        1))
                .isInstanceOf(LawError.class)
                .hasMessageContaining("arrive at=2 id=1 type=0");
    }
}
