package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicyBugException;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests that only some sites may run: what is accepted, refused, forgotten, saved. */
class SiteLimitsTest {
    private static final long[] NO_POOL = {};
    private final Script script = new Script();

    /** Site s has one server of 10 + s. */
    private Engine start(int sites) {
        script.keepsSiteLimits = true;
        return script.start(
                new Cluster(
                        List.of(Resource.of("cpu")),
                        List.of(),
                        IntStream.range(0, sites)
                                .mapToObj(s -> Site.of("site" + s, new ServerBlock(1, Amounts.of(10 + s))))
                                .toList(),
                        List.of()),
                Steps.COMMANDS);
    }

    private static void arrive(Engine engine, long id, long demand, int... sites) {
        engine.arrive(0, id, -1, new long[] {demand}, NO_POOL, 0, sites);
    }

    @Test
    void aLimitedRequestFitsOnlyWhereItIsAllowed() {
        Engine engine = start(3);
        arrive(engine, 1, 4, 2, 0, 2);
        View view = engine.view();
        int job = engine.find(1);
        assertThat(IntStream.range(0, 3).filter(site -> view.mayRunAt(job, site)))
                .containsExactly(0, 2);
        assertThat(IntStream.range(0, 3).filter(server -> view.fits(job, server)))
                .containsExactly(0, 2);
        arrive(engine, 2, 4);
        assertThat(view.constraint(engine.find(2))).isZero();
        assertThat(view.fits(engine.find(2), 1)).isTrue();
    }

    @Test
    void aSiteThatJoinsLaterIsNotAllowed() {
        Engine engine = start(2);
        arrive(engine, 1, 4, 0, 1);
        engine.addSite(0, NO_POOL);
        engine.addServer(0, 2, new long[] {10});
        assertThat(engine.view().fits(engine.find(1), 2)).isFalse();
    }

    @Test
    void placingElsewhereIsABug() {
        Engine engine = start(2);
        script.onArrival = Script.PLACE;
        assertThatThrownBy(() -> arrive(engine, 1, 4, 1))
                .isInstanceOf(PolicyBugException.class)
                .hasMessageContaining("it is not allowed at site 0 of server 0");
    }

    @Test
    void whatCanNeverBeIsRefused() {
        Engine engine = start(2);
        arrive(engine, 1, 4, 2);
        arrive(engine, 2, 4, -1);
        arrive(engine, 3, 11, 0);
        arrive(engine, 4, 11, 1);
        assertThat(script.effects.stream().filter(line -> line.startsWith("refused")))
                .satisfiesExactly(
                        one -> assertThat(one).contains("UNKNOWN_SITE").contains("there is no site 2"),
                        one -> assertThat(one).contains("UNKNOWN_SITE").contains("there is no site -1"),
                        one -> assertThat(one)
                                .contains("FITS_NO_SERVER")
                                .contains("no server, even empty, can hold 11 cpu at the sites it is limited to"));
        assertThat(engine.find(4)).isNotNegative();
    }

