package dev.stowage.kube.watch;

import dev.stowage.kube.translate.GroupSize;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists and watches the objects that say how many pods of a group are bound at once, from when the first pod needs one:
 * the {@code PodGroup} of Kubernetes and that of scheduler-plugins, each as soon as the API server has it, in the
 * version that it prefers.
 */
public final class GroupWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupWatch.class);
    private static final String PLURAL = "podgroups";

    private final KubernetesClient client;
    private final Consumer<GroupSize> listener;
    private final Watches watches = new Watches("pod groups");
    private boolean begun;

    /**
     * A watch that has not begun.
     *
     * @param listener receives what is new or has changed, in threads of the client; of an object that is gone it
     *     receives that it says nothing
     */
    public GroupWatch(KubernetesClient client, Consumer<GroupSize> listener) {
        this.client = client;
        this.listener = listener;
    }

    /** Begins, unless it has. */
    public synchronized void begin() {
        if (!begun) {
            begun = true;
            GroupSize.APIS.forEach(api -> watches.seek(() -> find(api)));
        }
    }

    private Optional<WatchedKind<?>> find(String api) {
        return Watches.versions(client, api).stream()
                .filter(version -> has(api, version))
                .findFirst()
                .map(version -> watch(api, version));
    }

    private boolean has(String api, String version) {
        String answer = client.raw("/apis/" + api + "/" + version);
        return answer != null
                && client.getKubernetesSerialization().unmarshal(answer, APIResourceList.class).getResources().stream()
                        .anyMatch(resource -> resource.getName().equals(PLURAL));
    }

    private WatchedKind<GenericKubernetesResource> watch(String api, String version) {
        LOG.info("watching the pod groups of {}/{}", api, version);
        ResourceDefinitionContext context = new ResourceDefinitionContext.Builder()
                .withGroup(api)
                .withVersion(version)
                .withKind("PodGroup")
                .withPlural(PLURAL)
                .withNamespaced(true)
                .build();
        return new WatchedKind<>(
                client,
                "/apis/" + api + "/" + version + "/" + PLURAL,
                () -> client.genericKubernetesResources(context).inAnyNamespace(),
                GenericKubernetesResource::new,
                object -> tell(GroupSize.of(api, object)),
                gone -> listener.accept(GroupSize.gone(api, gone.path())),
                () -> {});
    }

    private void tell(GroupSize size) {
        if (!size.ignored().isEmpty()) {
            LOG.warn("the PodGroup {} sets {}, which is ignored", size.path(), size.ignored());
        }
        listener.accept(size);
    }

    @Override
    public void close() {
        watches.close();
    }
}
