package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.Requirement;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.model.Spread;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.PolicyBugException;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Names, labels and constraints: who is admitted where, what is refused, and when servers are told apart. */
class ConstrainedRequestsTest {
    private static final long[] NO_POOL = {};
    private final Script script = new Script();

    /** Servers 0 to 4 of 10: a1 and a2 in zone a, b1 in zone b with a GPU, b2 in zone b, and one without labels. */
    private Engine start() {
        script.capabilities = Set.of(Capability.SITE_LIMITS, Capability.CONSTRAINTS, Capability.OVERCOMMITMENT);
        return script.start(
                new Cluster(
                        List.of(Resource.of("cpu")),
                        List.of(),
                        List.of(Site.of(
                                "site",
                                ServerBlock.named("a1", Labels.parse("zone=a"), 10),
                                ServerBlock.named("a2", Labels.parse("zone=a"), 10),
                                ServerBlock.named("b1", Labels.parse("zone=b,gpu=V100"), 10),
                                ServerBlock.named("b2", Labels.parse("zone=b"), 10),
                                new ServerBlock(1, Amounts.of(10)))),
                        List.of()),
                Steps.COMMANDS);
    }

    private static void arrive(Engine engine, long id, long demand, Constraints constraints) {
        engine.arrive(0, id, -1, new long[] {demand}, NO_POOL, 0, constraints);
    }

    private static void adopt(Engine engine, long id, long demand, Constraints constraints, int server) {
        engine.adopt(0, id, -1, new long[] {demand}, NO_POOL, 0, constraints, server);
    }

    private static List<Integer> admitted(Engine engine, long id) {
        View view = engine.view();
        int number = view.constraint(engine.find(id));
        return IntStream.range(0, view.servers())
                .filter(server -> view.admits(number, server))
                .boxed()
                .toList();
    }

    private String last() {
        return script.effects.get(script.effects.size() - 1);
    }

    @Test
    void labelsOfServers() {
        Engine engine = start();
        arrive(engine, 1, 1, Constraints.labels(Requirement.parse("zone=a|c")));
        arrive(engine, 2, 1, Constraints.labels(Requirement.parse("zone!=a")));
        arrive(engine, 3, 1, Constraints.labels(Requirement.parse("zone"), Requirement.parse("!gpu")));
        arrive(engine, 4, 1, Constraints.NONE);
        assertThat(admitted(engine, 1)).containsExactly(0, 1);
        assertThat(admitted(engine, 2)).as("not in: also without the label").containsExactly(2, 3, 4);
        assertThat(admitted(engine, 3)).containsExactly(0, 1, 3);
        assertThat(admitted(engine, 4)).containsExactly(0, 1, 2, 3, 4);
        engine.labelServer(0, 4, Labels.parse("zone=a"));
        assertThat(admitted(engine, 1)).containsExactly(0, 1, 4);
        assertThat(last()).isEqualTo("labelled 4");
    }

    /** What could hold a request is remembered for its constraints: it must follow every change of servers. */
    @Test
    void whatCouldHoldARequestFollowsTheServers() {
        Engine engine = start();
        Constraints zone = Constraints.labels(Requirement.parse("zone=c"));
        Constraints notThere = Constraints.labels(Requirement.parse("zone=c")).avoidingAlso(4);
        arrive(engine, 1, 5, zone);
        assertThat(last()).contains("FITS_NO_SERVER");
        engine.labelServer(0, 4, Labels.parse("zone=c"));
        arrive(engine, 1, 5, zone);
        assertThat(engine.find(1)).isNotNegative();
        arrive(engine, 2, 11, zone);
        assertThat(last()).contains("FITS_NO_SERVER");
        engine.resizeServer(0, 4, new long[] {11});
        arrive(engine, 2, 11, zone);
        assertThat(engine.find(2)).isNotNegative();
        arrive(engine, 3, 5, notThere);
        assertThat(last()).contains("FITS_NO_SERVER");
        engine.addServer(0, 0, new long[] {5}, "c2", Labels.parse("zone=c"));
        arrive(engine, 3, 5, notThere);
        assertThat(engine.find(3)).isNotNegative();
        engine.loseServer(0, 4);
        arrive(engine, 4, 11, zone);
        assertThat(last())
                .as("the larger one is gone")
                .contains(
                        "FITS_NO_SERVER",
                        "no server that is there, even empty, can hold 11 ",
                        "(zone=c); 1 server is gone (lost or removed) and does not count");
        arrive(engine, 4, 5, zone);
        assertThat(engine.find(4)).isNotNegative();
        engine.returnServer(0, 4);
        arrive(engine, 5, 11, zone);
        assertThat(engine.find(5)).isNotNegative();
    }

