package dev.stowage.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.kube.Yaml;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Mock informers and a mock API server. */
final class WatchedKindTest {
    private static final String BOOKMARK = "{\"type\":\"BOOKMARK\",\"object\":{}}\n";
    private static final String NEWS = BOOKMARK + "{\"type\":\"ADDED\",\"object\":{}}\n";

    private final List<String> told = new ArrayList<>();
    private final List<Played> informers = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private String version = "7";
    private String news = "";
    private boolean badStop;
    private boolean endsEarly;
    private boolean endsWhileStarting;
    private final WatchedKind<Pod> kind = new WatchedKind<>(
            client(),
            "/pods",
            () -> {
                Played played = new Played();
                informers.add(played);
                return played.informable;
            },
            Pod::new,
            pod -> told.add("+" + pod.getMetadata().getName()),
            pod -> told.add("-" + pod.name()),
            () -> told.add("listed"));

    private boolean failsThen;

    private final class Played {
        private ResourceEventHandler<Pod> handler;
        private boolean started;
        private boolean stopped;

        @SuppressWarnings("unchecked")
        private final Informable<Pod> informable = (Informable<Pod>) Proxy.newProxyInstance(
                WatchedKindTest.class.getClassLoader(),
                new Class<?>[] {Informable.class},
                (proxy, method, arguments) -> method.getName().equals("runnableInformer") ? informer() : proxy);

        @SuppressWarnings("unchecked")
        private final SharedIndexInformer<Pod> informer = (SharedIndexInformer<Pod>) Proxy.newProxyInstance(
                WatchedKindTest.class.getClassLoader(),
                new Class<?>[] {SharedIndexInformer.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "addEventHandler" -> {
                        handler = (ResourceEventHandler<Pod>) arguments[0];
                        yield proxy;
                    }
                    case "exceptionHandler" -> {
                        if (endsEarly) {
                            kind.end();
                        }
                        yield proxy;
                    }
                    case "start" -> {
                        if (endsWhileStarting) {
                            kind.end();
                            stopped = false;
                        }
                        if (failsThen) {
                            throw new IllegalArgumentException("interrupted");
                        }
                        if (stopped) {
                            throw new IllegalStateException("Cannot restart a stopped informer");
                        }
                        started = true;
                        yield null;
                    }
                    case "stop" -> {
                        stopped = true;
                        if (badStop) {
                            throw new IllegalStateException("cannot be stopped");
                        }
                        yield null;
                    }
                    case "removeNamespaceIndex", "itemStore" -> proxy;
                    case "lastSyncResourceVersion" -> version;
                    default -> null;
                });

        private SharedIndexInformer<Pod> informer() {
            return informer;
        }
    }

    private KubernetesClient client() {
        return (KubernetesClient) Proxy.newProxyInstance(
                WatchedKindTest.class.getClassLoader(),
                new Class<?>[] {KubernetesClient.class},
                (proxy, method, arguments) -> {
                    asked.add((String) arguments[0]);
                    if (news.equals("410")) {
                        throw new KubernetesClientException("too old", 410, null);
                    }
                    return news;
                });
    }

    private static Pod pod(String name) {
        return Yaml.pod(name, "", "cpu: 1", "");
    }

    @Test
    void whatIsGoneWhenAnotherInformerBeginsIsTold() {
        kind.begin();
        ResourceEventHandler<Pod> first = informers.get(0).handler;
        first.onAdd(pod("a"));
        first.onAdd(pod("b"));
        first.onList("7", false);
        kind.begin();
        assertThat(informers.get(0).stopped).isTrue();
        // Too late: another informer has replaced it.
        first.onAdd(pod("c"));
        ResourceEventHandler<Pod> second = informers.get(1).handler;
        second.onAdd(pod("b"));
        second.onList("9", false);
        second.onDelete(pod("b"), false);
        second.onList("10", true);
        assertThat(told).containsExactly("+a", "+b", "listed", "+b", "-a", "listed", "-b", "listed");
    }

    @Test
    void whatWasMadeAnewUnderTheSameNameIsToldGoneFirst() {
        kind.begin();
        informers.get(0).handler.onAdd(pod("a"));
        informers.get(0).handler.onList("7", false);
        kind.begin();
        ResourceEventHandler<Pod> second = informers.get(1).handler;
        second.onAdd(anew("a", "u-2"));
        second.onList("9", false);
        second.onUpdate(anew("a", "u-2"), anew("a", "u-3"));
        assertThat(told).containsExactly("+a", "listed", "-a", "+a", "listed", "-a", "+a");
    }

    private static Pod anew(String name, String uid) {
        Pod pod = pod(name);
        pod.getMetadata().setUid(uid);
        return pod;
    }

    @Test
    void aWatchThatMissesSomethingTwiceIsBegunAnew() {
        kind.begin();
        news = NEWS;
        kind.check();
        assertThat(asked).containsExactly("/pods?watch=true&timeoutSeconds=1&resourceVersion=7");
        assertThat(informers).hasSize(1);
        // It has been delivered meanwhile.
        version = "8";
        kind.check();
        assertThat(informers).hasSize(1);
        kind.check();
        assertThat(informers).hasSize(2);
        news = "410";
        kind.check();
        kind.check();
        assertThat(informers).hasSize(3);
    }

    @Test
    void aListThatDoesNotComeIsBegunAnewAfterLong() {
        kind.begin();
        version = "";
        for (int i = 0; i < 10; i++) {
            kind.check();
        }
        assertThat(informers).hasSize(1);
        for (int i = 0; i < 35; i++) {
            kind.check();
        }
        assertThat(informers).hasSize(2);
        assertThat(asked).isEmpty();
    }

    @Test
    void whereOneCannotBeStoppedTheNextIsStartedAllTheSame() {
        badStop = true;
        kind.begin();
        kind.begin();
        assertThat(informers.get(0).stopped).isTrue();
        assertThat(informers.get(1).started).isTrue();
        kind.end();
    }

    @Test
    void aWatchThatHasNothingToTellIsLeftAlone() {
        kind.begin();
        for (String nothing : new String[] {"", BOOKMARK}) {
            news = nothing;
            kind.check();
            kind.check();
        }
        assertThat(informers).hasSize(1);
    }

    @Test
    void whatIsEndedBeforeItStartsDoesNotStart() {
        endsEarly = true;
        kind.begin();
        assertThat(informers.get(0).stopped).isTrue();
        assertThat(informers.get(0).started).isFalse();
    }

    @Test
    void whatIsEndedWhileItStartsDoesNotStay() {
        endsWhileStarting = true;
        kind.begin();
        assertThat(informers.get(0).started).isTrue();
        assertThat(informers.get(0).stopped).isTrue();
    }

    @Test
    void whatIsEndedWhileItStartsDoesNotStayThoughItsStartFails() {
        endsWhileStarting = true;
        failsThen = true;
        assertThatThrownBy(kind::begin).hasMessage("interrupted");
        assertThat(informers.get(0).stopped).isTrue();
    }

    @Test
    void whatHasEndedDoesNotBeginAnew() {
        kind.begin();
        kind.end();
        kind.begin();
        assertThat(informers.get(1).handler).isNull();
        assertThat(informers.get(1).started).isFalse();
    }
}