    @Test
    void whatFitsNoServerIsNamedInUnitsThatPeopleUse() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu_milli"), Resource.of("mem_mib")),
                List.of("licenses"),
                List.of(new Site("one", List.of(new ServerBlock(2, Amounts.of(48_000, 131_072))), Amounts.of(3))),
                List.of());
        Engine engine = script.start(cluster, Steps.COMMANDS);
        engine.arrive(0, 1, -1, new long[] {64_000, 0}, new long[] {0}, 0);
        engine.arrive(0, 2, -1, new long[] {1_500, 262_144}, new long[] {4}, 0);
        assertThat(script.takeEffects())
                .containsExactly(
                        "refused FITS_NO_SERVER 1: no server, even empty, can hold 64 vCPU",
                        "refused FITS_NO_SERVER 2: no server, even empty, can hold 1.5 vCPU / 256 GiB / 4 licenses");
    }

    @Test
    void aPolicyThatDoesNotKeepThemTakesNoLimitedRequests() {
        Engine engine = start(2);
        arrive(engine, 1, 4, 1);
        script.keepsSiteLimits = false;
        arrive(engine, 2, 4, 1);
        assertThat(script.effects.get(script.effects.size() - 1))
                .contains("SITE_LIMIT")
                .contains("policy script does not support site limits");
        engine.setPolicy(0, PolicySpec.of("script"));
        assertThat(script.effects.get(script.effects.size() - 1))
                .contains("SITE_LIMIT")
                .contains("requests in the system that have one: 1");
        engine.leave(0, 1);
        engine.setPolicy(0, PolicySpec.of("script"));
        assertThat(script.callbacks)
                .filteredOn(line -> line.startsWith("started"))
                .hasSize(2);
    }

    @Test
    void numbersAreSharedAndUsedAgain() {
        Engine engine = start(3);
        View view = engine.view();
        arrive(engine, 1, 1, 0, 1);
        arrive(engine, 2, 1, 1, 0, 0);
        arrive(engine, 3, 1, 2);
        assertThat(view.constraint(engine.find(1))).isEqualTo(1);
        assertThat(view.constraint(engine.find(2))).isEqualTo(1);
        assertThat(view.constraint(engine.find(3))).isEqualTo(2);
        engine.leave(0, 1);
        assertThat(view.mayRunAt(engine.find(2), 1)).isTrue();
        engine.leave(0, 2);
        arrive(engine, 4, 1, 0);
        assertThat(view.constraint(engine.find(4))).isEqualTo(1);
        assertThat(view.mayRunAt(engine.find(4), 1)).isFalse();
        assertThat(view.constraints()).isEqualTo(3);
    }

    @Test
    void thereAreNotMoreSetsThanPoliciesCanIndex() {
        int bits = 13;
        Engine engine = start(bits);
        for (int set = 1; set <= ConstraintTable.MOST + 1; set++) {
            int present = set;
            int[] sites = IntStream.range(0, bits)
                    .filter(site -> (present >> site & 1) == 1)
                    .toArray();
            arrive(engine, set, 1, sites);
        }
        assertThat(engine.arrived()).isEqualTo(ConstraintTable.MOST);
        assertThat(script.effects.get(script.effects.size() - 1))
                .contains("CONSTRAINT")
                .contains("4096 different constraints are in use");
        arrive(engine, 9999, 1, 0);
        assertThat(engine.arrived()).isEqualTo(ConstraintTable.MOST + 1);
        engine.leave(0, 7);
        arrive(engine, 10000, 1, 0, 12);
        assertThat(engine.arrived()).isEqualTo(ConstraintTable.MOST + 2);
    }

    @Test
    void theyAreSaved() {
        Engine engine = start(3);
        arrive(engine, 1, 1, 0);
        arrive(engine, 2, 1, 1, 2);
        arrive(engine, 3, 1);
        engine.leave(0, 1);
        Engine copy = Engine.restore(engine.save(), script, script);
        assertThat(copy.view().constraint(copy.find(2))).isEqualTo(2);
        assertThat(IntStream.range(0, 3).filter(site -> copy.view().mayRunAt(copy.find(2), site)))
                .containsExactly(1, 2);
        assertThat(copy.view().constraint(copy.find(3))).isZero();
        arrive(copy, 4, 1, 1);
        assertThat(copy.view().constraint(copy.find(4))).isEqualTo(1);
        assertThat(copy.save()).isNotEqualTo(engine.save());
        arrive(engine, 4, 1, 1);
        assertThat(copy.save()).isEqualTo(engine.save());
    }

    @Test
    void theTextFormKeepsThem() {
        Command command =
                Command.arriveWith(5, 1, -1, List.of(4L), List.of(), 0).limitedTo(List.of(2, 0));
        assertThat(command).hasToString("arrive-with at=5 id=1 type=-1 demand=4 pooled= reward=0 sites=0,2");
        assertThat(Command.parse(command.toString())).isEqualTo(command);
        assertThat(Command.parse("arrive-with at=5 id=1 type=-1 demand=4 pooled= reward=0")
                        .constraints()
                        .isNone())
                .isTrue();
        Engine engine = start(3);
        command.send(engine);
        assertThat(engine.view().mayRunAt(engine.find(1), 1)).isFalse();
        assertThatThrownBy(() -> Command.arrive(0, 1, 0).limitedTo(List.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("only an arrival with its own demand");
    }
}