    @Test
    void oneOfSeveralTermsIsEnough() {
        Engine engine = start();
        Constraints either =
                new Constraints(List.of(), Constraints.parseTerms("gpu;zone=a,!gpu"), List.of(), List.of());
        arrive(engine, 1, 1, either);
        assertThat(admitted(engine, 1)).containsExactly(0, 1, 2);
    }

    @Test
    void serversToAvoid() {
        Engine engine = start();
        arrive(engine, 1, 1, Constraints.avoiding(List.of(3, 0)));
        assertThat(admitted(engine, 1)).containsExactly(1, 2, 4);
        arrive(engine, 2, 1, Constraints.avoiding(List.of(5)));
        assertThat(last()).contains("UNKNOWN_SERVER");
        arrive(engine, 3, 1, Constraints.avoiding(List.of(0, 1, 2, 3, 4)));
        assertThat(last()).contains("FITS_NO_SERVER");
    }

    @Test
    void apartFromOthersOfTheGroup() {
        Engine engine = start();
        Constraints perServer = Constraints.spread(Spread.parse("db:1"));
        Constraints perZone = Constraints.spread(Spread.parse("db:2:zone"));
        adopt(engine, 1, 1, perServer, 0);
        arrive(engine, 2, 1, perServer);
        arrive(engine, 3, 1, perZone);
        assertThat(admitted(engine, 2)).containsExactly(1, 2, 3, 4);
        assertThat(admitted(engine, 3))
                .as("zone a has one of two; without a zone none")
                .containsExactly(0, 1, 2, 3);
        adopt(engine, 4, 1, perServer, 1);
        assertThat(admitted(engine, 3)).as("all of the group count").containsExactly(2, 3);
        engine.labelServer(0, 1, Labels.parse("zone=c"));
        assertThat(admitted(engine, 3)).containsExactly(0, 1, 2, 3);
        engine.leave(0, 1);
        assertThat(admitted(engine, 2)).containsExactly(0, 2, 3, 4);
    }

    @Test
    void groupsAreSitesUntilSomebodyTellsServersApart() {
        Engine engine = start();
        View view = engine.view();
        assertThat(view.groups()).isEqualTo(1);
        long before = view.grouping();
        arrive(engine, 1, 1, Constraints.labels(Requirement.parse("zone=a")));
        assertThat(view.grouping()).isNotEqualTo(before);
        assertThat(view.groups()).isEqualTo(2);
        assertThat(view.group(0)).isEqualTo(view.group(1)).isNotEqualTo(view.group(2));
        assertThat(view.group(2)).isEqualTo(view.group(4));
        arrive(engine, 2, 1, Constraints.spread(Spread.parse("x:1:zone")));
        assertThat(view.groups()).as("zone a, zone b, no zone").isEqualTo(3);
        long then = view.grouping();
        arrive(engine, 3, 1, Constraints.labels(Requirement.parse("zone=b")));
        arrive(engine, 4, 1, Constraints.avoiding(List.of(1)));
        assertThat(view.grouping()).as("nothing new is told apart").isEqualTo(then);
    }

    @Test
    void aPolicyThatDoesNotKeepThemTakesNone() {
        Engine engine = start();
        arrive(engine, 1, 1, Constraints.labels(Requirement.parse("zone=a")));
        script.capabilities = Set.of(Capability.SITE_LIMITS);
        arrive(engine, 2, 1, Constraints.labels(Requirement.parse("zone=a")));
        assertThat(last()).contains("CONSTRAINT").contains("policy script does not support constraints");
        engine.setPolicy(0, PolicySpec.of("script"));
        assertThat(last()).contains("CONSTRAINT").contains("requests in the system that have some: 1");
    }

    @Test
    void placingElsewhereIsABug() {
        Engine engine = start();
        script.onArrival = Script.PLACE;
        assertThatThrownBy(() -> arrive(engine, 1, 4, Constraints.labels(Requirement.parse("gpu"))))
                .isInstanceOf(PolicyBugException.class)
                .hasMessageContaining("do not admit server 0");
    }

