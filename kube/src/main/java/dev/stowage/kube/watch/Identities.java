package dev.stowage.kube.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.function.Supplier;

/**
 * What an informer keeps of its objects: by what name they are known, and in which version. All else is read when an
 * object is told, and is not kept a second time.
 *
 * @param <T> the kind
 */
final class Identities<T extends HasMetadata> extends BasicItemStore<T> {
    private final Supplier<T> blank;

    /** @param blank makes an object without fields */
    Identities(Supplier<T> blank) {
        super(Cache::metaNamespaceKeyFunc);
        this.blank = blank;
    }

    @Override
    public T put(String key, T object) {
        ObjectMeta of = object.getMetadata();
        ObjectMeta kept = new ObjectMeta();
        kept.setNamespace(of.getNamespace());
        kept.setName(of.getName());
        kept.setUid(of.getUid());
        kept.setResourceVersion(of.getResourceVersion());
        T identity = blank.get();
        identity.setMetadata(kept);
        return super.put(key, identity);
    }

    /** An object is told as soon as its page is there, because it cannot be told later from here. */
    @Override
    public boolean isFullState() {
        return false;
    }
}
