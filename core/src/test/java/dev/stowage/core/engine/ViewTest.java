package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every number of the view is another one here, so that none can stand for its neighbour. */
class ViewTest {
    /** Site 0 has two servers of (10, 20), site 1 one of (30, 40); pools of (5, 6) and (7, 8). */
    private static Cluster cluster() {
        return new Cluster(
                List.of(Resource.of("cpu"), new Resource("speed", true)),
                List.of("disk", "licences"),
                List.of(
                        new Site("a", List.of(new ServerBlock(2, Amounts.of(10, 20))), Amounts.of(5, 6)),
                        new Site("b", List.of(new ServerBlock(1, Amounts.of(30, 40))), Amounts.of(7, 8))),
                List.of(
                        new RequestType("small", Amounts.of(1, 2), Amounts.of(3, 4), 100, 900),
                        new RequestType("large", Amounts.of(9, 11), Amounts.of(2, 1), 200).withMeanService(800)));
    }

    private final Script script = new Script();

    @Test
    void whatNeverChanges() {
        View view = script.start(cluster(), Steps.COMMANDS).view();
        assertThat(view.resources()).isEqualTo(2);
        assertThat(view.resourceName(1)).isEqualTo("speed");
        assertThat(view.divisibleResource()).isEqualTo(1);
        assertThat(view.pooledResources()).isEqualTo(2);
        assertThat(view.sites()).isEqualTo(2);
        assertThat(view.servers()).isEqualTo(3);
        assertThat(view.site(2)).isEqualTo(1);
        assertThat(view.capacity(1, 0)).isEqualTo(10);
        assertThat(view.capacity(2, 1)).isEqualTo(40);
        assertThat(view.capacityClasses()).isEqualTo(2);
        assertThat(view.capacityClass(1)).isZero();
        assertThat(view.capacityClass(2)).isEqualTo(1);
        assertThat(view.classSite(1)).isEqualTo(1);
        assertThat(view.classCapacity(0, 1)).isEqualTo(20);
        assertThat(view.classCapacity(1, 0)).isEqualTo(30);
        assertThat(view.pooledCapacity(0, 1)).isEqualTo(6);
        assertThat(view.pooledCapacity(1, 0)).isEqualTo(7);
        assertThat(view.types()).isEqualTo(2);
        assertThat(view.typeName(1)).isEqualTo("large");
        assertThat(view.typeDemand(1, 1)).isEqualTo(11);
        assertThat(view.typePooledDemand(0, 1)).isEqualTo(4);
        assertThat(view.typeReward(1)).isEqualTo(200);
        assertThat(view.typeMeanService(0)).isEqualTo(900);
        assertThat(view.typeMeanService(1)).isEqualTo(800);
        View plain = new Script().start(Cluster.single(1, 10), Steps.COMMANDS).view();
        assertThat(plain.divisibleResource()).isEqualTo(View.NONE);
    }

    @Test
    void whatARequestIs() {
        script.queues = 3;
        script.onArrival = (job, view, actions) -> {
            if (view.type(job) == 1) {
                actions.enqueue(job, 2, "");
            } else {
                actions.place(job, 2, "");
            }
        };
        Engine engine = script.start(cluster(), Steps.COMMANDS);
        engine.arrive(5, 70, 0);
        engine.arrive(6, 71, 1);
        engine.arrive(7, 72, -1, new long[] {4, 8}, new long[] {1, 2}, 55);
        View view = engine.view();
        assertThat(engine.handles()).isEqualTo(3);
        assertThat(view.state(0)).isEqualTo(JobState.RUNNING);
        assertThat(view.state(engine.handles())).isEqualTo(JobState.FREE);
        assertThat(view.state(View.NONE)).isEqualTo(JobState.FREE);
        assertThat(List.of(view.type(0), view.type(1), view.type(2))).containsExactly(0, 1, -1);
        assertThat(List.of(view.queue(0), view.queue(1))).containsExactly(View.NONE, 2);
        assertThat(List.of(view.server(0), view.server(1))).containsExactly(2, View.NONE);
        assertThat(List.of(view.reward(0), view.reward(1), view.reward(2))).containsExactly(100L, 200L, 55L);
        assertThat(List.of(view.id(1), view.arrivedAt(1), view.order(1))).containsExactly(71L, 6L, 1L);
        assertThat(view.demand(2, 1)).isEqualTo(8);
        assertThat(view.pooledDemand(1, 0)).isEqualTo(2);
        assertThat(view.pooledDemand(2, 1)).isEqualTo(2);
        assertThat(view.pooledFree(1, 1)).isEqualTo(8 - 4 - 2);
        assertThat(view.pooledFree(1, 0)).isEqualTo(7 - 3 - 1);
        assertThat(view.free(2, 0)).isEqualTo(30 - 1 - 4);
        assertThat(view.queues()).isEqualTo(3);
        assertThat(List.of(view.queueLength(2), view.queueHead(2))).containsExactly(1, 1);
        assertThat(view.next(0)).isEqualTo(2);
        assertThat(view.firstOn(2)).isZero();
    }