    @Test
    void namesAreUniqueForEver() {
        Engine engine = start();
        assertThat(engine.findServer("b1")).isEqualTo(2);
        assertThat(engine.findServer("b9")).isEqualTo(-1);
        engine.removeServer(0, 2);
        engine.addServer(0, 0, new long[] {5}, "b1", Labels.NONE);
        assertThat(last()).contains("BAD_NAME").contains("server 2 has the name 'b1'");
        engine.addServer(0, 0, new long[] {5}, "b 3", Labels.NONE);
        assertThat(last()).contains("BAD_NAME").contains("'b 3' is not");
        engine.addServer(0, 0, new long[] {5}, "b3", Labels.parse("zone=b"));
        assertThat(engine.view().serverName(5)).isEqualTo("b3");
        assertThat(engine.view().serverName(4)).isEmpty();
    }

    @Test
    void aServerIsResizedBelowWhatRuns() {
        Engine engine = start();
        script.onArrival = Script.PLACE;
        arrive(engine, 1, 7, Constraints.NONE);
        engine.resizeServer(1, 0, new long[] {4});
        assertThat(last()).isEqualTo("resized 0 from [10]");
        View view = engine.view();
        assertThat(view.free(0, 0)).isEqualTo(4 - 7);
        assertThat(view.overcommitted(0)).isTrue();
        assertThat(view.server(engine.find(1))).isZero();
        script.onArrival = Script.ENQUEUE;
        arrive(engine, 2, 0, Constraints.NONE);
        engine.arrive(1, 2, -1, new long[] {0}, NO_POOL, 0, Constraints.NONE);
        assertThat(view.fits(engine.find(2), 0))
                .as("not even nothing is placed there")
                .isFalse();
        assertThat(view.fits(engine.find(2), 1)).isTrue();
        engine.leave(2, 1);
        assertThat(view.free(0, 0)).isEqualTo(4);
        script.capabilities = Set.of();
        engine.resizeServer(3, 0, new long[] {9});
        assertThat(last()).contains("UNSUPPORTED");
    }

    @Test
    void whatRunsAlreadyIsAdoptedWhereverItIs() {
        Engine engine = start();
        script.takeCallbacks();
        adopt(engine, 1, 14, Constraints.labels(Requirement.parse("gpu")), 0);
        assertThat(script.takeEffects()).containsExactly("arrived 0", "adopted 0 on 0");
        assertThat(script.takeCallbacks()).containsExactly("adopted 1 on 0 @0", "round @0");
        assertThat(engine.view().free(0, 0)).isEqualTo(-4);
        assertThat(engine.view().running(0)).isEqualTo(1);
        adopt(engine, 1, 1, Constraints.NONE, 0);
        assertThat(last()).contains("DUPLICATE_ID");
        adopt(engine, 2, 1, Constraints.NONE, 9);
        assertThat(last()).contains("UNKNOWN_SERVER");
        adopt(engine, 2, 1L << 53, Constraints.NONE, 1);
        assertThat(last()).contains("BAD_DEMAND");
        engine.loseServer(1, 1);
        adopt(engine, 2, 1, Constraints.NONE, 1);
        engine.adopt(1, 2, -1, new long[] {1}, NO_POOL, 0, Constraints.NONE, 1);
        assertThat(last()).contains("WRONG_STATUS");
        script.capabilities = Set.of(Capability.CONSTRAINTS);
        engine.setPolicy(1, PolicySpec.of("script"));
        assertThat(last()).contains("UNSUPPORTED");
    }

    @Test
    void allOfItIsSaved() {
        Engine engine = start();
        Constraints both = new Constraints(
                List.of(0), Constraints.parseTerms("zone=a;gpu"), List.of(1), List.of(Spread.parse("x:1:zone")));
        adopt(engine, 1, 1, both, 0);
        arrive(engine, 2, 1, both);
        engine.resizeServer(0, 4, new long[] {3});
        Engine copy = Engine.restore(engine.save(), script, script);
        assertThat(copy.save()).isEqualTo(engine.save());
        assertThat(admitted(copy, 2)).isEqualTo(admitted(engine, 2)).containsExactly(2);
        assertThat(copy.findServer("a2")).isEqualTo(1);
        assertThat(copy.view().labels(2)).isEqualTo(Labels.parse("gpu=V100,zone=b"));
    }