    @Test
    void whatWasRejectedIsCounted() {
        script.onArrival = (job, view, actions) -> actions.reject(job, "no");
        Engine engine = script.start(cluster(), Steps.COMMANDS);
        engine.arrive(5, 70, 0);
        engine.arrive(6, 71, 0);
        assertThat(engine.rejected()).isEqualTo(2);
        assertThat(engine.left()).isZero();
    }

    /** In one callback the numbers go on; each callback has its own, whatever the one before drew. */
    @Test
    void eachCallbackHasRandomNumbersOfItsOwn() {
        List<Long> drawn = new ArrayList<>();
        script.onArrival = (job, view, actions) -> {
            drawn.add(view.random().nextLong());
            drawn.add(view.random().nextLong());
            actions.enqueue(job, 0, "");
        };
        Engine engine = script.start(cluster(), Steps.COMMANDS);
        engine.arrive(5, 70, 0);
        engine.arrive(6, 71, 0);
        assertThat(drawn).doesNotHaveDuplicates().hasSize(4);
        List<Long> once = new ArrayList<>();
        Script other = new Script();
        other.onArrival = (job, view, actions) -> {
            once.add(view.random().nextLong());
            actions.enqueue(job, 0, "");
        };
        Engine second = other.start(cluster(), Steps.COMMANDS);
        second.arrive(5, 70, 0);
        second.arrive(6, 71, 0);
        assertThat(once).containsExactly(drawn.get(0), drawn.get(2));
    }

    /** The digest is of every effect: what, about whom, where and when. */
    @Test
    void theDigestTellsRunsApart() {
        List<Long> digests = new ArrayList<>();
        for (int variant = 0; variant < 5; variant++) {
            int which = variant;
            Script each = new Script();
            each.onArrival = (job, view, actions) -> actions.place(job, which == 1 ? 1 : 0, "");
            Engine engine = each.start(cluster(), Steps.COMMANDS);
            digests.add(engine.digest());
            engine.arrive(which == 2 ? 6 : 5, which == 3 ? 71 : 70, 0);
            digests.add(engine.digest());
            if (which == 4) {
                engine.drainServer(7, 1);
                digests.add(engine.digest());
            }
        }
        assertThat(digests.stream().distinct()).hasSize(1 + 4 + 1);
    }

    /** The end of a dummy is an effect like any other, and its handle is used again. */
    @Test
    void aDummyThatEndedIsInTheDigestAndItsHandleIsFree() {
        script.onStart = (view, actions) -> actions.placeDummy(0, 0, 5, "");
        Engine engine = script.start(cluster(), Steps.COMMANDS);
        long before = engine.digest();
        engine.tick(4);
        assertThat(engine.digest()).isEqualTo(before);
        engine.tick(5);
        assertThat(engine.digest()).isNotEqualTo(before);
        engine.arrive(6, 70, 0);
        assertThat(engine.find(70)).isZero();
        assertThat(engine.handles()).isEqualTo(1);
    }

    @Test
    void theSuccessorIsThePolicyAndMoreSitesMayNeedMoreQueues() {
        Engine engine = script.start(cluster(), Steps.COMMANDS);
        PolicySpec successor = PolicySpec.of("script", Map.of("score", "leftover"));
        engine.setPolicy(5, successor);
        assertThat(engine.policy()).isEqualTo(successor);
        script.queues = 4;
        assertThat(engine.view().queues()).isEqualTo(1);
        engine.addSite(6, new long[] {1, 1});
        assertThat(engine.view().queues()).isEqualTo(4);
    }
}