    @Test
    void aPenaltyIsTheNumberOfALabelAndTellsServersApart() {
        Engine engine = start();
        Constraints cheap = Constraints.labels(Requirement.parse("zone")).penalizedBy("cost");
        engine.labelServer(0, 1, Labels.parse("zone=a,cost=30"));
        engine.labelServer(0, 2, Labels.parse("zone=b,cost=7"));
        engine.labelServer(0, 3, Labels.parse("zone=b,cost=cheap"));
        arrive(engine, 1, 1, cheap);
        assertThat(last()).contains("policy script does not support penalties; first-fit, best-fit and bf-js do");
        script.capabilities = Set.of(Capability.CONSTRAINTS, Capability.PENALTIES);
        engine.setPolicy(0, PolicySpec.of("script"));
        arrive(engine, 1, 1, cheap);
        View view = engine.view();
        int number = view.constraint(engine.find(1));
        assertThat(IntStream.range(0, 5).map(server -> view.penalty(number, view.group(server))))
                .containsExactly(0, 30, 7, Integer.MAX_VALUE, 0);
        assertThat(view.penalty(0, view.group(1))).isZero();
        assertThat(admitted(engine, 1)).containsExactly(0, 1, 2, 3);
        Engine copy = Engine.restore(engine.save(), script, script);
        assertThat(copy.save()).isEqualTo(engine.save());
        assertThat(copy.view().constraints(number)).isEqualTo(cheap);
        script.capabilities = Set.of(Capability.CONSTRAINTS);
        engine.setPolicy(0, PolicySpec.of("script"));
        assertThat(last()).contains("cannot work with penalties, and some requests have one");
    }

    /** Each change of labels leaves a profile behind; those without a server are forgotten. */
    @Test
    void labelsThatNobodyHasAnyMoreAreForgotten() {
        Engine engine = start();
        arrive(engine, 1, 1, Constraints.labels(Requirement.parse("zone=a")));
        for (int n = 0; n < 1000; n++) {
            engine.labelServer(0, n % 5, Labels.parse("n=" + n + (n % 2 == 0 ? ",zone=a" : "")));
            assertThat(engine.view().groups()).isLessThanOrEqualTo(2);
            assertThat(admitted(engine, 1))
                    .allMatch(server -> engine.view()
                            .labels(server)
                            .values()
                            .getOrDefault("zone", "")
                            .equals("a"));
        }
        assertThat(admitted(engine, 1)).containsExactly(1, 3);
        ServerGroups groups = ((EngineView) engine.view()).state.constraints.groups;
        assertThat(IntStream.range(0, 5).map(groups::profile)).allMatch(profile -> profile < 20);
    }

    @Test
    void theTextFormKeepsAll() {
        Constraints all = new Constraints(
                List.of(0),
                Constraints.parseTerms("zone=b|a,!gpu;gpu"),
                List.of(4, 1),
                List.of(new Spread("x", 1, ""), new Spread("x", 2, "zone")),
                "cost/a");
        Command adopt = Command.arriveWith(5, 1, -1, List.of(4L), List.of(), 0)
                .constrained(all)
                .adoptedOn(2);
        assertThat(adopt)
                .hasToString("adopt at=5 id=1 type=-1 demand=4 pooled= reward=0 sites=0"
                        + " require=!gpu,zone=a|b;gpu avoid=1,4 spread=x:1,x:2:zone penalty=cost/a server=2");
        Command add = Command.addServer(1, 0, List.of(4L)).named("n1", Labels.parse("gpu=,zone=a"));
        assertThat(add).hasToString("add-server at=1 site=0 capacity=4 name=n1 labels=gpu=,zone=a");
        Command label = Command.label(1, 3, Labels.NONE);
        Command resize = Command.resize(1, 3, List.of(7L));
        for (Command each : List.of(adopt, add, label, resize)) {
            assertThat(Command.parse(each.toString())).isEqualTo(each);
        }
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> Labels.parse("a=1,a=2")).hasMessageContaining("label 'a' occurs twice");
        assertThatThrownBy(() -> Labels.parse("a")).hasMessageContaining("is not key=value");
        assertThatThrownBy(() -> Labels.parse("a b=1")).hasMessageContaining("label key 'a b' is not");
        assertThatThrownBy(() -> new Requirement("a", Requirement.Operator.IN, List.of()))
                .hasMessageContaining("IN needs at least one value");
        assertThatThrownBy(() -> Spread.parse("x")).hasMessageContaining("is not group:most");
        assertThatThrownBy(() -> Spread.parse("x:0")).hasMessageContaining("less than 1");
        assertThatThrownBy(() -> Spread.parse("x:one")).hasMessageContaining("not a whole number");
        assertThatThrownBy(() -> Constraints.spread(Spread.parse("x:1"), Spread.parse("x:2")))
                .hasMessageContaining("two limits");
    }
}
